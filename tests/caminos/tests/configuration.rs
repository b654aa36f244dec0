//! Configurations that `topo --format caminos` writes: CAMINOS reads them, builds the same networks, and simulates
//! them.

use std::collections::BTreeSet;

use caminos_lib::config_parser::{self, ConfigurationValue, Token};
use caminos_lib::topology::{Location, TopologyBuilderArgument, new_topology};
use caminos_lib::{Plugs, Simulation};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use routebound::export::EXPORTS;
use routebound::registry;
use routebound::topology::{Topology, Xgft, generate};

/// What the format writes for a network, as CAMINOS reads it.
fn configuration(network: &Topology) -> ConfigurationValue {
    let mut text = Vec::new();
    let kind = registry::find(EXPORTS, "export", "caminos").unwrap();
    (kind.build)(network, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    match config_parser::parse(&text) {
        Ok(Token::Value(value)) => value,
        other => panic!("CAMINOS does not read {text}: {other:?}"),
    }
}

fn member<'c>(configuration: &'c ConfigurationValue, wanted: &str) -> &'c ConfigurationValue {
    let ConfigurationValue::Object(_, fields) = configuration else { panic!("{configuration:?}") };
    &fields.iter().find(|(name, _)| name == wanted).unwrap().1
}

/// Our number of a router of CAMINOS. Both go level by level and subtree by subtree; in a subtree the first step up
/// counts most here and least there.
fn node(tree: &Xgft, mut router: usize) -> usize {
    let mut first = tree.hosts();
    for level in 1..=tree.height() {
        let ways: Vec<usize> = (2..=level).map(|step| tree.parents(step) as usize).collect();
        let subtrees: usize =
            (level + 1..=tree.height()).map(|l| tree.children(l) as usize).product();
        let shared: usize = ways.iter().product();
        if router < subtrees * shared {
            let (mut rest, mut place) = (router % shared, 0);
            for way in ways {
                (place, rest) = (place * way + rest % way, rest / way);
            }
            return first + router / shared * shared + place;
        }
        router -= subtrees * shared;
        first += subtrees * shared;
    }
    panic!("{router} routers too many")
}

/// The ends of all links of the network that CAMINOS builds for a tree, by our numbers.
fn links_there(configuration: &ConfigurationValue, tree: &Xgft) -> BTreeSet<(usize, usize)> {
    let (plugs, mut rng) = (Plugs::default(), StdRng::seed_from_u64(1));
    let cv = member(configuration, "topology");
    let built = new_topology(TopologyBuilderArgument { cv, plugs: &plugs, rng: &mut rng });
    let mut links = BTreeSet::new();
    for router in 0..built.num_routers() {
        for port in 0..built.ports(router) {
            let (here, there) = (node(tree, router), built.neighbour(router, port).0);
            let is_new = match there {
                Location::RouterPort { router_index, .. } => {
                    links.insert((here, node(tree, router_index)))
                }
                Location::ServerPort(server) => {
                    links.insert((here, server)) && links.insert((server, here))
                }
                Location::None => panic!("port {port} of router {router} is free"),
            };
            assert!(is_new, "router {router} has parallel links");
        }
    }
    links
}

#[test]
fn networks_are_the_same() {
    for spec in
        ["ft(4,2)", "ft(8,3)", "ft(4,4)", "xgft(2;8,4;1,2)", "xgft(3;3,2,5;1,4,2)", "kary(3,3)"]
    {
        let network = generate(spec).unwrap();
        let ends = |link| network.ends(link).unwrap();
        let ends = network.link_numbers().map(ends).map(|(a, b)| (a as usize, b as usize));
        let there = links_there(&configuration(&network), network.plain_tree().unwrap());
        assert!(there == ends.collect(), "{spec}");
    }
}

/// At full load a full tree delivers most of it, and one with a fourth of the cables above leaf switches less.
#[test]
fn configurations_run_as_they_are() {
    let accepted = |spec: &str| {
        let plugs = Plugs::default();
        let configuration = configuration(&generate(spec).unwrap());
        let mut simulation = Simulation::new(&configuration, &plugs);
        simulation.run();
        match member(&simulation.get_simulation_results(), "accepted_load") {
            ConfigurationValue::Number(load) => *load,
            other => panic!("{other:?}"),
        }
    };
    let (full, slim) = (accepted("ft(8,2)"), accepted("xgft(2;4,8;1,1)"));
    println!("accepted load: {full}, slimmed {slim}");
    assert!(full > 0.5 && full <= 1.0, "{full}");
    assert!(slim > 0.1 && slim < 0.3, "{slim}");
}
