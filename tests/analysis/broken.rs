//! What a failure cuts off, and the worst case of the rest, against networks built without what fails.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use routebound::assessment::{Assess, assess};
use routebound::bounds::Bounds;
use routebound::failure::{self, Cable, Remainder};
use routebound::import::{self, ImportOptions};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Listed, Routing};
use routebound::single_failures::single_failures;
use routebound::topology::{self, Host, LinkId, NetworkBuilder, NodeKind, Topology, sd_pairs};
use routebound::traffic::PathRecord;

use super::kpath::paths;
use super::oracle::exhaustive;
use crate::program::run;

/// The paths of a routing of the whole network, which no failure changes.
fn tables(topology: &Topology, routing: &str) -> Arc<dyn Routing> {
    let routing = routing::build(routing, topology).unwrap();
    let of_pair = |(s, d)| {
        let paths = paths(&*routing, s, d).into_iter();
        paths.map(move |(links, share)| PathRecord { s, d, share, links })
    };
    let records = sd_pairs(topology.hosts()).flat_map(of_pair).collect();
    Arc::new(Listed::new("tables".into(), topology.hosts(), records).unwrap())
}

/// The network built anew without some nodes and cables, hosts first.
fn built_without(whole: &Topology, nodes: &BTreeSet<u32>, failed: &[Cable]) -> Topology {
    let gone: BTreeSet<LinkId> = failed.iter().flat_map(|cable| cable.links.clone()).collect();
    let mut left = NetworkBuilder::new();
    let mut number = BTreeMap::new();
    for node in whole.node_numbers().filter(|node| !nodes.contains(node)) {
        let name = whole.node(node).name.clone();
        let new = match whole.node(node).kind {
            NodeKind::Host => left.host(name),
            NodeKind::Switch => left.switch(name),
        };
        number.insert(node, new);
    }
    for cable in failure::cables(whole).iter().filter(|cable| !gone.contains(&cable.links[0])) {
        let ends = cable.ends.map(|(node, _)| number.get(&node).copied());
        if let [Some(one), Some(other)] = ends {
            left.cable(one, other, whole.link(cable.links[0]).capacity.clone());
        }
    }
    left.build("left").unwrap()
}

fn sides(bounds: &Bounds) -> [&Rational; 2] {
    [&bounds.lower, &bounds.upper]
}

/// A backbone of hosts that forward.
fn ring() -> Topology {
    import::topology("instances/networks/examples/ring.csv", &ImportOptions::default()).unwrap()
}

/// Every switch, and every router of a backbone, against the network built without it and the hosts at it.
#[test]
fn what_a_node_leaves_is_the_network_built_without_it() {
    for whole in [
        topology::generate("ft(4,2)").unwrap(),
        topology::generate("xgft(2;3,2;1,2)").unwrap(),
        ring(),
    ] {
        let is_backbone = whole.nodes() == whole.hosts();
        for node in whole.node_numbers().skip(if is_backbone { 0 } else { whole.hosts() }) {
            let cables = failure::listed_switches(&whole, &whole.node(node).name).unwrap();
            let near = cables.iter().flat_map(|cable| cable.ends.map(|(node, _)| node));
            let hosts = near
                .filter(|near| (*near as usize) < whole.hosts() && (!is_backbone || *near == node));
            let apart: BTreeSet<u32> = hosts.collect();
            let routing = Arc::from(routing::build("ecmp", &whole).unwrap());
            let Remainder { instance, cut_off, lost } =
                failure::remaining(&whole, routing, &cables).unwrap();
            let names: Vec<String> =
                apart.iter().map(|host| whole.node(*host).name.clone()).collect();
            assert_eq!((cut_off, lost.count), (names, 0));
            let mut without = apart;
            without.insert(node);
            let built = built_without(&whole, &without, &[]);
            let built =
                Instance::new(built.clone(), routing::build("ecmp", &built).unwrap()).unwrap();
            let (left, built) = (assess(&instance).unwrap(), assess(&built).unwrap());
            assert_eq!(sides(&left.oblivious_ratio), sides(&built.oblivious_ratio));
            assert_eq!(sides(&left.permutation_load), sides(&built.permutation_load));
        }
    }
}

/// By exhaustive search over the permutations of pairs that have kept their path.
#[test]
fn tables_keep_the_worst_case_of_the_pairs_that_are_left() {
    let whole = topology::generate("ft(4,2)").unwrap();
    for routing in ["dmodk", "random(seed=3)"] {
        let routing = tables(&whole, routing);
        let before = assess(&Instance::new(whole.clone(), Arc::clone(&routing)).unwrap()).unwrap();
        let only = |s, d| paths(&*routing, s, d).into_keys().next().unwrap_or_default();
        let known: Vec<Vec<Vec<u32>>> = (0..8)
            .map(|s| (0..8).map(|d| if s == d { Vec::new() } else { only(s, d) }).collect())
            .collect();
        let path = |s: Host, d: Host| &known[s as usize][d as usize];
        for cable in failure::inner_cables(&whole) {
            let is_lost =
                |s: Host, d: Host| path(s, d).iter().any(|link| cable.links.contains(link));
            let all = sd_pairs(8).filter(|(s, d)| is_lost(*s, *d)).count();
            let left =
                failure::remaining(&whole, Arc::clone(&routing), std::slice::from_ref(&cable))
                    .unwrap();
            assert_eq!((left.lost.count, left.lost.of), (all as u64, 56));
            let found = assess(&left.instance).unwrap();
            let kept = |s, d| if is_lost(s, d) { Vec::new() } else { path(s, d).clone() };
            let kept: Vec<Vec<Vec<u32>>> =
                (0..8).map(|s| (0..8).map(|d| kept(s, d)).collect()).collect();
            let most = exhaustive(&kept, whole.links()).into_iter().max().unwrap();
            assert_eq!(found.permutation_load.exact(), Some(&Rational::from(most)));
            assert!(found.permutation_load.evidence.to_string().starts_with("claimed: "));
            assert!(found.certificate.is_err());
            // Fewer pairs, and less room for any routing of them.
            assert!(found.oblivious_ratio.upper <= before.oblivious_ratio.upper);
            let has_path = |s: Host, d: Host| !paths(left.instance.routing(), s, d).is_empty();
            assert!(found.witness.demands.iter().all(|demand| has_path(demand.s, demand.d)));
        }
    }
}

/// Every cable of trees and of a backbone, alone and by classes, against the network built without it.
#[test]
fn single_failures_are_those_of_networks_built_without_a_cable() {
    for whole in [
        topology::generate("ft(4,2)").unwrap(),
        topology::generate("xgft(2;2,4;1,2)").unwrap(),
        ring(),
    ] {
        let instance =
            Instance::new(whole.clone(), routing::build("ecmp", &whole).unwrap()).unwrap();
        let found = single_failures(&instance, &Progress::silent(), &mut |_| {}).unwrap();
        let cables = failure::inner_cables(&whole);
        assert_eq!(
            (found.failures.len(), found.cables, found.complete),
            (cables.len(), cables.len(), true)
        );
        for (cable, failure) in cables.iter().zip(&found.failures) {
            let built = built_without(&whole, &BTreeSet::new(), std::slice::from_ref(cable));
            let built =
                Instance::new(built.clone(), routing::build("ecmp", &built).unwrap()).unwrap();
            let built = Assess::new().embedded().run(&built).unwrap();
            assert_eq!(failure.cable, cable.name(&whole));
            assert!(!failure.is_broken());
            assert_eq!(
                sides(failure.oblivious_ratio.as_ref().unwrap()),
                sides(&built.oblivious_ratio)
            );
            assert_eq!(
                sides(failure.permutation_load.as_ref().unwrap()),
                sides(&built.permutation_load)
            );
        }
    }
    let named = |routing| Instance::named("ft(6,2)", routing).unwrap();
    let found = |instance| single_failures(&instance, &Progress::silent(), &mut |_| {}).unwrap();
    // All cables between switches are alike, also for a rule by numbers that wraps around.
    assert_eq!((found(named("ecmp")).classes, found(named("dmodk")).classes), (Some(1), Some(1)));
}

#[test]
fn a_broken_network_is_an_answer_of_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let backbone = file(
        "net.csv",
        "from,to,capacity\nNew York,Chicago,1\nChicago,Denver,1\nNew York,Denver,1\nDenver,LA,1\n",
    );
    let ratio = |more: &[&str]| run([&["ratio", &*backbone, "ecmp"][..], more].concat());
    // One rule for cables and nodes: quoted or not, on the command line or in a file.
    let list = file("list.txt", "\"New York\" Chicago # the first\n");
    for cable in ["New York Chicago", "\"New York\" Chicago", "\"Chicago\"[1]", &list] {
        let run = ratio(&["--fail-links", cable, "--json"]).expects(0);
        assert_eq!(
            run.json()["topology"].as_str().unwrap().split(" less ").nth(1),
            Some("New York[1]:Chicago[1]")
        );
    }
    let both =
        ratio(&["--fail-links", "\"New York\" Chicago, Denver LA", "--json"]).expects(1).json();
    assert_eq!(both["failure"]["cut_off"], serde_json::json!(["LA"]));
    let router = ratio(&["--fail-switches", "\"New York\",LA", "--json"]).expects(1).json();
    assert_eq!(
        (&router["failure"]["cut_off"], &router["hosts"]),
        (&serde_json::json!(["New York", "LA"]), &2.into())
    );
    let each = ratio(&["--worst-single-failure", "--json"]).expects(1).json();
    assert_eq!(
        (&each["cables"], &each["examined"], &each["broken"]),
        (&4.into(), &4.into(), &1.into())
    );
    assert_eq!(each["failures"][0]["cut_off"], serde_json::json!(["LA"]));
    ratio(&["--fail-links", "no/such.txt"]).refuses(2, "no such file");
    // Traffic of the whole network: pairs of hosts that are cut off are left out, whatever their numbers.
    let run = run(["load", "ft(4,2)", "dmodk", "shift(2)", "--fail-switches", "sw-1-0"]).expects(1);
    assert!(
        run.stdout.contains("4 of 8 demands left out, whose ends are cut off"),
        "{}",
        run.stdout
    );
}

/// Tables of a dump: 56 of 992 pairs lose their path with any cable between switches.
#[test]
fn tables_of_a_dump_say_until_they_are_rerouted() {
    let dump = "instances/fabrics/ft8x2/minhop_lmc2";
    let (network, tables) =
        (format!("{dump}/ibnetdiscover.out"), format!("lft:{dump}/opensm-lfts.dump.gz"));
    let report = run(["ratio", &network, &tables, "--fail", "1", "--json"]).expects(1).json();
    let lost = report["failure"]["lost_pairs"]["count"].as_u64().unwrap();
    assert!(lost > 0 && report["failure"]["rerouted"]["upper"].is_string(), "{report}");
    let each = run(["ratio", &network, &tables, "--worst-single-failure"]).expects(1).stdout;
    assert!(each.contains("failures that break it   32 of 32"), "{each}");
    run(["sim", &network, &tables, "shift(4)", "--load", "0.5", "--fail", "1", "--quiet"])
        .refuses(1, "no path until they are rerouted");
    let change = run(["compare", &tables, &tables, "--network", &network, "--fail", "1", "--json"])
        .expects(1)
        .json();
    assert_eq!(change["pairs_lost"].as_u64(), Some(lost));
    let load = run(["load", &network, &tables, "shift(4)", "--fail", "1"]).expects(1).stdout;
    assert!(load.contains("have no path until they are rerouted"), "{load}");
}
