//! Families of topologies: ports, cables, levels and specs are consistent.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::{DiGraph, EdgeIndex, EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef as _;
use routebound::registry::Kind;
use routebound::spec::Spec;
use routebound::topology::{self, Construction, Direction, Family, Link, Node, NodeKind, Topology};

use super::{Verdict, assert_found, ensure};

/// Checks the examples of a family and its members for statements, up to this many hosts.
fn check(kind: &Kind<Family>, hosts: usize) -> Verdict {
    let members = (kind.build.members)(hosts);
    for text in kind.examples.iter().copied().chain(members.iter().map(String::as_str)) {
        let checked = |text: &str| Spec::parse(text)?.checked(kind.usage);
        let spec = checked(text).map_err(|error| error.to_string())?;
        let network = kind.build.build(&spec).map_err(|error| format!("{text}: {error}"))?;
        check_network(network.graph(), network.hosts())
            .map_err(|problem| format!("{text}: {problem}"))?;
        let canonical = checked(network.spec()).map_err(|error| error.to_string())?;
        ensure(canonical.to_string() == network.spec() && canonical.name == kind.name, || {
            format!("{text}: `{}` is not a canonical spec", network.spec())
        })?;
        let again = kind.build.build(&canonical).map_err(|error| format!("{text}: {error}"))?;
        ensure(
            links(again.graph()) == links(network.graph()) && again.spec() == network.spec(),
            || format!("{text}: `{canonical}` builds another network"),
        )?;
    }
    for text in &members {
        let network = topology::generate(text).map_err(|error| error.to_string())?;
        ensure((2..=hosts).contains(&network.hosts()), || {
            format!("{text}: a member of {} hosts, at most {hosts} wanted", network.hosts())
        })?;
    }
    Ok(())
}

type Graph = DiGraph<Node, Link>;

/// The links with their ends.
fn links(graph: &Graph) -> Vec<((usize, usize), &Link)> {
    let ends = |edge: EdgeReference<'_, Link>| (edge.source().index(), edge.target().index());
    graph.edge_references().map(|edge| (ends(edge), edge.weight())).collect()
}

/// On the graph alone, so that it also sees what [`Topology::new`] refuses.
fn check_network(graph: &Graph, hosts: usize) -> Verdict {
    check_names(graph, hosts)?;
    check_cables(graph)?;
    check_levels(graph, hosts)
}

fn check_names(graph: &Graph, hosts: usize) -> Verdict {
    let mut names = BTreeSet::new();
    for (node, found) in graph.node_weights().enumerate() {
        ensure(names.insert(&found.name), || format!("two nodes are called `{}`", found.name))?;
        let is_host = node < hosts;
        ensure(is_host == (found.kind == NodeKind::Host), || format!("node {node}: kind"))?;
    }
    Ok(())
}

/// A port has one cable, and a cable is a link there and a link back, of the same capacity.
fn check_cables(graph: &Graph) -> Verdict {
    let (mut out, mut into) = (BTreeMap::new(), BTreeMap::new());
    for ((from, to), link) in links(graph) {
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
fn check_levels(graph: &Graph, hosts: usize) -> Verdict {
    let mut lowest: BTreeMap<usize, u8> = BTreeMap::new();
    for ((from, to), link) in links(graph) {
        let [a, b] = [from, to].map(|end| graph[NodeIndex::new(end)].level);
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
    for (node, found) in graph.node_weights().enumerate() {
        let level = found.level;
        let is_right = match lowest.get(&node) {
            _ if node < hosts => level == 0,
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

/// What the check says of FT(4,2) with this change, whether or not a network can be made of it.
fn changed(change: impl FnOnce(&mut Graph)) -> Verdict {
    let network = right();
    let mut graph = network.graph().clone();
    change(&mut graph);
    check_network(&graph, network.hosts())
}

/// The entry whose networks are all the one that this builds.
fn planted(build: topology::Build) -> Kind<Family> {
    let right = topology::KINDS.iter().find(|kind| kind.name == "ft").unwrap();
    let construction = Construction::Network(build);
    let build = Family { construction, members: |_| Vec::new() };
    Kind { examples: &["ft(4,2)"], build, ..*right }
}

#[test]
fn planted_bugs_of_networks_are_found() {
    let link = EdgeIndex::new;
    assert_eq!(changed(|_| ()), Ok(()));
    // Links 0 and 16 are the first up and the first up-link of the second step.
    let two_on_a_port = |graph: &mut Graph| {
        graph[link(16)].from_port = graph[link(17)].from_port;
    };
    assert_found(changed(two_on_a_port), "two links from");
    let crossed = |graph: &mut Graph| {
        let ports = [16, 17].map(|at| graph[link(at)].from_port);
        graph[link(16)].from_port = ports[1];
        graph[link(17)].from_port = ports[0];
    };
    assert_found(changed(crossed), "no link back over the cable");
    let one_way = |graph: &mut Graph| _ = graph.remove_edge(link(16));
    assert_found(changed(one_way), "no link back over the cable");
    let no_port = |graph: &mut Graph| graph[link(16)].to_port = 0;
    assert_found(changed(no_port), "ports are numbered from 1");
    let wider = |graph: &mut Graph| graph[link(16)].capacity = 2.into();
    assert_found(changed(wider), "the two directions of the cable");
    assert_found(changed(|graph| graph[link(0)].level = 2), "the two directions of the cable");
    let level = |graph: &mut Graph| graph.edge_weights_mut().for_each(|link| link.level = 2);
    assert_found(changed(level), "a link from level 0 to 1 has level 2");
    let direction = |graph: &mut Graph| graph[link(0)].direction = Direction::Down;
    assert_found(changed(direction), "a link from level 0 to 1: direction");
    let high = |graph: &mut Graph| {
        for node in graph.node_weights_mut().filter(|node| node.level == 2) {
            node.level = 3;
        }
        for link in graph.edge_weights_mut().filter(|link| link.level == 2) {
            link.level = 3;
        }
    };
    assert_found(changed(high), "has level 3, which is not above a node");
    let node = NodeIndex::new;
    let same_name = |graph: &mut Graph| graph[node(9)].name = graph[node(8)].name.clone();
    assert_found(changed(same_name), "two nodes are called");
    let kind = |graph: &mut Graph| graph[node(8)].kind = NodeKind::Host;
    assert_found(changed(kind), "node 8: kind");
}

/// What [`Topology::new`] lets pass reaches the check by way of an entry.
#[test]
fn planted_bugs_are_found() {
    assert_eq!(check(&planted(|_| Ok(right())), 8), Ok(()));
    let wider = planted(|_| {
        let mut graph = right().graph().clone();
        graph[EdgeIndex::new(16)].capacity = 2.into();
        Topology::new("ft(4,2)".into(), graph)
    });
    assert_found(check(&wider, 8), "the two directions of the cable");
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
    too_large.build.construction =
        Construction::Network(|spec| topology::generate(&spec.to_string()));
    assert_found(check(&too_large, 8), "at most 8 wanted");
}
