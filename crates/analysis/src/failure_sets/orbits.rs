//! Sets of failures that automorphisms take to each other.

use petgraph::unionfind::UnionFind;

use crate::certificate::Automorphism;
use crate::progress::Progress;
use crate::routing::Instance;
use crate::symmetry::{Symmetry, images_of_sets, lowest};
use crate::topology::LinkId;

use super::elements::FailureSet;

/// Part of the time that is left for the search, if there is a deadline.
const SEARCHING: f64 = 0.1;

/// The first set of the class of every set, where automorphisms that the routing respects take every element to
/// another; of every set itself unless `by_symmetry`, for repairs whose outcome follows from paths. Elements are given
/// by their links, ascending. Also the automorphisms.
pub(super) fn representatives(
    instance: &Instance,
    elements: &[Vec<LinkId>],
    sets: &[FailureSet],
    by_symmetry: bool,
    progress: &Progress,
) -> (Vec<u32>, Vec<Automorphism>) {
    let topology = &instance.topology;
    let mut classes = UnionFind::<u32>::new(sets.len());
    let looked_for = by_symmetry && topology.weights().is_none();
    let symmetry = looked_for.then(|| Symmetry::of(instance, &progress.part(SEARCHING))).flatten();
    let automorphisms = symmetry.as_ref().map_or(&[][..], Symmetry::automorphisms);
    let mut used = Vec::new();
    let all = images_of_sets(automorphisms, topology.links(), elements);
    for (images, automorphism) in all.zip(automorphisms) {
        let Some(images) = images.into_iter().collect::<Option<Vec<usize>>>() else { continue };
        used.push(automorphism.clone());
        for (set, at) in sets.iter().zip(0..) {
            let mut image: Vec<usize> = set.iter().map(|one| images[*one as usize]).collect();
            image.sort_unstable();
            if progress.cancelled() {
                break;
            }
            if let Some(image) = position(&image, elements.len()) {
                classes.union(at, image);
            }
        }
    }
    (lowest(&classes.into_labeling()), used)
}

/// The place of a set of at most two among all sets; `None` where both are the same, as switches without cables are to
/// an automorphism.
fn position(set: &[usize], elements: usize) -> Option<u32> {
    let at = match set {
        [] => 0,
        [one] => 1 + one,
        [one, other, ..] if one == other => return None,
        [one, other, ..] => elements + one * elements - one * (one + 1) / 2 + other - one,
    };
    Some(crate::integer::index32(at))
}

#[cfg(test)]
mod tests {
    use super::super::elements::sets;
    use super::*;

    #[test]
    fn positions_are_those_of_the_list() {
        for (set, at) in sets(6, 2).iter().zip(0..) {
            let set: Vec<usize> = set.iter().map(|one| *one as usize).collect();
            assert_eq!(position(&set, 6), Some(at), "{set:?}");
        }
        assert_eq!(position(&[3, 3], 6), None);
    }
}
