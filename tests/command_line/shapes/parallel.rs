//! Parallel cables to top switches: exact for the network as it was read.

use petgraph::graph::NodeIndex;
use routebound::assessment::{AssessOptimum, OptimumMethod, assess};
use routebound::integer::index32;
use routebound::routing::{Instance, build};
use routebound::topology::{Topology, generate};
use routebound::traffic;

use super::{Graph, check_paths, import, plain, recognised, shuffled, without_labels};

/// The tree whose tops are merged, `cables` to one.
fn merged(spec: &str, cables: usize) -> Graph {
    let tree = generate(spec).unwrap();
    let old = tree.graph();
    let top = old.node_weights().map(|node| node.level).max().unwrap();
    let below = old.node_weights().filter(|node| node.level < top).count();
    let tops = (old.node_count() - below) / cables;
    let mut graph = Graph::new();
    for node in old.node_weights().take(below + tops) {
        graph.add_node(node.clone());
    }
    let image = |node: NodeIndex| match node.index().checked_sub(below) {
        Some(top) => NodeIndex::new(below + top % tops),
        None => node,
    };
    for link in old.edge_indices() {
        let (from, to) = old.edge_endpoints(link).unwrap();
        let mut weight = old[link].clone();
        // Another top's cables get their own ports.
        let children = generate(spec).unwrap().tree().unwrap().children(usize::from(top));
        let shift = |node: NodeIndex| match node.index().checked_sub(below) {
            Some(top) => index32(top / tops) * children,
            None => 0,
        };
        weight.from_port += shift(from);
        weight.to_port += shift(to);
        graph.add_edge(image(from), image(to), weight);
    }
    graph
}

const NETWORKS: &[(&str, usize)] = &[
    ("xgft(2;4,3;1,4)", 2),
    ("xgft(2;4,3;1,4)", 4),
    ("xgft(2;2,2;1,6)", 3),
    ("xgft(1;4;2)", 2),
    ("xgft(2;4,2;1,2)", 2),
];

#[test]
fn parallel_cables_are_tops_of_their_own() {
    for (spec, cables) in NETWORKS {
        for seed in 0..4 {
            let made = Topology::new("made".into(), merged(spec, *cables)).unwrap();
            let network = recognised(shuffled(&made, seed));
            let tree = network.tree().unwrap_or_else(|| panic!("{:?}", network.no_tree()));
            assert_eq!(tree.shape(), generate(spec).unwrap().tree().unwrap().shape());
            assert_eq!(tree.cables_to_top() as usize, *cables);
            check_paths(&network);
        }
    }
}

/// Labels make it fast; linear programs and searches, which know nothing of them, agree.
#[test]
fn ratios_are_those_of_the_network_as_read() {
    let made = |(spec, cables): &(&str, usize)| recognised(merged(spec, *cables));
    for network in NETWORKS.iter().map(made) {
        for routing in ["dmodk", "smodk", "random(seed=2)", "omrmn", "ecmp", "kpath(k=2)"] {
            let routing = build(routing, &network).unwrap();
            let instance = Instance::trusted(network.clone(), routing);
            let found = assess(&instance).unwrap();
            let other = without_labels(&instance);
            let general = assess(&other).unwrap();
            let place = instance.routing().spec();
            assert!(found.oblivious_ratio.exact().is_some(), "{place}");
            assert_eq!(found.oblivious_ratio, general.oblivious_ratio, "{place}");
            assert_eq!(found.permutation_load, general.permutation_load, "{place}");
        }
    }
}

#[test]
fn optimal_loads_are_those_of_the_network_as_read() {
    let fabric = import("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out");
    for pattern in
        ["uniform", "shift(8)", "random(p=0.3,seed=1)", "hotspot-percent", "permutation(seed=4)"]
    {
        let matrix = traffic::generate(pattern, fabric.hosts()).unwrap();
        let by = |topology: &Topology, method| {
            AssessOptimum::new().by(method).run(topology, matrix.demands()).unwrap()
        };
        let closed = by(&fabric, OptimumMethod::ClosedForm);
        let general = by(&plain(&fabric), OptimumMethod::Lp);
        assert_eq!(closed.optu, general.optu, "{pattern}");
    }
}

/// A pair may go down by another cable than up: all shortest paths are more than the ancestors.
#[test]
fn all_shortest_paths_are_used() {
    let network = recognised(merged("xgft(2;4,3;1,4)", 2));
    let routing = build("omrmn", &network).unwrap();
    let mut paths = 0;
    routing.for_each_path(0, 4, &mut Vec::new(), &mut |_, _| paths += 1);
    // Two tops, two cables up and two down each.
    assert_eq!(paths, 8);
    assert_eq!(network.summary().levels[2].shortest_paths, Some(8));
}
