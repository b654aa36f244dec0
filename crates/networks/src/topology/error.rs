//! Why a network is refused.

use petgraph::graph::{DiGraph, EdgeIndex};

use super::{Direction, Link, LinkId, Node, NodeId};
use crate::limit::TooLarge;
use crate::quote::quote;
use crate::registry::UnknownName;
use crate::spec::SpecError;

/// Why a network could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TopologyError {
    /// The spec is malformed or its arguments do not fit.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// No family of that name.
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The network breaks an invariant.
    #[error("{0}")]
    Invalid(#[from] Inconsistency),
}

/// An invariant of [`Topology`](super::Topology) that a network breaks. Links are named as by
/// [`Topology::link_name`](super::Topology::link_name).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Inconsistency {
    /// No node is a host.
    #[error("the network has no host: traffic needs a source and a sink")]
    NoHost,
    /// No link at all, in a file that should list some.
    #[error("{path}: it lists no link between different nodes")]
    NoLink {
        /// The file.
        path: String,
    },
    /// A switch has a smaller number than a host.
    #[error("host `{}` comes after a switch in the node list: add all hosts first", quote(.host))]
    HostAfterSwitch {
        /// Name of the host.
        host: String,
    },
    /// A switch from which no host can be reached, or only over more than 255 links.
    #[error("no host is within 255 links of switch `{}`: connect or remove it", quote(.name))]
    NoHostBelow {
        /// Number of the switch.
        node: NodeId,
        /// Its name.
        name: String,
    },
    /// The level of a node is not its distance from the nearest host.
    #[error(
        "node `{}` has level {found}, but is {expected} links away from the nearest host: give it \
         this level", quote(.node)
    )]
    Level {
        /// Name of the node.
        node: String,
        /// Its level.
        found: u8,
        /// Its distance.
        expected: u8,
    },
    /// An LMC above 7, or LIDs that are not unicast ones.
    #[error(
        "node `{}` has LID {lid} and LMC {lmc}: LMC is 0..=7, and its 2^LMC LIDs end at 49151 at \
         most", quote(.node)
    )]
    Address {
        /// Name of the node.
        node: String,
        /// Its base LID.
        lid: u16,
        /// Its LID mask control.
        lmc: u8,
    },
    /// A link without capacity.
    #[error("the link {link} has capacity 0: give it a positive one or remove it")]
    Capacity {
        /// The link.
        link: String,
    },
    /// A link of weight 0.
    #[error("the link {link} has weight 0: give it a positive one, or no link a weight")]
    Weight {
        /// The link.
        link: String,
    },
    /// A link without a weight among others that have one.
    #[error("the link {link} has no weight although others have one: give it one, or no link")]
    NoWeight {
        /// The link.
        link: String,
    },
    /// The level of a link is not the larger of those of its ends.
    #[error("the link {link} has level {found}, but the higher of its ends has {expected}")]
    LinkLevel {
        /// The link.
        link: String,
        /// Its level.
        found: u8,
        /// The larger level of its ends.
        expected: u8,
    },
    /// The direction of a link contradicts the levels of its ends.
    #[error(
        "the link {link} is called {found}, but leads from level {} to {}, which is {expected}",
        .levels.0, .levels.1
    )]
    Direction {
        /// The link.
        link: String,
        /// Its direction.
        found: Direction,
        /// The direction between these levels.
        expected: Direction,
        /// The levels of its ends.
        levels: (u8, u8),
    },
    /// A port 0.
    #[error("the link {link} uses port 0: number ports from 1")]
    PortZero {
        /// The link.
        link: String,
    },
    /// A link from a host to itself.
    #[error("the link {link} leads from a host to itself: remove it, as no traffic uses it")]
    HostLoop {
        /// The link.
        link: String,
    },
    /// A link from a port to itself.
    #[error("the link {link} leads from a port to itself: remove it, or name the other port")]
    PortLoop {
        /// The link.
        link: String,
    },
    /// Two links leave a node by the same port, or enter by it.
    #[error("the links {} and {} share a port: give each cable its own", .links[0], .links[1])]
    SharedPort {
        /// The links.
        links: [String; 2],
    },
    /// The links in and out of a port belong to different cables.
    #[error(
        "the links {} and {} meet in one port, but are not the two directions of one cable: make \
         their other ends the same node and port, or give each link a port of its own", .links[0], .links[1]
    )]
    CrossedPort {
        /// The link out of the port and that into it.
        links: [String; 2],
    },
    /// An end of a cable is not a node of the builder.
    #[error(
        "cable {cable} ends at a node of another builder: use the nodes that this one returned"
    )]
    ForeignNode {
        /// The number of the cable, in the order of its addition.
        cable: usize,
    },
}

/// A link of a graph for display.
pub(super) fn link_name(graph: &DiGraph<Node, Link>, link: LinkId) -> Option<String> {
    let link = EdgeIndex::new(link as usize);
    let (from, to) = graph.edge_endpoints(link)?;
    let Link { from_port, to_port, .. } = graph[link];
    let (from, to) = (quote(&graph[from].name), quote(&graph[to].name));
    Some(format!("{from}[{from_port}] -> {to}[{to_port}]"))
}
