//! The binary fat-tree of \[GL\]: hosts at the leaves of a complete binary tree, one channel up
//! and one down per edge, capacities that grow towards the root.
//!
//! Channel k is above a subtree of 2^k hosts: k = 0 is the channel of a host, k = lg n − 1 the
//! channel of a child of the root. \[GL\] also counts the root channel, k = lg n, from the root to the
//! outside world: 2(2n−1) = 4n−2 channels. No traffic between the n hosts uses it, so `root=closed`
//! leaves it out, and 4n−4 remain. \[GL\] Theorem 9 sends messages out of the root: `root=open` adds
//! the channel, and at its other end host n, the outside world. A channel is one link, and its
//! capacity is the number of wires.
//!
//! The outside world is a host like any other, since a link needs two ends and messages a
//! destination. So the root is next to a host, and levels, which are distances from the nearest host,
//! fall again in the upper half of an open tree; the names of the switches keep their heights.
//! `channel_tree::ChannelTree` has the outside world as its root, so that the root channel is the topmost
//! one there.
//!
//! \[GL\] 2 names two ways to grow, which are meant to be equivalent up to constants: by a
//! factor at every level, "rounding off to integer capacities where needed", or by powers of two
//! at some levels. It does not say which levels of a period grow. Here the lowest do, so that a
//! power-of-two capacity is the least one not below the exact growth: 1, 2, 2, 4, 4, … and
//! 1, 2, 4, 4, 8, 16, 16, …. The proof of \[GL\] Theorem 9 needs that: it fills the root's two
//! inputs from the channels of four subtrees of n/4 hosts, each of half the root's capacity, and
//! its message set has load factor λ only if each of these inputs has the root's capacity.

mod shape;

pub use shape::UniversalShape;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::builder::assign_levels;
use super::prelude::*;
use super::{Host, Link, MAX_HEIGHT, Node, NodeKind, Parameters, Xgft, host_number};
use crate::rational::Rational;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "universal",
    usage: "universal(n,growth=double2|quadruple3|sqrt2|cbrt4|double|linear|constant,leaf=1,root=closed|open)",
    about: "binary fat-tree of n = 2^h hosts, host channels of capacity leaf; growth upwards: \
            double2 (every two levels), quadruple3 (every three), sqrt2, \
            cbrt4 (per level, rounded), double, linear, constant; root=open adds host n, the \
            outside world, above the root",
    reference: "[GL] 2, 5",
    examples: &[
        "universal(2)",
        "universal(16)",
        "universal(8,growth=sqrt2)",
        "universal(16,growth=quadruple3)",
        "universal(16,growth=cbrt4)",
        "universal(8,growth=double)",
        "universal(8,growth=linear)",
        "universal(8,growth=constant,leaf=3)",
        "universal(4,root=open)",
    ],
    // Statements about any tree are about links of capacity 1.
    build: super::Family { construction: Construction::Network(build), members: |_| Vec::new() },
};

impl Topology {
    /// The host that stands for the outside world, above the root of `universal(n,root=open)`.
    #[must_use]
    pub fn outside_world(&self) -> Option<Host> {
        self.outside_world
    }
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let shape = UniversalShape::within(spec, 1 << MAX_HEIGHT)?;
    let height = shape.wires().len();
    // The binary tree is that of an XGFT, but without its labels: those stand for equal links.
    let parameters = Parameters { children: vec![2; height], parents: vec![1; height] };
    let mut graph = Xgft::new(spec, &parameters)?.graph();
    for link in graph.edge_weights_mut() {
        link.capacity = Rational::from(shape.wires()[usize::from(link.level) - 1]);
    }
    let Some(wires) = shape.root() else { return Topology::new(spec.to_string(), graph) };
    let hosts = as_size(shape.hosts());
    let mut graph = with_outside_world(&graph, hosts, &Rational::from(wires));
    assign_levels(&mut graph, hosts + 1)?;
    let mut topology = Topology::new(spec.to_string(), graph)?;
    topology.outside_world = Some(host_number(hosts));
    Ok(topology)
}

/// The closed tree with the outside world as the last of its hosts. Its links come after all others,
/// that to the outside world first; the root has it at port 3, after its children.
fn with_outside_world(
    closed: &DiGraph<Node, Link>,
    hosts: usize,
    wires: &Rational,
) -> DiGraph<Node, Link> {
    let mut graph = DiGraph::with_capacity(closed.node_count() + 1, closed.edge_count() + 2);
    let number =
        |node: NodeIndex| NodeIndex::new(node.index() + usize::from(node.index() >= hosts));
    for (index, node) in closed.node_weights().enumerate() {
        if index == hosts {
            let (kind, name) = (NodeKind::Host, "outside".to_string());
            graph.add_node(Node { kind, level: 0, name, address: None });
        }
        graph.add_node(node.clone());
    }
    for edge in closed.edge_references() {
        graph.add_edge(number(edge.source()), number(edge.target()), edge.weight().clone());
    }
    let (outside, root) = (NodeIndex::new(hosts), NodeIndex::new(closed.node_count()));
    let level = graph[root].level;
    graph.add_edge(root, outside, Link::between((level, 0), (3, 1), wires.clone()));
    graph.add_edge(outside, root, Link::between((0, level), (1, 3), wires.clone()));
    graph
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Direction, generate, link_number, node_number};

    fn capacities(spec: &str) -> Vec<u64> {
        let network = generate(spec).unwrap();
        let height = network.node(node_number(network.nodes()) - 1).level;
        (1..=height)
            .map(|level| {
                let links = network.graph().edge_weights().filter(|link| link.level == level);
                let of_level: Vec<&Rational> = links.map(|link| &link.capacity).collect();
                assert_eq!(of_level.len(), 4 << (height - level), "{spec}");
                assert!(of_level.iter().all(|capacity| *capacity == of_level[0]), "{spec}");
                of_level[0].scaled(1).unwrap()
            })
            .collect()
    }

    #[test]
    fn capacities_grow_as_requested() {
        for (spec, expected) in [
            ("universal(64)", vec![1, 2, 2, 4, 4, 8]),
            ("universal(64,growth=double2,leaf=3)", vec![3, 6, 6, 12, 12, 24]),
            ("universal(128,growth=quadruple3)", vec![1, 2, 4, 4, 8, 16, 16]),
            // 1, 1.41, 2, 2.83, 4, 5.66, 8, 11.3 and 1, 1.59, 2.52, 4, 6.35, 10.1.
            ("universal(256,growth=sqrt2)", vec![1, 1, 2, 3, 4, 6, 8, 11]),
            ("universal(64,growth=cbrt4)", vec![1, 2, 3, 4, 6, 10]),
            ("universal(16,growth=sqrt2,leaf=10)", vec![10, 14, 20, 28]),
            ("universal(16,growth=double)", vec![1, 2, 4, 8]),
            ("universal(16,growth=linear,leaf=2)", vec![2, 4, 6, 8]),
            ("universal(16,growth=constant,leaf=2)", vec![2, 2, 2, 2]),
        ] {
            assert_eq!(capacities(spec), expected, "{spec}");
        }
    }

    /// [GL] 2 and 5: the root of a standard fat-tree of n hosts, n a power of 4, would have √n
    /// wires, like the topmost channels here; that of a volume-universal one Θ(n^{2/3}).
    #[test]
    fn root_capacities_are_those_of_the_paper() {
        for h in 1..=14 {
            let top = |growth: &str| {
                let spec = format!("universal({},growth={growth})", 1_u64 << h);
                u128::from(*capacities(&spec).last().unwrap())
            };
            let hosts = 1_u128 << h;
            assert!(h % 2 != 0 || top("double2").pow(2) == hosts, "h = {h}");
            for growth in ["double2", "sqrt2"] {
                assert!((hosts / 4..=2 * hosts).contains(&top(growth).pow(2)), "{growth} {h}");
            }
            for growth in ["quadruple3", "cbrt4"] {
                let volume = 8 * top(growth).pow(3);
                assert!((hosts * hosts / 8..=64 * hosts * hosts).contains(&volume), "{growth} {h}");
            }
        }
    }

    #[test]
    fn the_widest_channels_fit() {
        let largest = generate("universal(65536,growth=cbrt4,leaf=1048576)").unwrap();
        assert_eq!(
            largest.link(link_number(largest.links()) - 1).capacity,
            Rational::from(1 << 30)
        );
    }

    #[test]
    fn is_a_binary_tree_without_labels() {
        let network = generate("universal(8)").unwrap();
        assert!(network.tree().is_none());
        assert_eq!((network.hosts(), network.nodes(), network.links()), (8, 15, 28));
        for link in 0..28 {
            let (from, to) = network.ends(link).unwrap();
            let step = i16::from(network.node(to).level) - i16::from(network.node(from).level);
            let expected = if network.link(link).direction == Direction::Up { 1 } else { -1 };
            assert_eq!(step, expected);
        }
    }

    /// All links of the closed tree, with the numbers of switches one greater, and then the root channel.
    #[test]
    fn an_open_tree_has_one_host_more() {
        for (spec, hosts, wires) in [("universal(2", 2, 2), ("universal(8,growth=linear", 8, 4)] {
            let closed = generate(&format!("{spec})")).unwrap();
            let open = generate(&format!("{spec},root=open)")).unwrap();
            let outside = host_number(hosts);
            assert_eq!((closed.outside_world(), open.outside_world()), (None, Some(outside)));
            assert_eq!((open.hosts(), open.nodes()), (hosts + 1, 2 * hosts));
            assert_eq!(open.links(), 4 * hosts - 2);
            let moved = |node| if node < outside { node } else { node + 1 };
            for link in closed.link_numbers() {
                let (from, to) = closed.ends(link).unwrap();
                assert_eq!(open.ends(link), Some((moved(from), moved(to))), "{spec}");
                let (old, new) = (closed.link(link), open.link(link));
                assert_eq!(
                    (&old.capacity, old.from_port, old.to_port),
                    (&new.capacity, new.from_port, new.to_port)
                );
                assert_eq!(closed.link_name(link), open.link_name(link));
            }
            let root = node_number(open.nodes()) - 1;
            let [up, down] = [2, 1].map(|back| link_number(open.links() - back));
            assert_eq!(
                (open.ends(up), open.ends(down)),
                (Some((root, outside)), Some((outside, root)))
            );
            for link in [up, down] {
                assert_eq!(
                    (&open.link(link).capacity, open.link(link).level),
                    (&Rational::from(wires), 1)
                );
            }
            assert_eq!(open.link_name(down), format!("outside[1] -> {}[3]", open.node(root).name));
        }
        // The levels of switches of height 1 to 4: a host is above the root.
        let levels: Vec<u8> = [17, 25, 29, 31]
            .map(|node| generate("universal(16,root=open)").unwrap().node(node).level)
            .to_vec();
        assert_eq!(levels, [1, 2, 2, 1]);
    }

    #[test]
    fn refuses_specs_of_no_such_tree() {
        for (spec, says) in [
            ("universal", "takes 1 number, 0 given"),
            ("universal(0)", "power of two"),
            ("universal(1)", "power of two"),
            ("universal(12)", "power of two"),
            ("universal(131072)", "limit of 65536"),
            ("universal(18446744073709551615)", "power of two"),
            ("universal(8,growth=3)", "`growth=3` is not one of double2, quadruple3"),
            ("universal(8,leaf=0)", "leaf = 0 must be in 1..=1048576"),
            ("universal(8,leaf=1048577)", "must be in"),
            ("universal(8,depth=4)", "unknown option `depth`"),
            ("universal(8,root=4)", "`root=4` is not one of closed, open"),
        ] {
            let error = generate(spec).unwrap_err().to_string();
            assert!(error.contains(says), "{spec}: {error}");
        }
    }
}
