//! Every reason to refuse what a certificate states about a named instance.

use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::Host;

/// Why a named instance, or what a certificate states about a named tree, is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadTree {
    /// A named instance that cannot be generated.
    #[error("the instance cannot be generated: {0}")]
    Instance(String),
    /// A routing from a file, which may have changed since.
    #[error("a named routing must not depend on a file: the certificate has to hold its paths")]
    FileRouting,
    /// A routing whose paths may have more links than shortest ones, or one with the option `weights`.
    #[error(
        "a named routing takes shortest paths by hops: the certificate has to hold the paths of others"
    )]
    DetourRouting,
    /// A bound on single-path routings without a claim on this one, or on a quantity that such
    /// bounds are not about.
    #[error("the bound on single-path routings is on {0}, which is not claimed or not covered")]
    SinglePathOfNothing(&'static str),
    /// A bound on single-path routings of a network without labels.
    #[error("a bound on all single-path routings needs a named tree")]
    NoTree,
    /// A pair with several paths, or one that does not just lead up and down.
    #[error("pair ({s},{d}) does not have one path that leads up, then down")]
    NotSinglePath {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
    },
    /// A ratio that covers of whole subtrees might prove.
    #[error(
        "the refutation is about covers of hosts, but subtrees of height {height} cover too: \
             they have no more than {ratio} links up"
    )]
    CoveredBySubtrees {
        /// Height of the subtrees.
        height: usize,
        /// The refuted ratio.
        ratio: u32,
    },
    /// No refutation where one is needed.
    #[error(
        "the bound on single-path routings is above what one host weighs and needs a refutation"
    )]
    NotTrivial,
    /// A refutation where there is nothing to refute.
    #[error(
        "the bound on single-path routings is no more than what one host weighs: its refutation \
         is `trivial`"
    )]
    IsTrivial,
    /// A height without subtrees to join, or two heights in the wrong order.
    #[error("height {0} has no subtrees to count pairs between, or is not below the second one")]
    BadHeight(usize),
    /// A count that refutes nothing.
    #[error("the ports may carry {carried} pairs, and there are only {wanted}")]
    CountTooHigh {
        /// What all ports together may carry.
        carried: u64,
        /// What they have to carry.
        wanted: u64,
    },
    /// A product form of something else than a named routing of a named tree.
    #[error("a product form needs a named tree with links of capacity 1 and a named routing")]
    NoProductForm,
    /// A claim without a `busiest` record, or such a record without a claim, or a second one.
    #[error("each claim needs one `busiest` record, and none may be on the hose load: {0}")]
    BusiestOfNothing(&'static str),
    /// Labels of a link that the tree does not have.
    #[error("the busiest link of {0} does not exist: its ports or digits are not the tree's")]
    NoLabelledLink(&'static str),
    /// Traffic of pairs that do not use the link.
    #[error(
        "there are no pairs with nearest common ancestors at level {0} and these digits on the busiest link"
    )]
    SentByNobody(usize),
    /// Traffic that exceeds what subtrees of a height can send or receive.
    #[error(
        "the traffic of the busiest link of {quantity} exceeds what a subtree of height {height} can carry"
    )]
    SentTooMuch {
        /// The quantity of the claim.
        quantity: &'static str,
        /// The height.
        height: usize,
    },
    /// Traffic that does not load its link enough.
    #[error("the traffic loads the busiest link with {load}, less than the claim on {quantity}", load = quote(.load))]
    SentTooLittle {
        /// The quantity of the claim.
        quantity: &'static str,
        /// What the routing puts on the link.
        load: Rational,
    },
    /// Links whose cuts allow more than the claim says.
    #[error("a link {} of step {step} may have load {load}, more than the claim on {quantity}",
        if *.up { "up" } else { "down" }, load = quote(.load))]
    StepTooHeavy {
        /// The quantity of the claim.
        quantity: &'static str,
        /// Whether the link leads up.
        up: bool,
        /// The step.
        step: u8,
        /// What the cuts allow.
        load: Rational,
    },
    /// A part that the tree does not have.
    #[error("the formula is not about a part of the tree")]
    NoPart,
}
