//! Cables whose failures are equally bad, found before any of them fails.
//!
//! An automorphism of a network that the routing respects takes a failure to one with the same bounds if the outcome
//! for the routing follows from its paths alone: where broken paths stay broken, and where the split over all shortest
//! paths is made anew. A rule that goes by numbers, such as the next path of a tree, may be worse for one cable than for
//! another: there the paths that replace broken ones are compared, too (`shifts.rs`).

use std::collections::HashMap;

use petgraph::unionfind::UnionFind;

use crate::failure::{Cable, stays_as_it_is};
use crate::progress::Progress;
use crate::routing::Instance;
use crate::symmetry::{Symmetry, images_of_sets};
use crate::topology::LinkId;

use super::shifts;

/// Part of the time that is left for the search, if there is a deadline.
const SEARCHING: f64 = 0.1;

/// For every cable the first one of its class.
pub(super) fn classes(instance: &Instance, cables: &[Cable], progress: &Progress) -> Vec<usize> {
    let mut classes = UnionFind::<usize>::new(cables.len());
    let progress = progress.part(SEARCHING);
    if follows_from_paths(instance) {
        join_images(instance, cables, &mut classes, &progress);
    } else {
        shifts::join(instance, cables, &mut classes, &progress);
    }
    let mut first: HashMap<usize, usize> = HashMap::new();
    classes
        .into_labeling()
        .iter()
        .zip(0..)
        .map(|(label, at)| *first.entry(*label).or_insert(at))
        .collect()
}

/// Whether the outcome for the routing follows from its paths alone.
fn follows_from_paths(instance: &Instance) -> bool {
    let has_weights =
        instance.topology.link_numbers().any(|link| instance.topology.link(link).weight.is_some());
    let is_split = instance.shortest_split().is_some() && !has_weights;
    is_split || stays_as_it_is(instance.routing())
}

/// Joins the classes of cables that automorphisms take to each other.
fn join_images(
    instance: &Instance,
    cables: &[Cable],
    classes: &mut UnionFind<usize>,
    progress: &Progress,
) {
    let Some(symmetry) = Symmetry::of(instance, progress) else { return };
    let sets: Vec<Vec<LinkId>> = cables.iter().map(|cable| cable.links.clone()).collect();
    // They may take the directions of parallel cables apart.
    for images in images_of_sets(symmetry.automorphisms(), instance.topology.links(), &sets) {
        for (at, other) in images.into_iter().enumerate() {
            if let Some(other) = other {
                classes.union(at, other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::single_failures;
    use super::*;
    use crate::assessment::Assess;
    use crate::bounds::Bounds;
    use crate::failure::{inner_cables, remaining};

    /// The number of classes of cables of an instance.
    fn count(topology: &str, routing: &str) -> (usize, usize) {
        let instance = Instance::named(topology, routing).unwrap();
        let cables = inner_cables(&instance.topology);
        let classes = classes(&instance, &cables, &Progress::silent());
        let firsts = classes.iter().enumerate().filter(|(at, first)| at == *first);
        (cables.len(), firsts.count())
    }

    /// A shift of leaves takes any leaf to any other, one of hosts and ports any port. On three levels what goes round a
    /// cable to the lowest switches takes the first of the higher ports, which no shift of these keeps.
    #[test]
    fn cables_of_rules_by_numbers_have_classes() {
        assert_eq!(count("ft(6,2)", "dmodk"), (18, 1));
        assert_eq!(count("ft(6,2)", "smodk"), (18, 1));
        assert_eq!(count("xgft(2;4,6;1,2)", "dmodk"), (12, 1));
        assert_eq!(count("ft(6,2)", "random(seed=1)"), (18, 18));
        assert_eq!(count("ft(6,2)", "minhop"), (18, 18));
        let (cables, classes) = count("ft(4,3)", "dmodk");
        assert!(cables == 32 && classes < 16, "{classes} of {cables}");
    }

    /// Without linear programs, ratios of equal failures may have other bounds. By default every third failure, in the
    /// full tier all.
    #[test]
    fn every_failure_is_as_bad_as_if_it_were_analysed_alone() {
        for (topology, routings) in [
            ("ft(4,2)", &["dmodk", "smodk", "kpath(k=1,choice=shift)", "rnca-d"][..]),
            ("ft(6,2)", &["dmodk", "smodk", "grid", "kpath(k=2,choice=shift)"]),
            ("ft(8,2)", &["osrm2"]),
            ("xgft(2;4,3;1,2)", &["dmodk", "smodk"]),
            ("ft(4,3)", &["dmodk", "osrm3"]),
        ] {
            for routing in routings {
                let instance = Instance::named(topology, routing).unwrap();
                let found = single_failures(&instance, &Progress::silent(), &mut |_| {}).unwrap();
                let cables = inner_cables(&instance.topology);
                let step = if cfg!(feature = "slow-tests") { 1 } else { 3 };
                for (failure, cable) in found.failures.iter().zip(cables).step_by(step) {
                    let routing = instance.routing.clone();
                    let left = remaining(&instance.topology, routing, &[cable]).unwrap();
                    let alone = Assess::new().embedded().run(&left.instance).unwrap();
                    let name = format!("{instance:?} without {}", failure.cable);
                    let (ratio, known) = (failure.oblivious_ratio.as_ref(), alone.oblivious_ratio);
                    let meets =
                        |ratio: &Bounds| ratio.lower <= known.upper && known.lower <= ratio.upper;
                    assert!(ratio.is_some_and(meets), "{name}: {ratio:?}, {known}");
                    assert_eq!(failure.permutation_load, Some(alone.permutation_load), "{name}");
                    assert_eq!(failure.lost_pairs.count, left.lost.count, "{name}");
                }
            }
        }
    }
}
