//! Levels as reports show them: those of the tree.

use std::collections::BTreeMap;

use super::super::Usage;
use super::net::Net;
use crate::certificate::Quantity;
use crate::failure;
use crate::load::{LinkLoads, by_level};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{self, Instance};
use crate::topology::{Direction, Topology, generate};
use crate::traffic::Demand;
use crate::worst_case;

/// Number of links by level and direction.
type Rows = BTreeMap<(u8, Direction), usize>;

/// The rows of worst loads, of which loads and the use of links have to have the same.
fn rows(topology: Topology) -> Rows {
    let routing = routing::build("ecmp", &topology).unwrap();
    let instance = Instance::new(topology, routing).unwrap();
    let (topology, silent) = (instance.topology(), Progress::silent());
    let worst = worst_case::Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
    let mut rows = Rows::new();
    for bin in worst_case::histogram(topology, &worst) {
        *rows.entry((bin.level, bin.direction)).or_default() += bin.links;
    }
    let demands = [Demand { s: 0, d: 1, amount: Rational::ONE }];
    let loads = LinkLoads::of(topology, instance.routing(), &demands, &silent).unwrap();
    let loads = by_level(&loads.histogram());
    let loads: Rows = loads.iter().map(|row| ((row.level, row.direction), row.links)).collect();
    assert_eq!(loads, rows);
    let usage = Usage::of(&instance, &silent).unwrap().by_level(topology);
    let usage: Rows = usage.iter().map(|row| ((row.level, row.direction), row.links)).collect();
    assert_eq!(usage, rows);
    let summary = topology.summary().levels;
    let summary = summary.iter().flat_map(|level| {
        let links = [level.up_links, level.down_links, level.flat_links];
        let places =
            [Direction::Up, Direction::Down, Direction::Flat].map(|way| (level.level, way));
        places.into_iter().zip(links).filter(|(_, links)| *links > 0)
    });
    assert_eq!(summary.collect::<Rows>(), rows);
    rows
}

/// Hosts on spines and top switches take no link out of its row, with damage or not; switches behind a spine and a
/// top switch, one of them with a host, add no level: their cables lead across.
#[test]
fn links_are_shown_at_the_levels_of_the_tree() {
    let (pods, leaves, hosts, spines, tops) = (3, 4, 4, 4, 3);
    let mut net = Net::of_pods([pods, leaves, hosts, spines, tops], 2);
    for (host, switch) in [("m-0", "spine-2-3"), ("m-1", "spine-2-3"), ("m-2", "top-1-0")] {
        net.add_host(host, switch);
    }
    let counts = [pods * leaves * hosts + 3, pods * leaves * spines * 2, pods * spines * tops];
    let ways = [Direction::Up, Direction::Down];
    let expected: Rows = (1..)
        .zip(counts)
        .flat_map(|(level, cables)| ways.map(|way| ((level, way), cables)))
        .collect();
    let topology = net.build().recognised();
    let shown = |topology: &Topology| -> Vec<u8> {
        topology.node_numbers().map(|node| topology.shown_level(node)).collect()
    };
    // The host makes a leaf switch of its spine by distance.
    let distances = topology.graph().node_weights().map(|node| node.level);
    assert!(!shown(&topology).into_iter().eq(distances));
    let gone = failure::at_random(&topology, 5, 1).unwrap();
    let damaged = failure::damage(&topology, &gone).unwrap().topology;
    assert_eq!(shown(&damaged), shown(&topology));
    assert_eq!(rows(damaged).values().sum::<usize>(), topology.links() - 10);
    assert_eq!(rows(topology), expected);
    for (aside, behind) in [("aside-0", "spine-1-0"), ("aside-1", "top-0-1")] {
        net.switches.push((aside.to_string(), u8::MAX));
        net.cables.push((behind.to_string(), aside.to_string()));
    }
    net.add_host("manager", "aside-0");
    let mut with_aside = expected;
    for way in ways {
        *with_aside.get_mut(&(1, way)).unwrap() += 1;
    }
    with_aside.extend([((2, Direction::Flat), 2), ((3, Direction::Flat), 2)]);
    assert_eq!(rows(net.build().recognised()), with_aside);
}

/// A whole fat-tree with a switch behind a spine, which has no labels for it alone, has the levels of the tree.
#[test]
fn a_switch_behind_a_spine_is_no_level_of_a_fat_tree() {
    for (spec, behind) in
        [("ft(8,3)", "sw-2-0"), ("ft(8,3)", "sw-3-0"), ("xgft(2;8,12;1,6)", "sw-2-1")]
    {
        let tree = generate(spec).unwrap();
        for with_host in [false, true] {
            let mut net = Net::of_tree(spec, 1);
            net.switches.push(("aside".to_string(), u8::MAX));
            net.cables.push((behind.to_string(), "aside".to_string()));
            if with_host {
                net.add_host("manager", "aside");
            }
            let topology = net.build().recognised();
            assert!(topology.tree().is_none(), "{spec}");
            let of_name = |name: &str| {
                let mut nodes = topology.node_numbers();
                nodes.find(|node| topology.node(*node).name == name).unwrap()
            };
            let level = |node: u32| topology.shown_level(of_name(&tree.node(node).name));
            assert!(tree.node_numbers().all(|node| level(node) == tree.node(node).level), "{spec}");
            assert_eq!(
                topology.shown_level(of_name("aside")),
                topology.shown_level(of_name(behind))
            );
        }
    }
}
