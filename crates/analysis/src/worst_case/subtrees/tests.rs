//! The ends of links by pairs one by one, together, and by definition.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::load::{LinkGraph, LinkPairs, PairCounts};
use crate::matching::Matching;
use crate::routing::forwarding::NextLinks;
use crate::routing::{ByDestination, ByTables, Routing, Visit};
use crate::topology::{Direction, NodeId, Topology, link_number};
use crate::{routing, topology};

/// By definition, from the paths of all pairs.
fn sources_and_destinations(instance: &Instance, link: LinkId) -> (usize, usize) {
    let (mut sources, mut destinations) = (BTreeSet::new(), BTreeSet::new());
    for (s, d) in topology::sd_pairs(instance.topology.hosts()) {
        instance.routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            if links.contains(&link) {
                sources.insert(s);
                destinations.insert(d);
            }
        });
    }
    (sources.len(), destinations.len())
}

#[test]
fn ends_are_those_of_all_paths() {
    for (topology, routing) in [
        ("eft2(6,2)", "random(seed=1)"),
        ("ft(4,3)", "dmodk"),
        ("ft(4,3)", "kpath(k=2,choice=random)"),
        ("xgft(3;3,2,2;1,2,1)", "rnca-u(seed=8)"),
        ("xgft(2;2,3;2,2)", "omrmn"),
        ("xgft(1;4;2)", "smodk"),
    ] {
        let instance = Instance::named(topology, routing).unwrap();
        let tree = instance.topology.tree().unwrap();
        let wanted = vec![true; instance.topology.links()];
        let subtrees = Subtrees::new(&instance, tree, None, &wanted).unwrap();
        let found = subtrees.ends(&Progress::silent()).unwrap().unwrap();
        assert_eq!(found.len(), wanted.len(), "{topology} {routing}");
        for ends in found {
            let (sources, destinations) = sources_and_destinations(&instance, ends.link);
            let place = format!("{routing} on {topology}, link {}", ends.link);
            let fewer = ends.fewer.unwrap();
            assert_eq!(fewer as usize, sources.min(destinations), "{place}");
            assert!(ends.disjoint <= fewer, "{place}");
            assert_eq!(ends.disjoint == 0, fewer == 0, "{place}");
        }
    }
}

/// A routing that does not say where its sources enter its tables.
struct Apart(Arc<dyn Routing>);

impl Routing for Apart {
    fn spec(&self) -> &str {
        self.0.spec()
    }
    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        self.0.for_each_path(s, d, links, visit);
    }
}

/// Tables that tell their next links, with the node behind each.
struct Told {
    tables: Arc<dyn Routing>,
    hosts: usize,
    next: Vec<LinkId>,
    topology: Arc<Topology>,
}

impl Routing for Told {
    fn spec(&self) -> &str {
        self.tables.spec()
    }
    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        self.tables.for_each_path(s, d, links, visit);
    }
    fn enters_at(&self, s: Host) -> Option<NodeId> {
        self.tables.enters_at(s)
    }
    fn next_links(&self) -> Option<&dyn ByDestination> {
        Some(self)
    }
}

impl ByDestination for Told {
    fn next(&self, node: NodeId, d: Host) -> Option<(LinkId, NodeId)> {
        let link = self.next[node as usize * self.hosts + d as usize];
        Some((link, self.topology.ends(link)?.1))
    }
}

/// The tables of a routing, in which everything for host 0 may leave by another link of a node.
fn tables(instance: &Instance, other: Option<(NodeId, LinkId)>) -> Option<[Arc<dyn Routing>; 3]> {
    let Instance { topology, routing, .. } = instance;
    let next = NextLinks::of(topology, &**routing, &Progress::silent()).ok()?;
    let nodes: Vec<NodeId> = topology.node_numbers().collect();
    let pairs = itertools::iproduct!(&nodes, topology.host_numbers());
    let link = |(node, d): (&NodeId, Host)| match other {
        Some((at, link)) if (at, 0) == (*node, d) => link,
        _ => next.get(*node, d).unwrap_or(LinkId::MAX),
    };
    let next: Vec<LinkId> = pairs.map(link).collect();
    let told = told(topology, next);
    let tables = told.tables.clone();
    Some([tables.clone(), Arc::new(Apart(tables)), Arc::new(told)])
}

/// The tables with these next links.
fn told(topology: &Arc<Topology>, next: Vec<LinkId>) -> Told {
    let nodes: Vec<NodeId> = topology.node_numbers().collect();
    let tables = ByTables::new("table:own".into(), topology, &nodes, next.clone());
    Told { tables: Arc::new(tables), hosts: topology.hosts(), next, topology: topology.clone() }
}

/// A link down from a node towards a host.
fn down(topology: &Topology, node: NodeId, d: Host) -> Option<LinkId> {
    let mut links = topology.links_from(node);
    links.find(|link| {
        let head = topology.ends(*link).unwrap().1;
        topology.link(*link).direction == Direction::Down
            && (head == d || down(topology, head, d).is_some())
    })
}

/// A tree with tables that lead down where they can, and else up by some link.
pub(in crate::worst_case) fn some_tables(network: &str, seed: u64) -> Instance {
    let topology = Arc::new(topology::generate(network).unwrap());
    let mut state = seed;
    let next = itertools::iproduct!(topology.node_numbers(), topology.host_numbers());
    let next = next.map(|(node, d)| {
        let links = topology.links_from(node);
        let up = links.filter(|link| topology.link(*link).direction == Direction::Up);
        let up: Vec<LinkId> = up.collect();
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let drawn = (state >> 33) as usize % up.len().max(1);
        down(&topology, node, d).or_else(|| up.get(drawn).copied()).unwrap_or(LinkId::MAX)
    });
    let tables: Arc<dyn Routing> = Arc::new(told(&topology, next.collect()));
    Instance::trusted(topology, tables)
}

#[test]
fn matchings_by_runs_are_the_largest() {
    let (mut raised, mut short, silent) = (0, 0, Progress::silent());
    let networks = ["ft(4,3)", "ft(6,3)", "ft(8,2)", "xgft(3;5,4,3;1,3,4)", "xgft(3;3,3,3;1,2,2)"];
    for (network, seed) in itertools::iproduct!(networks, 0..3) {
        let instance = some_tables(network, seed);
        let topology = &instance.topology;
        let wanted = vec![true; topology.links()];
        let tree = topology.tree().unwrap();
        let subtrees = Subtrees::new(&instance, tree, None, &wanted).unwrap();
        let greedy = subtrees.ends(&silent).unwrap().unwrap();
        let mut found = greedy.clone();
        subtrees.rematch(&mut found, &silent);
        let counts = PairCounts::collect(&instance, wanted.clone(), &silent).unwrap();
        let all = 0..link_number(topology.links());
        let pairs = LinkPairs::collect(&instance, &counts, all, &silent).unwrap();
        for (ends, before) in found.iter().zip(&greedy) {
            let (mut graph, mut matching) =
                (LinkGraph::for_hosts(topology.hosts()), Matching::default());
            graph.load(ends.link, pairs.of(ends.link));
            matching.maximise_until(&graph.graph, &silent).unwrap();
            let place = format!("{network}, {seed}, link {}", ends.link);
            assert_eq!(ends.disjoint as usize, matching.size, "{place}");
            assert_eq!(Ends { disjoint: before.disjoint, ..ends.clone() }, *before, "{place}");
            raised += usize::from(ends.disjoint > before.disjoint);
            short += usize::from(ends.fewer > Some(ends.disjoint));
            let rows = subtrees.rows_of_link(ends.link, &silent);
            let among = PairCounts::of_rows(&instance, wanted.clone(), rows, &silent).unwrap();
            assert_eq!(among.of(ends.link), counts.of(ends.link), "{place}");
        }
    }
    assert!(raised > 20 && short > 20, "{raised} links raised, {short} short of their ends");
}

#[test]
fn sources_that_enter_tables_together_are_those_taken_one_by_one() {
    let (mut together, mut strays) = (0, 0);
    let networks = ["ft(4,3)", "ft(6,3)", "xgft(3;5,4,3;1,3,4)", "xgft(2;70,3;1,8)", "eft2(6,2)"];
    let specs = routing::KINDS.iter().flat_map(|kind| kind.examples);
    for (network, spec) in itertools::iproduct!(networks, specs) {
        let Ok(instance) = Instance::named(network, spec) else { continue };
        let (topology, tree) = (&instance.topology, instance.topology.tree().unwrap());
        // The switch of host 0 drops what is for that host.
        let leaf = topology.ends(topology.links_from(0).next().unwrap()).unwrap().1;
        for other in [None, Some((leaf, LinkId::MAX))] {
            let Some(tables) = tables(&instance, other) else { continue };
            together += usize::from(tables[0].enters_at(0).is_some());
            let found = tables.map(|routing| {
                let instance = Instance::trusted(topology.clone(), routing);
                let wanted = vec![true; topology.links()];
                let subtrees = Subtrees::new(&instance, tree, None, &wanted).unwrap();
                subtrees.ends(&Progress::silent()).unwrap()
            });
            assert_eq!(found[0], found[1], "{instance:?}");
            assert_eq!(found[0], found[2], "{instance:?}");
            strays += usize::from(found[0].is_none());
        }
    }
    assert!(together > 20 && strays > 5, "{together} tables, {strays} with paths that stray");
}

/// For every numbered routing on small trees of every family, and on some with more hosts below the top than a
/// word has bits. The full tier has twice as many.
#[test]
fn pairs_taken_at_once_are_those_taken_one_by_one() {
    let (mut cases, mut settled) = (0, 0);
    let step = if cfg!(feature = "slow-tests") { 1 } else { 2 };
    let members = topology::KINDS.iter().map(|kind| (kind.build.members)(40));
    let members = members.flat_map(|members| members.into_iter().step_by(step));
    let more = ["ft(6,3)", "xgft(3;5,4,3;1,3,4)", "xgft(2;70,3;1,8)"].map(String::from);
    let networks = members.chain(more).filter_map(|spec| topology::generate(&spec).ok());
    let specs = routing::KINDS.iter().flat_map(|kind| kind.examples);
    for (network, spec) in itertools::iproduct!(networks, specs) {
        let Ok(routing) = routing::build(spec, &network) else { continue };
        let instance = Instance::trusted(network, routing);
        let Some(tree) = numbered_tree(&instance.topology, &*instance.routing) else {
            continue;
        };
        let wanted = vec![true; instance.topology.links()];
        let mut subtrees = Subtrees::new(&instance, tree, None, &wanted).unwrap();
        let [together, one_by_one] = [1, usize::MAX].map(|least_together| {
            subtrees.least_together = least_together;
            subtrees.ends(&Progress::silent()).unwrap().unwrap()
        });
        assert_eq!(together, one_by_one, "{instance:?}");
        cases += 1;
        settled += one_by_one.iter().filter(|ends| ends.fewer == Some(ends.disjoint)).count();
    }
    let is_much = cases > 200 / step && settled > 1000 / step;
    assert!(is_much, "{cases} cases, {settled} links settled");
}
