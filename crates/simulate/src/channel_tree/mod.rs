//! Networks whose channels form a tree, the fat-trees of \[GL\]: load factor and congestion
//! parameter.
//!
//! A channel is the bundle of all links from a node to a neighbour; its capacity is the sum of
//! theirs. Where the channels form a tree, there is one path of channels per message, so what a
//! set of messages puts on a channel does not depend on the routing. In trees of the XGFT family the
//! bundle of all links above a subtree is a channel too ([`ChannelTree::of_subtrees`]).

mod classes;
mod congestion;
mod levels;
mod subtrees;
mod wire_tree;

pub use congestion::{CongestionParameter, e_bounds};
pub use levels::ChannelLevel;
pub use wire_tree::{DOWN, NoWires, UP, Way, WireTree};

use std::collections::BTreeMap;

use crate::prelude::*;
use crate::sums::Sums;
use crate::topology::{Direction, node_number};
use crate::traffic::{Demand, Product, ProductTraffic, TrafficView};

/// The channel between a node and its parent, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel {
    /// The node farther from the root.
    pub below: NodeId,
    /// Up to the parent, or down from it.
    pub direction: Direction,
}

/// A tree of channels.
#[derive(Clone, Debug)]
pub struct ChannelTree {
    hosts: usize,
    /// All nodes, parents before children; the root comes first.
    order: Vec<NodeId>,
    /// The root is its own parent.
    parent: Vec<NodeId>,
    depth: Vec<u32>,
    /// Capacities of the channels up from a node and down to it; zero at the root.
    capacities: Vec<[Rational; 2]>,
    /// By node, which of them are its own.
    capacity: Vec<u32>,
    /// The first node of every height, where nodes are the subtrees of a labelled tree.
    subtrees: Option<Vec<NodeId>>,
}

/// λ(M) of a set of messages, and a channel that attains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadFactor {
    /// The largest messages ÷ capacity of any channel.
    pub value: Rational,
    /// The first channel that attains it, by node, up before down; `None` without messages.
    pub channel: Option<Channel>,
}

impl ChannelTree {
    /// The channels of a network; `None` when they do not form a tree or a channel has no opposite.
    /// The root is the outside world, or the last node where there is none. O(links·log links).
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::{channel_tree::ChannelTree, topology::generate};
    /// assert!(ChannelTree::of(&generate("universal(8)")?).is_some());
    /// // Parallel links would form one channel, but two roots do not form a tree.
    /// assert!(ChannelTree::of(&generate("xgft(1;3;2)")?).is_none());
    /// # Ok::<(), routebound::topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn of(topology: &Topology) -> Option<Self> {
        let mut capacity: BTreeMap<(NodeId, NodeId), Rational> = BTreeMap::new();
        for link in topology.link_numbers() {
            *capacity.entry(topology.ends(link)?).or_default() += &topology.link(link).capacity;
            if capacity.len() > 2 * (topology.nodes() - 1) {
                return None;
            }
        }
        let opposite = |(from, to): &(NodeId, NodeId)| capacity.contains_key(&(*to, *from));
        if capacity.len() != 2 * (topology.nodes() - 1) || !capacity.keys().all(opposite) {
            return None;
        }
        let last = node_number(topology.nodes()) - 1;
        let mut tree = Self {
            hosts: topology.hosts(),
            order: vec![topology.outside_world().unwrap_or(last)],
            parent: topology.node_numbers().collect(),
            depth: vec![0; topology.nodes()],
            capacities: vec![[Rational::ZERO, Rational::ZERO]; topology.nodes()],
            capacity: topology.node_numbers().collect(),
            subtrees: None,
        };
        let mut at = 0;
        while let Some(&node) = tree.order.get(at) {
            at += 1;
            for ((_, to), down) in capacity.range((node, 0)..=(node, NodeId::MAX)) {
                if *to == tree.parent[node as usize] {
                    continue;
                }
                tree.parent[*to as usize] = node;
                tree.depth[*to as usize] = tree.depth[node as usize] + 1;
                let up = capacity.get(&(*to, node))?.clone();
                tree.capacities[*to as usize] = [up, down.clone()];
                tree.order.push(*to);
                if tree.order.len() > topology.nodes() {
                    return None;
                }
            }
        }
        (tree.order.len() == topology.nodes()).then_some(tree)
    }

    /// Number of processors.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.hosts
    }

    /// Nodes, parents before children; the root comes first.
    #[must_use]
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// The parent of a node; the root is its own parent.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> NodeId {
        self.parent[node as usize]
    }

    /// Wires of a channel.
    #[must_use]
    pub fn capacity(&self, channel: Channel) -> &Rational {
        &self.capacities_at(channel.below)[usize::from(channel.direction != Direction::Up)]
    }

    /// The capacities of the channels up from a node and down to it.
    fn capacities_at(&self, node: NodeId) -> &[Rational; 2] {
        &self.capacities[self.capacity[node as usize] as usize]
    }

    /// All channels, by node, up before down.
    pub fn channels(&self) -> impl Iterator<Item = Channel> + '_ {
        let below = (0..node_number(self.parent.len())).filter(|node| self.parent(*node) != *node);
        let both = [Direction::Up, Direction::Down];
        below.flat_map(move |below| both.map(|direction| Channel { below, direction }))
    }

    /// The channels on the path of a message from `s` to `d`, in no particular order. O(height).
    #[must_use]
    pub fn path(&self, s: Host, d: Host) -> Vec<Channel> {
        self.channels_between(s, d).collect()
    }

    fn channels_between(&self, s: Host, d: Host) -> impl Iterator<Item = Channel> {
        let mut low = [s, d];
        std::iter::from_fn(move || {
            if low[0] == low[1] {
                return None;
            }
            let deeper = usize::from(self.depth[low[0] as usize] < self.depth[low[1] as usize]);
            let direction = if deeper == 0 { Direction::Up } else { Direction::Down };
            let channel = Channel { below: low[deeper], direction };
            low[deeper] = self.parent(low[deeper]);
            Some(channel)
        })
    }

    /// λ(M) of \[GL\] Lemma 1: the maximum over all channels of messages ÷ capacity. A demand's
    /// amount is its number of messages. O(messages·height + channels); O(products·nodes) for
    /// products.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::{channel_tree::ChannelTree, rational::Rational, topology::generate, traffic};
    /// let tree = ChannelTree::of(&generate("universal(16)")?).ok_or("no tree")?;
    /// // Eight messages from one half to the other, over a channel of four wires.
    /// let messages = traffic::generate("shift(8)", 16)?;
    /// assert_eq!(tree.load_factor(messages.demands()).value, Rational::from(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn load_factor<'a>(&self, messages: impl Into<TrafficView<'a>>) -> LoadFactor {
        let mut best = LoadFactor { value: Rational::ZERO, channel: None };
        let sums = self.sums(messages);
        // The last channel of either direction: most are like it.
        let mut last = [None, None];
        for channel in self.channels() {
            let last = &mut last[usize::from(channel.direction != Direction::Up)];
            let before = last.replace(channel);
            let is_same = |before: Channel| {
                sums.are_same(index(before), index(channel))
                    && self.capacity(before) == self.capacity(channel)
            };
            if before.is_some_and(is_same) {
                continue;
            }
            let factor = sums.get(index(channel)).checked_div(self.capacity(channel));
            if let Some(value) = factor.filter(|factor| *factor > best.value) {
                best = LoadFactor { value, channel: Some(channel) };
            }
        }
        best
    }

    /// load(M,c) of every channel. O(messages·height + channels); O(products·nodes) for products.
    #[must_use]
    pub fn loads<'a>(&self, messages: impl Into<TrafficView<'a>>) -> Vec<(Channel, Rational)> {
        let sums = self.sums(messages);
        self.channels().map(|channel| (channel, sums.get(index(channel)))).collect()
    }

    /// load(M,c) by [`index`].
    fn sums<'a>(&self, messages: impl Into<TrafficView<'a>>) -> Sums {
        let mut sums = Sums::new(2 * self.parent.len());
        match messages.into() {
            TrafficView::Listed(demands) => {
                for Demand { s, d, amount } in demands {
                    sums.add(self.channels_between(*s, *d).map(index), amount);
                }
            }
            TrafficView::Products(traffic) => self.add_products(traffic, &mut sums),
        }
        sums
    }

    /// Adds up products: the channel up from a node carries what the sources below it send to all
    /// destinations that are not below it, the channel down likewise. O(nodes above the hosts of a
    /// product) per product.
    fn add_products(&self, traffic: &ProductTraffic, sums: &mut Sums) {
        let depths = self.depth.iter().max().map_or(0, |most| *most as usize + 1);
        let mut below =
            Below { ends: vec![[0; 2]; self.parent.len()], by_depth: vec![Vec::new(); depths] };
        for product in traffic.products() {
            self.add_product(product, &mut below, sums);
        }
    }

    /// Adds up one of them, from the deepest nodes to the root. `below` counts nothing before and afterwards.
    fn add_product(&self, product: &Product, below: &mut Below, sums: &mut Sums) {
        let Product { sources, destinations, amount } = product;
        for (hosts, one) in [(sources, [1, 0]), (destinations, [0, 1])] {
            for host in hosts {
                self.count(*host, one, below);
            }
        }
        let (all_sources, all_destinations) = (sources.len() as u64, destinations.len() as u64);
        for depth in (0..below.by_depth.len()).rev() {
            let mut nodes = std::mem::take(&mut below.by_depth[depth]);
            for node in nodes.drain(..) {
                let own = std::mem::take(&mut below.ends[node as usize]);
                let [own_sources, own_destinations] = own;
                let up = own_sources * (all_destinations - own_destinations);
                let down = (all_sources - own_sources) * own_destinations;
                sums.add_times([2 * node], amount, up);
                sums.add_times([2 * node + 1], amount, down);
                let parent = self.parent(node);
                if parent != node {
                    self.count(parent, own, below);
                }
            }
            below.by_depth[depth] = nodes;
        }
    }

    /// Counts more sources and destinations below a node.
    fn count(&self, node: NodeId, more: [u64; 2], below: &mut Below) {
        let ends = &mut below.ends[node as usize];
        if *ends == [0; 2] {
            below.by_depth[self.depth[node as usize] as usize].push(node);
        }
        *ends = [ends[0] + more[0], ends[1] + more[1]];
    }
}

/// Sources and destinations of a product that are below nodes, or are the nodes.
struct Below {
    ends: Vec<[u64; 2]>,
    /// The nodes that have some.
    by_depth: Vec<Vec<NodeId>>,
}

/// The number of a channel: by node, up before down.
fn index(channel: Channel) -> u32 {
    2 * channel.below + u32::from(channel.direction != Direction::Up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    #[test]
    fn bundles_are_channels_and_other_shapes_are_not_trees() {
        for spec in ["ft(4,2)", "xgft(2;2,3;2,2)", "xgft(1;3;2)"] {
            assert!(ChannelTree::of(&generate(spec).unwrap()).is_none(), "{spec}");
        }
        let single = generate("xgft(1;3;1)").unwrap();
        let mut graph = single.graph().clone();
        for link in single.graph().edge_indices() {
            let (from, to) = single.graph().edge_endpoints(link).unwrap();
            let mut second = single.graph()[link].clone();
            (second.from_port, second.to_port) = (second.from_port + 10, second.to_port + 10);
            graph.add_edge(from, to, second);
        }
        let doubled = Topology::new("doubled".into(), graph).unwrap();
        let tree = ChannelTree::of(&doubled).unwrap();
        assert_eq!(tree.channels().count(), 6);
        assert!(tree.channels().all(|channel| *tree.capacity(channel) == Rational::from(2)));
        // A cable with one direction missing.
        graph = single.graph().clone();
        graph.remove_edge(petgraph::graph::EdgeIndex::new(0));
        assert!(ChannelTree::of(&Topology::new("one way".into(), graph).unwrap()).is_none());
    }

    #[test]
    fn nothing_sent_loads_nothing() {
        let tree = ChannelTree::of(&generate("universal(4)").unwrap()).unwrap();
        assert_eq!(tree.load_factor(&[]), LoadFactor { value: Rational::ZERO, channel: None });
        assert!(tree.path(2, 2).is_empty());
    }
}
