//! Links with the same pairs, such as those of parallel cables: one of them is solved for all.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rayon::prelude::*;

use crate::load::LinkPairs;
use crate::topology::{LinkId, Topology};

/// The links in groups with the same pairs, shares and capacity, in order of their first ones.
pub(super) fn alike_links(
    topology: &Topology,
    pairs: &LinkPairs,
    order: &[LinkId],
) -> Vec<Vec<LinkId>> {
    // Pairs of one source share one object for every share.
    let key = |link: LinkId| {
        let pairs = pairs.of(link).map(|pair| (pair.s, pair.d, std::ptr::from_ref(pair.share)));
        (&topology.link(link).capacity, pairs)
    };
    let hash = |link: &LinkId| {
        let (capacity, pairs) = key(*link);
        let mut hasher = DefaultHasher::new();
        capacity.hash(&mut hasher);
        pairs.for_each(|pair| pair.hash(&mut hasher));
        hasher.finish()
    };
    let hashes: Vec<u64> = order.par_iter().map(hash).collect();
    let (mut groups, mut known) = (Vec::<Vec<LinkId>>::new(), HashMap::<u64, Vec<usize>>::new());
    for (link, hash) in order.iter().zip(hashes) {
        let places = known.entry(hash).or_default();
        let same = |place: &&usize| {
            let ((one, of_one), (other, of_other)) = (key(groups[**place][0]), key(*link));
            one == other && of_one.eq(of_other)
        };
        if let Some(place) = places.iter().find(same) {
            groups[*place].push(*link);
        } else {
            places.push(groups.len());
            groups.push(vec![*link]);
        }
    }
    groups
}
