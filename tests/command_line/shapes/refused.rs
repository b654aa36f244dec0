//! Networks that are not trees of the family, and why.

use petgraph::graph::{EdgeIndex, NodeIndex};
use routebound::failure;
use routebound::integer::index32;
use routebound::rational::Rational;
use routebound::topology::{Direction, Link, NoTree, Node, NodeKind, Topology, generate};

use super::{Graph, recognised};

fn graph(spec: &str) -> Graph {
    generate(spec).unwrap().graph().clone()
}

fn reason(graph: Graph) -> NoTree {
    let network = recognised(graph);
    assert!(network.tree().is_none());
    network.no_tree().unwrap().clone()
}

/// A network of these nodes, by their levels, and cables.
fn made(levels: &[u8], cables: &[(usize, usize)]) -> Graph {
    let mut graph = Graph::new();
    for (at, level) in levels.iter().enumerate() {
        let kind = if *level == 0 { NodeKind::Host } else { NodeKind::Switch };
        let name = format!("n{at}");
        graph.add_node(Node { kind, level: *level, name, address: None });
    }
    for (port, (low, high)) in cables.iter().enumerate() {
        let (low, high, port) = (NodeIndex::new(*low), NodeIndex::new(*high), index32(port) + 1);
        for (from, to) in [(low, high), (high, low)] {
            let levels = (graph[from].level, graph[to].level);
            graph.add_edge(from, to, Link::between(levels, (port, port), Rational::ONE));
        }
    }
    graph
}

/// Moves the upper ends of two cables of `ft(4,3)`-like graphs, given by their upward links.
fn swap_tops(graph: &mut Graph, a: u32, b: u32) {
    let ends =
        |graph: &Graph, link: u32| graph.edge_endpoints(EdgeIndex::new(link as usize)).unwrap();
    let ((low_a, top_a), (low_b, top_b)) = (ends(graph, a), ends(graph, b));
    let back = |graph: &Graph, low, top| graph.find_edge(top, low).unwrap();
    let old = [
        EdgeIndex::new(a as usize),
        EdgeIndex::new(b as usize),
        back(graph, low_a, top_a),
        back(graph, low_b, top_b),
    ];
    let weights = old.map(|link| graph[link].clone());
    graph.retain_edges(|_, link| !old.contains(&link));
    let [mut up_a, mut up_b, mut down_a, mut down_b] = weights;
    std::mem::swap(&mut up_a.to_port, &mut up_b.to_port);
    std::mem::swap(&mut down_a.from_port, &mut down_b.from_port);
    graph.add_edge(low_a, top_b, up_a);
    graph.add_edge(top_b, low_a, down_a);
    graph.add_edge(low_b, top_a, up_b);
    graph.add_edge(top_a, low_b, down_b);
}

#[test]
fn no_levels_of_switches() {
    assert_eq!(reason(made(&[0, 0], &[(0, 1)])), NoTree::NoSwitch);
    assert_eq!(reason(made(&[0, 1], &[(0, 1)])), NoTree::OneHost);
    let levels: Vec<u8> = (0..=17).chain([0]).collect();
    let mut hosts_first = levels;
    hosts_first.sort_unstable();
    let chain: Vec<(usize, usize)> = (1..18).map(|at| (at, at + 1)).collect();
    assert_eq!(reason(made(&hosts_first, &chain)), NoTree::TooHigh(17));
}

#[test]
fn links_that_do_not_fit() {
    let sideways = made(&[0, 0, 1, 1], &[(0, 2), (1, 3), (2, 3)]);
    assert!(matches!(reason(sideways), NoTree::Sideways { from: 1, to: 1, .. }));
    let mut wide = graph("ft(4,2)");
    wide[EdgeIndex::new(20)].capacity = Rational::from(2);
    let said = reason(wide);
    assert!(matches!(said, NoTree::Capacity { .. }));
    assert!(said.to_string().contains("ignore all capacities"), "{said}");
    // One capacity up, another down.
    let mut uneven = graph("ft(4,2)");
    let down = |link: &&mut Link| link.level == 2 && link.direction == Direction::Down;
    uneven.edge_weights_mut().filter(down).for_each(|link| link.capacity = Rational::from(2));
    assert!(matches!(reason(uneven), NoTree::Capacity { .. }));
    let mut one_way = graph("ft(4,2)");
    one_way.remove_edge(EdgeIndex::new(20));
    assert!(matches!(reason(one_way), NoTree::OneWay { .. }));
}

#[test]
fn neighbours_that_differ() {
    let tree = generate("ft(4,3)").unwrap();
    let cables = failure::between_switches(&tree);
    let cut = failure::damage(&tree, &cables[..1]).unwrap().topology;
    assert_eq!(cut.no_tree(), Some(&NoTree::Damaged));
    let NoTree::Uneven { node, found, wanted, other, .. } = reason(cut.graph().clone()) else {
        panic!("{:?}", reason(cut.graph().clone()))
    };
    assert_eq!((node.as_str(), found, other.as_str(), wanted), ("sw-1-1", 2, "sw-1-0", 1));
}

/// Switches without cables keep their levels, which are then no distances.
#[test]
fn what_remains_of_a_tree_is_damaged() {
    let tree = generate("ft(4,2)").unwrap();
    let cables = failure::between_switches(&tree);
    let cut = failure::damage(&tree, &cables).unwrap().topology.recognised();
    assert_eq!(cut.no_tree(), Some(&NoTree::Damaged));
}

#[test]
fn parallel_cables_that_have_no_room() {
    // Two leaves, one top; a second cable from the first leaf, then from all hosts.
    let mut cables = vec![(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (5, 6), (4, 6)];
    let levels = [0, 0, 0, 0, 1, 1, 2];
    assert!(matches!(reason(made(&levels, &cables)), NoTree::Bundles { .. }));
    cables.truncate(6);
    assert!(recognised(made(&levels, &cables)).tree().is_some());
    cables.extend([(0, 4), (1, 4), (2, 5), (3, 5)]);
    assert!(matches!(reason(made(&levels, &cables)), NoTree::BundlesBelow { cables: 2, .. }));
}

#[test]
fn neighbours_agree_and_subtrees_do_not() {
    // Eight leaves with one host and two of four tops each, four leaves per top.
    let levels = [vec![0; 8], vec![1; 8], vec![2; 4]].concat();
    let hosts = (0..8).map(|host| (host, host + 8));
    let ring =
        (0..8).flat_map(|leaf| [(leaf + 8, 16 + leaf / 2), (leaf + 8, 16 + (leaf / 2 + 1) % 4)]);
    let in_a_ring = made(&levels, &hosts.clone().chain(ring).collect::<Vec<_>>());
    assert!(matches!(reason(in_a_ring), NoTree::Subtree { level: 2, found: 8, wanted: 4, .. }));
    let apart =
        (0..8).flat_map(|leaf| [(leaf + 8, 16 + leaf / 4 * 2), (leaf + 8, 17 + leaf / 4 * 2)]);
    let in_two_parts = made(&levels, &hosts.chain(apart).collect::<Vec<_>>());
    assert!(matches!(reason(in_two_parts), NoTree::Size { .. }));
}

/// Two switches of one subtree exchange a top: all counts stay the same, but the tops are no longer
/// grouped as in the other subtree.
#[test]
fn wiring_that_differs() {
    let tree = generate("xgft(3;2,2,2;1,2,2)").unwrap();
    let mut graph = tree.graph().clone();
    let up = |port| tree.tree().unwrap().link_id(2, 0, port, 1).0;
    swap_tops(&mut graph, up(0), up(1));
    assert!(matches!(reason(graph), NoTree::Wiring { .. }));
}

/// Whichever two cables swap their upper ends, anything recognised afterwards is a tree.
#[test]
fn no_exchange_of_cables_is_taken_for_a_tree_wrongly() {
    let tree = generate("xgft(3;2,2,2;1,2,2)").unwrap();
    let labels = tree.tree().unwrap();
    let ups = |level, nodes: u32, ports| {
        (0..nodes * ports).map(move |n| labels.link_id(level, 0, 0, 0).0 + n)
    };
    let mut trees = 0;
    for ups in [ups(1, 4, 2).collect::<Vec<_>>(), ups(2, 4, 2).collect()] {
        for (a, b) in ups.iter().flat_map(|a| ups.iter().map(move |b| (*a, *b))) {
            let top = |link| tree.ends(link).unwrap();
            if a >= b || top(a).0 == top(b).0 || top(a).1 == top(b).1 {
                continue;
            }
            let mut graph = tree.graph().clone();
            swap_tops(&mut graph, a, b);
            let network = Topology::new("made".into(), graph).unwrap().recognised();
            if network.tree().is_some() {
                super::check_paths(&network);
                trees += 1;
            }
        }
    }
    assert!(trees < 20, "{trees} exchanges leave a tree");
}
