//! Damage that was planted is found exactly, and nothing else: on trees of the family XGFT with and without
//! parallel cables, and on pods under planes of top switches, which are none.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;

use super::super::{Difference, Shape};
use super::net::Net;
use crate::sampling::{Stream, Streams};
use crate::topology::Topology;

fn drawn<'a>(from: &'a [String], draw: &mut Stream) -> &'a String {
    &from[draw.random_range(0..from.len())]
}

/// Takes out and adds cables between switches; returns what a list of differences has to say.
fn plant_cables(net: &mut Net, draw: &mut Stream) -> BTreeSet<String> {
    let before = net.bundles();
    for _ in 0..draw.random_range(0..4) {
        let between: Vec<usize> =
            (0..net.cables.len()).filter(|at| before.contains_key(&net.cables[*at])).collect();
        net.cables.remove(between[draw.random_range(0..between.len())]);
    }
    for _ in 0..draw.random_range(0..2) {
        let pairs: Vec<(String, String)> = net.bundles().into_keys().collect();
        net.cables.push(pairs[draw.random_range(0..pairs.len())].clone());
    }
    let after = net.bundles();
    let mut expected = BTreeSet::new();
    for ((low, high), usual) in before {
        let found = after.get(&(low.clone(), high.clone())).copied().unwrap_or(0);
        if found < usual {
            expected.insert(format!("missing {low} {high} {} of {usual}", usual - found));
        } else if found > usual {
            expected.insert(format!("extra {low} {high} {found}, not {usual}"));
        }
    }
    expected
}

/// Takes hosts from leaf switches, and adds some elsewhere and switches behind others.
fn plant_nodes(net: &mut Net, draw: &mut Stream) -> BTreeSet<String> {
    let height = net.switches.iter().map(|(_, level)| *level).max().unwrap();
    let mut expected = BTreeSet::new();
    let leaves = net.of_level(1);
    let usual = net.hosts_at(&leaves[0]).len();
    let (first, second) = (drawn(&leaves, draw).clone(), drawn(&leaves, draw).clone());
    for (leaf, taken) in BTreeMap::from([(first, 1), (second, usual)]) {
        for host in net.hosts_at(&leaf).iter().take(taken) {
            net.remove_host(host);
        }
        expected.insert(format!("hosts {leaf} {}, not {usual}", usual - taken));
    }
    let above: BTreeSet<String> =
        (2..=height).map(|level| drawn(&net.of_level(level), draw).clone()).collect();
    for switch in &above {
        let count = draw.random_range(1..=usual.div_ceil(4));
        for host in 0..count {
            net.add_host(&format!("m-{switch}-{host}"), switch);
        }
        expected.insert(format!("above {switch} {count}"));
    }
    for (at, level) in (2..=height).enumerate() {
        let (behind, name) = (drawn(&net.of_level(level), draw).clone(), format!("aside-{at}"));
        let cables = draw.random_range(1..3);
        net.cables.extend(vec![(behind.clone(), name.clone()); cables]);
        net.switches.push((name.clone(), u8::MAX));
        expected.insert(format!("aside {name} behind {behind}, {cables}"));
        if draw.random_range(0..2) == 1 {
            net.add_host(&format!("m-{name}"), &name);
            expected.insert(format!("above {name} 1"));
        }
    }
    expected
}

fn said(topology: &Topology, difference: &Difference) -> String {
    let name = |node: u32| topology.node(node).name.clone();
    match difference {
        Difference::MissingCables { child, parent, missing, present } => {
            let usual = missing + present;
            format!("missing {} {} {missing} of {usual}", name(*child), name(*parent))
        }
        Difference::ExtraCables { child, parent, usual, present, misplaced: false } => {
            format!("extra {} {} {present}, not {usual}", name(*child), name(*parent))
        }
        Difference::Hosts { leaf, found, usual } => {
            format!("hosts {} {found}, not {usual}", name(*leaf))
        }
        Difference::HostsAbove { switch, hosts } => {
            let own = format!("m-{}", name(*switch));
            assert!(hosts.iter().all(|host| name(*host).starts_with(&own)), "{hosts:?}");
            format!("above {} {}", name(*switch), hosts.len())
        }
        Difference::Aside { switch, neighbours, cables } => {
            let behind: Vec<String> = neighbours.iter().map(|node| name(*node)).collect();
            format!("aside {} behind {}, {cables}", name(*switch), behind.join(" "))
        }
        other => format!("{other:?}"),
    }
}

/// The levels of the switches that were not planted are those that they were made with.
fn check_levels(net: &Net, topology: &Topology, shape: &Shape, what: &str) {
    for (name, level) in &net.switches {
        let node = topology.node_numbers().find(|node| topology.node(*node).name == *name).unwrap();
        let wanted = Some(*level).filter(|level| *level < u8::MAX);
        assert_eq!(shape.levels[node as usize], wanted, "{what}: {name}");
    }
}

#[test]
fn planted_damage_is_listed_exactly() {
    let nets = [
        (Net::of_tree("ft(8,3)", 1), "ft(8,3)", false),
        (Net::of_tree("xgft(3;5,6,6;1,6,4)", 2), "pgft(3;5,6,6;1,6,4;1,2,2)", false),
        (Net::of_tree("xgft(2;8,12;1,6)", 3), "pgft(2;8,12;1,6;1,3)", false),
        (Net::of_pods([6, 7, 10, 8, 6], 2), "pgft(3;10,7,12;1,8,6;1,2,1)", true),
        (Net::of_pods([4, 6, 6, 6, 7], 1), "xgft(3;6,6,8;1,6,7)", true),
    ];
    for (net, tree, in_words) in nets {
        let whole = Shape::of(&net.build()).unwrap();
        assert!(whole.is_whole(), "{tree}: {whole:?}");
        for seed in 0..25 {
            let (mut net, mut draw) = (net.clone(), Streams::new(seed).at(0));
            let mut expected = plant_cables(&mut net, &mut draw);
            expected.extend(plant_nodes(&mut net, &mut draw));
            let topology = net.build();
            let shape = Shape::of(&topology).unwrap();
            let what = format!("{tree}, seed {seed}");
            let found: Vec<String> =
                shape.differences.iter().map(|one| said(&topology, one)).collect();
            assert_eq!(shape.irregular, None, "{what}");
            assert_eq!(BTreeSet::from_iter(found.clone()), expected, "{what}");
            assert_eq!(found.len(), expected.len(), "{what}");
            check_levels(&net, &topology, &shape, &what);
            assert_eq!(shape.no_pgft.is_some(), in_words, "{what}");
            assert_eq!(shape.tree.unwrap().to_string(), tree, "{what}");
        }
    }
}

#[test]
fn pods_and_planes_are_those_that_were_made() {
    let topology = Net::of_pods([6, 7, 10, 8, 6], 2).build();
    let shape = Shape::of(&topology).unwrap();
    assert_eq!((shape.pods.len(), shape.top_planes.len()), (6, 4));
    for pod in &shape.pods {
        assert_eq!((pod.switches.len(), pod.leaves, pod.hosts), (15, 7, 70));
    }
    for (at, plane) in shape.top_planes.iter().enumerate() {
        let names = plane.iter().map(|top| topology.node(*top).name.clone());
        assert!(names.into_iter().all(|name| name.starts_with(&format!("top-{at}-"))), "{at}");
        assert_eq!(plane.len(), 6);
    }
    let words = "10 hosts at a leaf switch; 6 groups of 7 switches of level 1 below 8 of level 2, 2 cables each; \
                 4 groups of 12 switches of level 2 below 6 of level 3";
    assert_eq!(shape.name().as_deref(), Some(words));
}

/// A host on every switch above the leaf switches, as aggregation nodes are, changes no level; nor does a pod
/// in which all leaf switches have few hosts, or a spine with more than half as many hosts as a leaf switch.
#[test]
fn hosts_above_and_pods_with_few_hosts_change_no_level() {
    let mut net = Net::of_pods([5, 6, 8, 6, 6], 2);
    for switch in net.of_level(2).into_iter().chain(net.of_level(3)) {
        net.add_host(&format!("m-{switch}"), &switch);
    }
    for host in (0..6).map(|host| format!("m-spine-1-1-{host}")) {
        net.add_host(&host, "spine-1-1");
    }
    for leaf in net.of_level(1).iter().filter(|leaf| leaf.starts_with("leaf-2-")) {
        for host in net.hosts_at(leaf).iter().skip(2) {
            net.remove_host(host);
        }
    }
    let topology = net.build();
    let shape = Shape::of(&topology).unwrap();
    check_levels(&net, &topology, &shape, "few hosts");
    let few = |one: &&Difference| matches!(one, Difference::Hosts { found: 2, usual: 8, .. });
    let above = |one: &&Difference| matches!(one, Difference::HostsAbove { .. });
    assert_eq!(shape.differences.iter().filter(few).count(), 6);
    assert_eq!(shape.differences.iter().filter(above).count(), 30 + 18);
    assert_eq!((shape.differences.len(), shape.irregular), (54, None));
}

/// A cable from a leaf switch to a top switch is listed, and neither it nor a missing cable of a top switch above all
/// spines of two pods, which then shares most of its neighbours with their leaf switches, changes a level.
#[test]
fn a_cable_that_skips_a_level_changes_no_level() {
    let mut wide = Net::of_pods([2, 6, 8, 2, 8], 1);
    wide.cables.retain(|cable| *cable != ("spine-1-0".to_string(), "top-0-0".to_string()));
    let nets = [(Net::of_pods([4, 6, 8, 6, 6], 2), 0), (Net::of_tree("ft(8,3)", 1), 0), (wide, 1)];
    for (mut net, missing) in nets {
        net.cables.push((net.of_level(1)[0].clone(), net.of_level(3)[1].clone()));
        let topology = net.build();
        let shape = Shape::of(&topology).unwrap();
        check_levels(&net, &topology, &shape, "a cable from leaf to top");
        let across = |one: &&Difference| matches!(one, Difference::Sideways(_));
        assert_eq!(shape.differences.iter().filter(across).count(), 1);
        assert_eq!((shape.differences.len(), shape.irregular), (1 + missing, None));
    }
}

/// Top switches above all spines of a single pod are wired as leaf switches that wait for their hosts, and are read so.
#[test]
fn switches_above_a_single_pod_are_leaf_switches_without_hosts() {
    let pod = Net::of_pods([1, 6, 4, 2, 5], 1);
    let mut empty = Net::of_tree("xgft(2;4,11;1,2)", 1);
    for leaf in empty.of_level(1).iter().skip(6) {
        for host in empty.hosts_at(leaf) {
            empty.remove_host(&host);
        }
    }
    for net in [pod, empty] {
        let shape = Shape::of(&net.build()).unwrap();
        let of_level = |wanted| shape.levels.iter().filter(|level| **level == wanted).count();
        assert_eq!([0, 1, 2, 3].map(|level| of_level(Some(level))), [24, 11, 2, 0]);
        let empty = |one: &Difference| matches!(one, Difference::Hosts { found: 0, usual: 4, .. });
        assert!(shape.differences.len() == 5 && shape.differences.iter().all(empty));
        assert_eq!(shape.tree.unwrap().to_string(), "xgft(2;4,11;1,2)");
    }
}
