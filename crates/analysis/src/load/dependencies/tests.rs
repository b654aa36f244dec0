//! Dependencies by hand, against a plain enumeration, and cycles against a search by definition.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::failure::{at_random, fail};
use crate::load::{CreditLoop, credit_loop};
use crate::rational::Rational;
use crate::routing::build;
use crate::topology::{NetworkBuilder, generate};

/// n switches in a ring, a host at each, and the paths clockwise. Cables alternate between the ring
/// and the hosts.
fn ring(n: u32) -> (Topology, Vec<Vec<LinkId>>) {
    let mut builder = NetworkBuilder::new();
    let hosts: Vec<_> = (0..n).map(|i| builder.host(format!("h{i}"))).collect();
    let switches: Vec<_> = (0..n).map(|i| builder.switch(format!("s{i}"))).collect();
    for (i, host) in hosts.iter().enumerate() {
        builder.cable(*host, switches[i], Rational::ONE);
        builder.cable(switches[i], switches[(i + 1) % switches.len()], Rational::ONE);
    }
    let topology = builder.build("ring").unwrap();
    let link = |from: u32, to: u32| {
        topology.link_numbers().find(|link| topology.ends(*link) == Some((from, to))).unwrap()
    };
    let path = |s: u32, d: u32| {
        let mut links = vec![link(s, n + s)];
        let mut at = s;
        while at != d {
            links.push(link(n + at, n + (at + 1) % n));
            at = (at + 1) % n;
        }
        links.push(link(n + d, d));
        links
    };
    let pairs = (0..n).flat_map(|s| (0..n).filter(move |d| *d != s).map(move |d| (s, d)));
    let paths = pairs.map(|(s, d)| path(s, d)).collect();
    (topology, paths)
}

fn of(topology: &Topology, paths: &[Vec<LinkId>]) -> Result<Dependencies, DependencyError> {
    Dependencies::of_paths(topology, paths.iter().map(Vec::as_slice), &Progress::silent())
}

#[test]
fn a_ring_has_a_cycle_of_its_links() {
    for n in 3..7 {
        let (topology, paths) = ring(n);
        let cycle = of(&topology, &paths).unwrap().cycle().unwrap();
        assert_eq!(cycle.len(), n as usize);
        let ends: Vec<_> = cycle.iter().map(|link| topology.ends(*link).unwrap()).collect();
        let is_followed = |at: usize| ends[at].1 == ends[(at + 1) % ends.len()].0;
        assert!((0..ends.len()).all(is_followed) && ends.iter().all(|(from, _)| *from >= n));
        assert_eq!(cycle.iter().min(), cycle.first());
        // A ring is left by a path over one of its links less than all.
        let shorter: Vec<_> = paths.iter().filter(|path| path.len() == 3).cloned().collect();
        assert_eq!(of(&topology, &shorter).unwrap().cycle(), None);
    }
}

#[test]
fn a_credit_loop_names_its_links() {
    let (topology, paths) = ring(4);
    let cycle = of(&topology, &paths).unwrap().cycle().unwrap();
    let message = CreditLoop::new(&topology, &cycle).to_string();
    assert!(message.contains("credit loop over 4 links: s0[2] -> s1[1], then s1"), "{message}");
}

#[test]
fn paths_of_other_networks_are_refused() {
    let topology = generate("ft(4,2)").unwrap();
    let refused = |path: Vec<LinkId>| of(&topology, &[path]).unwrap_err();
    assert_eq!(refused(vec![0, 1]), DependencyError::NotJoined { before: 0, link: 1 });
    assert_eq!(refused(vec![0, 999]), DependencyError::NotJoined { before: 0, link: 999 });
    let stopped = Progress::silent();
    stopped.stop().request();
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let error = Dependencies::of_routing(&instance, &stopped).unwrap_err();
    assert_eq!(error, DependencyError::Stopped(Stopped));
}

fn paths_of(instance: &Instance) -> Vec<Vec<LinkId>> {
    let mut paths = Vec::new();
    for s in instance.topology.host_numbers() {
        for d in instance.topology.host_numbers().filter(|d| *d != s) {
            let mut keep = |_: &_, links: &[LinkId]| paths.push(links.to_vec());
            instance.routing.for_each_path(s, d, &mut Vec::new(), &mut keep);
        }
    }
    paths
}

/// Of damaged trees, some of which have cycles, by classes of hosts and by every path.
#[test]
fn hosts_that_are_alike_have_the_dependencies_of_their_paths() {
    let (mut alike, mut loops) = (0, 0);
    let trees = ["ft(4,3)", "xgft(2;4,5;1,3)", "ft(6,2)"];
    for (seed, tree) in (0..).zip(trees.into_iter().cycle().take(24)) {
        let tree = generate(tree).unwrap();
        let cables = at_random(&tree, 1 + seed / 2, seed).unwrap();
        let routing = build(if seed % 2 == 0 { "ecmp" } else { "omrmn" }, &tree).unwrap();
        let Ok(instance) = fail(&tree, routing.into(), &cables) else { continue };
        alike += usize::from(HostClasses::of(&instance).is_some());
        let found = Dependencies::of_routing(&instance, &Progress::silent()).unwrap();
        assert_eq!(found, of(&instance.topology, &paths_of(&instance)).unwrap(), "{instance:?}");
        let credit_loop = credit_loop(&instance, &Progress::silent()).unwrap();
        assert_eq!(credit_loop.is_some(), found.cycle().is_some());
        loops += usize::from(credit_loop.is_some());
    }
    assert!(alike > 8 && loops > 0, "{alike} {loops}");
}

/// By every path of every pair, single or not; and no cycle on trees.
#[test]
fn the_dependencies_of_a_routing_are_those_of_its_paths() {
    for (network, routing) in [
        ("ft(4,3)", "dmodk"),
        ("ft(4,2)", "omrmn"),
        ("xgft(3;2,3,2;2,2,2)", "ecmp"),
        ("ft(8,3)", "random"),
    ] {
        let instance = Instance::named(network, routing).unwrap();
        let found = Dependencies::of_routing(&instance, &Progress::silent()).unwrap();
        let paths = paths_of(&instance);
        assert_eq!(found, of(&instance.topology, &paths).unwrap(), "{network} {routing}");
        let pairs: BTreeSet<_> =
            paths.iter().flat_map(|path| path.windows(2).map(|two| (two[0], two[1]))).collect();
        let listed = instance.topology.link_numbers();
        let listed = listed.flat_map(|a| found.after(a).iter().map(move |b| (a, *b)));
        assert!(listed.eq(pairs.iter().copied()) && found.len() == pairs.len());
        assert_eq!((found.is_empty(), found.cycle()), (false, None));
    }
}

/// A graph of `n` links with these dependencies.
fn graph(n: u32, edges: &BTreeSet<(u32, u32)>) -> Dependencies {
    let (mut first, mut next) = (vec![0], Vec::new());
    for link in 0..n {
        next.extend(edges.iter().filter(|edge| edge.0 == link).map(|edge| edge.1));
        first.push(next.len());
    }
    Dependencies(Successors { first, next })
}

/// The length of the shortest way from a link back to itself, by powers of the relation.
fn shortest_by_definition(n: u32, edges: &BTreeSet<(u32, u32)>, link: u32) -> Option<usize> {
    let mut reached = BTreeSet::from([link]);
    (1..=n as usize).find(|_| {
        let is_next = |edge: &&(u32, u32)| reached.contains(&edge.0);
        reached = edges.iter().filter(is_next).map(|edge| edge.1).collect();
        reached.contains(&link)
    })
}

proptest! {
    #[test]
    fn cycles_are_found_where_there_are_any(
        edges in prop::collection::btree_set((0_u32..9, 0_u32..9), 0..14)
    ) {
        let found = graph(9, &edges).cycle();
        let exists = (0..9).any(|link| shortest_by_definition(9, &edges, link).is_some());
        prop_assert_eq!(found.is_some(), exists);
        if let Some(cycle) = found {
            let closes = |at: usize| edges.contains(&(cycle[at], cycle[(at + 1) % cycle.len()]));
            prop_assert!((0..cycle.len()).all(closes));
            let least = shortest_by_definition(9, &edges, cycle[0]);
            prop_assert_eq!(least, Some(cycle.len()));
        }
    }
}
