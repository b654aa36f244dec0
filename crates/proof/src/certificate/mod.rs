#![doc = include_str!("FORMAT.md")]
#![doc = include_str!("NAMES.md")]
//! # In a program
//! ```
//! # use routebound_proof as routebound;
//! use routebound::certificate::{Certificate, VERSION};
//! let text = "routebound-certificate 1
//! hosts 2
//! nodes 2
//! link 0 1 1
//! link 1 0 1
//! claim optu 1 1
//! demand 0 1 1
//! route even
//! length 0 1
//! end
//! ";
//! let certificate: Certificate = text.parse()?;
//! assert!(matches!(certificate, Certificate::Optimum(_)));
//! assert_eq!((VERSION, certificate.to_string().as_str()), (1, text));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod automorphism;
mod budget;
mod by_destination;
mod evidence;
mod instance;
mod jobs;
mod lines;
#[cfg(feature = "names")]
mod names;
mod read;
#[cfg(feature = "write")]
mod write;

pub use automorphism::Automorphism;
pub use budget::{Budget, Listed};
pub use by_destination::ByDestination;
pub use evidence::{DualDemand, RoutedTraffic, Witness};
pub use jobs::{JobGroup, JobQuantity, JobsCertificate};
pub use lines::{MAX_BYTES, ReadError};
#[cfg(feature = "names")]
pub use names::*;
pub use read::read;
#[cfg(feature = "write")]
pub use write::{fits, write, write_commented};

use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};
pub use crate::traffic::{Demand, PathRecord};

/// The version that this library reads and writes.
pub const VERSION: u32 = 1;

/// First word of every certificate.
pub const MAGIC: &str = "routebound-certificate";

/// A certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// About the worst case of a routing.
    WorstCase(WorstCaseCertificate),
    /// About the optimal load of traffic.
    Optimum(OptimumCertificate),
    /// About the worst case of a routing of a tree of any size.
    #[cfg(feature = "names")]
    Product(ProductCertificate),
    /// About all local adaptive routings of a folded-Clos network.
    #[cfg(feature = "names")]
    Local(LocalCertificate),
    /// About traffic inside jobs.
    Jobs(JobsCertificate),
    /// About sets of failures.
    #[cfg(feature = "names")]
    Failures(FailuresCertificate),
}

impl Certificate {
    /// The network that it is about.
    #[must_use]
    pub fn network(&self) -> &NetworkForm {
        self.parts().0
    }

    /// The routing that it is about, if it is about one.
    #[must_use]
    pub fn routing(&self) -> Option<&RoutingForm> {
        self.parts().1
    }
}

/// Bounds on the optimal load of given traffic, and the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptimumCertificate {
    /// The network that carries the traffic.
    pub network: NetworkForm,
    /// optu is at least this.
    pub lower: Rational,
    /// optu is at most this.
    pub upper: Rational,
    /// The traffic.
    pub demands: Vec<Demand>,
    /// Evidence for the upper side: a routing of the traffic with max load ≤ `upper`.
    pub flow: RoutedTraffic,
    /// Evidence for the lower side: the lengths of the links, 0 where none is given, each link
    /// once. By weak duality optu ≥ Σ demand·distance ÷ Σ capacity·length.
    pub lengths: Vec<(LinkId, u64)>,
}

/// An instance, claims about its worst case, and the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstCaseCertificate {
    /// The network that the claims are about.
    pub network: NetworkForm,
    /// Routing of the instance.
    pub routing: RoutingForm,
    /// Hosts that are alike, every host once; none where hosts are looked at one by one. Covers
    /// then name the first host of a class for all of it, and a cut holds all hosts of a class or none.
    pub classes: Vec<Vec<Host>>,
    /// Sets of nodes that covers refer to by position.
    pub cuts: Vec<Vec<NodeId>>,
    /// At least one.
    pub claims: Vec<Claim>,
    /// Evidence for the lower sides.
    pub witness: Witness,
    /// Automorphisms that the routing respects: a link without a cover is covered where they take it to one with one.
    pub automorphisms: Vec<Automorphism>,
    /// Evidence for the upper sides, at most one per link.
    pub covers: Vec<Cover>,
    /// Whether a link without one of these is covered by its ends: by all sources of its pairs, or
    /// by all destinations, each with the largest share of its pairs. Otherwise its cover is empty.
    pub by_ends: bool,
    /// The bound that it proves on other routings, where it does.
    pub optimality: Option<Optimality>,
}

/// A bound for every routing of a class, by which the routing of the certificate is compared with the best of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimality {
    /// For every routing over certain paths.
    OverPaths(Least),
    /// For every single-path routing of a tree.
    #[cfg(feature = "names")]
    SinglePath(SinglePath),
    /// For every routing of a tree of two levels with few paths per pair.
    #[cfg(feature = "names")]
    FewPaths(FewPaths),
    /// For given paths whose shares may depend on the traffic.
    #[cfg(feature = "names")]
    AdaptiveRates(AdaptiveRates),
    /// For all forwarding tables.
    ByDestination(ByDestination),
}

/// A bound for every routing over certain paths, and the evidence. With weights on traffic against links,
/// Σ weight·load(link) is at most Σ weight times the worst case of a routing, and at least Σ over pairs of the distance
/// under the pair's prices, Σ weight·demand ÷ capacity of the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Least {
    /// The bounded quantity, [`Quantity::ObliviousRatio`] or [`Quantity::HoseLoad`], which is claimed too.
    pub quantity: Quantity,
    /// No routing over these paths has less.
    pub lower: Rational,
    /// The paths; those of the certificate's routing are among them.
    pub among: Among,
    /// Traffic with its weights.
    pub dual_demands: Vec<(Rational, DualDemand)>,
}

/// Paths that routings may use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Among {
    /// All.
    All,
    /// Paths with the fewest links.
    Shortest,
    /// Those of the certificate's routing; in `adaptive-rates` records only.
    Own,
    /// These, at least one for every SD pair.
    Listed(Vec<AllowedPath>),
}

/// A path that routings may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedPath {
    /// Source.
    pub s: Host,
    /// Destination.
    pub d: Host,
    /// Links from s to d.
    pub links: Vec<LinkId>,
}

/// The form in which a certificate holds a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkForm {
    /// By the spec of a generated topology: its generator is trusted along with the checker.
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
    /// A link's id is its position.
    pub links: Vec<LinkRecord>,
}

/// A directed link of a network that is written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRecord {
    /// The sending node.
    pub from: NodeId,
    /// The receiving node.
    pub to: NodeId,
    /// Maximum load, per unit of host capacity.
    pub capacity: Rational,
}

impl LinkRecord {
    /// The link between two nodes.
    #[must_use]
    pub fn new(from: NodeId, to: NodeId, capacity: Rational) -> Self {
        Self { from, to, capacity }
    }
}

/// The form in which a certificate holds a routing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoutingForm {
    /// By the spec of a routing without files, of a named network.
    Named(String),
    /// Per node, its next link to every host (or one link for all): destination-based single-path routing.
    Next(Vec<(NodeId, Vec<NextLink>)>),
    /// Explicit paths.
    Paths(Vec<PathRecord>),
    /// All shortest paths by number of links, of a network that is written out.
    Split(Split),
}

/// The division of a pair's traffic among its shortest paths, by number of links; parallel links
/// give different paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Every path has the same share.
    Paths,
    /// At every node, evenly over the links that begin a shortest path to the destination.
    Hops,
}

impl Split {
    /// Every split with its name in certificates, in the order of their declaration.
    pub const NAMES: [(&'static str, Self); 2] = [("paths", Self::Paths), ("hops", Self::Hops)];

    /// The name in certificates.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// The link by which a node sends to a host, or that there is none; in 4 bytes, as there may be 2^28.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::certificate::NextLink;
/// assert_eq!([Some(7), None].map(|link| NextLink::from(link).link()), [Some(7), None]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextLink(u32);

impl NextLink {
    /// No next link.
    pub const NONE: Self = Self(u32::MAX);

    /// The link.
    #[inline]
    #[must_use]
    pub fn link(self) -> Option<LinkId> {
        (self != Self::NONE).then_some(self.0)
    }
}

impl From<Option<LinkId>> for NextLink {
    /// No network has a link 2^32 − 1, see [`MAX_LINKS`](crate::topology::MAX_LINKS): it becomes the
    /// one before, which no network has either.
    #[inline]
    fn from(link: Option<LinkId>) -> Self {
        link.map_or(Self::NONE, |link| Self(link.min(u32::MAX - 1)))
    }
}

/// The bounded quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// sup of max load ÷ optu over all traffic.
    ObliviousRatio,
    /// Maximum of the max loads of permutations, each pair with demand 1.
    PermutationLoad,
    /// Maximum of the max loads over all traffic in which no host sends or receives more than the capacity
    /// of its links (the hose set), whatever its optu.
    HoseLoad,
}

/// Name of the optimal load in certificates.
pub const OPTU: &str = "optu";

impl Quantity {
    /// Every quantity with its name in certificates, in the order of their declaration.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("oblivious-ratio", Self::ObliviousRatio),
        ("permutation-load", Self::PermutationLoad),
        ("hose-load", Self::HoseLoad),
    ];

    /// The name in certificates.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// A quantity lies between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The bounded quantity.
    pub quantity: Quantity,
    /// Lower bound.
    pub lower: Rational,
    /// Upper bound.
    pub upper: Rational,
}

/// Weights on cuts that cover the SD pairs of one link: for every pair, the weights of the cuts that it crosses sum
/// to at least its share on the link. A source is the cut of what it sends, a destination that of what it receives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cover {
    /// The link.
    pub link: LinkId,
    /// Sources and their weights, ascending.
    pub sources: Vec<(Host, Rational)>,
    /// Destinations and their weights, ascending.
    pub destinations: Vec<(Host, Rational)>,
    /// Cuts that are crossed outwards and their weights, ascending.
    pub out_cuts: Vec<(CutId, Rational)>,
    /// Cuts that are crossed inwards and their weights, ascending.
    pub in_cuts: Vec<(CutId, Rational)>,
    /// Links and their lengths, ascending, 0 where none is given: a pair is covered by its
    /// distance too. This is the dual of the linear program for networks of any shape.
    pub lengths: Vec<(LinkId, Rational)>,
}

impl Least {
    /// Name of the bounded quantity, for all routings over the paths.
    #[must_use]
    pub fn name(quantity: Quantity) -> &'static str {
        match quantity {
            Quantity::ObliviousRatio => "least oblivious-ratio",
            Quantity::PermutationLoad => "least permutation-load",
            Quantity::HoseLoad => "least hose-load",
        }
    }
}

/// Position of a cut in a certificate.
pub type CutId = u32;

impl Cover {
    /// Whether nothing has weight: the link carries no pair.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let hosts = self.sources.len() + self.destinations.len();
        hosts == 0 && !self.has_cuts() && self.lengths.is_empty()
    }

    /// Whether a cut of more than one host has weight.
    #[must_use]
    pub fn has_cuts(&self) -> bool {
        !self.out_cuts.is_empty() || !self.in_cuts.is_empty()
    }
}
