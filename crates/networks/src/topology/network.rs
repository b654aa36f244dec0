//! The network digraph and its invariants.

mod digraph;
mod remaining;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use serde::Serialize;

use crate::limit::{TooLarge, within};
use crate::rational::Rational;

use digraph::Digraph;

use super::level::direction;
use super::numbers::{host_number, link_number, node_number};
use super::{
    Address, Coordinates, Host, Levels, LinkId, MAX_LINKS, NoTree, NodeId, Plane, TopologyError,
    Xgft, check,
};

pub use remaining::Whole;

/// Host or switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// Source and sink of traffic. In general networks, where it may have several links, it also
    /// forwards: it stands for a router with its own users.
    Host,
    /// Forwards traffic only.
    Switch,
}

/// A host or a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Host or switch.
    pub kind: NodeKind,
    /// 0 for hosts; for a switch, the length of the shortest way down to a host. Reports show
    /// [`Topology::shown_level`].
    pub level: u8,
    /// Name for display, such as `host-3` or `sw-1-0`.
    pub name: String,
    /// InfiniBand addresses, for imported fabrics.
    pub address: Option<Address>,
}

/// Whether a link leads away from the hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// To a node at a higher level.
    Up,
    /// To a node at a lower level.
    Down,
    /// Between nodes at the same level.
    Flat,
}

impl std::fmt::Display for Direction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Flat => "flat",
        })
    }
}

/// A directed link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Positive; in units of one host link, or as given in the file of a general network.
    pub capacity: Rational,
    /// The larger of the levels of its ends: host links have level 1. (\[OR\] counts from the
    /// root: its level-i links are our level n−i in FT(m,n).)
    pub level: u8,
    /// Up, down, or flat.
    pub direction: Direction,
    /// Port number at the sending node, from 1.
    pub from_port: u32,
    /// Port number at the receiving node, from 1.
    pub to_port: u32,
    /// Positive; see [`Topology::weight`].
    pub weight: Option<Box<Rational>>,
}

impl Link {
    /// A link between nodes of the given levels, with its ports at both: level and direction
    /// follow.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, topology::{Direction, Link}};
    /// let link = Link::between((2, 1), (5, 3), Rational::ONE);
    /// assert_eq!((link.level, link.direction), (2, Direction::Down));
    /// ```
    #[must_use]
    pub fn between(
        (from, to): (u8, u8),
        (from_port, to_port): (u32, u32),
        capacity: Rational,
    ) -> Self {
        let (level, direction) = (from.max(to), direction(from, to));
        Self { capacity, level, direction, from_port, to_port, weight: None }
    }
}

/// A network: hosts `0..N`, switches, directed links with capacities.
///
/// Invariants, checked at construction ([`Inconsistency`](super::Inconsistency)):
/// - There is a host, and hosts are the first nodes.
/// - The level of a node is its distance from the nearest host, over links in either direction; that
///   is 0 for hosts alone. The level and the direction of a link follow from those of its ends.
/// - The LIDs of a node are unicast ones ([`Address::lids`]).
/// - Capacities are positive, and so are weights, which all links have or none. A link may lead from
///   a switch to itself, at another port: no path uses it. None leads from a host to itself.
/// - Ports are numbered from 1. At most one link leaves a node by a port and at most one enters by
///   it; if both do, they are the two directions of a cable, unless they join different nodes and
///   the port at the far end of each has no other link: one-way links may share a port, but no
///   more than two in a row. Ports need not be contiguous: they may be without a cable.
///
/// A network need not be connected: maps of backbones contain hosts without links.
#[derive(Clone, Debug)]
pub struct Topology {
    spec: String,
    digraph: Digraph,
    hosts: usize,
    labels: Labels,
    is_read: bool,
    notes: Vec<String>,
    left_out_lids: Vec<u16>,
    has_merged_cables: bool,
    /// See [`Self::whole`].
    whole: Option<Arc<Whole>>,
    /// See [`Self::planes`].
    pub(super) planes: Arc<[Plane]>,
    /// See [`Self::unit`].
    pub(super) unit: Option<Rational>,
    /// See [`Self::outside_world`].
    pub(super) outside_world: Option<Host>,
    /// See [`Self::coordinates`].
    pub(super) coordinates: Option<Coordinates>,
    /// See [`Self::levels`].
    pub(super) found_levels: OnceLock<Levels>,
}

/// The labels of a network, and where they come from.
#[derive(Clone, Debug)]
enum Labels {
    /// The spec rebuilds the tree.
    Generated(Xgft),
    /// Found in a network that was read.
    Recognised(Xgft),
    /// There are none; the reason is given where they were looked for.
    None(Option<NoTree>),
}

impl Topology {
    /// The largest number of directed links that a network may have.
    pub const MAX_LINKS: u64 = MAX_LINKS;

    /// A network from its graph. `spec` names it in reports and certificates. To have ports, levels
    /// and directions assigned, use a [`NetworkBuilder`](super::NetworkBuilder).
    /// O(nodes + links·log(links)).
    ///
    /// # Errors
    /// [`TopologyError::Invalid`] when an invariant does not hold, [`TopologyError::TooLarge`]
    /// above [`Self::MAX_LINKS`].
    pub fn new(spec: String, graph: DiGraph<Node, Link>) -> Result<Self, TopologyError> {
        let topology = Self::with_any_levels(spec, graph)?;
        check::levels(topology.graph(), topology.hosts)?;
        Ok(topology)
    }

    /// Like [`Self::new`], where levels of switches need not be distances.
    fn with_any_levels(spec: String, graph: DiGraph<Node, Link>) -> Result<Self, TopologyError> {
        Self::check_size(graph.edge_count())?;
        let hosts = check::nodes(&graph)?;
        check::links(&graph)?;
        check::ports(&graph)?;
        Ok(Self::of_checked(spec, graph.into(), hosts))
    }

    /// Refuses networks of too many links.
    pub(super) fn check_size(links: usize) -> Result<(), TooLarge> {
        let remedy = "analyse a part of the network";
        within("number of links", Some(links as u128), Self::MAX_LINKS, remedy).map(|_| ())
    }

    fn of_checked(spec: String, digraph: Digraph, hosts: usize) -> Self {
        Self {
            spec,
            digraph,
            hosts,
            labels: Labels::None(None),
            is_read: false,
            notes: Vec::new(),
            left_out_lids: Vec::new(),
            has_merged_cables: false,
            whole: None,
            planes: Arc::default(),
            unit: None,
            outside_world: None,
            coordinates: None,
            found_levels: OnceLock::new(),
        }
    }

    /// The network with the given LIDs of end ports that are not hosts here.
    #[must_use]
    pub fn with_left_out_lids(self, left_out_lids: Vec<u16>) -> Self {
        Self { left_out_lids, ..self }
    }

    /// LIDs of end ports of the fabric that are not hosts here. Forwarding tables may name them.
    #[must_use]
    pub fn left_out_lids(&self) -> &[u16] {
        &self.left_out_lids
    }

    /// This network with another graph, in which some links stand for several cables each. Nodes
    /// are unchanged; labels described the cables apart.
    pub(super) fn with_merged_cables(self, graph: DiGraph<Node, Link>) -> Self {
        Self { has_merged_cables: true, ..self.relabelled(graph, Labels::None(None)) }
    }

    /// Whether some links stand for several parallel cables each; see [`Self::merge_cables`].
    #[must_use]
    pub fn has_merged_cables(&self) -> bool {
        self.has_merged_cables
    }

    /// The network with remarks on how it was read.
    #[must_use]
    pub fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// Notes on the reading of a file: what was left out or assumed.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The network given by a tree's labels; links get the ids that [`Xgft`] computes. `spec` has
    /// to describe this very tree: certificates name it by its spec.
    pub(super) fn from_tree(spec: String, tree: Xgft) -> Result<Self, TooLarge> {
        let (digraph, hosts) = (Digraph::of_labels(&tree), tree.hosts());
        Self::check_size(digraph.links())?;
        // The arithmetic of the labels keeps all invariants.
        Ok(Self { labels: Labels::Generated(tree), ..Self::of_checked(spec, digraph, hosts) })
    }

    /// This network with nodes and links in the order of `tree`'s labels.
    pub(super) fn with_labels(self, graph: DiGraph<Node, Link>, tree: Xgft) -> Self {
        Self { is_read: true, ..self.relabelled(graph, Labels::Recognised(tree)) }
    }

    fn relabelled(self, graph: DiGraph<Node, Link>, labels: Labels) -> Self {
        let (digraph, found_levels) = (graph.into(), OnceLock::new());
        Self { digraph, labels, coordinates: None, found_levels, ..self }
    }

    /// This network as read from a file, with the reason why it has no labels.
    pub(super) fn without_labels(self, reason: NoTree) -> Self {
        // Labels can no longer make it.
        let _ = self.graph();
        Self { labels: Labels::None(Some(reason)), is_read: true, ..self }
    }

    /// The canonical spec, or the path that the network was read from.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The labels, when the network is of the XGFT family. Links may have a different capacity on
    /// every step ([`Xgft::capacity`]), and cables to the top may be parallel
    /// ([`Xgft::cables_to_top`]); for statements that hold only without these, use
    /// [`Self::plain_tree`].
    #[must_use]
    pub fn tree(&self) -> Option<&Xgft> {
        match &self.labels {
            Labels::Generated(tree) | Labels::Recognised(tree) => Some(tree),
            Labels::None(_) => None,
        }
    }

    /// The labels if the network is exactly what its shape says, as in the papers: every link has
    /// capacity 1, and no cables are parallel.
    #[must_use]
    pub fn plain_tree(&self) -> Option<&Xgft> {
        self.tree().filter(|tree| tree.has_unit_capacities() && tree.cables_to_top() == 1)
    }

    /// Why a network that was read has no labels; see [`Self::recognised`].
    #[must_use]
    pub fn no_tree(&self) -> Option<&NoTree> {
        match &self.labels {
            Labels::None(reason) => reason.as_ref(),
            _ => None,
        }
    }

    /// Whether the network was read from a file, so that its names mean something to users.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.is_read
    }

    /// Whether [`Self::spec`] rebuilds this very tree, so that it may stand for it.
    #[must_use]
    pub fn is_named_tree(&self) -> bool {
        matches!(self.labels, Labels::Generated(_))
    }

    /// Number of hosts N.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.hosts
    }

    /// The numbers of all hosts.
    #[must_use]
    pub fn host_numbers(&self) -> Range<Host> {
        0..host_number(self.hosts())
    }

    /// The numbers of all nodes.
    #[must_use]
    pub fn node_numbers(&self) -> Range<NodeId> {
        0..node_number(self.nodes())
    }

    /// The numbers of all links.
    #[must_use]
    pub fn link_numbers(&self) -> Range<LinkId> {
        0..link_number(self.links())
    }

    /// A node. Panics, as indexing does, when there is no such node.
    #[must_use]
    pub fn node(&self, node: NodeId) -> &Node {
        &self.graph()[NodeIndex::new(node as usize)]
    }

    /// A link. Panics, as indexing does, when there is no such link.
    #[must_use]
    pub fn link(&self, link: LinkId) -> &Link {
        &self.graph()[EdgeIndex::new(link as usize)]
    }

    /// The links that leave a node.
    pub fn links_from(&self, node: NodeId) -> impl Iterator<Item = LinkId> {
        let edges = self.graph().edges(NodeIndex::new(node as usize));
        edges.map(|edge| link_number(edge.id().index()))
    }

    /// The links that enter a node.
    pub fn links_to(&self, node: NodeId) -> impl Iterator<Item = LinkId> {
        let node = NodeIndex::new(node as usize);
        let edges = self.graph().edges_directed(node, petgraph::Incoming);
        edges.map(|edge| link_number(edge.id().index()))
    }
}
