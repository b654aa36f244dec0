//! How many links have which worst load.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ratio::Ratio;
use crate::topology::{Direction, LinkId, Topology};
use crate::worst_case::WorstCase;

/// Links of one level and direction with the same worst load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Level of the links; host links have level 1.
    pub level: u8,
    /// Up, down or flat.
    pub direction: Direction,
    /// Their worst load; for single-path routings over links of capacity 1 the mds(r,l) of
    /// \[OR\] IV.
    pub load: Ratio,
    /// How many links.
    pub links: usize,
}

/// Counts links by level, direction and worst load; the heaviest loads of a level come first.
/// O(links·log links).
#[must_use]
pub fn tally(topology: &Topology, worst: &WorstCase) -> Vec<Tally> {
    let mut counts: BTreeMap<(u8, Direction, std::cmp::Reverse<Ratio>), usize> = BTreeMap::new();
    for (id, bound) in worst.links.iter().enumerate() {
        let link = topology.link(id as LinkId);
        let load = bound.as_ref().map_or(Ratio::ZERO, |bound| bound.load.clone());
        *counts.entry((link.level, link.direction, std::cmp::Reverse(load))).or_default() += 1;
    }
    let tally = counts.into_iter();
    tally
        .map(|((level, direction, load), links)| Tally { level, direction, load: load.0, links })
        .collect()
}
