//! Sets of pairs of nodes that are worth measuring.

use serde::Serialize;

use super::listed;
use crate::jobs::{Job, NodePairs};
use crate::rational::Rational;
use crate::report::numbers::column;
use crate::report::table::table;
use crate::topology::Topology;

/// A set of sends between nodes at the same time.
#[derive(Clone, Debug, Serialize)]
pub struct PairsReport {
    /// The link that all of them use, at least in part.
    pub link: String,
    /// Source and destination of every send.
    pub sends: Vec<[String; 2]>,
    /// The maximum load of a link.
    pub one_way: Rational,
    /// The maximum load where nodes form rings, such as two that send to each other.
    pub in_rings: Rational,
    /// The rings.
    pub rings: Vec<RingReport>,
}

/// Nodes of which each sends to the next, and the last to the first.
#[derive(Clone, Debug, Serialize)]
pub struct RingReport {
    /// The nodes.
    pub nodes: Vec<String>,
    /// The maximum load of a link that they use, while all rings send.
    pub load: Rational,
}

impl PairsReport {
    /// The record of a set.
    #[must_use]
    pub fn new(topology: &Topology, job: &Job, pairs: &NodePairs) -> Self {
        let name = |node: &u32| job.nodes[*node as usize].name.clone();
        let rings = pairs.rings.iter().map(|ring| RingReport {
            nodes: ring.nodes.iter().map(name).collect(),
            load: ring.load.clone(),
        });
        Self {
            link: topology.link_name(pairs.link),
            sends: pairs.sends.iter().map(|(from, to)| [name(from), name(to)]).collect(),
            one_way: pairs.one_way.load.clone(),
            in_rings: pairs.in_rings.load.clone(),
            rings: rings.collect(),
        }
    }

    /// The sets of a job as text, with at most `most` rows; nothing where there are none.
    pub(super) fn text(job: &str, sets: &[Self], most: usize) -> String {
        if sets.is_empty() {
            return String::new();
        }
        let (sets, left) = sets.split_at(sets.len().min(most));
        let numbers = [
            column(sets.iter().map(|set| Some(&set.one_way))),
            column(sets.iter().map(|set| Some(&set.in_rings))),
        ];
        let row = |(at, set): (usize, &Self)| {
            let [one_way, in_rings] = [0, 1].map(|which: usize| numbers[which][at].clone());
            let (number, sends) = ((at + 1).to_string(), set.sends.len().to_string());
            vec![number, sends, one_way, in_rings, set.link.clone()]
        };
        let heads = ["set", "sends", "load one way", "in rings", "link of all"];
        let rows = table(&heads, sets.iter().enumerate().map(row));
        let more = listed(left.iter().map(|set| set.link.clone()), 0);
        format!("\n  pairs of {job} to measure\n\n{rows}\n{more}")
    }
}
