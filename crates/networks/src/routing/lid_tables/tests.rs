//! The least LMC of routings of trees and of damaged ones, and what is refused.

use super::*;
use crate::routing::Instance;

fn tables(topology: &str, routing: &str) -> (Instance, LidTables) {
    let instance = Instance::named(topology, routing).unwrap();
    let Instance { topology, routing } = &instance;
    let tables = LidTables::of(topology, &**routing, &Progress::silent()).unwrap();
    (instance, tables)
}

/// Whoever follows the LID that it is told to use takes the path of the routing, and every LID leads from every switch
/// to its node.
fn check(instance: &Instance, tables: &LidTables) {
    let topology = &instance.topology;
    let followed = |mut node, to, offset| {
        let mut links = Vec::new();
        while node != to {
            let link = tables.next(node, to, offset).unwrap();
            links.push(link);
            assert!(links.len() <= topology.nodes(), "a loop towards {to} + {offset}");
            node = topology.ends(link).unwrap().1;
        }
        links
    };
    for (s, d) in crate::topology::sd_pairs(topology.hosts()) {
        instance.routing.for_each_path(s, d, &mut Vec::new(), &mut |_, path| {
            let (_, switch) = topology.ends(path[0]).unwrap();
            assert_eq!(followed(switch, d, tables.offset(s, d).into()), path[1..]);
        });
    }
    let switches = (topology.hosts()..topology.nodes()).map(node_number);
    for (switch, to) in switches.flat_map(|s| topology.node_numbers().map(move |to| (s, to))) {
        for offset in 0..1 << tables.lmc() {
            followed(switch, to, offset);
        }
        assert!(tables.next(to.max(switch), to.max(switch), 0).is_none());
    }
}

#[test]
fn every_path_follows_its_lid() {
    for (topology, routing, lmc) in [
        ("ft(8,2)", "dmodk", 0),
        ("ft(8,2)", "osrm2", 1),
        ("ft(8,3)", "osrm3", 2),
        ("ft(8,3)", "smodk", 2),
        ("ft(16,2)", "grid", 2),
        ("xgft(2;8,8;1,4)", "smodk", 2),
        ("ft(4,1)", "dmodk", 0),
    ] {
        let (instance, tables) = tables(topology, routing);
        assert_eq!((tables.lmc(), tables.is_least()), (lmc, true), "{topology} {routing}");
        check(&instance, &tables);
    }
}

/// Random paths need more LIDs than leave any switch: here the search finds 4 where first fit needs more, or proves
/// that there are none.
#[test]
fn random_paths_are_divided_by_the_search() {
    for seed in 1..4 {
        let (instance, tables) = tables("ft(6,3)", &format!("random(seed={seed})"));
        check(&instance, &tables);
    }
}
