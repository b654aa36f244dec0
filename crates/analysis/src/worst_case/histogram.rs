//! Histogram of the links' worst loads.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::{LinkBound, WorstCase};
use crate::rational::Rational;
use crate::topology::{Direction, Topology, link_number};

/// The links of one level and direction with the same worst load, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Level of the links; host links have level 1.
    pub level: u8,
    /// Up, down or flat.
    pub direction: Direction,
    /// Worst load of these links; for single-path routings over links of capacity 1 the mds(r,l) of
    /// \[OR\] IV. `None` where the work was stopped before it was known.
    pub load: Option<Rational>,
    /// An upper bound on it, where only that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Rational>,
    /// Number of links.
    pub links: usize,
}

/// Counts links by level, direction and worst load; the heaviest loads of a level come first.
/// Of links between classes of hosts that have only a bound, the largest one stands for all of a level and
/// direction. O(links·log links).
#[must_use]
pub fn histogram(topology: &Topology, worst: &WorstCase) -> Vec<Bin> {
    let mut counts: BTreeMap<(u8, Direction, Reverse<Known>), usize> = BTreeMap::new();
    let mut bounded: BTreeMap<(u8, Direction), (Rational, usize)> = BTreeMap::new();
    for (id, bound) in worst.links.iter().enumerate() {
        let (level, direction) = topology.shown_place(link_number(id));
        let known = match bound {
            Some(LinkBound { load, attained: true, .. }) => (Some(load.clone()), None),
            Some(LinkBound { load, .. }) if !worst.classes.is_empty() => {
                let (most, links) = bounded.entry((level, direction)).or_default();
                (*most, *links) = (load.max(most).clone(), *links + 1);
                continue;
            }
            Some(LinkBound { load, .. }) => (None, Some(load.clone())),
            None => (None, None),
        };
        *counts.entry((level, direction, Reverse(known))).or_default() += 1;
    }
    counts.extend(bounded.into_iter().map(|((level, direction), (most, links))| {
        ((level, direction, Reverse((None, Some(most)))), links)
    }));
    let bins = counts.into_iter();
    bins.map(|((level, direction, Reverse((load, at_most))), links)| Bin {
        level,
        direction,
        load,
        at_most,
        links,
    })
    .collect()
}

/// Counts links by level, direction and an upper bound each, `None` where nothing is known; the largest come first.
/// O(links·log links).
#[must_use]
pub fn histogram_of_bounds(topology: &Topology, upper: &[Option<Rational>]) -> Vec<Bin> {
    let mut counts: BTreeMap<(u8, Direction, Reverse<Option<&Rational>>), usize> = BTreeMap::new();
    for (id, bound) in upper.iter().enumerate() {
        let (level, direction) = topology.shown_place(link_number(id));
        *counts.entry((level, direction, Reverse(bound.as_ref()))).or_default() += 1;
    }
    let bin = |((level, direction, Reverse(bound)), links): ((u8, Direction, _), usize)| {
        let at_most = Option::<&Rational>::cloned(bound);
        Bin { level, direction, load: None, at_most, links }
    };
    counts.into_iter().map(bin).collect()
}

/// A worst load, or an upper bound on it.
type Known = (Option<Rational>, Option<Rational>);
