//! Named instances: the only file of the checker that reaches generators of networks and routings.
//!
//! Certificates whose network and routing are written out never get here.

use crate::ratio::Ratio;
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

    /// The same for the pairs of `s` with all `destinations` but itself, by the place of the
    /// destination.
    pub(super) fn for_each_path_from(
        &self,
        (s, destinations): (Host, &[Host]),
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(usize, &Ratio, &[LinkId]),
    ) {
        self.0.for_each_path_from(s, destinations, links, visit);
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
