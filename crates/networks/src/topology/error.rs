//! Why a network is refused.

use petgraph::graph::{DiGraph, EdgeIndex};

use super::{Direction, Link, LinkId, Node, NodeId};
use crate::limit::TooLarge;
use crate::quote::quote;
use crate::registry::UnknownName;
use crate::spec::SpecError;

/// Why a network could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum TopologyError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Invalid(#[from] Inconsistency),
}

/// An invariant of [`Topology`](super::Topology) that a network breaks. Links are named as by
/// [`Topology::link_name`](super::Topology::link_name).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum Inconsistency {
    #[error("the network has no host: traffic needs a source and a sink")]
    NoHost,
    #[error("{path}: it lists no link between different nodes")]
    NoLink { path: String },
    #[error("host `{}` comes after a switch in the node list: add all hosts first", quote(.host))]
    HostAfterSwitch { host: String },
    #[error("no host is within 255 links of switch `{}`: connect or remove it", quote(.name))]
    NoHostBelow { node: NodeId, name: String },
    #[error(
        "node `{}` has level {found}, but is {expected} links away from the nearest host: give it \
         this level", quote(.node)
    )]
    Level { node: String, found: u8, expected: u8 },
    #[error(
        "node `{}` has LID {lid} and LMC {lmc}: LMC is 0..=7, and its 2^LMC LIDs end at 49151 at \
         most", quote(.node)
    )]
    Address { node: String, lid: u16, lmc: u8 },
    #[error("the link {link} has capacity 0: give it a positive one or remove it")]
    Capacity { link: String },
    #[error("the link {link} has weight 0: give it a positive one, or no link a weight")]
    Weight { link: String },
    #[error("the link {link} has no weight although others have one: give it one, or no link")]
    NoWeight { link: String },
    #[error("the link {link} has level {found}, but the higher of its ends has {expected}")]
    LinkLevel { link: String, found: u8, expected: u8 },
    #[error(
        "the link {link} is called {found}, but leads from level {} to {}, which is {expected}",
        .levels.0, .levels.1
    )]
    Direction { link: String, found: Direction, expected: Direction, levels: (u8, u8) },
    #[error("the link {link} uses port 0: number ports from 1")]
    PortZero { link: String },
    #[error("the link {link} leads from a host to itself: remove it, as no traffic uses it")]
    HostLoop { link: String },
    #[error("the link {link} leads from a port to itself: remove it, or name the other port")]
    PortLoop { link: String },
    #[error("the links {} and {} share a port: give each cable its own", .links[0], .links[1])]
    SharedPort { links: [String; 2] },
    #[error(
        "the links {} and {} meet in one port, but are not the two directions of one cable: make \
         their other ends the same node and port, or give each link a port of its own", .links[0], .links[1]
    )]
    CrossedPort { links: [String; 2] },
    #[error(
        "cable {cable} ends at a node of another builder: use the nodes that this one returned"
    )]
    ForeignNode { cable: usize },
}

/// A link of a graph for display.
pub(super) fn link_name(graph: &DiGraph<Node, Link>, link: LinkId) -> Option<String> {
    let link = EdgeIndex::new(link as usize);
    let (from, to) = graph.edge_endpoints(link)?;
    let Link { from_port, to_port, .. } = graph[link];
    let (from, to) = (quote(&graph[from].name), quote(&graph[to].name));
    Some(format!("{from}[{from_port}] -> {to}[{to_port}]"))
}
