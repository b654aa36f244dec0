//! Room for more messages within a load factor: the loads of all channels, kept as sets change.

use std::ops::Range;

use crate::channel_tree::{DOWN, UP, Way, WireTree};
use crate::integer::index32;
use crate::topology::Host;

/// Number of further messages that each channel may carry.
#[derive(Clone, Debug)]
pub(super) struct Room<'t> {
    tree: &'t WireTree,
    /// By rank, up and down.
    free: Vec<[u64; 2]>,
}

impl<'t> Room<'t> {
    /// The room of a tree without messages: λ·wires.
    pub(super) fn of(tree: &'t WireTree, lambda: u64) -> Self {
        let ranks = 0..index32(tree.nodes());
        let free = ranks.map(|rank| tree.wires(rank).map(|wires| wires.saturating_mul(lambda)));
        Self { tree, free: free.collect() }
    }

    /// The most messages of a pair that can be added. O(levels).
    pub(super) fn free(&self, pair: (Host, Host)) -> u64 {
        let mut free = u64::MAX;
        each_channel(self.tree, pair, |rank, way| free = free.min(self.free[rank as usize][way]));
        free
    }

    /// Adds messages, no more than are free. O(levels).
    pub(super) fn add(&mut self, pair: (Host, Host), count: u64) {
        each_channel(self.tree, pair, |rank, way| self.free[rank as usize][way] -= count);
    }

    /// Removes messages that were added. O(levels).
    pub(super) fn remove(&mut self, pair: (Host, Host), count: u64) {
        each_channel(self.tree, pair, |rank, way| self.free[rank as usize][way] += count);
    }
}

/// Calls `visit` for every channel that messages of a pair take, those up first and then down, in
/// the order of travel on the way up.
pub(super) fn each_channel(tree: &WireTree, (s, d): (Host, Host), mut visit: impl FnMut(u32, Way)) {
    let contains = |below: Range<u32>, host: Host| below.contains(&tree.position(host));
    for (from, to, way) in [(s, d, UP), (d, s, DOWN)] {
        let mut rank = tree.rank(from);
        while !contains(tree.hosts_below(rank), to) {
            visit(rank, way);
            rank = tree.parent(rank);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::delivery::{Messages, bottleneck};
    use crate::topology::UniversalShape;

    /// A set that is filled up as far as there is room has exactly that load factor, by the count of
    /// the simulator; without the last messages it has less.
    #[test]
    fn a_full_set_has_the_load_factor() {
        let shape = UniversalShape::named("universal(8,root=open)").unwrap().unwrap();
        let tree = WireTree::universal(&shape);
        let mut room = Room::of(&tree, 5);
        let mut messages = Messages::new();
        for pair in [(0, 1), (0, 8), (3, 5), (7, 2), (8, 4), (6, 7)] {
            let free = room.free(pair);
            // Host 0 sends 5 messages, whatever their ends; the others have a channel of their own.
            assert_eq!(free, if pair == (0, 8) { 0 } else { 5 }, "{pair:?}");
            room.add(pair, free);
            messages.push(pair.0, pair.1, free).unwrap();
            let found = bottleneck(&tree, &messages).unwrap().unwrap();
            assert_eq!(found.load_factor.to_string(), "5");
            assert_eq!(room.free(pair), 0);
        }
        room.remove((3, 5), 2);
        assert_eq!(room.free((3, 5)), 2);
        let mut taken = Vec::new();
        each_channel(&tree, (0, 8), |rank, way| taken.push((tree.wires(rank)[way], way)));
        assert_eq!(taken, [(1, UP), (2, UP), (2, UP), (4, UP)]);
    }
}
