//! The capacities of a tree of channels, level by level.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ChannelTree;
use crate::rational::Rational;

/// The channels above nodes of one height.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChannelLevel {
    /// k: the longest way down from the node below such a channel; 0 for the channel of a host.
    pub level: usize,
    /// Number of channels up, which is also that of channels down.
    pub channels: usize,
    /// The least capacity of one of them, up or down.
    pub least: Rational,
    /// The largest capacity of one of them.
    pub most: Rational,
}

impl ChannelTree {
    /// The channels by the height of the node below them, from the hosts up. O(nodes).
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::{channel_tree::ChannelTree, topology::generate};
    /// let tree = ChannelTree::of(&generate("universal(16,root=open)")?).ok_or("no tree")?;
    /// let capacities: Vec<_> = tree.levels().iter().map(|level| level.most.to_string()).collect();
    /// // Channels 0 to 3, and the root channel.
    /// assert_eq!(capacities, ["1", "2", "2", "4", "4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn levels(&self) -> Vec<ChannelLevel> {
        let mut levels: BTreeMap<usize, ChannelLevel> = BTreeMap::new();
        let heights = self.heights();
        for below in self.order.iter().skip(1).copied() {
            let level = heights[below as usize];
            let [up, down] = self.capacities_at(below);
            let (least, most) = if up < down { (up, down) } else { (down, up) };
            let first =
                || ChannelLevel { level, channels: 0, least: least.clone(), most: most.clone() };
            levels.entry(level).or_insert_with(first).add(least, most);
        }
        levels.into_values().collect()
    }

    /// The longest way down from every node. O(nodes).
    fn heights(&self) -> Vec<usize> {
        let mut heights = vec![0; self.order.len()];
        for node in self.order.iter().skip(1).rev().copied() {
            let above = self.parent(node) as usize;
            heights[above] = heights[above].max(heights[node as usize] + 1);
        }
        heights
    }
}

impl ChannelLevel {
    /// Adds a channel up and one down, by the smaller and the larger capacity of the two.
    fn add(&mut self, least: &Rational, most: &Rational) {
        self.channels += 1;
        if *least < self.least {
            self.least = least.clone();
        }
        if *most > self.most {
            self.most = most.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{NetworkBuilder, Topology, generate};

    fn levels(topology: &Topology) -> Vec<(usize, usize, u64, u64)> {
        let levels = ChannelTree::of(topology).unwrap().levels();
        let whole = |capacity: &Rational| capacity.scaled(1).unwrap();
        let numbers = |level: &ChannelLevel| {
            (level.level, level.channels, whole(&level.least), whole(&level.most))
        };
        levels.iter().map(numbers).collect()
    }

    #[test]
    fn fat_trees_have_one_capacity_per_level() {
        let closed = generate("universal(8,leaf=3)").unwrap();
        assert_eq!(levels(&closed), [(0, 8, 3, 3), (1, 4, 6, 6), (2, 2, 6, 6)]);
        // The root channel is above the root, with the outside world at its other end.
        let open = generate("universal(8,leaf=3,root=open)").unwrap();
        assert_eq!(levels(&open), [(0, 8, 3, 3), (1, 4, 6, 6), (2, 2, 6, 6), (3, 1, 12, 12)]);
    }

    /// A host at the root, one above a switch, and channels whose directions differ.
    #[test]
    fn other_trees_have_ranges() {
        let mut network = NetworkBuilder::new();
        let (leaf, root) = (network.switch("leaf"), network.switch("root"));
        for (name, switch, capacity) in [("a", leaf, 5), ("b", leaf, 2), ("c", root, 9)] {
            let host = network.host(name);
            network.cable(host, switch, Rational::from(capacity));
        }
        network.link_at((leaf, 7), (root, 7), Rational::from(3));
        network.link_at((root, 7), (leaf, 7), Rational::from(4));
        let network = network.build("made").unwrap();
        assert_eq!(levels(&network), [(0, 3, 2, 9), (1, 1, 3, 4)]);
    }
}
