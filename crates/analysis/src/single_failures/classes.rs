//! Cables whose failures are equally bad, found before any of them fails.
//!
//! An automorphism of a network that the routing respects takes a failure to one with the same bounds if what becomes of
//! the routing follows from its paths alone: where broken paths stay broken, and where the split over all shortest paths
//! is made anew. A rule that goes by numbers, such as the next path of a tree, may be worse for one cable than for
//! another.

use std::collections::HashMap;

use petgraph::unionfind::UnionFind;

use crate::certificate::Automorphism;
use crate::failure::{Cable, stays_as_it_is};
use crate::progress::Progress;
use crate::routing::Instance;
use crate::symmetry::Symmetry;
use crate::topology::{LinkId, link_number};

/// Part of the time that is left for the search, if there is a deadline.
const SEARCHING: f64 = 0.1;

/// For every cable the first one of its class.
pub(super) fn classes(instance: &Instance, cables: &[Cable], progress: &Progress) -> Vec<usize> {
    let alone = || (0..cables.len()).collect();
    let has_weights =
        instance.topology.link_numbers().any(|link| instance.topology.link(link).weight.is_some());
    let is_split = instance.shortest_split().is_some() && !has_weights;
    if !is_split && !stays_as_it_is(instance.routing()) {
        return alone();
    }
    let Some(symmetry) = Symmetry::of(instance, &progress.part(SEARCHING)) else { return alone() };
    let mut classes = UnionFind::<usize>::new(cables.len());
    let number: HashMap<&[LinkId], usize> =
        cables.iter().zip(0..).map(|(cable, at)| (cable.links.as_slice(), at)).collect();
    for automorphism in symmetry.automorphisms() {
        let image = images(automorphism, instance.topology.links());
        for (at, cable) in cables.iter().enumerate() {
            let mut links: Vec<LinkId> =
                cable.links.iter().map(|link| image[*link as usize]).collect();
            links.sort_unstable();
            // It may take the directions of parallel cables apart.
            if let Some(other) = number.get(links.as_slice()) {
                classes.union(at, *other);
            }
        }
    }
    let mut first: HashMap<usize, usize> = HashMap::new();
    classes
        .into_labeling()
        .iter()
        .zip(0..)
        .map(|(label, at)| *first.entry(*label).or_insert(at))
        .collect()
}

/// The image of every link.
fn images(automorphism: &Automorphism, links: usize) -> Vec<LinkId> {
    let mut image: Vec<LinkId> = (0..link_number(links)).collect();
    for cycle in &automorphism.links {
        for (link, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            image[*link as usize] = *next;
        }
    }
    image
}
