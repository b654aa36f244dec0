//! Networks built node by node and cable by cable.

use std::sync::atomic::{AtomicU64, Ordering};

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};

use super::level::{direction, levels};
use super::{Address, Inconsistency, Link, Node, NodeKind, Topology, TopologyError};
use crate::rational::Rational;
use crate::topology::node_number;

/// A node of a [`NetworkBuilder`], to be passed to the same builder or to a clone made since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeKey {
    index: usize,
    /// No other node of any builder has it.
    id: u64,
}

/// The id of the next node of any builder. It only tells nodes apart: results do not depend on it.
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

/// A network in the making. Ports, levels and directions follow from nodes and cables.
///
/// Hosts get the numbers from 0 in the order in which they were added, then switches in theirs.
/// Links are numbered in the order of their addition, the two directions of a cable one after the
/// other.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{rational::Rational, topology::{Direction, NetworkBuilder}};
/// let mut network = NetworkBuilder::new();
/// let (left, right) = (network.switch("left"), network.switch("right"));
/// for (name, switch) in [("a", left), ("b", left), ("c", right)] {
///     let host = network.host(name);
///     network.cable(host, switch, Rational::ONE);
/// }
/// network.cable_at((left, 7), (right, 8), Rational::from(2));
/// let network = network.build("three hosts")?;
/// assert_eq!((network.hosts(), network.nodes(), network.links()), (3, 5, 8));
/// assert_eq!(network.link_name(2), "b[1] -> left[2]");
/// assert_eq!((network.link_name(7).as_str(), network.link(7).direction), ("right[8] -> left[7]", Direction::Flat));
/// # Ok::<(), routebound::topology::TopologyError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NetworkBuilder {
    nodes: Vec<Node>,
    /// The ids of the nodes.
    ids: Vec<u64>,
    cables: Vec<Cable>,
}

#[derive(Clone, Debug)]
struct Cable {
    ends: [NodeKey; 2],
    /// `None` for the next ports of both nodes.
    ports: Option<(u32, u32)>,
    capacity: Rational,
    one_way: bool,
    weight: Option<Box<Rational>>,
}

impl NetworkBuilder {
    /// A network without nodes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a host. In general networks it also forwards, if it has several cables.
    pub fn host(&mut self, name: impl Into<String>) -> NodeKey {
        self.node(NodeKind::Host, name, None)
    }

    /// Adds a switch.
    pub fn switch(&mut self, name: impl Into<String>) -> NodeKey {
        self.node(NodeKind::Switch, name, None)
    }

    /// Adds a node that may have InfiniBand addresses.
    pub fn node(
        &mut self,
        kind: NodeKind,
        name: impl Into<String>,
        address: Option<Address>,
    ) -> NodeKey {
        self.nodes.push(Node { kind, level: 0, name: name.into(), address });
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        self.ids.push(id);
        NodeKey { index: self.nodes.len() - 1, id }
    }

    /// Adds a cable, which is a link of this capacity in each direction. At both ends it takes the
    /// port after the highest that is in use so far; from a switch to itself, the next two.
    pub fn cable(&mut self, a: NodeKey, b: NodeKey, capacity: Rational) {
        self.add([a, b], None, capacity, false);
    }

    /// Adds a cable between the given ports.
    pub fn cable_at(&mut self, a: (NodeKey, u32), b: (NodeKey, u32), capacity: Rational) {
        self.add([a.0, b.0], Some((a.1, b.1)), capacity, false);
    }

    /// Adds a single link between the given ports: one direction of a cable, if the other is added
    /// with the same ports.
    pub fn link_at(&mut self, from: (NodeKey, u32), to: (NodeKey, u32), capacity: Rational) {
        self.add([from.0, to.0], Some((from.1, to.1)), capacity, true);
    }

    fn add(
        &mut self,
        ends: [NodeKey; 2],
        ports: Option<(u32, u32)>,
        capacity: Rational,
        one_way: bool,
    ) {
        self.cables.push(Cable { ends, ports, capacity, one_way, weight: None });
    }

    /// Gives the cable or link that was added last this weight ([`Topology::weight`]), a cable in both
    /// directions.
    pub fn weigh(&mut self, weight: Rational) {
        if let Some(last) = self.cables.last_mut() {
            last.weight = Some(Box::new(weight));
        }
    }

    /// The network; `spec` names it in reports and certificates. O(nodes + links·log(links)).
    ///
    /// # Errors
    /// [`TopologyError::Invalid`], with what is wrong:
    /// - there is no host, or a switch has none within 255 links;
    /// - some links have a weight and others none;
    /// - a cable ends at a node of another builder, has capacity 0 or weight 0, or leads from a host or from a
    ///   port to itself;
    /// - a port is 0, is used twice, or has a link out and one in that are not the two directions of
    ///   one cable (see [`Topology`]);
    /// - the LIDs of a node are not unicast ones ([`Address::lids`]).
    ///
    /// [`TopologyError::TooLarge`] above [`Topology::MAX_LINKS`].
    pub fn build(self, spec: impl Into<String>) -> Result<Topology, TopologyError> {
        let links = self.cables.iter().map(|cable| if cable.one_way { 1 } else { 2 }).sum();
        Topology::check_size(links)?;
        self.check_nodes()?;
        let (hosts, number) = self.numbers();
        let mut graph = DiGraph::with_capacity(self.nodes.len(), links);
        let (first, second): (Vec<Node>, _) =
            self.nodes.into_iter().partition(|node| node.kind == NodeKind::Host);
        for node in first.into_iter().chain(second) {
            graph.add_node(node);
        }
        add_links(&mut graph, self.cables, &number);
        assign_levels(&mut graph, hosts)?;
        Topology::new(spec.into(), graph)
    }

    /// Refuses cables to nodes of other builders, which may have the index of a node of this one.
    fn check_nodes(&self) -> Result<(), Inconsistency> {
        let is_own = |end: &NodeKey| self.ids.get(end.index) == Some(&end.id);
        match self.cables.iter().position(|cable| !cable.ends.iter().all(is_own)) {
            Some(cable) => Err(Inconsistency::ForeignNode { cable }),
            None => Ok(()),
        }
    }

    /// The number of hosts, and the numbers of all nodes in the network.
    fn numbers(&self) -> (usize, Vec<NodeIndex>) {
        let hosts = self.nodes.iter().filter(|node| node.kind == NodeKind::Host).count();
        let mut next = [0, hosts];
        let number = |node: &Node| {
            let next = &mut next[usize::from(node.kind == NodeKind::Switch)];
            *next += 1;
            NodeIndex::new(*next - 1)
        };
        (hosts, self.nodes.iter().map(number).collect())
    }
}

/// Adds the links of all cables, without levels; their ends are nodes of the builder.
fn add_links(graph: &mut DiGraph<Node, Link>, cables: Vec<Cable>, number: &[NodeIndex]) {
    let mut highest = vec![0_u32; number.len()];
    for Cable { ends, ports, capacity, one_way, weight } in cables {
        let [a, b] = ends.map(|end| number[end.index]);
        let next = |end: NodeKey| highest[end.index].saturating_add(1);
        let apart = u32::from(a == b);
        let next = || (next(ends[0]), next(ends[1]).saturating_add(apart));
        let (at_a, at_b) = ports.unwrap_or_else(next);
        for (end, port) in [(ends[0], at_a), (ends[1], at_b)] {
            highest[end.index] = highest[end.index].max(port);
        }
        let link = |ports| Link {
            weight: weight.clone(),
            ..Link::between((0, 0), ports, capacity.clone())
        };
        graph.add_edge(a, b, link((at_a, at_b)));
        if !one_way {
            graph.add_edge(b, a, link((at_b, at_a)));
        }
    }
}

/// Assigns the levels of nodes and links.
pub(super) fn assign_levels(
    graph: &mut DiGraph<Node, Link>,
    hosts: usize,
) -> Result<(), Inconsistency> {
    for (index, level) in levels(graph, hosts).into_iter().enumerate() {
        let node = &mut graph[NodeIndex::new(index)];
        let name = || node.name.clone();
        node.level = level
            .ok_or_else(|| Inconsistency::NoHostBelow { node: node_number(index), name: name() })?;
    }
    for edge in (0..graph.edge_count()).map(EdgeIndex::new) {
        if let Some((from, to)) = graph.edge_endpoints(edge) {
            let (from, to) = (graph[from].level, graph[to].level);
            let link = &mut graph[edge];
            (link.level, link.direction) = (from.max(to), direction(from, to));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Direction;

    fn refusal(network: NetworkBuilder) -> Inconsistency {
        match network.build("made").unwrap_err() {
            TopologyError::Invalid(problem) => problem,
            other => panic!("{other}"),
        }
    }

    /// Two hosts below a switch each, one more switch above.
    #[test]
    fn numbers_levels_and_directions_follow() {
        let mut network = NetworkBuilder::new();
        let top = network.switch("top");
        let leaves = ["x", "y"].map(|name| network.switch(name));
        for (name, leaf) in ["a", "b"].into_iter().zip(leaves) {
            let host = network.host(name);
            network.cable(leaf, host, Rational::ONE);
            network.cable(leaf, top, Rational::from(3));
        }
        let network = network.build("made").unwrap();
        let nodes: Vec<_> =
            network.graph().node_weights().map(|node| (node.name.as_str(), node.level)).collect();
        assert_eq!(nodes, [("a", 0), ("b", 0), ("top", 2), ("x", 1), ("y", 1)]);
        let names: Vec<String> = (0..8).map(|link| network.link_name(link)).collect();
        assert_eq!(
            names[..4],
            ["x[1] -> a[1]", "a[1] -> x[1]", "x[2] -> top[1]", "top[1] -> x[2]"]
        );
        let directions: Vec<_> =
            network.graph().edge_weights().map(|link| (link.level, link.direction)).collect();
        let (up, down) = (Direction::Up, Direction::Down);
        assert_eq!(directions[..4], [(1, down), (1, up), (2, up), (2, down)]);
        assert!(network.recognised().tree().is_some());
    }

    #[test]
    fn automatic_ports_come_after_those_in_use() {
        let mut network = NetworkBuilder::new();
        let (a, b) = (network.host("a"), network.host("b"));
        network.cable_at((a, 4), (b, 1), Rational::ONE);
        network.cable(a, b, Rational::ONE);
        let mut shared = network.clone();
        assert_eq!(network.build("made").unwrap().link_name(2), "a[5] -> b[2]");
        shared.link_at((a, 5), (b, 9), Rational::ONE);
        assert!(matches!(refusal(shared), Inconsistency::SharedPort { .. }));
    }

    #[test]
    fn a_cable_of_a_switch_to_itself_takes_two_ports() {
        let mut network = NetworkBuilder::new();
        let (host, switch) = (network.host("h"), network.switch("s"));
        network.cable(host, switch, Rational::ONE);
        let mut looped = network.clone();
        network.cable(switch, switch, Rational::ONE);
        network.cable(switch, switch, Rational::ONE);
        let built = network.build("made").unwrap();
        let names: Vec<String> = (2..6).map(|link| built.link_name(link)).collect();
        assert_eq!(names, ["s[2] -> s[3]", "s[3] -> s[2]", "s[4] -> s[5]", "s[5] -> s[4]"]);
        looped.cable(host, host, Rational::ONE);
        let link = "h[2] -> h[3]".into();
        assert_eq!(refusal(looped), Inconsistency::HostLoop { link });
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let mut network = NetworkBuilder::new();
        assert_eq!(refusal(network.clone()), Inconsistency::NoHost);
        let a = network.host("a");
        let mut lonely = network.clone();
        let switch = lonely.switch("s");
        assert!(matches!(refusal(lonely.clone()), Inconsistency::NoHostBelow { node: 1, .. }));
        lonely.cable(a, switch, Rational::ZERO);
        assert!(matches!(refusal(lonely), Inconsistency::Capacity { .. }));
        // The switch belongs to the other builder.
        network.cable(a, switch, Rational::ONE);
        assert_eq!(refusal(network), Inconsistency::ForeignNode { cable: 0 });
    }

    /// Nodes of two builders have the same places there, and so do those added to clones.
    #[test]
    fn a_node_of_another_builder_is_refused_wherever_it_stands() {
        let mut network = NetworkBuilder::new();
        let (a, b) = (network.host("a"), network.host("b"));
        let mut other = network.clone();
        let (own, foreign) = (network.host("c"), other.host("c"));
        let stranger = NetworkBuilder::new().host("a");
        network.cable(a, b, Rational::ONE);
        network.cable(b, own, Rational::ONE);
        assert!(network.clone().build("made").is_ok());
        for node in [stranger, foreign] {
            let mut mixed = network.clone();
            mixed.cable(own, node, Rational::ONE);
            assert_eq!(refusal(mixed), Inconsistency::ForeignNode { cable: 2 });
        }
        other.cable(a, foreign, Rational::ONE);
        assert!(other.build("made").is_ok());
    }
}
