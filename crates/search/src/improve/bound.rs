//! What no forwarding tables can avoid.

use std::cmp::Reverse;

use super::fabric::Fabric;
use crate::integer::index32;
use crate::topology::NodeId;

/// A lower bound on the worst permutation load of forwarding tables, as traffic per link, and the switches that show
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DestinationBound {
    /// No tables of the network have a link that permutations load with fewer pairs.
    pub(super) pairs: u32,
    /// A leaf switch, or the switches of a pod.
    pub(super) nodes: Vec<NodeId>,
}

/// A set of switches, and what leaves it.
#[derive(Clone, Default)]
struct Part {
    switches: Vec<u32>,
    /// Numbers of hosts at its leaf switches.
    leaves: Vec<usize>,
    /// Number of links that lead to other switches, and of its switches that have some.
    links: usize,
    exits: usize,
}

impl Part {
    /// The pairs that some link which leaves it must carry.
    fn pairs(&mut self, hosts: usize) -> usize {
        if self.links == 0 {
            return 0;
        }
        self.leaves.sort_unstable();
        let together = self.leaves.len().div_ceil(self.exits);
        let sources: usize = self.leaves[..together].iter().sum();
        sources.min((hosts - self.leaves.iter().sum::<usize>()).div_ceil(self.links))
    }
}

/// The bound, for the leaf switch or the pod where it is highest, of several the smallest and first one; `None` where
/// there is only one switch with hosts. O(levels · links).
pub(super) fn bound(fabric: &Fabric) -> Option<DestinationBound> {
    let mut levels: Vec<u32> = fabric.level.clone();
    levels.sort_unstable();
    levels.dedup();
    let all = levels.into_iter().flat_map(|level| parts(fabric, &fabric.joined_below(level)));
    let of_part = |mut part: Part| {
        let pairs = part.pairs(fabric.hosts);
        (pairs, Reverse(part.switches.len()), Reverse(part.switches))
    };
    let (pairs, _, Reverse(switches)) = all.map(of_part).max()?;
    let nodes = switches.iter().map(|switch| index32(fabric.hosts) + switch).collect();
    (pairs > 0).then_some(DestinationBound { pairs: index32(pairs), nodes })
}

/// The parts into which switches are divided; `part_of` has the number of the part of every switch.
fn parts(fabric: &Fabric, part_of: &[u32]) -> Vec<Part> {
    let mut parts = vec![Part::default(); fabric.switches];
    for (switch, (own, out)) in (0..).zip(part_of.iter().zip(&fabric.out)) {
        let part = &mut parts[*own as usize];
        let is_leaving = |link: &&u32| part_of[fabric.ends[**link as usize].1 as usize] != *own;
        let links = out.iter().filter(is_leaving).count();
        part.switches.push(switch);
        part.links += links;
        part.exits += usize::from(links > 0);
    }
    for leaf in &fabric.leaves {
        parts[part_of[leaf.switch as usize] as usize].leaves.push(leaf.hosts.len());
    }
    parts.retain(|part| !part.leaves.is_empty());
    parts
}
