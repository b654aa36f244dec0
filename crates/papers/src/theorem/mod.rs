//! The theorem battery: what the source papers state, checked against every implemented routing.
//!
//! A [`Statement`] is data: its sentence in the paper's terms (`about`), source and number (`reference`), its
//! hypothesis as predicates on networks and routings, and a check that computes both sides on one case. The framework
//! finds the cases up to a size ([`Scope`]), runs them in parallel, and derives the verdict from what the checks found ([`Verdict`]); no
//! verdict is written by hand.
//!
//! # Evidence
//! A case is *proven* when the checker accepted a certificate for it, or when everything that the
//! statement covers was enumerated; *sampled* with trials and seed; *claimed* when a solver said
//! so. See [`Basis`].
//!
//! Cases that satisfy the hypothesis but say nothing, such as a tree with one host per switch,
//! are [`Outcome::Vacuous`] and counted separately. So are cases that an argument decides of which no run
//! computes a part ([`Finding::argued`]): they support no other verdict than [`Verdict::Argued`].
//!
//! # Remarks
//! A paper may be wrong or imprecise, its bound may be attained nowhere, or a verdict may depend on
//! how we read a word. The statement then carries a [`Remark`] that lists the cases where this
//! shows, by the numbers of each [`Case`]. A run has to find exactly these cases: a failure that no
//! remark lists is a difference, and so is a listed case that suddenly holds. What the papers have wrong is in
//! `results/errata.md`.
//!
//! Generators differ from the printed text where it cannot be followed. `osrm2` chooses group sizes that exist for
//! every m (Fig 9 leaves the range of roots for non-square m/2). `osrm3` ends at switch ((d0,d1),2) (Fig 10 prints
//! ((d0,s1),2)). `universal` settles what \[GL\] 2 leaves open: which levels of a period grow; it has the root
//! channel, which needs a node at its other end, only with `root=open`, and `bft` has none. `grid` is in no paper: a
//! closed form that reaches ⌈√(m/2)⌉ on every FT(m,2).
//!
//! # Planted falsehoods
//! Every statement quotes the printed text, unless it is as recalled, says whose it is, and carries its own check with one thing made false
//! ([`planted`]), which has to fail.
//!
//! # Adversaries
//! The bounds that statements put on the oblivious ratio of any instance are in [`published`].
//! [`empirically`] lets the adversaries try to reach and to break them.
//!
//! # How to add a statement
//! One file in `statements` of its paper, one `mod` line and one line in the slice of that folder:
//!
//! ```
//! # use routebound_papers as routebound;
//! use routebound::progress::Progress;
//! use routebound::theorem::{
//!     Basis, Finding, Findings, Planted, Scope, Statement, TheoremError, fits, planted, shape, verify,
//! };
//! use routebound::topology::Topology;
//!
//! static HOSTS: Statement = Statement::new("or-hosts", "[OR] II.B")
//!     .about("FT(m,n) has m(m/2)^(n-1) processing nodes")
//!     .hypothesis("FT(m,n)")
//!     .quote("the printed words, few and verbatim")
//!     .networks(|tree| shape::ft(tree).is_some(), |tree, _| check(tree, 0))
//!     .planted(Planted::Network("ft(4,2)", |tree, _| check(tree, 1)));
//!
//! fn check(tree: &Topology, plus: u64) -> Findings {
//!     let (m, n) = fits(tree, shape::ft)?;
//!     let claimed = u64::from(m * (m / 2).pow(n - 1)) + plus;
//!     Ok(vec![Finding::equal(tree.spec(), claimed, tree.hosts() as u64, Basis::Exhaustive)])
//! }
//!
//! let progress = Progress::silent();
//! let scope = Scope::new(16, &progress);
//! assert!(verify(&HOSTS, &scope)?.verdict_text().starts_with("holds (proven on "));
//! assert!(planted::notice(&HOSTS, &scope)?.is_some());
//! # Ok::<(), TheoremError>(())
//! ```
//!
//! A statement about routed networks is [`Subject::Instances`] (the framework gives it every
//! routing of [`crate::routing::KINDS`] that fits), one about sets or numbers [`Subject::Cases`]. One that bounds the
//! oblivious ratio is [`Subject::Ratio`]: its check and what [`published`] says both follow from one value.
//! A finding that does not hold needs a [`Counterexample`].
//!
//! A new statement also needs `results/theorems.md` written again, an entry in `results/errata.md` if it has a remark,
//! and its name in `LARGER` of `tests/searches/theorems.rs`
//! if it says nothing up to 16 hosts.
//!
//! [`empirically`]: crate::papers::empirically
//! [`published`]: fn@crate::papers::published

pub(crate) mod bounded;
mod case;
pub(crate) mod direct;
#[cfg(feature = "highs")]
mod exact_program;
pub mod family;
mod finding;
#[cfg(feature = "highs")]
pub(crate) mod hops;
#[cfg(feature = "highs")]
pub(crate) mod locality;
mod numbers;
pub mod oblivious;
pub mod planted;
pub(crate) mod prelude;
mod remark;
pub mod root_capacity;
pub(crate) mod sample;
mod scope;
pub mod shape;
mod statement;
pub(crate) mod structure;
pub(crate) mod unsplittable;
pub(crate) mod uses;
mod verdict;
pub(crate) mod walk;

pub use case::Case;
pub use finding::{Basis, Counterexample, Finding, Outcome};
pub use planted::Planted;
pub use remark::{Remark, RemarkKind, Whose};
pub use scope::{Scope, is_kind, is_single_path};
pub use statement::{
    Bound, Findings, InstanceCheck, NO_RATIO_BELOW_1, NetworkCheck, ONE_PATH, OfRouting,
    OfTopology, ScopeCheck, Side, Statement, Subject, Value, fits,
};
pub use verdict::{Verdict, Verified, stopped, verify};

use crate::adversary::AdversaryError;
use crate::adversary::delivery::AttackError;
use crate::assessment::{AssessmentError, OptimumError};
use crate::progress::Stopped;
use crate::rearrange::RearrangeError;
use crate::routing::InstanceError;
use crate::simulation::delivery::DeliveryError;
use crate::simulation::delivery::sets::SetError;
use crate::simulation::layout::LayoutError;
use crate::simulation::registers::RegistersError;
use crate::synth::SynthError;
use crate::topology::TopologyError;

/// What a check finds, or why it could not be carried out.
pub(crate) type Result<T, E = TheoremError> = std::result::Result<T, E>;

/// Why checking a statement failed. That a statement does not hold is a finding, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum TheoremError {
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    Topology(#[from] TopologyError),
    #[error(transparent)]
    Instance(#[from] InstanceError),
    #[error("{0}")]
    Assessment(Box<AssessmentError>),
    #[error("{0}")]
    Optimum(Box<OptimumError>),
    #[cfg(feature = "highs")]
    #[error("{0}")]
    Optimal(Box<crate::assessment::OptimalAssessmentError>),
    #[error("{0}")]
    Synth(Box<SynthError>),
    #[error("{0}")]
    Adversary(#[from] Box<AdversaryError>),
    #[error("{0}")]
    TooLarge(#[from] crate::limit::TooLarge),
    #[error(transparent)]
    Traffic(#[from] crate::traffic::TrafficError),
    #[error("{0}")]
    Delivery(DeliveryError),
    #[error("internal error: the hypothesis of a statement accepts `{0}`; please report it")]
    Hypothesis(String),
    #[error(
        "internal error: the planted falsehood of a statement changes no routing of `{0}`; please report it"
    )]
    NotPlanted(String),
}

/// Conversions of errors of which these variants are errors here too, and all others are made one by the function.
macro_rules! from_errors {
    ($($error:ident: $($variant:ident),+ => $other:expr;)+) => {$(
        impl From<$error> for TheoremError {
            fn from(error: $error) -> Self {
                match error {
                    $($error::$variant(error) => error.into(),)+
                    other => $other(other),
                }
            }
        }
    )+};
}

from_errors! {
    LayoutError: Stopped, TooLarge => defect;
    RearrangeError: Stopped => defect;
    DeliveryError: Stopped, TooLarge => Self::Delivery;
    SetError: Messages, TooLarge => defect;
    AttackError: Delivery, TooLarge => defect;
    RegistersError: Stopped, TooLarge => defect;
}

/// The hypothesis of a statement accepts what it should not: a defect.
pub(crate) fn defect(what: impl std::fmt::Display) -> TheoremError {
    TheoremError::Hypothesis(what.to_string())
}

impl From<Box<DeliveryError>> for TheoremError {
    fn from(error: Box<DeliveryError>) -> Self {
        (*error).into()
    }
}

impl From<AssessmentError> for TheoremError {
    fn from(error: AssessmentError) -> Self {
        Self::Assessment(Box::new(error))
    }
}

impl From<OptimumError> for TheoremError {
    fn from(error: OptimumError) -> Self {
        Self::Optimum(Box::new(error))
    }
}

#[cfg(feature = "highs")]
impl From<crate::assessment::OptimalAssessmentError> for TheoremError {
    fn from(error: crate::assessment::OptimalAssessmentError) -> Self {
        use crate::assessment::OptimalAssessmentError::Search;
        match error {
            Search(crate::lp::optimal::OptimalError::Stopped(stopped)) => stopped.into(),
            other => Self::Optimal(Box::new(other)),
        }
    }
}

impl From<SynthError> for TheoremError {
    fn from(error: SynthError) -> Self {
        Self::Synth(Box::new(error))
    }
}
