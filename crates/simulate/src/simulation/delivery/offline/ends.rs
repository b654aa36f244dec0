//! The ends of messages as nodes of the tree, and what passes every channel.

use super::super::load_factor::through;
use super::super::{DeliveryError, Messages};
use crate::channel_tree::{DOWN, UP, Way, WireTree};

/// Messages by entry, with the path that all of an entry take.
pub(super) struct Ends {
    /// The ranks of source and destination.
    pub(super) ranks: Vec<[u32; 2]>,
    /// The node at which the path turns, the lowest above both ends.
    pub(super) apex: Vec<u32>,
    /// Number of messages.
    pub(super) count: Vec<u64>,
}

impl Ends {
    /// O(entries · levels).
    pub(super) fn of(tree: &WireTree, messages: &Messages) -> Result<Self, DeliveryError> {
        let (hosts, entries) = (tree.hosts(), messages.pairs());
        let mut ends = Self {
            ranks: Vec::with_capacity(entries),
            apex: Vec::with_capacity(entries),
            count: Vec::with_capacity(entries),
        };
        for (s, d, count) in messages.iter() {
            if s.max(d) as usize >= hosts {
                return Err(DeliveryError::UnknownHost { s, d, hosts });
            }
            let ranks = [tree.rank(s), tree.rank(d)];
            ends.ranks.push(ranks);
            ends.apex.push(apex(tree, ranks));
            ends.count.push(count);
        }
        Ok(ends)
    }

    /// Number of entries.
    pub(super) fn entries(&self) -> usize {
        self.count.len()
    }

    /// These ends with messages counted in units of `unit`, rounded up.
    pub(super) fn in_units(&self, unit: u64) -> Self {
        Self {
            ranks: self.ranks.clone(),
            apex: self.apex.clone(),
            count: self.count.iter().map(|count| count.div_ceil(unit)).collect(),
        }
    }

    /// The channels on the path of an entry, by the rank below them.
    pub(super) fn path(&self, tree: &WireTree, entry: usize) -> impl Iterator<Item = (u32, Way)> {
        let apex = self.apex[entry];
        let side = move |way: Way| {
            let climb = move |rank: &u32| Some(tree.parent(*rank));
            let ranks = std::iter::successors(Some(self.ranks[entry][way]), climb);
            ranks.take_while(move |rank| *rank != apex).map(move |rank| (rank, way))
        };
        side(UP).chain(side(DOWN))
    }

    /// The messages that pass the channels between every rank and its parent. O(entries + nodes).
    pub(super) fn loads(&self, tree: &WireTree) -> Vec<[u64; 2]> {
        let ends = self.ranks.iter().zip(&self.apex).zip(&self.count);
        through(tree, ends.map(|((ranks, apex), count)| (*ranks, *apex, *count)))
    }
}

/// The lowest node above both, or one of them. A node has a lower rank than all below it.
fn apex(tree: &WireTree, [mut one, mut other]: [u32; 2]) -> u32 {
    while one != other {
        let lower = if one > other { &mut one } else { &mut other };
        *lower = tree.parent(*lower);
    }
    one
}

/// ⌈λ⌉ of these loads: no schedule has fewer cycles.
pub(super) fn ceil_load_factor(tree: &WireTree, loads: &[[u64; 2]]) -> u64 {
    let of = |(rank, loads): (u32, &[u64; 2])| {
        let wires = tree.wires(rank);
        [UP, DOWN].map(|way| loads[way].div_ceil(wires[way].max(1)))
    };
    (0..).zip(loads).skip(1).flat_map(of).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel_tree::ChannelTree;
    use crate::simulation::delivery::bottleneck;
    use crate::topology::generate;
    use crate::traffic;

    /// Against the paths of the tree of channels.
    #[test]
    fn loads_are_those_of_paths() {
        for spec in ["universal(16)", "universal(8,root=open)", "xgft(2;4,3;1,1)", "xgft(1;5;1)"] {
            let tree = ChannelTree::of(&generate(spec).unwrap()).unwrap();
            let wires = WireTree::of(&tree).unwrap();
            for seed in 0..20 {
                let traffic = format!("random(p=0.3,seed={seed})");
                let traffic = traffic::generate(&traffic, tree.hosts()).unwrap();
                let messages = Messages::of(traffic.demands()).unwrap().times(1 + seed).unwrap();
                let ends = Ends::of(&wires, &messages).unwrap();
                let loads = ends.loads(&wires);
                let mut walked = vec![[0; 2]; wires.nodes()];
                for (entry, (s, d, count)) in messages.iter().enumerate() {
                    for (rank, way) in ends.path(&wires, entry) {
                        walked[rank as usize][way] += count;
                    }
                    let path: Vec<_> = ends
                        .path(&wires, entry)
                        .map(|(rank, way)| wires.channel(rank, way))
                        .collect();
                    let wanted = tree.path(s, d);
                    assert!(path.iter().all(|channel| wanted.contains(channel)));
                    assert_eq!(path.len(), wanted.len());
                }
                assert_eq!(loads, walked, "{spec}");
                let factor = bottleneck(&wires, &messages).unwrap();
                let wanted = factor.map_or(0, |worst| worst.messages.div_ceil(worst.wires));
                assert_eq!(ceil_load_factor(&wires, &loads), wanted);
            }
        }
    }
}
