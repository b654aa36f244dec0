//! Nodes with several adapters, and the planes of a fabric.
//!
//! A subnet manager knows an adapter by a description such as `gpu-07 HCA-2` or `gpu-07 mlx5_1`: the
//! node and the device on it. Devices of the same name are one rail. A fabric is *rail-optimised* where the
//! adapters of a node are at different leaf switches, and all nodes of a group have theirs at the same
//! ones: traffic within a rail and group then crosses one switch. It is *rail-only* where, besides, no path joins leaf
//! switches of a node without passing hosts.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::unionfind::UnionFind;

use crate::topology::{Host, Node, NodeId, NodeKind, Topology};

pub use crate::topology::adapter;

/// The adapters of the nodes of a fabric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rails {
    /// Number of nodes with several adapters.
    pub nodes: usize,
    /// Number of hosts that are not an adapter of such a node.
    pub single: usize,
    /// The groups: nodes whose adapters are at the same leaf switches, the largest first.
    pub groups: Vec<RailGroup>,
}

/// Nodes whose adapters are at the same leaf switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RailGroup {
    /// The names of the nodes, ascending.
    pub nodes: Vec<String>,
    /// The leaf switch of every adapter, by the name of the device.
    pub leaves: Vec<(String, NodeId)>,
}

impl Rails {
    /// Groups the hosts by node. O(hosts · log(hosts)).
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{fabric::Rails, rational::Rational, topology::NetworkBuilder};
    /// let mut network = NetworkBuilder::new();
    /// let leaves = [network.switch("leaf-1"), network.switch("leaf-2")];
    /// for (at, name) in ["a mlx5_0", "a mlx5_1", "b mlx5_0", "b mlx5_1"].iter().enumerate() {
    ///     let host = network.host(*name);
    ///     network.cable(host, leaves[at % 2], Rational::ONE);
    /// }
    /// let rails = Rails::of(&network.build("two rails")?);
    /// assert_eq!((rails.nodes, rails.groups.len(), rails.is_optimised()), (2, 1, true));
    /// # Ok::<(), routebound::topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn of(topology: &Topology) -> Self {
        let mut nodes: BTreeMap<&str, Vec<(String, NodeId)>> = BTreeMap::new();
        for host in topology.host_numbers() {
            let Some((node, device)) = adapter(&topology.node(host).name) else { continue };
            if let Some(leaf) = leaf(topology, host, node) {
                nodes.entry(node).or_default().push((device.to_string(), leaf));
            }
        }
        nodes.retain(|_, adapters| adapters.len() > 1);
        let adapters: usize = nodes.values().map(Vec::len).sum();
        let mut groups: BTreeMap<Vec<(String, NodeId)>, Vec<String>> = BTreeMap::new();
        let count = nodes.len();
        for (node, mut leaves) in nodes {
            leaves.sort_unstable();
            groups.entry(leaves).or_default().push(node.to_string());
        }
        let groups = groups.into_iter().map(|(leaves, nodes)| RailGroup { nodes, leaves });
        let mut groups: Vec<RailGroup> = groups.collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.nodes.len()));
        Self { nodes: count, single: topology.hosts() - adapters, groups }
    }

    /// Whether the adapters of every node are at different leaf switches, and most nodes share theirs
    /// with others.
    #[must_use]
    pub fn is_optimised(&self) -> bool {
        let apart = |group: &RailGroup| {
            let leaves: BTreeSet<NodeId> = group.leaves.iter().map(|(_, leaf)| *leaf).collect();
            leaves.len() == group.leaves.len()
        };
        let shared = self.groups.iter().filter(|group| group.nodes.len() > 1);
        let shared: usize = shared.map(|group| group.nodes.len()).sum();
        self.nodes > 0 && self.groups.iter().all(apart) && 2 * shared > self.nodes
    }

    /// Whether the fabric is rail-optimised, and only hosts, or inner switches of nodes, lead from one leaf switch of a
    /// node to another. Adapters with several cables are not looked at. O(nodes + links).
    #[must_use]
    pub fn is_only(&self, topology: &Topology) -> bool {
        let is_switch = |node: NodeId| topology.node(node).kind == NodeKind::Switch;
        let together = joined(topology, |from, to| is_switch(from) && is_switch(to));
        let apart = |group: &RailGroup| {
            let leaves = group.leaves.iter().map(|(_, leaf)| together.find(*leaf as usize));
            leaves.collect::<BTreeSet<usize>>().len() == group.leaves.len()
        };
        self.is_optimised() && self.groups.iter().all(apart)
    }

    /// Least and most adapters of a node; `None` without nodes.
    #[must_use]
    pub fn adapters(&self) -> Option<(usize, usize)> {
        let counts = || self.groups.iter().map(|group| group.leaves.len());
        counts().min().zip(counts().max())
    }
}

/// The switch at an adapter's only cable, not counting cables to inner switches, which join adapters of one node alone.
fn leaf(topology: &Topology, host: Host, node: &str) -> Option<NodeId> {
    let heads =
        |of: NodeId| topology.links_from(of).filter_map(|link| Some(topology.ends(link)?.1));
    let is_of_node = |other: NodeId| {
        let Node { kind, name, .. } = topology.node(other);
        *kind == NodeKind::Host && adapter(name).is_some_and(|(known, _)| known == node)
    };
    let mut leaves = heads(host).filter(|switch| !heads(*switch).all(is_of_node));
    let leaf = leaves.next().filter(|_| leaves.next().is_none())?;
    (topology.node(leaf).kind == NodeKind::Switch).then_some(leaf)
}

/// The parts of a network between which no cable leads, as their numbers of hosts and switches, the
/// largest first. O(nodes + links).
///
/// ```
/// # use routebound_analysis as routebound;
/// let tree = routebound::topology::generate("ft(4,2)")?;
/// assert_eq!(routebound::fabric::planes(&tree), [(8, 6)]);
/// # Ok::<(), routebound::topology::TopologyError>(())
/// ```
#[must_use]
pub fn planes(topology: &Topology) -> Vec<(usize, usize)> {
    let together = joined(topology, |_, _| true);
    let mut planes: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for node in topology.node_numbers() {
        let plane = planes.entry(together.find(node as usize)).or_default();
        match topology.node(node).kind {
            NodeKind::Host => plane.0 += 1,
            NodeKind::Switch => plane.1 += 1,
        }
    }
    let mut planes: Vec<(usize, usize)> = planes.into_values().collect();
    planes.sort_unstable_by_key(|plane| std::cmp::Reverse(*plane));
    planes
}

/// The nodes in sets, joined by the links whose ends are as wanted.
fn joined(topology: &Topology, wanted: impl Fn(NodeId, NodeId) -> bool) -> UnionFind<usize> {
    let mut together = UnionFind::new(topology.nodes());
    let ends = topology.link_numbers().filter_map(|link| topology.ends(link));
    for (from, to) in ends.filter(|(from, to)| wanted(*from, *to)) {
        together.union(from as usize, to as usize);
    }
    together
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    /// With and without inner switches, and with spines for all rails or for each: nodes, pods and adapters.
    #[test]
    fn generated_rails_are_recognised() {
        for (spec, nodes, pods, adapters, is_only) in [
            ("rails(4,3)", 3, 1, 4, true),
            ("rails(4,3,spines=2,inner=0)", 3, 1, 4, false),
            ("rails(2,3,pods=2,spines=2)", 6, 2, 2, false),
            ("rails(2,3,pods=4,spines=1,top=rail)", 12, 4, 2, true),
        ] {
            let topology = generate(spec).unwrap();
            let rails = Rails::of(&topology);
            assert_eq!(rails.is_only(&topology), is_only, "{spec}");
            assert_eq!((rails.nodes, rails.groups.len(), rails.single), (nodes, pods, 0), "{spec}");
            assert_eq!(rails.adapters(), Some((adapters, adapters)), "{spec}");
            assert!(rails.is_optimised(), "{spec}");
        }
    }
}
