//! The worst load over sets of failures where parts of networks change, or links cannot be solved exactly.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::BTreeMap;
use std::fs;

use routebound::export::ROUTED_EXPORTS;
use routebound::failure::{Cable, damage};
use routebound::failure_sets::{
    Element, FailureSetError, FailureSets, Failures, Repair, Unit, alone, failure_sets,
};
use routebound::import::{self, ImportOptions};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::registry;
use routebound::routing::{self, Instance, Routing};
use routebound::topology::{NetworkBuilder, Topology, Xgft};

use super::failure_sets::{Given, all_sets, called, compare, every, holds, left};

/// A network of switches with numbers of hosts, and cables with capacities and weights, if they have any.
fn network(
    switches: &[(&str, usize)],
    cables: &[(&str, &str, u64)],
    weight: impl Fn(usize) -> Option<u64>,
) -> Topology {
    let mut builder = NetworkBuilder::new();
    let weigh = |builder: &mut NetworkBuilder, at| {
        if let Some(weight) = weight(at) {
            builder.weigh(weight.into());
        }
    };
    let mut keys = BTreeMap::new();
    for (name, hosts) in switches {
        let switch = builder.switch(*name);
        keys.insert(*name, switch);
        for host in 0..*hosts {
            let host = builder.host(format!("{name}{host}"));
            builder.cable(host, switch, Rational::ONE);
            weigh(&mut builder, cables.len());
        }
    }
    for (at, (a, b, capacity)) in cables.iter().enumerate() {
        builder.cable(keys[a], keys[b], (*capacity).into());
        weigh(&mut builder, at);
    }
    builder.build("network").unwrap()
}

/// Without X, or without T, the hosts of P and Q either leave the network or are two hops apart. Without both they are
/// what remains, and send along a path that no single failure leads them to.
#[test]
fn a_second_failure_may_change_which_part_remains() {
    let switches = [("X", 0), ("T", 0), ("U", 3), ("V", 2), ("P", 2), ("Q", 2), ("R", 0), ("S", 0)];
    let wide = [("X", "T"), ("T", "U"), ("T", "V"), ("X", "P"), ("X", "Q")];
    let narrow = [("P", "R"), ("R", "S"), ("S", "Q")];
    let cables: Vec<_> = wide.map(|(a, b)| (a, b, 10)).into_iter().collect();
    let cables = [cables, narrow.map(|(a, b)| (a, b, 1)).into()].concat();
    let topology = network(&switches, &cables, |_| None);
    let routing = routing::build("ecmp", &topology).unwrap();
    let instance = Instance::new(topology, routing).unwrap();
    let elements = Element::listed(&instance.topology, Unit::Switch, "X\nT").unwrap();
    let found =
        compare(&instance, &Failures { elements, most: 2, repair: Repair::Reroute, ranked: 0 });
    assert_eq!(found.load.exact(), Some(&2.into()));
    every(&instance, Unit::Switch, 2, Repair::Ecmp);
}

/// Shares of 1/2 and a little, less than solvers tell apart, more by the one or the other way to match two pairs.
#[test]
fn loads_of_shares_without_a_small_denominator_are_bounded_on_both_sides() {
    let little = Rational::new(1, 1 << 45).unwrap();
    let half = Rational::new(1, 2).unwrap();
    let mut rounded = 0;
    for straight in [1, 2] {
        let cables = [("A", "B"), ("A", "C"), ("C", "B"), ("A", "D"), ("D", "B")];
        let cables = cables.map(|(a, b)| (a, b, 1));
        let topology = network(&[("A", 3), ("B", 3), ("C", 0), ("D", 0)], &cables, |_| None);
        let link = |a: &str, b: &str| {
            let ends = |link| topology.ends(link).map(|(a, b)| [a, b]);
            let named = |link| ends(link).map(|ends| ends.map(|node| &*topology.node(node).name));
            topology.link_numbers().find(|link| named(*link) == Some([a, b])).unwrap()
        };
        let mut given = Given { paths: BTreeMap::new(), lost: 23 };
        for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
            let names = [format!("A{a}"), format!("B{b}")];
            let [s, d] = names.clone().map(|name| called(&topology, &name).unwrap());
            let over = |switches: &[&str]| {
                let nodes = [&[&*names[0]], switches, &[&*names[1]]].concat();
                nodes.windows(2).map(|ends| link(ends[0], ends[1])).collect::<Vec<_>>()
            };
            let shared = match (a, b) {
                (0, _) => vec![(over(&["A", "C", "B"]), Rational::ONE)],
                (_, 0) => continue,
                _ => {
                    let times = if a == b { straight } else { 3 - straight };
                    let share = &half + &(&little * &Rational::from(times));
                    let other = Rational::ONE.checked_sub(&share).unwrap();
                    vec![(over(&["A", "B"]), share), (over(&["A", "D", "B"]), other)]
                }
            };
            given.paths.insert((s, d), shared);
        }
        let elements = Element::listed(&topology, Unit::Cable, "A C").unwrap();
        let instance = Instance::trusted(topology, Box::new(given) as Box<dyn Routing>);
        // By hand: the two pairs on the cable from A to B, and without that to C one more.
        for (repair, others) in [(Repair::None, 1), (Repair::Ecmp, 2)] {
            let exact = &Rational::from(others) + &(&little * &Rational::from(4));
            let failures = Failures { elements: elements.clone(), most: 1, repair, ranked: 0 };
            let found =
                failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {}).unwrap();
            assert!(found.load.lower <= exact && exact <= found.load.upper, "{:?}", found.load);
            assert!(!found.complete || found.load.exact().is_some());
            if let Some(peak) = &found.peak {
                let (left, _) = left(&instance, &failures.repair, &elements[0].cables).unwrap();
                holds(&instance.topology, &left, peak);
                assert!(peak.most >= exact);
            }
            rounded += u32::from(failures.repair == Repair::Ecmp && found.load.exact().is_none());
        }
    }
    assert!(rounded > 0);
}

/// Broken pairs go by weights where the others go by hops, so no routing of what remains is this one.
#[test]
fn repair_by_weights_is_not_assessed_as_a_routing_by_hops() {
    let switches = ["A", "B", "C", "D", "E"].map(|name| (name, 2));
    let cables = [("A", "B"), ("B", "C"), ("C", "D"), ("D", "E"), ("E", "A"), ("A", "C")];
    let cables = cables.map(|(a, b)| (a, b, 1));
    let topology = network(&switches, &cables, |at| Some(if at == 2 { 9 } else { 1 }));
    let routing = routing::build("ecmp(weights=hops)", &topology).unwrap();
    let instance = Instance::new(topology, routing).unwrap();
    let elements = Element::all(&instance.topology, Unit::Cable);
    let failures = Failures { elements, most: 1, repair: Repair::Ecmp, ranked: 0 };
    let found = compare(&instance, &failures);
    let peak = found.peak.unwrap();
    assert!(alone(&instance, &failures, &peak, &Progress::silent()).unwrap().is_none());
}

/// Without the direct cable there are three next hops for two buckets, so that the routing does not exist.
#[test]
fn a_routing_that_a_failure_leaves_without_buckets_loses_the_broken_pairs() {
    let switches = [("A", 2), ("B", 2), ("C", 0), ("D", 0), ("E", 0)];
    let cables =
        [("A", "B"), ("A", "C"), ("C", "B"), ("A", "D"), ("D", "B"), ("A", "E"), ("E", "B")];
    let topology = network(&switches, &cables.map(|(a, b)| (a, b, 1)), |_| None);
    let routing = routing::build("ecmp-hash(buckets=2)", &topology).unwrap();
    let instance = Instance::new(topology, routing).unwrap();
    let found = every(&instance, Unit::Cable, 2, Repair::Reroute);
    // By hand: the first cable is the direct one, and four pairs cross it in each direction. Without a second cable
    // there are two next hops.
    let lost: Vec<u64> = found.verdicts.iter().map(|verdict| verdict.lost).collect();
    assert_eq!((lost[1], lost.iter().filter(|lost| **lost > 0).count()), (8, 1));
}

/// The tables of a routing with one path per destination, where without failures all pairs are split.
#[test]
fn tables_for_every_set_agree_with_every_damaged_network() {
    let file = "instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out";
    let topology = import::topology(file, &ImportOptions::default()).unwrap();
    let routing = routing::build("ecmp", &topology).unwrap();
    let instance = Instance::new(topology, routing).unwrap();
    let list = "sw-1-0[5]\nsw-1-0[6]\nsw-1-1[5]";
    let elements = Element::listed(&instance.topology, Unit::Cable, list).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let repair = Repair::Tables(folder.path().to_str().unwrap().into());
    let mut failures = Failures { elements, most: 2, repair, ranked: 0 };
    let refused = failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {});
    assert!(matches!(refused, Err(FailureSetError::NoTables { missing: 6, sets: 6, .. })));
    let export = registry::find(ROUTED_EXPORTS, "export", "lft").unwrap();
    for set in &all_sets(3, 2)[1..] {
        let failed = set.iter().map(|one| &failures.elements[*one as usize]);
        let cables: Vec<Cable> = failed.clone().flat_map(|one| one.cables.clone()).collect();
        let left = damage(&instance.topology, &cables).unwrap().topology;
        let minhop = routing::build("minhop", &left).unwrap();
        let names: Vec<&str> = failed.map(|one| one.name.as_str()).collect();
        let mut file = fs::File::create(folder.path().join(names.join("+"))).unwrap();
        (export.build)(&left, &*minhop, &Progress::silent(), &mut file).unwrap();
    }
    let found = compare(&instance, &failures);
    // By hand: the hosts of another leaf all send to those of a leaf whose way down is the same, or up by one cable.
    assert_eq!((found.whole, found.load.lower), (Some(1.into()), 4.into()));
    // A file that cannot be used is found before any set is analysed.
    let unreadable = failures.file_of_tables(&[1, 2]);
    fs::write(folder.path().join(unreadable), "no tables").unwrap();
    let mut analysed = 0;
    let mut keep = |found: &FailureSets| analysed += found.counts.analysed;
    let refused = failure_sets(&instance, &failures, &Progress::silent(), &mut keep);
    assert!(matches!(refused, Err(FailureSetError::Failure(_))) && analysed == 0);
    failures.elements = Element::all(&instance.topology, Unit::Switch);
    let refused = failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {});
    assert!(matches!(refused, Err(FailureSetError::TablesOfSwitches)));
}

#[test]
fn the_only_switch_cuts_all_hosts_off() {
    let instance = Instance::named("xgft(1;4;1)", "dmodk").unwrap();
    let elements = Element::all(&instance.topology, Unit::Switch);
    let mut failures = Failures { elements, most: 1, repair: Repair::Reroute, ranked: 0 };
    let found = failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {}).unwrap();
    assert_eq!(found.cut_off, [1, 1, 1, 1]);
    assert_eq!((found.verdicts[1].cut_off, found.verdicts[1].lost), (4, 0));
    assert_eq!((found.looked_at, found.load.exact()), (2, Some(&1.into())));
    failures.most = 3;
    let refused = failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {});
    assert!(matches!(refused, Err(FailureSetError::Most(3))));
}

/// OpenSM's tables of a tree of 128 hosts.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a minute")]
fn the_most_dangerous_cables_of_a_dump_agree_with_every_damaged_network() {
    let dump = |file| format!("instances/fabrics/ft8x3/dfsssp/{file}");
    let options = ImportOptions::default();
    let topology = import::topology(&dump("ibnetdiscover.out.gz"), &options).unwrap();
    let tables = format!("lft:{}", dump("opensm-lfts.dump.gz"));
    let routing = routing::build(&tables, &topology).unwrap();
    let instance = Instance::new(topology, routing).unwrap();
    let found = every(&instance, Unit::Cable, 1, Repair::Ecmp);
    assert_eq!(found.load.exact(), Some(&"115/12".parse().unwrap()));
}

/// Two failures bring pairs to the link from X to Y: one those of three sources to one destination, the other those of
/// one source to three. By hand neither adds more than 1 to a permutation, both no more than 2.
#[test]
fn what_two_failures_add_to_a_link_is_added_up_by_ends() {
    let hosts = [("A", 1), ("B", 3), ("C", 3), ("E", 1), ("X", 0), ("Y", 0), ("P", 0), ("Q", 0)];
    let cables = "A C, B E, A X, B X, X Y, Y C, Y E, A P, P E, B Q, Q C";
    let cables: Vec<(&str, &str, u64)> = cables
        .split(", ")
        .map(|ends| ends.split_once(' ').unwrap())
        .map(|(a, b)| (a, b, 1))
        .collect();
    let topology = network(&hosts, &cables, |_| None);
    let instance =
        Instance::new(topology.clone(), routing::build("ecmp", &topology).unwrap()).unwrap();
    let elements = Element::listed(&topology, Unit::Cable, "A C\nB E").unwrap();
    for repair in [Repair::Reroute, Repair::Ecmp] {
        let failures = Failures { elements: elements.clone(), most: 2, repair, ranked: 0 };
        assert!(compare(&instance, &failures).certificate.is_ok());
    }
}

/// A tree routing passes parallel cables alike up and down, so that it knows fewer shortest paths than there are.
#[test]
fn repairs_over_parallel_cables_have_no_certificate() {
    let at_leaf = |leaf: u32| {
        let host = |host: u32| format!("h{leaf}{host} [type=host]; h{leaf}{host} -- l{leaf};\n");
        let top = |top: &u32| format!("t{top} [type=switch]; l{leaf} -- t{top};\n");
        let hosts: String = (0..4).map(host).collect();
        let cables: String = [0, 0, 1, 1].iter().map(top).collect();
        format!("l{leaf} [type=switch];\n{hosts}{cables}")
    };
    let text: String = (0..4).map(at_leaf).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.dot");
    fs::write(&file, format!("graph tree {{\n{text}}}\n")).unwrap();
    let file = file.display().to_string();
    let topology = import::topology(&file, &ImportOptions::default()).unwrap();
    assert_eq!(topology.tree().map(Xgft::cables_to_top), Some(2));
    for (spec, is_proven) in [("dmodk", false), ("smodk", false), ("ecmp", true)] {
        let routing = routing::build(spec, &topology).unwrap();
        let instance = Instance::new(topology.clone(), routing).unwrap();
        let elements = Element::all(&topology, Unit::Cable);
        let failures = Failures { elements, most: 1, repair: Repair::Reroute, ranked: 0 };
        assert_eq!(compare(&instance, &failures).certificate.is_ok(), is_proven, "{spec}");
    }
}
