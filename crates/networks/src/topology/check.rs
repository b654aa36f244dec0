//! The invariants of networks.

use crate::topology::{link_number, node_number};
use petgraph::graph::{DiGraph, EdgeIndex};
use petgraph::visit::{EdgeRef, IntoNodeReferences};

use super::error::link_name;
use super::level::{self, direction};
use super::{Address, Inconsistency, Link, LinkId, Node, NodeId, NodeKind};

type Graph = DiGraph<Node, Link>;
/// A node and its port.
type Port = (NodeId, u32);

/// The number of hosts, which are the first nodes; addresses are checked. O(nodes).
pub(super) fn nodes(graph: &Graph) -> Result<usize, Inconsistency> {
    let bad = |node: &&Node| node.address.is_some_and(|address| address.lids().is_none());
    if let Some(Node { name, address: Some(Address { lid, lmc, .. }), .. }) =
        graph.node_weights().find(bad)
    {
        return Err(Inconsistency::Address { node: name.clone(), lid: *lid, lmc: *lmc });
    }
    let hosts = graph.node_weights().take_while(|node| node.kind == NodeKind::Host).count();
    let mut later = graph.node_weights().skip(hosts);
    if let Some(host) = later.find(|node| node.kind == NodeKind::Host) {
        return Err(Inconsistency::HostAfterSwitch { host: host.name.clone() });
    }
    if hosts == 0 { Err(Inconsistency::NoHost) } else { Ok(hosts) }
}

/// Checks that levels are distances from the hosts. O(nodes + links).
pub(super) fn levels(graph: &Graph, hosts: usize) -> Result<(), Inconsistency> {
    for ((index, node), level) in graph.node_references().zip(level::levels(graph, hosts)) {
        let name = || node.name.clone();
        let expected = level.ok_or_else(|| Inconsistency::NoHostBelow {
            node: node_number(index.index()),
            name: name(),
        })?;
        if node.level != expected {
            let found = node.level;
            return Err(Inconsistency::Level { node: name(), found, expected });
        }
    }
    Ok(())
}

/// Checks every link by itself and against the levels of its ends. O(links).
pub(super) fn links(graph: &Graph) -> Result<(), Inconsistency> {
    let weighed = graph.edge_weights().any(|link| link.weight.is_some());
    for edge in graph.edge_references() {
        let link = edge.weight();
        let name = || name(graph, link_number(edge.id().index()));
        match &link.weight {
            Some(weight) if weight.is_zero() => return Err(Inconsistency::Weight { link: name() }),
            None if weighed => return Err(Inconsistency::NoWeight { link: name() }),
            _ => {}
        }
        if link.capacity.is_zero() {
            return Err(Inconsistency::Capacity { link: name() });
        }
        if link.from_port == 0 || link.to_port == 0 {
            return Err(Inconsistency::PortZero { link: name() });
        }
        if edge.source() == edge.target() {
            if graph[edge.source()].kind == NodeKind::Host {
                return Err(Inconsistency::HostLoop { link: name() });
            }
            if link.from_port == link.to_port {
                return Err(Inconsistency::PortLoop { link: name() });
            }
        }
        let levels = (graph[edge.source()].level, graph[edge.target()].level);
        let expected = levels.0.max(levels.1);
        if link.level != expected {
            return Err(Inconsistency::LinkLevel { link: name(), found: link.level, expected });
        }
        let (found, expected) = (link.direction, direction(levels.0, levels.1));
        if found != expected {
            return Err(Inconsistency::Direction { link: name(), found, expected, levels });
        }
    }
    Ok(())
}

/// Checks that every port has at most one cable, or two one-way links that are all that the ports at
/// their far ends have. O(links·log(links)).
pub(super) fn ports(graph: &Graph) -> Result<(), Inconsistency> {
    if are_cables(graph) {
        return Ok(());
    }
    let leaving = Sorted::new(graph, |(sender, _)| sender)?;
    let entering = Sorted::new(graph, |(_, receiver)| receiver)?;
    for link in 0..link_number(graph.edge_count()) {
        let (sender, receiver) = ends(graph, link);
        let Some(other) = entering.find(sender) else { continue };
        let from = ends(graph, other).0;
        let alone = || leaving.find(receiver).is_none() && entering.find(from).is_none();
        let apart = from.0 != receiver.0 && alone();
        if from != receiver && !apart {
            return Err(Inconsistency::CrossedPort { links: names(graph, [link, other]) });
        }
    }
    Ok(())
}

/// Whether links 2i and 2i+1 are the two directions of a cable, for every i, and no two cables share a port: so it is in
/// most networks.
fn are_cables(graph: &Graph) -> bool {
    let links = link_number(graph.edge_count());
    let is_cable = |link: LinkId| {
        let (sender, receiver) = ends(graph, link);
        sender != receiver && ends(graph, link + 1) == (receiver, sender)
    };
    if !links.is_multiple_of(2) || !(0..links).step_by(2).all(is_cable) {
        return false;
    }
    let sender = |link| ends(graph, link).0;
    let mut senders: Vec<u64> = (0..links)
        .map(sender)
        .map(|(node, port)| (u64::from(node) << 32) | u64::from(port))
        .collect();
    senders.sort_unstable();
    senders.is_sorted_by(|port, next| port < next)
}

/// All links by the port at which they leave, or enter: at most one each.
struct Sorted<'g, F> {
    graph: &'g Graph,
    links: Vec<LinkId>,
    port: F,
}

impl<'g, F: Fn((Port, Port)) -> Port> Sorted<'g, F> {
    fn new(graph: &'g Graph, port: F) -> Result<Self, Inconsistency> {
        let mut links: Vec<LinkId> = (0..link_number(graph.edge_count())).collect();
        let of = |link: &LinkId| port(ends(graph, *link));
        links.sort_by_key(of);
        match links.windows(2).find(|pair| of(&pair[0]) == of(&pair[1])) {
            Some(pair) => {
                Err(Inconsistency::SharedPort { links: names(graph, [pair[0], pair[1]]) })
            }
            None => Ok(Self { graph, links, port }),
        }
    }

    fn find(&self, port: Port) -> Option<LinkId> {
        let of = |link: &LinkId| (self.port)(ends(self.graph, *link));
        self.links.binary_search_by_key(&port, of).ok().map(|at| self.links[at])
    }
}

/// The ports at which a link leaves and enters.
fn ends(graph: &Graph, link: LinkId) -> (Port, Port) {
    let link = EdgeIndex::new(link as usize);
    let (from, to) = graph.edge_endpoints(link).expect("only numbers of links are passed");
    let Link { from_port, to_port, .. } = graph[link];
    ((node_number(from.index()), from_port), (node_number(to.index()), to_port))
}

fn name(graph: &Graph, link: LinkId) -> String {
    link_name(graph, link).unwrap_or_default()
}

fn names(graph: &Graph, links: [LinkId; 2]) -> [String; 2] {
    links.map(|link| name(graph, link))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;
    use crate::topology::{Direction, KINDS, Topology, TopologyError, generate};

    /// The refusal of `ft(4,2)` with one thing changed.
    fn refusal(change: impl FnOnce(&mut Graph)) -> Inconsistency {
        let mut graph = generate("ft(4,2)").unwrap().graph().clone();
        change(&mut graph);
        match Topology::new("changed".into(), graph) {
            Err(TopologyError::Invalid(problem)) => problem,
            other => panic!("{other:?}"),
        }
    }

    /// Link 17 leads from port 4 of sw-1-0 to port 1 of sw-2-1, and link 25 back.
    #[test]
    fn ports_are_checked() {
        let link = EdgeIndex::new;
        let shared = refusal(|graph| graph[link(17)].from_port = 3);
        let text = shared.to_string();
        assert!(matches!(shared, Inconsistency::SharedPort { .. }), "{text}");
        assert!(text.contains("sw-1-0[3] -> sw-2-0[1]") && text.contains("sw-1-0[3] -> sw-2-1[1]"));
        let entered = refusal(|graph| graph[link(17)].to_port = 2);
        assert!(matches!(entered, Inconsistency::SharedPort { .. }), "{entered}");
        // Both ways from and to free ports, which are not those of the way back.
        let crossed = refusal(|graph| graph[link(17)].from_port = 9);
        assert!(matches!(crossed, Inconsistency::CrossedPort { .. }), "{crossed}");
        let zero = refusal(|graph| graph[link(17)].from_port = 0);
        assert!(matches!(zero, Inconsistency::PortZero { .. }), "{zero}");
    }

    /// A test cable joins two ports of one switch: real fabrics have some, and no path uses them.
    #[test]
    fn a_cable_may_join_a_switch_to_itself() {
        let mut graph = generate("ft(4,2)").unwrap().graph().clone();
        let switch = petgraph::graph::NodeIndex::new(8);
        for ports in [(8, 9), (9, 8)] {
            let link = Link::between((1, 1), ports, Rational::ONE);
            assert_eq!(link.direction, Direction::Flat);
            graph.add_edge(switch, switch, link);
        }
        assert!(Topology::new("looped".into(), graph).is_ok());
    }

    /// A loop at a host would count as capacity into and out of it, so that its baseload came out
    /// too low; a cable has two ends.
    #[test]
    fn other_loops_are_refused() {
        let looped = |node: usize, level, ports| {
            refusal(|graph| {
                let node = petgraph::graph::NodeIndex::new(node);
                graph.add_edge(node, node, Link::between((level, level), ports, Rational::ONE));
            })
        };
        let host = looped(0, 0, (2, 3));
        assert_eq!(host, Inconsistency::HostLoop { link: "host-0[2] -> host-0[3]".into() });
        assert!(matches!(looped(0, 0, (2, 2)), Inconsistency::HostLoop { .. }));
        let port = looped(8, 1, (9, 9));
        assert_eq!(port, Inconsistency::PortLoop { link: "sw-1-0[9] -> sw-1-0[9]".into() });
    }

    /// Links that lead one way only: two in a row may share a port, three may not, in a ring or not.
    #[test]
    fn one_way_links_may_share_a_port() {
        let linked = |links: &[(usize, usize)]| {
            let mut graph = generate("xgft(1;4;1)").unwrap().graph().clone();
            for (from, to) in links {
                let [from, to] = [*from, *to].map(petgraph::graph::NodeIndex::new);
                graph.add_edge(from, to, Link::between((0, 0), (7, 7), Rational::ONE));
            }
            Topology::new("linked".into(), graph).map(|_| ())
        };
        assert_eq!(linked(&[(0, 1), (1, 2)]), Ok(()));
        assert_eq!(linked(&[(0, 1), (1, 0), (2, 3)]), Ok(()));
        for links in [[(0, 1), (1, 2), (2, 0)], [(0, 1), (1, 2), (2, 3)]] {
            let Err(TopologyError::Invalid(problem)) = linked(&links) else { panic!() };
            assert!(matches!(problem, Inconsistency::CrossedPort { .. }), "{problem}");
        }
    }

    /// Cables in any ports, ports without cables, and one-way links over a port are fine.
    #[test]
    fn ports_need_not_be_contiguous() {
        let mut graph = generate("ft(4,2)").unwrap().graph().clone();
        let (up, down) = (EdgeIndex::new(17), EdgeIndex::new(25));
        (graph[up].from_port, graph[down].to_port) = (9, 9);
        assert!(Topology::new("moved".into(), graph.clone()).is_ok());
        graph.remove_edge(down);
        assert!(Topology::new("one way".into(), graph).is_ok());
    }

    #[test]
    fn directions_and_levels_are_checked() {
        let (node, link) = (petgraph::graph::NodeIndex::new, EdgeIndex::new);
        let turned = refusal(|graph| graph[link(17)].direction = Direction::Down);
        assert_eq!(
            turned.to_string(),
            "the link sw-1-0[4] -> sw-2-1[1] is called down, but leads from level 1 to 2, which \
             is up"
        );
        let level = refusal(|graph| graph[link(17)].level = 1);
        assert!(matches!(level, Inconsistency::LinkLevel { found: 1, expected: 2, .. }), "{level}");
        // A host above level 0, and an idle switch that is called a leaf.
        let raised = refusal(|graph| {
            graph[node(7)].level = 1;
            for edge in [7, 15].map(link) {
                graph[edge].direction = Direction::Flat;
            }
        });
        assert!(matches!(raised, Inconsistency::Level { found: 1, expected: 0, .. }), "{raised}");
        let idle = refusal(|graph| {
            graph.add_node(Node { name: "idle".into(), ..graph[node(8)].clone() });
        });
        assert!(matches!(idle, Inconsistency::NoHostBelow { node: 14, .. }), "{idle}");
    }

    #[test]
    fn nodes_and_capacities_are_checked() {
        let late = refusal(|graph| {
            graph.add_node(graph[petgraph::graph::NodeIndex::new(0)].clone());
        });
        assert!(matches!(late, Inconsistency::HostAfterSwitch { .. }), "{late}");
        let empty = refusal(|graph| graph[EdgeIndex::new(3)].capacity = Rational::ZERO);
        assert!(matches!(empty, Inconsistency::Capacity { .. }), "{empty}");
        assert_eq!(refusal(Graph::clear), Inconsistency::NoHost);
    }

    /// Multicast LIDs begin at 0xc000, and a mask has three bits.
    #[test]
    fn addresses_are_checked() {
        let addressed = |lid, lmc| {
            let mut graph = generate("ft(4,2)").unwrap().graph().clone();
            graph[petgraph::graph::NodeIndex::new(3)].address =
                Some(Address { guid: 1, port_guid: None, lid, lmc });
            Topology::new("addressed".into(), graph)
        };
        for (lid, lmc) in [(0, 0), (0, 7), (1, 7), (0xbfff, 0), (0xbf80, 7)] {
            assert!(addressed(lid, lmc).is_ok(), "{lid} {lmc}");
        }
        for (lid, lmc) in
            [(0xc000, 0), (0xbfff, 1), (0xbf81, 7), (0xffff, 7), (1, 8), (0, 8), (1, 255)]
        {
            let node = "host-3".into();
            let problem = Inconsistency::Address { node, lid, lmc };
            assert_eq!(addressed(lid, lmc).unwrap_err(), TopologyError::Invalid(problem));
        }
    }

    /// Generated trees are not checked when they are made.
    #[test]
    fn generated_networks_keep_all_invariants() {
        for spec in KINDS.iter().flat_map(|kind| kind.examples) {
            let graph = generate(spec).unwrap().graph().clone();
            let again = Topology::new(spec.to_string(), graph);
            assert!(again.is_ok(), "{spec}: {:?}", again.err());
        }
    }
}
