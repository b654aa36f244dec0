//! Every reason to refuse what a certificate states about a named instance.

use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::Host;

/// Why a named instance, or what a certificate states about a named tree, is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadTree {
    #[error("the instance cannot be generated: {0}")]
    Instance(String),
    #[error("a named routing must not depend on a file: the certificate has to hold its paths")]
    FileRouting,
    #[error(
        "a named routing takes shortest paths by hops: the certificate has to hold the paths of others"
    )]
    DetourRouting,
    /// A bound on single-path routings without a claim on this one, or on a quantity that such
    /// bounds are not about.
    #[error("the bound on single-path routings is on {0}, which is not claimed or not covered")]
    SinglePathOfNothing(&'static str),
    #[error("a bound on all single-path routings needs a named tree")]
    NoTree,
    #[error("pair ({s},{d}) does not have one path that leads up, then down")]
    NotSinglePath { s: Host, d: Host },
    #[error(
        "the refutation is about covers of hosts, but subtrees of height {height} cover too: \
             they have no more than {ratio} links up"
    )]
    CoveredBySubtrees { height: usize, ratio: u32 },
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
    #[error("height {0} has no subtrees to count pairs between, or is not below the second one")]
    BadHeight(usize),
    #[error("the ports may carry {carried} pairs, and there are only {wanted}")]
    CountTooHigh { carried: u64, wanted: u64 },
    #[error("a product form needs a named tree with links of capacity 1 and a named routing")]
    NoProductForm,
    #[error("each claim needs one `busiest` record, and none may be on the hose load: {0}")]
    BusiestOfNothing(&'static str),
    #[error("the busiest link of {0} does not exist: its ports or digits are not the tree's")]
    NoLabelledLink(&'static str),
    #[error(
        "there are no pairs with nearest common ancestors at level {0} and these digits on the busiest link"
    )]
    SentByNobody(usize),
    #[error(
        "the traffic of the busiest link of {quantity} exceeds what a subtree of height {height} can carry"
    )]
    SentTooMuch { quantity: &'static str, height: usize },
    #[error("the traffic loads the busiest link with {load}, less than the claim on {quantity}", load = quote(.load))]
    SentTooLittle { quantity: &'static str, load: Rational },
    #[error("a link {} of step {step} may have load {load}, more than the claim on {quantity}",
        if *.up { "up" } else { "down" }, load = quote(.load))]
    StepTooHeavy { quantity: &'static str, up: bool, step: u8, load: Rational },
    #[error("the formula is not about a part of the tree")]
    NoPart,
}
