#![doc = include_str!("FORMAT.md")]

mod embed;
mod read;
mod write;

pub use embed::{EmbedError, MAX_LISTED_PAIRS};
pub use read::{MAX_BYTES, ReadError, read};
pub use write::write;

pub use crate::bounds::Witness;
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, NodeId};
pub use crate::traffic::{Demand, PathRecord};

/// The version that this library reads and writes.
pub const VERSION: u32 = 1;

/// First word of every certificate.
pub const MAGIC: &str = "routebound-certificate";

/// A certificate: an instance, claims about it, and the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The network that the claims are about.
    pub network: NetworkForm,
    /// Its routing.
    pub routing: RoutingForm,
    /// At least one.
    pub claims: Vec<Claim>,
    /// Evidence for the lower sides.
    pub witness: Witness,
    /// Evidence for the upper sides, at most one a link; a link without one has the empty cover.
    pub covers: Vec<Cover>,
}

/// How a certificate holds a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkForm {
    /// By the spec of a generated topology: its generator is trusted with the checker.
    Named(String),
    /// By its links: only the checker is trusted.
    Embedded(EmbeddedNetwork),
}

/// A network, written out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmbeddedNetwork {
    /// Hosts are nodes 0..hosts.
    pub hosts: usize,
    /// Number of nodes.
    pub nodes: usize,
    /// Sending node, receiving node, capacity; a link's id is its place.
    pub links: Vec<(NodeId, NodeId, Ratio)>,
}

/// How a certificate holds a routing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoutingForm {
    /// By the spec of a routing without files, of a named network.
    Named(String),
    /// Per node, its next link to every host (or one link for all): destination-based
    /// single-path routing.
    Next(Vec<(NodeId, Vec<Option<LinkId>>)>),
    /// Explicit paths.
    Paths(Vec<PathRecord>),
}

/// What is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// sup of max load ÷ optu over all traffic.
    ObliviousRatio,
    /// Largest max load of a permutation, each pair with demand 1.
    PermutationLoad,
}

impl Quantity {
    /// Every quantity with its name in certificates.
    pub const NAMES: [(&'static str, Self); 2] =
        [("oblivious-ratio", Self::ObliviousRatio), ("permutation-load", Self::PermutationLoad)];

    /// The name in certificates.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ObliviousRatio => "oblivious-ratio",
            Self::PermutationLoad => "permutation-load",
        }
    }
}

/// A quantity lies between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is bounded.
    pub quantity: Quantity,
    /// Lower bound.
    pub lower: Ratio,
    /// Upper bound.
    pub upper: Ratio,
}

/// Weights on hosts that cover the SD pairs of one link: for every pair, the weight of its
/// source plus that of its destination is at least the share of the pair on the link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// The link.
    pub link: LinkId,
    /// Sources and their weights, ascending.
    pub sources: Vec<(Host, Ratio)>,
    /// Destinations and their weights, ascending.
    pub destinations: Vec<(Host, Ratio)>,
}

impl Cover {
    /// Whether no host has weight: the link carries no pair.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.destinations.is_empty()
    }
}
