//! Every reason to refuse a certificate.

#[cfg(feature = "names")]
use super::{BadAdaptiveRates, BadFailures, BadFewPaths, BadFile, BadScheme, BadTree};
use super::{BadAutomorphism, BadJobs, BadSplit};
use crate::certificate::ByDestination;
use crate::limit::TooLarge;
use crate::progress::Stopped;
use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

/// What a part of the check finds, or why it refuses the certificate.
pub(in crate::checker) type Result<T, E = Refusal> = std::result::Result<T, E>;

/// Why a certificate is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum Refusal {
    #[error("the certificate claims nothing")]
    NoClaim,
    #[error("the claim on {quantity} has its lower bound above its upper bound")]
    EmptyClaim { quantity: &'static str },
    #[error("there are two claims on {quantity}")]
    RepeatedClaim { quantity: &'static str },
    /// A routing named by its spec on a network that is written out: specs need labels.
    #[error("a named routing needs a named network")]
    NamedRouting,
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The check was stopped: nothing is known about the certificate.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("the embedded instance has {hosts} hosts and {nodes} nodes")]
    NodeCount { hosts: usize, nodes: usize },
    #[error("link {0} has an end that is not a node, or capacity 0")]
    BadLink(LinkId),
    #[error("a route record names host or node {0}, which does not exist")]
    RouteOfNobody(NodeId),
    #[error("the `next` record of node {0} is repeated or has the wrong number of entries")]
    BadNext(NodeId),
    #[error("the `next` record of node {node} names link {link}, which does not exist")]
    NextNoLink { node: NodeId, link: LinkId },
    #[error("pair ({s},{d}) has no path")]
    MissingPair { s: Host, d: Host },
    #[error("there is a path from host {0} to itself")]
    SelfPair(Host),
    #[error("the path of ({s},{d}) uses link {link}, which does not exist")]
    NoSuchLink { s: Host, d: Host, link: LinkId },
    #[error("the path of ({s},{d}) does not join its pair: it breaks at link {link}")]
    BrokenPath { s: Host, d: Host, link: LinkId },
    #[error("the next links from host {s} form a loop and never reach host {d}")]
    Loop { s: Host, d: Host },
    #[error("the shares of ({s},{d}) sum to {sum}, or one of them is 0", sum = quote(.sum))]
    ShareSum { s: Host, d: Host, sum: Rational },
    #[error("the certificate has no demand")]
    NoDemand,
    #[error("there is a bad demand from {s} to {d}")]
    BadDemand { s: Host, d: Host },
    #[error("the demand from {s} to {d} cannot be routed")]
    Unroutable { s: Host, d: Host },
    #[error("the flow of the demands loads link {link} with {load}, more than the stated {optu}", load = quote(.load), optu = quote(.optu))]
    OptuExceeded { link: LinkId, load: Rational, optu: Rational },
    #[error("the length of link {0} is repeated, or there is no such link")]
    BadLength(LinkId),
    #[error("the link lengths prove optu ≥ {proven} only, the claim says {lower}",
        proven = quote(.proven), lower = quote(.lower))]
    LengthsTooShort { proven: Rational, lower: Rational },
    #[error("the witness link {0} does not exist")]
    NoWitnessLink(LinkId),
    #[error("the witness loads its link with {load}, the claim on {} needs {needed}", quantity,
        load = quote(.load), needed = quote(.needed))]
    WitnessTooLight { quantity: &'static str, load: Rational, needed: Rational },
    #[error("the witness is not a permutation: host {0} has two demands, or one above 1")]
    NotNodeDisjoint(Host),
    #[error("host {0} sends or receives more than the capacity of its links")]
    HoseExceeded(Host),
    #[error("the `least` record is about {0}, which is not claimed or cannot have such a record")]
    LeastOfNothing(&'static str),
    #[error("the `against` record names link {0}, which does not exist")]
    AgainstNoLink(LinkId),
    #[error("the traffic against link {0} needs a `route`: it counts only if it can be routed")]
    AgainstUnrouted(LinkId),
    /// Traffic against a link with a flow where a flow means nothing.
    #[error("the traffic against link {0} has a `route`, but hose loads count what hosts send")]
    AgainstRouted(LinkId),
    #[error("a path of ({s},{d}) is not among those that routings may use")]
    NotAllowed { s: Host, d: Host },
    #[error("weighted traffic proves {quantity} ≥ {proven} only, the certificate says {lower}", proven = quote(.proven), lower = quote(.lower))]
    LeastTooLow { quantity: &'static str, proven: Rational, lower: Rational },
    #[error("the `by-destination` record is about permutation-load, which is not claimed")]
    ByDestinationOfNothing,
    /// A bound on all forwarding tables with a routing that is not given by some.
    #[error(
        "the `by-destination` record is about forwarding tables: the routing needs `next` records"
    )]
    ByDestinationOfPaths,
    #[error("the `by-destination` record names node {0}, which does not exist")]
    ByDestinationAtNoNode(NodeId),
    #[error("the links of the node prove {} ≥ {proven} only, the certificate says {lower}",
        ByDestination::NAME, proven = quote(.proven), lower = quote(.lower))]
    ByDestinationTooLow { proven: Rational, lower: Rational },
    #[error("a cut names node {0} twice, or there is no such node")]
    BadCutNode(NodeId),
    #[error("the cover of link {link} names cut {cut}, which does not exist or is out of order")]
    BadCoverCut { link: LinkId, cut: u32 },
    /// A cover with cuts where only hosts limit the traffic.
    #[error("the cover of link {0} uses cuts, where only hosts limit the traffic")]
    CutOfHosts(LinkId),
    #[error("the cover of link {link} names link {other}, which does not exist or is out of order")]
    BadCoverLength { link: LinkId, other: LinkId },
    /// A cover with lengths where only hosts limit the traffic.
    #[error("the cover of link {0} uses lengths, where only hosts limit the traffic")]
    LengthOfHosts(LinkId),
    #[error("the cover of link {0} is repeated, or there is no such link")]
    BadCover(LinkId),
    #[error("the cover of link {link} names host {host}, which does not exist or is out of order")]
    BadCoverHost { link: LinkId, host: Host },
    #[error("link {link} carries {share} of pair ({s},{d}), which its cover does not cover", share = quote(.share))]
    Uncovered { link: LinkId, s: Host, d: Host, share: Rational },
    #[error("the ends of link {link} prove load ≤ {weight} only, the claim on {} says {upper}",
        quantity, weight = quote(.weight), upper = quote(.upper))]
    EndsTooHeavy { quantity: &'static str, link: LinkId, weight: Rational, upper: Rational },
    #[error("the cover of link {link} proves load ≤ {weight} only, the claim on {} says {upper}",
        quantity, weight = quote(.weight), upper = quote(.upper))]
    CoverTooHeavy { quantity: &'static str, link: LinkId, weight: Rational, upper: Rational },
    #[error(transparent)]
    Automorphism(#[from] BadAutomorphism),
    #[cfg(feature = "names")]
    #[error(transparent)]
    Local(#[from] BadScheme),
    #[error(transparent)]
    Jobs(#[from] BadJobs),
    #[error(transparent)]
    Split(#[from] BadSplit),
    #[cfg(feature = "names")]
    #[error(transparent)]
    File(#[from] BadFile),
    #[cfg(feature = "names")]
    #[error(transparent)]
    Failures(#[from] BadFailures),
    #[cfg(feature = "names")]
    #[error(transparent)]
    FewPaths(#[from] BadFewPaths),
    #[cfg(feature = "names")]
    #[error(transparent)]
    AdaptiveRates(#[from] BadAdaptiveRates),
    /// A certificate that names its network, where no names are known.
    #[error("the network is named, and no names are known here: it must be written out")]
    Named,
    #[cfg(feature = "names")]
    #[error(transparent)]
    Tree(#[from] BadTree),
}
