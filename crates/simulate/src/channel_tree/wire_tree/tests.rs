//! Intervals of hosts and orders of nodes against the tree that they stand for.

use super::*;
use crate::topology::{NetworkBuilder, generate};

fn tree(spec: &str) -> (ChannelTree, WireTree) {
    let tree = ChannelTree::of(&generate(spec).unwrap()).unwrap();
    let wires = WireTree::of(&tree).unwrap();
    (tree, wires)
}

/// Whether a host is below a node follows from its position, and the wires are those of the node.
#[test]
fn intervals_are_subtrees() {
    for spec in ["universal(2)", "universal(16,growth=cbrt4)", "xgft(2;3,4;1,1)", "xgft(1;5;1)"] {
        let (tree, wires) = tree(spec);
        assert_eq!((wires.hosts(), wires.nodes()), (tree.hosts(), tree.order().len()), "{spec}");
        for rank in 0..index32(wires.nodes()) {
            let node = wires.channel(rank, UP).below;
            assert!(wires.level_ranks(wires.level(rank)).contains(&rank));
            for host in 0..index32(tree.hosts()) {
                let mut above = vec![host];
                while tree.parent(above[above.len() - 1]) != above[above.len() - 1] {
                    above.push(tree.parent(above[above.len() - 1]));
                }
                let is_below = wires.hosts_below(rank).contains(&wires.position(host));
                assert_eq!(is_below, above.contains(&node), "{spec}: {host} below {node}");
            }
            for child in wires.children(rank) {
                assert_eq!(wires.parent(child), rank);
                let channel = wires.channel(child, DOWN);
                assert_eq!(Rational::from(wires.wires(child)[DOWN]), *tree.capacity(channel));
            }
        }
        let all: u32 = (0..index32(wires.nodes())).map(|r| index32(wires.children(r).len())).sum();
        assert_eq!(all as usize + 1, wires.nodes());
    }
}

#[test]
fn shapes_are_the_trees_of_their_networks() {
    for spec in [
        "universal(2)",
        "universal(2,root=open)",
        "universal(16,growth=cbrt4,leaf=3)",
        "universal(32,root=open)",
    ] {
        let shape = UniversalShape::named(spec).unwrap().unwrap();
        let (_, wanted) = tree(spec);
        let found = WireTree::universal(&shape);
        // Breadth-first orders of one tree may differ in the order of children.
        assert_eq!((found.hosts(), found.nodes()), (wanted.hosts(), wanted.nodes()), "{spec}");
        let below = |tree: &WireTree, rank: u32| {
            let hosts = 0..index32(tree.hosts());
            let of = tree.hosts_below(rank);
            hosts.filter(|host| of.contains(&tree.position(*host))).collect::<Vec<_>>()
        };
        let describe = |tree: &WireTree| {
            let of = |rank| (below(tree, rank), tree.channel(rank, UP).below, tree.wires(rank));
            let mut all: Vec<_> = (0..index32(tree.nodes())).map(of).collect();
            all.sort();
            all
        };
        assert_eq!(describe(&found), describe(&wanted), "{spec}");
    }
}

/// A path of three routers that are hosts, the last of them the root: 2 - 1 - 0.
#[test]
fn hosts_may_be_inside() {
    let mut path = NetworkBuilder::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| path.host(name));
    path.cable(a, b, Rational::from(2));
    path.cable(b, c, Rational::from(3));
    let tree = ChannelTree::of(&path.build("path").unwrap()).unwrap();
    let wires = WireTree::of(&tree).unwrap();
    assert_eq!([0, 1, 2].map(|host| wires.rank(host)), [2, 1, 0]);
    assert_eq!([0, 1, 2].map(|host| wires.position(host)), [2, 1, 0]);
    assert_eq!([0, 1, 2].map(|rank| wires.hosts_below(rank)), [0..3, 1..3, 2..3]);
    assert!((0..3).all(|rank| wires.is_host(rank)));
    assert_eq!([1, 2].map(|rank| wires.wires(rank)), [[3, 3], [2, 2]]);
}

#[test]
fn halves_of_wires_are_refused() {
    let mut graph = generate("universal(4)").unwrap().graph().clone();
    graph.edge_weights_mut().for_each(|link| link.capacity = Rational::new(3, 2).unwrap());
    let odd = ChannelTree::of(&Topology::new("odd".into(), graph).unwrap()).unwrap();
    let refused = WireTree::of(&odd).unwrap_err();
    assert_eq!(refused.capacity, Rational::new(3, 2).unwrap());
}

#[test]
fn wires_can_be_counted_otherwise() {
    let (_, tree) = tree("universal(16)");
    let thin = tree.clone().with_wires(|wires| (3 * wires / 4).max(1));
    assert_eq!((tree.wires(1), thin.wires(1), thin.wires(0)), ([4, 4], [3, 3], [0, 0]));
}
