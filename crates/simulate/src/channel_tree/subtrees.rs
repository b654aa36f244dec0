//! The channels of labelled trees: all links between a subtree and the rest are one.
//!
//! Where switches have several parents, single links form no tree of channels. The subtrees of an
//! XGFT do: a channel is all links up from a subtree, or all links down to it, with the capacity of
//! the cut ([`Xgft::cut`](crate::topology::Xgft::cut)). \[GL\] 6 means that where it says of two
//! fat-trees that "the underlying channel structure ... is the same".
//!
//! Then max λ(M,c) over all channels c is λ(M), the maximum over all cuts by which \[GL\] 2 defines
//! it. It is not larger, since the links of a channel are a cut; and not smaller, since it equals optu
//! (`optimum::optimal_cut`), and every routing puts at least λ(M,S) on some wire of a cut S. So what
//! \[GL\] Lemma 1 states of fat-trees holds for all trees of the XGFT family, and there λ = optu.

use super::ChannelTree;
use crate::prelude::*;
use crate::topology::node_number;

impl ChannelTree {
    /// The channels between the subtrees of a labelled tree; `None` for a network without labels.
    /// Nodes are the subtrees: height by height from the hosts, which keep their numbers, within a
    /// height by [`Xgft::subtree`]; the whole tree is the root. Where every node has one parent, these
    /// are the nodes of the network, and the channels those of [`Self::of`].
    /// O(hosts · height + hosts · log hosts).
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::{channel_tree::ChannelTree, rational::Rational, topology::generate, traffic};
    /// let network = generate("bft(16)")?;
    /// assert!(ChannelTree::of(&network).is_none());
    /// let tree = ChannelTree::of_subtrees(&network).ok_or("no labels")?;
    /// // Four hosts send to the next four, over a channel of two wires.
    /// let messages = traffic::generate("shift(4)", 16)?;
    /// let factor = tree.load_factor(messages.demands());
    /// assert_eq!(factor.value, Rational::from(2));
    /// let below = factor.channel.ok_or("no messages")?.below;
    /// assert_eq!((tree.subtree(below), tree.name(&network, below)), (Some((1, 0)), "subtree 0 of height 1".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_subtrees(topology: &Topology) -> Option<Self> {
        let tree = topology.tree()?;
        let start = starts(tree);
        let root = *start.last()?;
        let (mut parent, mut depth, mut capacity) = (Vec::new(), Vec::new(), Vec::new());
        let mut capacities: Vec<[Rational; 2]> =
            tree.cuts().into_iter().map(|cut| [cut.clone(), cut]).collect();
        for (height, ends) in start.windows(2).enumerate() {
            for number in 0..ends[1] - ends[0] {
                parent.push(match height {
                    0 => start[1] + tree.subtree(number, 1),
                    _ => start[height + 1] + number / tree.children(height + 1),
                });
                depth.push(index32(tree.height() - height));
                capacity.push(index32(height));
            }
        }
        parent.push(root);
        depth.push(0);
        capacity.push(index32(capacities.len()));
        capacities.push([Rational::ZERO, Rational::ZERO]);
        let levels = start.windows(2).skip(1).rev().flat_map(|ends| ends[0]..ends[1]);
        let mut hosts: Vec<NodeId> = tree.host_numbers().collect();
        hosts.sort_by_key(|host| parent[*host as usize]);
        let order = std::iter::once(root).chain(levels).chain(hosts).collect();
        let hosts = tree.hosts();
        let subtrees = Some(start);
        Some(Self { hosts, order, parent, depth, capacities, capacity, subtrees })
    }

    /// The channels of subtrees where the network has labels, otherwise those of its nodes: `None`
    /// when these form no tree.
    #[must_use]
    pub fn of_any(topology: &Topology) -> Option<Self> {
        Self::of_subtrees(topology).or_else(|| Self::of(topology))
    }

    /// Height and number of the subtree that a node stands for in [`Self::of_subtrees`], see
    /// [`Xgft::subtree`]; `None` in a tree of other channels.
    #[must_use]
    pub fn subtree(&self, node: NodeId) -> Option<(usize, u32)> {
        let start = self.subtrees.as_ref()?;
        let height = start.partition_point(|first| *first <= node).checked_sub(1)?;
        Some((height, node - start[height]))
    }

    /// Whether every node is one of the network, which this tree was made of.
    #[must_use]
    pub fn has_nodes_of(&self, topology: &Topology) -> bool {
        self.order.len() == topology.nodes()
    }

    /// The name of a node for display: that of the network, which this tree was made of, or
    /// `subtree 3 of height 1`.
    ///
    /// # Panics
    /// As indexing does, when there is no such node.
    #[must_use]
    pub fn name(&self, topology: &Topology, node: NodeId) -> String {
        match self.subtree(node) {
            Some((height, number)) if height > 0 && !self.has_nodes_of(topology) => {
                format!("subtree {number} of height {height}")
            }
            _ => topology.node_name(node),
        }
    }
}

/// The first subtree of every height; of the last there is one.
fn starts(tree: &Xgft) -> Vec<NodeId> {
    let mut start = vec![0];
    for height in 0..tree.height() {
        let subtrees = tree.hosts() / tree.subtree_hosts(height) as usize;
        start.push(start[height] + node_number(subtrees));
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel_tree::Channel;
    use crate::topology::{Direction, generate};
    use crate::traffic::{self, Demand};

    const TREES: [&str; 8] = [
        "bft(16)",
        "bft(64)",
        "bft(64,dims=3)",
        "ft(4,3)",
        "xgft(1;4;2)",
        "xgft(2;2,3;2,2)",
        "xgft(3;2,1,3;1,3,2)",
        "xgft(3;3,2,2;1,2,1)",
    ];

    const PATTERNS: [&str; 5] = [
        "uniform",
        "shift(1)",
        "random(p=0.3,seed=4)",
        "clustered(size=2)",
        "hotspot(spots=1,size=2)",
    ];

    fn assert_same(a: &ChannelTree, b: &ChannelTree) {
        let shape = |tree: &ChannelTree| {
            let channels = tree.channels().map(|channel| (channel, tree.capacity(channel).clone()));
            (tree.hosts, tree.order.clone(), tree.depth.clone(), channels.collect::<Vec<_>>())
        };
        assert_eq!((shape(a), &a.parent), (shape(b), &b.parent));
    }

    #[test]
    fn where_nodes_have_one_parent_these_are_the_channels_between_nodes() {
        for spec in ["xgft(1;3;1)", "xgft(2;3,2;1,1)", "xgft(3;2,1,4;1,1,1)"] {
            let network = generate(spec).unwrap();
            let (of, subtrees) =
                (ChannelTree::of(&network).unwrap(), ChannelTree::of_subtrees(&network).unwrap());
            assert!(subtrees.has_nodes_of(&network) && subtrees.subtrees.is_some());
            assert_same(&of, &subtrees);
        }
    }

    /// Hosts of a network that was read keep their numbers, which need not be those of the labels;
    /// two cables to the top are one channel.
    #[test]
    fn hosts_keep_their_numbers() {
        let mut made = crate::topology::NetworkBuilder::new();
        let switches = ["x", "y", "top"].map(|name| made.switch(name));
        for (name, leaf) in [("a", 1), ("b", 0), ("c", 1), ("d", 0)] {
            let host = made.host(name);
            made.cable(host, switches[leaf], Rational::ONE);
        }
        for (leaf, _) in [(0, 1), (1, 1), (0, 2), (1, 2)] {
            made.cable(switches[leaf], switches[2], Rational::from(3));
        }
        let network = made.build("made").unwrap().recognised();
        assert!(network.tree().is_some_and(|tree| tree.cables_to_top() == 2));
        let (of, subtrees) =
            (ChannelTree::of(&network).unwrap(), ChannelTree::of_subtrees(&network).unwrap());
        assert_same(&of, &subtrees);
        assert_eq!(subtrees.parent(0), subtrees.parent(2));
        assert_ne!(subtrees.parent(0), subtrees.parent(1));
        let above = Channel { below: subtrees.parent(0), direction: Direction::Down };
        assert_eq!(subtrees.capacity(above), &Rational::from(6));
        assert_eq!(
            subtrees.name(&network, subtrees.parent(0)),
            network.node(subtrees.parent(0)).name
        );
    }

    /// Traffic out of and into every subtree, ÷ its cut, from the numbers of the hosts alone: those of
    /// a subtree of height k are contiguous.
    fn most_of_subtrees(network: &Topology, demands: &[Demand]) -> Rational {
        let tree = network.tree().unwrap();
        let mut most = Rational::ZERO;
        for height in 0..tree.height() {
            let size = tree.subtree_hosts(height);
            for first in (0..u32::try_from(network.hosts()).unwrap()).step_by(size as usize) {
                let inside = |host: &Host| (first..first + size).contains(host);
                for out in [true, false] {
                    let crosses =
                        |demand: &&Demand| (inside(&demand.s), inside(&demand.d)) == (out, !out);
                    let crossing = demands.iter().filter(crosses);
                    let total = crossing.fold(Rational::ZERO, |sum, demand| &sum + &demand.amount);
                    most = most.max(total.checked_div(&tree.cut(height)).unwrap());
                }
            }
        }
        most
    }

    #[test]
    fn the_load_factor_is_that_of_the_worst_subtree() {
        for spec in TREES {
            let network = generate(spec).unwrap();
            let tree = ChannelTree::of_subtrees(&network).unwrap();
            for pattern in PATTERNS {
                let listed = traffic::generate(pattern, network.hosts()).unwrap();
                let factor = tree.load_factor(listed.demands());
                if let Some(products) = traffic::regular(pattern, network.hosts()).unwrap() {
                    assert_eq!(factor, tree.load_factor(&products), "{pattern} on {spec}");
                }
                let expected = most_of_subtrees(&network, listed.demands());
                assert_eq!(factor.value, expected, "{pattern} on {spec}");
            }
        }
    }

    /// Capacity of the links out of a set of nodes, as bits.
    fn leaving(network: &Topology, set: u32) -> Rational {
        let is_in = |node: NodeId| set >> node & 1 == 1;
        let links = network
            .link_numbers()
            .filter(|link| network.ends(*link).is_some_and(|(from, to)| is_in(from) && !is_in(to)));
        links.fold(Rational::ZERO, |sum, link| &sum + &network.link(link).capacity)
    }

    /// [GL] 2: all cuts between two sets of processors, each with the fewest wires that separate them.
    #[test]
    fn no_other_cut_has_a_larger_load_factor() {
        for spec in ["xgft(2;2,2;1,2)", "xgft(2;2,2;2,1)", "bft(4)", "xgft(2;3,2;1,2)", "ft(4,1)"] {
            let network = generate(spec).unwrap();
            let (hosts, nodes) = (network.hosts(), network.nodes());
            let tree = ChannelTree::of_subtrees(&network).unwrap();
            for pattern in [
                "uniform",
                "shift(1)",
                "shift(2)",
                "random(p=0.4,seed=7)",
                "hotspot(spots=1,size=2)",
            ] {
                let traffic = traffic::generate(pattern, hosts).unwrap();
                let mut most = Rational::ZERO;
                for a in 1..(1_u32 << hosts) - 1 {
                    let switches = 0..1_u32 << (nodes - hosts);
                    let cut = switches.map(|set| leaving(&network, a | set << hosts)).min();
                    let is_in = |host: Host| a >> host & 1 == 1;
                    let crosses = |demand: &&Demand| is_in(demand.s) && !is_in(demand.d);
                    let load = traffic.demands().iter().filter(crosses);
                    let load = load.fold(Rational::ZERO, |sum, demand| &sum + &demand.amount);
                    most = most.max(load.checked_div(&cut.unwrap()).unwrap());
                }
                let factor = tree.load_factor(traffic.demands()).value;
                assert_eq!(factor, most, "{pattern} on {spec}");
            }
        }
    }

    #[test]
    fn nodes_are_subtrees() {
        let network = generate("bft(64)").unwrap();
        let tree = ChannelTree::of_any(&network).unwrap();
        let names = [5, 64 + 15, 64 + 16 + 3, 64 + 16 + 4].map(|node| tree.name(&network, node));
        assert_eq!(
            names,
            ["host-5", "subtree 15 of height 1", "subtree 3 of height 2", "subtree 0 of height 3"]
        );
        assert_eq!((tree.parent(5), tree.parent(79), tree.parent(83)), (65, 83, 84));
        let universal = generate("universal(4)").unwrap();
        let tree = ChannelTree::of_any(&universal).unwrap();
        assert_eq!((tree.subtree(4), tree.name(&universal, 4)), (None, "sw-1-0".into()));
        assert!(ChannelTree::of_subtrees(&universal).is_none());
    }
}
