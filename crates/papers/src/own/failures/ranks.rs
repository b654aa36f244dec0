//! Every cable in turn: the exact worst load beside what sampled traffic says.

use std::collections::HashSet;

use crate::failure::at_random;
use crate::failure_sets::{Element, FailureSets, Failures, Ground, Unit, failure_sets};
use crate::progress::Stopped;
use crate::routing::UseScratch;
use crate::study::prelude::*;
use crate::topology::{Host, LinkId};

use super::cases::{Case, SEED};
use super::damaged::Damaged;
use super::samples::{Draws, Loads, Uses, parts, uses_of};

/// An instance without one cable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Cable {
    pub(super) name: String,
    /// The exact worst permutation load, or that without failures where it is higher.
    pub(super) exact: Rational,
    /// What each kind of sampled traffic has.
    pub(super) sampled: [Rational; 3],
}

/// An instance without each of its cables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ranks {
    /// The exact worst permutation load without failures.
    pub(super) whole: Rational,
    pub(super) cables: Vec<Cable>,
}

impl Ranks {
    /// Of single `failures`, all of which are ranked.
    pub(super) fn find(
        instance: &Instance,
        failures: &Failures,
        draws: &Draws,
        progress: &Progress,
    ) -> Result<Self> {
        let found = failure_sets(instance, failures, &progress.part(1.0), &mut |_| {})?;
        let whole = found.whole.clone().filter(|_| found.complete).ok_or(Stopped)?;
        let sampled = sampled(instance, failures, draws, progress)?;
        let cables = failures.elements.iter().zip(exact(&found, &whole)).zip(sampled);
        let cables = cables.map(|((element, exact), sampled)| Cable {
            name: element.name.clone(),
            exact,
            sampled,
        });
        Ok(Self { cables: cables.collect(), whole })
    }

    /// Whether no number contradicts another.
    pub(super) fn is_possible(&self) -> bool {
        let is_possible = |cable: &Cable| {
            cable.exact >= self.whole && cable.sampled.iter().all(|load| *load <= cable.exact)
        };
        self.cables.iter().all(is_possible)
    }
}

impl Case {
    /// The cables that fail in turn: all, or a number of them that is drawn at random.
    pub(super) fn failures(&self, topology: &Topology) -> Result<Failures> {
        let mut elements = Element::all(topology, Unit::Cable);
        if let Some(count) = self.drawn {
            let drawn = at_random(topology, count, SEED)?;
            let drawn: HashSet<Vec<LinkId>> = drawn.into_iter().map(|cable| cable.links).collect();
            elements.retain(|element| drawn.contains(&element.cables[0].links));
        }
        let ranked = elements.len();
        Ok(Failures { elements, most: 1, repair: self.repair(), ranked })
    }
}

/// The exact load without each element. Of equivalent ones the first is ranked.
fn exact(found: &FailureSets, whole: &Rational) -> Vec<Rational> {
    let ranked = found.rankings.iter().flat_map(|ranking| &ranking.sets);
    // Before them is the empty set.
    let mut loads: Vec<Rational> = vec![whole.clone(); found.verdicts.len()];
    for set in ranked {
        if let [element] = set.peak.set[..] {
            loads[element as usize + 1] = set.peak.load.clone();
        }
    }
    for (at, verdict) in found.verdicts.iter().enumerate() {
        if let Ground::Symmetry(first) = verdict.by {
            loads[at] = loads[first as usize].clone();
        }
    }
    loads.split_off(1)
}

/// What sampled traffic says of the instance without each element. Only pairs whose paths it breaks are looked at
/// again.
fn sampled(
    instance: &Instance,
    failures: &Failures,
    draws: &Draws,
    progress: &Progress,
) -> Result<Vec<[Rational; 3]>> {
    let mut loads = Loads::new(draws, instance.topology.links());
    let mut element_of = vec![None; instance.topology.links()];
    for (element, at) in failures.elements.iter().zip(0..) {
        let links = element.cables.iter().flat_map(|cable| &cable.links);
        links.for_each(|link| element_of[*link as usize] = Some(at));
    }
    let mut broken: Vec<Vec<(Host, Host)>> = vec![Vec::new(); failures.elements.len()];
    let see = |pair: (Host, Host), uses: &Uses| {
        for at in uses.iter().filter_map(|(link, _)| element_of[*link as usize]) {
            let of_element: &mut Vec<(Host, Host)> = &mut broken[at];
            if of_element.last() != Some(&pair) {
                of_element.push(pair);
            }
        }
    };
    let uses = |pair: (Host, Host), scratch: &mut UseScratch, all: &mut Uses| {
        uses_of(instance, pair, scratch, all);
    };
    loads.add_all(uses, see, progress)?;
    let without = failures.elements.iter().zip(&broken).map(|(element, broken)| {
        progress.check()?;
        let damaged = Damaged::of(instance, &element.cables, &failures.repair)?;
        let changes = changes(instance, &damaged, broken);
        for (pair, before, after) in &changes {
            loads.remove(*pair, before);
            loads.add(*pair, after);
        }
        let highest = loads.highest(&instance.topology);
        for (pair, before, after) in &changes {
            loads.remove(*pair, after);
            loads.add(*pair, before);
        }
        Ok(highest)
    });
    without.collect()
}

/// The links of pairs before and after the damage.
fn changes(
    instance: &Instance,
    damaged: &Damaged,
    pairs: &[(Host, Host)],
) -> Vec<((Host, Host), Uses, Uses)> {
    let mut scratch = UseScratch::default();
    let of_pair = |pair: &(Host, Host)| {
        let (mut before, mut after) = (Uses::new(), Uses::new());
        uses_of(instance, *pair, &mut scratch, &mut before);
        damaged.each_use(*pair, &mut scratch, &mut |share, link| after.push((link, parts(share))));
        (*pair, before, after)
    };
    pairs.iter().map(of_pair).collect()
}
