//! Families of topologies: ports, cables, levels and specs are consistent.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::EdgeIndex;
use routebound::registry::Kind;
use routebound::spec::Spec;
use routebound::topology::{
    self, Direction, Family, Link, NodeId, NodeKind, Topology, TopologyError,
};

use super::{Verdict, assert_found, ensure};

/// Checks the examples of a family and its members for statements, up to this many hosts.
fn check(kind: &Kind<Family>, hosts: usize) -> Verdict {
    let members = (kind.build.members)(hosts);
    for text in kind.examples.iter().copied().chain(members.iter().map(String::as_str)) {
        let spec = Spec::parse(text).map_err(|error| error.to_string())?;
        let network = (kind.build.build)(&spec).map_err(|error| format!("{text}: {error}"))?;
        check_network(&network).map_err(|problem| format!("{text}: {problem}"))?;
        let canonical = Spec::parse(network.spec()).map_err(|error| error.to_string())?;
        ensure(canonical.to_string() == network.spec() && canonical.name == kind.name, || {
            format!("{text}: `{}` is not a canonical spec", network.spec())
        })?;
        let again = (kind.build.build)(&canonical).map_err(|error| format!("{text}: {error}"))?;
        ensure(links(&again) == links(&network) && again.spec() == network.spec(), || {
            format!("{text}: `{canonical}` builds another network")
        })?;
    }
    for text in &members {
        let network = topology::generate(text).map_err(|error| error.to_string())?;
        ensure((2..=hosts).contains(&network.hosts()), || {
            format!("{text}: a member of {} hosts, at most {hosts} wanted", network.hosts())
        })?;
    }
    Ok(())
}

/// The links with their ends.
fn links(network: &Topology) -> Vec<((NodeId, NodeId), &Link)> {
    let ends = |link| network.ends(link).expect("a number below that of links");
    network.link_numbers().map(|link| (ends(link), network.link(link))).collect()
}

fn check_network(network: &Topology) -> Verdict {
    check_names(network)?;
    check_cables(network)?;
    check_levels(network)
}

fn check_names(network: &Topology) -> Verdict {
    let mut names = BTreeSet::new();
    for node in network.node_numbers() {
        let found = network.node(node);
        ensure(names.insert(&found.name), || format!("two nodes are called `{}`", found.name))?;
        let is_host = (node as usize) < network.hosts();
        ensure(is_host == (found.kind == NodeKind::Host), || format!("node {node}: kind"))?;
    }
    Ok(())
}

/// A port has one cable, and a cable is a link there and a link back, of the same capacity.
fn check_cables(network: &Topology) -> Verdict {
    let (mut out, mut into) = (BTreeMap::new(), BTreeMap::new());
    for ((from, to), link) in links(network) {
        ensure(link.from_port > 0 && link.to_port > 0, || "ports are numbered from 1".into())?;
        let (here, there) = ((from, link.from_port), (to, link.to_port));
        let once = out.insert(here, (there, link)).is_none() & into.insert(there, here).is_none();
        ensure(once, || format!("two links from {here:?} or to {there:?}, a node and its port"))?;
    }
    for (here, (there, link)) in &out {
        let back = out.get(there).filter(|(end, _)| end == here);
        let Some((_, back)) = back else {
            return Err(format!("no link back over the cable from {here:?} to {there:?}"));
        };
        ensure(back.capacity == link.capacity && back.level == link.level, || {
            format!("the two directions of the cable at {here:?} differ")
        })?;
    }
    Ok(())
}

/// The level of a node is its distance from the nearest host on the way down.
fn check_levels(network: &Topology) -> Verdict {
    let mut lowest: BTreeMap<NodeId, u8> = BTreeMap::new();
    for ((from, to), link) in links(network) {
        let [a, b] = [from, to].map(|end| network.node(end).level);
        let direction = match a.cmp(&b) {
            std::cmp::Ordering::Less => Direction::Up,
            std::cmp::Ordering::Greater => Direction::Down,
            std::cmp::Ordering::Equal => Direction::Flat,
        };
        ensure(link.direction == direction, || format!("a link from level {a} to {b}: direction"))?;
        ensure(link.level == a.max(b), || {
            format!("a link from level {a} to {b} has level {}", link.level)
        })?;
        let least = lowest.entry(from).or_insert(b);
        *least = b.min(*least);
    }
    for node in network.node_numbers() {
        let level = network.node(node).level;
        let is_right = match lowest.get(&node) {
            _ if (node as usize) < network.hosts() => level == 0,
            Some(below) => level == below + 1,
            None => true,
        };
        ensure(is_right, || format!("node {node} has level {level}, which is not above a node"))?;
    }
    Ok(())
}

#[test]
fn networks_are_consistent() {
    for kind in topology::KINDS {
        assert_eq!(check(kind, 24), Ok(()));
    }
}

fn right() -> Topology {
    topology::generate("ft(4,2)").unwrap()
}

/// FT(4,2) with some links changed, by another name where it has to be read again.
fn changed(
    change: fn(&mut petgraph::graph::DiGraph<topology::Node, Link>),
) -> Result<Topology, TopologyError> {
    let network = right();
    let mut graph = network.graph().clone();
    change(&mut graph);
    Topology::new(network.spec().to_string(), graph)
}

/// The entry whose networks are all the one that this builds.
fn planted(build: topology::Build) -> Kind<Family> {
    let right = topology::KINDS.iter().find(|kind| kind.name == "ft").unwrap();
    let build = Family { build, members: |_| Vec::new() };
    Kind { examples: &["ft(4,2)"], build, ..*right }
}

#[test]
fn planted_bugs_are_found() {
    assert_eq!(check(&planted(|_| Ok(right())), 8), Ok(()));
    // Links 0 and 16 are the first up and the first up-link of the second step.
    let two_on_a_port = planted(|_| {
        changed(|graph| {
            graph[EdgeIndex::new(16)].from_port = graph[EdgeIndex::new(17)].from_port;
        })
    });
    assert_found(check(&two_on_a_port, 8), "share a port");
    let crossed = planted(|_| {
        changed(|graph| {
            let ports = [16, 17].map(|link| graph[EdgeIndex::new(link)].from_port);
            graph[EdgeIndex::new(16)].from_port = ports[1];
            graph[EdgeIndex::new(17)].from_port = ports[0];
        })
    });
    assert_found(check(&crossed, 8), "meet in one port");
    let one_way = planted(|_| {
        changed(|graph| {
            graph.remove_edge(EdgeIndex::new(16));
        })
    });
    assert_found(check(&one_way, 8), "no link back over the cable");
    let level = planted(|_| changed(|graph| graph[EdgeIndex::new(0)].level = 2));
    assert_found(check(&level, 8), "has level 2, but the higher of its ends has 1");
    let direction =
        planted(|_| changed(|graph| graph[EdgeIndex::new(0)].direction = Direction::Down));
    assert_found(check(&direction, 8), "is called down, but leads");
    let high = planted(|_| {
        changed(|graph| {
            for node in graph.node_weights_mut().filter(|node| node.level == 2) {
                node.level = 3;
            }
            for link in graph.edge_weights_mut().filter(|link| link.level == 2) {
                link.level = 3;
            }
        })
    });
    assert_found(check(&high, 8), "has level 3, but is 2 links away");
    let spec = planted(|_| Topology::new("FT( 4,2)".into(), right().graph().clone()));
    assert_found(check(&spec, 8), "is not a canonical spec");
    // The larger tree by the name of the smaller one.
    let misnamed = planted(|spec| {
        let network = topology::generate(&spec.to_string())?;
        Topology::new("ft(4,2)".into(), network.graph().clone())
    });
    let misnamed = Kind { examples: &["ft(4,3)"], ..misnamed };
    assert_found(check(&misnamed, 8), "builds another network");
    let mut too_large = planted(|_| Ok(right()));
    too_large.build.members = |_| vec!["ft(4,3)".into()];
    too_large.build.build = |spec| topology::generate(&spec.to_string());
    assert_found(check(&too_large, 8), "at most 8 wanted");
}
