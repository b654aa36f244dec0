//! A tree of channels as simulators walk it: whole numbers of wires, nodes numbered level by level,
//! and for every node the hosts below it as an interval. No path is ever followed node by node.

use super::{Channel, ChannelTree};
use crate::prelude::*;
use crate::topology::{Direction, UniversalShape};

/// The direction of a channel, as an index: [`UP`] towards the root.
pub type Way = usize;
/// Towards the root.
pub const UP: Way = 0;
/// Away from the root.
pub const DOWN: Way = 1;

/// A tree of channels with whole numbers of wires. The *rank* of a node is its place in
/// breadth-first order, so that the root has rank 0, a level is an interval of ranks, and so are
/// the children of a node. The *position* of a host is its place in depth-first order, parents before
/// children: the hosts below a node are an interval of positions.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::channel_tree::{ChannelTree, WireTree};
/// use routebound::topology::generate;
/// let tree = ChannelTree::of(&generate("universal(4)")?).ok_or("no tree")?;
/// let tree = WireTree::of(&tree)?;
/// // The root, two nodes of two hosts with two wires each, four hosts with one.
/// assert_eq!((tree.levels(), tree.children(0), tree.hosts_below(1)), (3, 1..3, 0..2));
/// assert_eq!((tree.wires(1), tree.wires(3)), ([2, 2], [1, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireTree {
    /// The first rank of every level, and after the last the number of nodes.
    levels: Vec<u32>,
    /// By rank; one more ends the children of the last.
    nodes: Vec<WireNode>,
    /// The rank of every host.
    rank: Vec<u32>,
    /// The node that a rank stands for.
    node: Vec<NodeId>,
}

/// Data that simulators ask of a node, side by side in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WireNode {
    /// Wires from and to the parent; none at the root.
    wires: [u64; 2],
    parent: u32,
    /// The first child, or where it would be.
    first_child: u32,
    /// The first position below, and the first after those.
    below: [u32; 2],
    /// Which child of its parent it is.
    place: u32,
    is_host: bool,
}

/// A capacity is not a number of wires.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the channel {} of node {} has capacity {capacity}: it must be a whole number of wires", channel.direction, channel.below)]
pub struct NoWires {
    /// The channel.
    pub channel: Channel,
    /// Capacity of the channel.
    pub capacity: Rational,
}

impl WireTree {
    /// The wires of a tree of channels. O(nodes).
    ///
    /// # Errors
    /// [`NoWires`] for the first channel whose capacity is not a positive whole number.
    pub fn of(tree: &ChannelTree) -> Result<Self, NoWires> {
        let order = tree.order();
        let mut rank = vec![0; order.len()];
        for (at, node) in (0..).zip(order) {
            rank[*node as usize] = at;
        }
        let parent: Vec<u32> = order.iter().map(|node| rank[tree.parent(*node) as usize]).collect();
        let wires = order
            .iter()
            .enumerate()
            .map(|(at, node)| if at == 0 { Ok([0, 0]) } else { both(tree, *node) });
        let wires = wires.collect::<Result<_, NoWires>>()?;
        Ok(Self::assembled(&parent, wires, rank[..tree.hosts()].to_vec(), order.to_vec()))
    }

    /// The tree of a shape, which need not be generated as a network: nodes are numbered as there.
    /// O(nodes).
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::channel_tree::WireTree;
    /// use routebound::topology::UniversalShape;
    /// let shape = UniversalShape::named("universal(1048576)")?.ok_or("another family")?;
    /// let tree = WireTree::universal(&shape);
    /// assert_eq!((tree.hosts(), tree.levels(), tree.wires(1)), (1 << 20, 21, [1024, 1024]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn universal(shape: &UniversalShape) -> Self {
        let (n, height) = (index32(as_size(shape.hosts())), shape.height());
        // With an open root the outside world is the root of the tree of channels.
        let outside = u32::from(shape.root().is_some());
        let nodes = 2 * n - 1 + outside;
        let (mut parent, mut wires) = (vec![0], vec![[0, 0]]);
        let mut node = vec![if outside == 1 { n } else { nodes - 1 }];
        if let Some(root) = shape.root() {
            parent.push(0);
            wires.push([root, root]);
            node.push(nodes - 1);
        }
        for level in (0..height).rev() {
            let of_level = n >> level;
            // Hosts, then the outside world, then the switches from the lowest level up.
            let first = if level == 0 { 0 } else { 2 * n - 2 * of_level + outside };
            let first_parent = outside + of_level / 2 - 1;
            for at in 0..of_level {
                parent.push(first_parent + at / 2);
                wires.push([shape.wires()[level as usize]; 2]);
                node.push(first + at);
            }
        }
        let leaves = outside + n - 1;
        let rank = (leaves..leaves + n).chain((outside == 1).then_some(0)).collect();
        Self::assembled(&parent, wires, rank, node)
    }

    /// From the parents in breadth-first order and the ranks of the hosts.
    fn assembled(parent: &[u32], wires: Vec<[u64; 2]>, rank: Vec<u32>, node: Vec<NodeId>) -> Self {
        let count = parent.len();
        let end = WireNode { first_child: index32(count), ..WireNode::default() };
        let mut nodes = vec![end; count + 1];
        for (at, (wires, parent)) in wires.into_iter().zip(parent).enumerate() {
            (nodes[at].wires, nodes[at].parent) = (wires, *parent);
        }
        for at in (1..count).rev() {
            nodes[parent[at] as usize].first_child = index32(at);
        }
        for at in (1..count).rev() {
            // A leaf has no children: they would begin where those of the next begin.
            nodes[at].first_child = nodes[at].first_child.min(nodes[at + 1].first_child);
        }
        for at in 1..count {
            nodes[at].place = index32(at) - nodes[parent[at] as usize].first_child;
        }
        for at in &rank {
            nodes[*at as usize].is_host = true;
        }
        let mut tree = Self { levels: levels(parent), nodes, rank, node };
        tree.number_hosts();
        tree
    }

    /// Fills in the positions below every node.
    fn number_hosts(&mut self) {
        let count = self.nodes();
        let mut hosts: Vec<u32> = self.nodes.iter().map(|node| u32::from(node.is_host)).collect();
        for at in (1..count).rev() {
            hosts[self.nodes[at].parent as usize] += hosts[at];
        }
        self.nodes[0].below = [0, hosts[0]];
        for at in 0..count {
            let mut from = self.nodes[at].below[0] + u32::from(self.nodes[at].is_host);
            for child in self.children(index32(at)) {
                self.nodes[child as usize].below = [from, from + hosts[child as usize]];
                from += hosts[child as usize];
            }
        }
    }

    /// Number of hosts.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.rank.len()
    }

    /// Number of nodes; ranks are below it.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Number of levels; level 0 is the root alone.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels.len() - 1
    }

    /// The level of a rank. O(log levels).
    #[must_use]
    pub fn level(&self, rank: u32) -> usize {
        self.levels.partition_point(|first| *first <= rank) - 1
    }

    /// The ranks of a level.
    #[must_use]
    pub fn level_ranks(&self, level: usize) -> std::ops::Range<u32> {
        self.levels[level]..self.levels[level + 1]
    }

    /// The parent of a rank; the root is its own.
    #[inline]
    #[must_use]
    pub fn parent(&self, rank: u32) -> u32 {
        self.nodes[rank as usize].parent
    }

    /// The children of a rank.
    #[inline]
    #[must_use]
    pub fn children(&self, rank: u32) -> std::ops::Range<u32> {
        self.nodes[rank as usize].first_child..self.nodes[rank as usize + 1].first_child
    }

    /// The positions of the hosts below a rank, its own first.
    #[inline]
    #[must_use]
    pub fn hosts_below(&self, rank: u32) -> std::ops::Range<u32> {
        let [from, to] = self.nodes[rank as usize].below;
        from..to
    }

    /// The child of a rank below which a position is; the position is below the rank and not its own.
    /// O(log children).
    #[inline]
    #[must_use]
    pub fn child_towards(&self, rank: u32, position: u32) -> u32 {
        let children = self.children(rank);
        let below = &self.nodes[children.start as usize..children.end as usize];
        children.start + index32(below.partition_point(|node| node.below[1] <= position))
    }

    /// Wires of the channels between a rank and its parent, up and down; none at the root.
    #[inline]
    #[must_use]
    pub fn wires(&self, rank: u32) -> [u64; 2] {
        self.nodes[rank as usize].wires
    }

    /// The position of a rank among the children of its parent, from 0.
    #[inline]
    #[must_use]
    pub fn place(&self, rank: u32) -> u32 {
        self.nodes[rank as usize].place
    }

    /// Whether a rank is that of a host.
    #[inline]
    #[must_use]
    pub fn is_host(&self, rank: u32) -> bool {
        self.nodes[rank as usize].is_host
    }

    /// The rank of a host.
    #[must_use]
    pub fn rank(&self, host: Host) -> u32 {
        self.rank[host as usize]
    }

    /// The position of a host.
    #[inline]
    #[must_use]
    pub fn position(&self, host: Host) -> u32 {
        self.nodes[self.rank[host as usize] as usize].below[0]
    }

    /// The channel between a rank and its parent, by the numbers of the network.
    #[must_use]
    pub fn channel(&self, rank: u32, way: Way) -> Channel {
        let direction = if way == UP { Direction::Up } else { Direction::Down };
        Channel { below: self.node[rank as usize], direction }
    }

    /// This tree with `wires(c)` wires in place of c in every channel.
    #[must_use]
    pub fn with_wires(mut self, wires: impl Fn(u64) -> u64) -> Self {
        let count = self.nodes();
        for node in &mut self.nodes[1..count] {
            node.wires = node.wires.map(&wires);
        }
        self
    }
}

/// The first rank of every level, and the number of nodes, from the parents.
fn levels(parent: &[u32]) -> Vec<u32> {
    let mut levels = vec![0];
    let mut last = 0;
    for (at, parent) in (0..).zip(parent).skip(1) {
        // The first child of a node of the last level begins the next one.
        if *parent >= last {
            levels.push(at);
            last = at;
        }
    }
    levels.push(index32(parent.len()));
    levels
}

fn both(tree: &ChannelTree, below: NodeId) -> Result<[u64; 2], NoWires> {
    let count = |direction| {
        let channel = Channel { below, direction };
        let capacity = tree.capacity(channel);
        let whole = capacity.scaled(1).filter(|whole| *whole > 0);
        whole.ok_or_else(|| NoWires { channel, capacity: capacity.clone() })
    };
    Ok([count(Direction::Up)?, count(Direction::Down)?])
}

#[cfg(test)]
mod tests;
