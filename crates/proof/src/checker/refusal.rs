//! Every reason to refuse a certificate.

use super::{BadAutomorphism, BadJobs, BadSplit};
#[cfg(feature = "names")]
use super::{BadFile, BadScheme, BadTree};
use crate::limit::TooLarge;
use crate::progress::Stopped;
use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

/// Why a certificate is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It claims nothing.
    #[error("the certificate claims nothing")]
    NoClaim,
    /// A claim whose lower bound is above its upper bound.
    #[error("the claim on {quantity} has its lower bound above its upper bound")]
    EmptyClaim {
        /// The quantity of the claim.
        quantity: &'static str,
    },
    /// Two claims on one quantity.
    #[error("there are two claims on {quantity}")]
    RepeatedClaim {
        /// The quantity of the claims.
        quantity: &'static str,
    },
    /// A routing named by its spec on a network that is written out: specs need labels.
    #[error("a named routing needs a named network")]
    NamedRouting,
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The check was stopped: nothing is known about the certificate.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// An embedded instance with fewer than two hosts, or with more hosts than nodes.
    #[error("the embedded instance has {hosts} hosts and {nodes} nodes")]
    NodeCount {
        /// Number of hosts.
        hosts: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// A link between nodes that do not exist, or without capacity.
    #[error("link {0} has an end that is not a node, or capacity 0")]
    BadLink(LinkId),
    /// A route record about a node or host that does not exist.
    #[error("a route record names host or node {0}, which does not exist")]
    RouteOfNobody(NodeId),
    /// Two `next` records of one node, or one with the wrong number of entries.
    #[error("the `next` record of node {0} is repeated or has the wrong number of entries")]
    BadNext(NodeId),
    /// A `next` record with a link that does not exist, whether or not a pair meets it.
    #[error("the `next` record of node {node} names link {link}, which does not exist")]
    NextNoLink {
        /// The node.
        node: NodeId,
        /// The link.
        link: LinkId,
    },
    /// A pair without a path.
    #[error("pair ({s},{d}) has no path")]
    MissingPair {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
    },
    /// A path of a host to itself.
    #[error("there is a path from host {0} to itself")]
    SelfPair(Host),
    /// A path over a link that does not exist.
    #[error("the path of ({s},{d}) uses link {link}, which does not exist")]
    NoSuchLink {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
        /// The link.
        link: LinkId,
    },
    /// A path that does not lead from s to d.
    #[error("the path of ({s},{d}) does not join its pair: it breaks at link {link}")]
    BrokenPath {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
        /// The first link that does not continue the path, or the last.
        link: LinkId,
    },
    /// Next links that go in a circle.
    #[error("the next links from host {s} go in a circle and never reach host {d}")]
    Circle {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
    },
    /// Shares of a pair that are zero or do not sum to 1.
    #[error("the shares of ({s},{d}) sum to {sum}, or one of them is 0", sum = quote(.sum))]
    ShareSum {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
        /// Their sum.
        sum: Rational,
    },
    /// No traffic.
    #[error("the certificate has no demand")]
    NoDemand,
    /// A demand of a host that does not exist, of a host to itself, or of amount 0.
    #[error("there is a bad demand from {s} to {d}")]
    BadDemand {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
    },
    /// A demand that has no path at all.
    #[error("the demand from {s} to {d} cannot be routed")]
    Unroutable {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
    },
    /// The flow loads a link more than the certificate says.
    #[error("the flow of the demands loads link {link} with {load}, more than the stated {optu}", load = quote(.load), optu = quote(.optu))]
    OptuExceeded {
        /// The link.
        link: LinkId,
        /// Its load.
        load: Rational,
        /// What the certificate says.
        optu: Rational,
    },
    /// A length of a link that does not exist, or a second one.
    #[error("the length of link {0} is repeated, or there is no such link")]
    BadLength(LinkId),
    /// Lengths that prove less than the claim says.
    #[error("the link lengths prove optu ≥ {proven} only, the claim says {lower}",
        proven = quote(.proven), lower = quote(.lower))]
    LengthsTooShort {
        /// What they prove.
        proven: Rational,
        /// What the claim says.
        lower: Rational,
    },
    /// The witness names a link that does not exist.
    #[error("the witness link {0} does not exist")]
    NoWitnessLink(LinkId),
    /// The witness does not load its link enough.
    #[error("the witness loads its link with {load}, the claim on {} needs {needed}", quantity,
        load = quote(.load), needed = quote(.needed))]
    WitnessTooLight {
        /// The quantity of the claim.
        quantity: &'static str,
        /// What the routing puts on the link.
        load: Rational,
        /// What the claim needs.
        needed: Rational,
    },
    /// The witness of a claim on permutations is not a permutation.
    #[error("the witness is not a permutation: host {0} has two demands, or one above 1")]
    NotNodeDisjoint(Host),
    /// Traffic that hosts cannot send or receive.
    #[error("host {0} sends or receives more than the capacity of its links")]
    HoseExceeded(Host),
    /// A bound on all routings without a claim about the routing that attains it.
    #[error("the `least` record is about {0}, which is not claimed or cannot have such a record")]
    LeastOfNothing(&'static str),
    /// Traffic against a link that does not exist.
    #[error("the `against` record names link {0}, which does not exist")]
    AgainstNoLink(LinkId),
    /// Traffic against a link without a flow.
    #[error("the traffic against link {0} needs a `route`: it counts only if it can be routed")]
    AgainstUnrouted(LinkId),
    /// Traffic against a link with a flow where a flow means nothing.
    #[error("the traffic against link {0} has a `route`, but hose loads count what hosts send")]
    AgainstRouted(LinkId),
    /// The routing uses a path outside those that routings may use.
    #[error("a path of ({s},{d}) is not among those that routings may use")]
    NotAllowed {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
    },
    /// Weighted traffic that proves less than the certificate says.
    #[error("weighted traffic proves {quantity} ≥ {proven} only, the certificate says {lower}", proven = quote(.proven), lower = quote(.lower))]
    LeastTooLow {
        /// What is bounded.
        quantity: &'static str,
        /// What the traffic proves.
        proven: Rational,
        /// What the certificate says.
        lower: Rational,
    },
    /// A cut with a node that does not exist, or with the same node twice.
    #[error("a cut names node {0} twice, or there is no such node")]
    BadCutNode(NodeId),
    /// A cover that names a cut that does not exist, or cuts not in ascending order.
    #[error("the cover of link {link} names cut {cut}, which does not exist or is out of order")]
    BadCoverCut {
        /// The link.
        link: LinkId,
        /// The cut.
        cut: u32,
    },
    /// A cover with cuts where only hosts limit the traffic.
    #[error("the cover of link {0} uses cuts, where only hosts limit the traffic")]
    CutOfHosts(LinkId),
    /// A cover with a length of a link that does not exist, or links not in ascending order.
    #[error("the cover of link {link} names link {other}, which does not exist or is out of order")]
    BadCoverLength {
        /// The link that is covered.
        link: LinkId,
        /// The link with the length.
        other: LinkId,
    },
    /// A cover with lengths where only hosts limit the traffic.
    #[error("the cover of link {0} uses lengths, where only hosts limit the traffic")]
    LengthOfHosts(LinkId),
    /// A cover for a link that does not exist, or a second one for the same link.
    #[error("the cover of link {0} is repeated, or there is no such link")]
    BadCover(LinkId),
    /// A cover with a host that does not exist, or hosts not in ascending order.
    #[error("the cover of link {link} names host {host}, which does not exist or is out of order")]
    BadCoverHost {
        /// The link.
        link: LinkId,
        /// The host.
        host: Host,
    },
    /// A cover that leaves out a pair of its link.
    #[error("link {link} carries {share} of pair ({s},{d}), which its cover does not cover", share = quote(.share))]
    Uncovered {
        /// The link.
        link: LinkId,
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
        /// Share of the pair on the link.
        share: Rational,
    },
    /// A link without a cover whose sources prove less than a claim says, as do its destinations.
    #[error("the ends of link {link} prove load ≤ {weight} only, the claim on {} says {upper}",
        quantity, weight = quote(.weight), upper = quote(.upper))]
    EndsTooHeavy {
        /// The quantity of the claim.
        quantity: &'static str,
        /// The link.
        link: LinkId,
        /// The lesser of what sources and destinations prove.
        weight: Rational,
        /// What the claim says.
        upper: Rational,
    },
    /// A cover that proves less than the claim says.
    #[error("the cover of link {link} proves load ≤ {weight} only, the claim on {} says {upper}",
        quantity, weight = quote(.weight), upper = quote(.upper))]
    CoverTooHeavy {
        /// The quantity of the claim.
        quantity: &'static str,
        /// The link.
        link: LinkId,
        /// What the cover proves.
        weight: Rational,
        /// What the claim says.
        upper: Rational,
    },
    /// A record that is no automorphism, or one that the routing does not respect.
    #[error("{0}")]
    Automorphism(#[from] BadAutomorphism),
    /// A scheme that is none, or has contention, or bounds without evidence.
    #[cfg(feature = "names")]
    #[error("{0}")]
    Local(#[from] BadScheme),
    /// Groups, traffic or covers of jobs that are none, or bounds without evidence.
    #[error("{0}")]
    Jobs(#[from] BadJobs),
    /// A split of no written network, or classes or covers of hosts that are not alike.
    #[error("{0}")]
    Split(#[from] BadSplit),
    /// A formula that is not the encoding, or a proof that is not one.
    #[cfg(feature = "names")]
    #[error("{0}")]
    File(#[from] BadFile),
    /// A certificate that names its network, where no names are known.
    #[error("the network is named, and no names are known here: it has to be written out")]
    Named,
    /// A name without meaning, or what a certificate states about a named tree without proof.
    #[cfg(feature = "names")]
    #[error("{0}")]
    Tree(#[from] BadTree),
}
