//! Lower bounds from prices of arcs, as integer lengths of their links.

use dashu_int::UBig;
use rayon::prelude::*;

use super::cuts::Proven;
use super::network::Classes;
use crate::integer::{index32, rounded};
use crate::optimum::problem::Group;
use crate::optimum::shortest::{Adjacency, Tree};
use crate::progress::Progress;
use crate::rational::Rational;

/// Bits of the longest link.
const BITS: i32 = 30;

/// Data for the search of paths from gates.
pub struct Priced<'c, 't> {
    classes: &'c Classes<'t>,
    network: Adjacency,
    /// Per gate that sends, the gates that it sends to.
    groups: Vec<Group>,
}

impl<'c, 't> Priced<'c, 't> {
    /// The data for traffic by gate. O(links + pairs of gates).
    #[must_use]
    pub fn new(classes: &'c Classes<'t>) -> Self {
        let topology = classes.topology();
        let mut is_arc = vec![false; topology.links()];
        for (link, _) in classes.arcs().iter().flat_map(|arc| &arc.links) {
            is_arc[*link as usize] = true;
        }
        let network = Adjacency::new(topology).only(|link| is_arc[link as usize]);
        let gates = 0..index32(classes.gates().len());
        let mut groups: Vec<Group> =
            gates.map(|source| Group { source, sinks: Vec::new() }).collect();
        for group in classes.demands() {
            for (from, units) in &group.sinks {
                groups[*from as usize].sinks.push((group.source, *units));
            }
        }
        groups.retain(|group| !group.sinks.is_empty());
        Self { classes, network, groups }
    }

    /// The bound that lengths in proportion to the prices prove: Σ demand·distance ÷ Σ capacity·length. `None` without
    /// prices above 0, where a gate is not reached, or when `progress` is cancelled. O(gates · links · log nodes).
    #[must_use]
    pub fn bound(&self, prices: &[f64], progress: &Progress) -> Option<Proven> {
        let largest = prices.iter().copied().fold(0.0, f64::max);
        if !(largest > 0.0 && largest.is_finite()) {
            return None;
        }
        let topology = self.classes.topology();
        let (mut lengths, mut offered) = (vec![0; topology.links()], Rational::ZERO);
        for (arc, price) in self.classes.arcs().iter().zip(prices) {
            let length = rounded((price / largest).max(0.0) * 2_f64.powi(BITS));
            for (link, _) in arc.links.iter().filter(|_| length > 0) {
                lengths[*link as usize] = length;
                offered += &(&topology.link(*link).capacity * &Rational::from(length));
            }
        }
        let used = self.groups.par_iter().map_init(Tree::default, |tree, group| {
            progress.check().ok()?;
            tree.search(&self.network, self.classes.gates().node(group.source), &lengths);
            let distances = group.sinks.iter().map(|(to, units)| {
                let distance = tree.distance(self.classes.gates().node(*to))?;
                Some(UBig::from(*units) * UBig::from(distance))
            });
            distances.sum::<Option<UBig>>()
        });
        let used = used.collect::<Option<Vec<UBig>>>()?.into_iter().sum::<UBig>();
        let bound = Rational::from_big(used, self.classes.units().into())?.checked_div(&offered)?;
        let lengths = (0..).zip(lengths).filter(|(_, length)| *length > 0);
        Some((bound, lengths.collect()))
    }
}
