//! Named instances: the only file of the checker that reaches generators of networks and routings.
//!
//! Certificates whose network and routing are written out never get here.

use crate::ratio::Ratio;
pub(super) use crate::routing::Paths;
use crate::routing::{Routing, RoutingError, build};
use crate::topology::{Host, LinkId, NodeId, Topology, TopologyError, Xgft, generate};

use super::Refusal;

/// A network that a certificate names by its spec.
pub(super) struct NamedNetwork(Topology);

impl NamedNetwork {
    pub(super) fn open(spec: &str) -> Result<Self, Refusal> {
        let topology = generate(spec).map_err(|error| match error {
            TopologyError::TooLarge(limit) => Refusal::TooLarge(limit),
            error => Refusal::Instance(error.to_string()),
        })?;
        Ok(Self(topology))
    }

    pub(super) fn hosts(&self) -> usize {
        self.0.hosts()
    }

    pub(super) fn nodes(&self) -> usize {
        self.0.nodes()
    }

    /// Sending node, receiving node and capacity of every link.
    pub(super) fn links(&self) -> Result<Vec<(NodeId, NodeId, Ratio)>, Refusal> {
        let link = |id| {
            let (from, to) = self.0.ends(id).ok_or(Refusal::BadLink(id))?;
            let capacity = self.0.link(id).capacity.clone();
            if capacity.is_zero() { Err(Refusal::BadLink(id)) } else { Ok((from, to, capacity)) }
        };
        self.0.link_numbers().map(link).collect()
    }

    /// Its labels, where it is a tree of capacity 1 without parallel links.
    pub(super) fn tree(&self) -> Option<&Xgft> {
        self.0.plain_tree()
    }
}

/// A routing that a certificate names by its spec.
pub(super) struct NamedRouting(Box<dyn Routing>);

impl NamedRouting {
    pub(super) fn open(spec: &str, network: &NamedNetwork) -> Result<Self, Refusal> {
        if spec.contains(':') {
            return Err(Refusal::FileRouting);
        }
        let routing = build(spec, &network.0).map_err(|error| match error {
            RoutingError::TooLarge(limit) => Refusal::TooLarge(limit),
            error => Refusal::Instance(error.to_string()),
        })?;
        Ok(Self(routing))
    }

    /// Whether every pair has one path.
    pub(super) fn is_single_path(&self) -> bool {
        self.0.is_single_path()
    }

    /// The paths from `s` to `destinations`, where each pair has one; empty for `s` itself.
    pub(super) fn paths_from(&self, s: Host, destinations: &[Host], paths: &mut Paths) {
        self.0.paths_from(s, destinations, paths);
    }

    /// Calls `visit(share, links)` for every path of a pair; `links` is scratch space. What it
    /// says is not trusted: the caller verifies it.
    pub(super) fn for_each_path(
        &self,
        (s, d): (Host, Host),
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Ratio, &[LinkId]),
    ) {
        self.0.for_each_path(s, d, links, visit);
    }
}
