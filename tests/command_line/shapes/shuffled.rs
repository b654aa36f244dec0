//! Trees whose nodes, links and ports are in arbitrary order.

use routebound::assessment::Assess;
use routebound::certificate::Quantity;
use routebound::integer::index32;
use routebound::progress::Progress;
use routebound::routing::{Instance, build};
use routebound::simulation::registers::{Interpreter, registers_of};
use routebound::topology::{generate, sd_pairs};
use routebound::worst_case;

use super::{check_paths, recognised, shuffled};

const TREES: &[&str] = &[
    "ft(4,2)",
    "ft(4,3)",
    "ft(2,3)",
    "kary(2,3)",
    "kary(3,2)",
    "ftree(3,2,4)",
    "xgft(1;5;1)",
    "xgft(1;3;2)",
    "xgft(2;2,3;2,2)",
    "xgft(2;4,2;1,2)",
    "xgft(2;2,1;1,3)",
    "xgft(3;2,2,2;1,2,1)",
    "xgft(3;3,2,2;1,3,2)",
    "xgft(3;2,2,2;2,2,3)",
    "xgft(4;2,2,1,2;1,2,2,2)",
];

#[test]
fn labels_are_found_in_any_order() {
    for spec in TREES {
        for seed in 0..8 {
            let tree = generate(spec).unwrap();
            let network = recognised(shuffled(&tree, seed));
            let found = network.tree().unwrap_or_else(|| {
                panic!("{spec}, order {seed}: {}", network.no_tree().unwrap());
            });
            assert_eq!(found.shape(), tree.tree().unwrap().shape());
            check_paths(&network);
        }
    }
}

/// Registers hold addresses, which are not the numbers of hosts here, and route as the routing does.
#[test]
fn registers_route_in_any_order() {
    for (spec, routing) in [("kary(2,3)", "dmodk"), ("kary(4,2)", "dmodk"), ("kary(3,2)", "ecmp")] {
        for seed in 0..4 {
            let network = recognised(shuffled(&generate(spec).unwrap(), seed));
            let routing = build(routing, &network).unwrap();
            let registers = registers_of(&network, &*routing, &Progress::silent()).unwrap();
            assert!((0..).zip(&registers.addresses).any(|(host, address)| host != *address));
            let interpreter = Interpreter::new(&network, &registers);
            for (s, d) in sd_pairs(network.hosts()) {
                let (mut taken, mut known) = (Vec::new(), Vec::new());
                interpreter.for_each_path(s, d, &mut |path| taken.push(path.to_vec())).unwrap();
                let links = &mut Vec::new();
                routing.for_each_path(s, d, links, &mut |_, path| known.push(path.to_vec()));
                taken.sort();
                known.sort();
                assert_eq!(taken, known, "{spec}, order {seed}, {s} to {d}");
            }
        }
    }
}

/// Hosts keep the numbers that the network gives them.
#[test]
fn hosts_keep_their_numbers() {
    let tree = generate("ft(4,3)").unwrap();
    let graph = shuffled(&tree, 5);
    let names: Vec<String> = graph.node_weights().take(16).map(|node| node.name.clone()).collect();
    let network = recognised(graph);
    for (host, name) in names.iter().enumerate() {
        assert_eq!(network.node(index32(host)).name, *name);
    }
    let labels = network.tree().unwrap();
    assert_ne!(labels.hosts_in_order(), tree.tree().unwrap().hosts_in_order());
    for (at, host) in labels.hosts_in_order().iter().enumerate() {
        assert_eq!(labels.position(*host), index32(at));
        assert_eq!(labels.subtree(*host, 0), *host);
        assert_eq!(
            (labels.digit(*host, 1), labels.digit(*host, 2)),
            (index32(at) % 2, index32(at) / 2 % 2)
        );
    }
}

/// Links are assigned to the subtrees that contain them, whatever the numbers of their hosts: no
/// path strays, and the ends of links are their covers.
#[test]
fn pairs_are_visited_by_subtrees_in_any_order() {
    for spec in ["ft(4,3)", "kary(2,3)", "xgft(1;5;1)", "xgft(2;4,2;1,2)", "xgft(3;2,2,2;1,2,1)"] {
        for seed in 0..4 {
            let topology = recognised(shuffled(&generate(spec).unwrap(), seed));
            let routing = build("random(seed=3)", &topology).unwrap();
            let instance = Instance::new(topology, routing).unwrap();
            let quantity = Quantity::ObliviousRatio;
            let worst = worst_case::Analyse::of(quantity).run(&instance).unwrap();
            assert!(worst.by_ends, "{spec}, order {seed}");
        }
    }
}

/// The worst case of a digit rule does not depend on how subtrees and hosts are numbered: every
/// link has as many sources and destinations of each leaf as before.
#[test]
fn digit_routings_have_the_ratio_of_the_named_tree() {
    let value = |instance: &Instance| {
        let found = Assess::new().embedded().run(instance).unwrap();
        assert!(found.oblivious_ratio.exact().is_some());
        (found.oblivious_ratio.to_string(), found.permutation_load.to_string())
    };
    for (spec, routings) in [
        ("ft(4,3)", &["dmodk", "smodk", "osrm3", "mlid", "omrmn", "ecmp"][..]),
        ("ft(8,2)", &["dmodk", "grid", "osrm2"]),
        ("xgft(2;4,3;1,2)", &["dmodk", "smodk", "kpath(k=2)"]),
        ("xgft(3;2,2,2;1,1,2)", &["dmodk", "omrmn"]),
    ] {
        for routing in routings {
            let named = Instance::named(spec, routing).unwrap();
            for seed in 0..3 {
                let topology = recognised(shuffled(named.topology(), seed));
                let routing = build(routing, &topology).unwrap();
                let found = value(&Instance::trusted(topology, routing));
                assert_eq!(found, value(&named), "{spec}, order {seed}");
            }
        }
    }
}

/// Every map of balanced random labels takes each value as often as any other within a subtree.
#[test]
fn random_labels_stay_balanced() {
    let tree = generate("ft(8,2)").unwrap();
    for seed in 0..4 {
        let topology = recognised(shuffled(&tree, seed));
        let routing = build("rnca-d(seed=3)", &topology).unwrap();
        let labels = topology.tree().unwrap();
        let mut links = Vec::new();
        for leaf in 0..8 {
            let hosts = labels.hosts_in_order()[4 * leaf..4 * leaf + 4].iter();
            let source = labels.hosts_in_order()[(4 * leaf + 4) % 32];
            let mut tops: Vec<u32> = Vec::new();
            for host in hosts {
                routing.for_each_path(source, *host, &mut links, &mut |_, path| {
                    tops.push(topology.ends(path[1]).unwrap().1);
                });
            }
            tops.sort_unstable();
            tops.dedup();
            assert_eq!(tops.len(), 4, "the four hosts of a leaf share a top");
        }
    }
}
