//! The theorem battery: what the source papers state, checked against every implemented routing.
//!
//! A statement is a [`Kind`] of [`Statement`]: its sentence in the paper's terms (`about`), source
//! and number (`reference`), its hypothesis as predicates on networks and routings, and a check
//! that computes both sides on one case. The framework finds the cases up to a size ([`Scope`]),
//! runs them in parallel, and derives the verdict from what the checks found ([`Verdict`]); no
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
//! Every statement quotes the printed text, says whose it is, and carries its own check with one thing made false
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
//! use routebound::registry::Kind;
//! use routebound::theorem::{
//!     Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, shape, verify,
//! };
//! use routebound::topology::{Topology, generate};
//!
//! const KIND: Kind<Statement> = Kind {
//!     name: "or-hosts",
//!     usage: "or-hosts",
//!     options: &[],
//!     about: "FT(m,n) has m(m/2)^(n-1) processing nodes",
//!     reference: "[OR] II.B",
//!     examples: &["or-hosts"],
//!     build: Statement {
//!         hypothesis: "FT(m,n)",
//!         whose: Whose::Paper,
//!         quote: "the printed words, few and verbatim",
//!         subject: Subject::Networks { applies: |tree| shape::ft(tree).is_some(), check },
//!         remark: None,
//!         planted: |_| check_plus(&generate("ft(4,2)")?, 1),
//!     },
//! };
//!
//! fn check(tree: &Topology, _: &Scope) -> Result<Vec<Finding>, TheoremError> {
//!     check_plus(tree, 0)
//! }
//!
//! fn check_plus(tree: &Topology, plus: u64) -> Result<Vec<Finding>, TheoremError> {
//!     let Some((m, n)) = shape::ft(tree) else { return Ok(Vec::new()) };
//!     let claimed = u64::from(m * (m / 2).pow(n - 1)) + plus;
//!     let found = tree.hosts() as u64;
//!     Ok(vec![Finding::equal(tree.spec(), claimed, found, Basis::Exhaustive)])
//! }
//!
//! let progress = Progress::silent();
//! let verified = verify(&KIND, &Scope::new(16, &progress))?;
//! assert!(verified.verdict_text().starts_with("holds (proven on "));
//! assert!((KIND.build.planted)(&Scope::new(16, &progress))?.iter().all(Finding::fails));
//! # Ok::<(), TheoremError>(())
//! ```
//!
//! A statement about routed networks is [`Subject::Instances`] (the framework gives it every
//! routing of [`crate::routing::KINDS`] that fits), one about sets or numbers [`Subject::Cases`].
//! A finding that does not hold needs a [`Counterexample`].
//!
//! A new statement also needs `results/theorems.md` written again, an entry in `results/errata.md` if it has a remark,
//! a rule in `papers/published.rs` if it bounds any instance, and its name in `LARGER` of `tests/searches/theorems.rs`
//! if it says nothing up to 16 hosts.
//!
//! [`Kind`]: crate::registry::Kind
//! [`empirically`]: crate::papers::empirically
//! [`published`]: fn@crate::papers::published

mod case;
pub mod family;
mod finding;
pub mod oblivious;
pub mod planted;
mod remark;
pub mod root_capacity;
pub(crate) mod sample;
mod scope;
pub mod shape;
pub(crate) mod structure;
pub(crate) mod uses;
mod verdict;
pub(crate) mod walk;

pub use case::Case;
pub use finding::{Basis, Counterexample, Finding, Outcome};
pub use planted::Planted;
pub use remark::{Remark, RemarkKind, Whose};
pub use scope::{Scope, is_kind};
pub use verdict::{Verdict, Verified, stopped, verify};

use crate::adversary::AdversaryError;
use crate::adversary::delivery::AttackError;
use crate::assessment::{AssessmentError, OptimumError};
use crate::progress::Stopped;
use crate::rearrange::RearrangeError;
use crate::routing::{Instance, InstanceError, Routing};
use crate::simulation::delivery::DeliveryError;
use crate::simulation::delivery::sets::SetError;
use crate::simulation::layout::LayoutError;
use crate::simulation::registers::RegistersError;
use crate::synth::SynthError;
use crate::topology::{Topology, TopologyError};

/// What a paper states, in a form that can be checked.
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// The hypothesis in words; the predicates of `subject` are the same in code.
    pub hypothesis: &'static str,
    /// Whose statement it is.
    pub whose: Whose,
    /// The printed words that state it or that it rests on, few and verbatim; the place is the
    /// entry's `reference`.
    pub quote: &'static str,
    /// What it is about.
    pub subject: Subject,
    /// What is known besides its verdict.
    pub remark: Option<Remark>,
    /// Its check with one thing made false.
    pub planted: Planted,
}

/// What a statement is about, and how one case of it is checked. A check may find several things
/// about one network or instance; the names of all its findings differ.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// Networks, whatever the routing.
    Networks {
        /// The hypothesis.
        applies: fn(&Topology) -> bool,
        /// Both sides on one network.
        check: fn(&Topology, &Scope) -> Result<Vec<Finding>, TheoremError>,
    },
    /// Networks with a routing.
    Instances {
        /// The hypothesis on the network.
        applies: fn(&Topology) -> bool,
        /// The hypothesis on the routing.
        to: fn(&dyn Routing) -> bool,
        /// Both sides on one instance.
        check: fn(&Instance, &Scope) -> Result<Vec<Finding>, TheoremError>,
    },
    /// Sets of SD pairs, numbers, or all routings of a network at once.
    Cases {
        /// Both sides on all cases up to the size.
        check: fn(&Scope) -> Result<Vec<Finding>, TheoremError>,
    },
}

impl Subject {
    /// What the check finds on every case in the scope.
    ///
    /// # Errors
    /// Those of the check, and [`TheoremError::Stopped`] when the work was stopped.
    pub fn findings(self, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
        match self {
            Self::Networks { applies, check } => {
                scope.networks(applies, |topology| check(topology, scope))
            }
            Self::Instances { applies, to, check } => scope.networks(applies, |topology| {
                scope.routings_of(topology, to, |instance| check(instance, scope))
            }),
            Self::Cases { check } => check(scope),
        }
    }
}

/// Why checking a statement failed. That a statement does not hold is a finding, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TheoremError {
    /// The work was stopped.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// A network cannot be built.
    #[error("{0}")]
    Topology(#[from] TopologyError),
    /// An instance cannot be built.
    #[error("{0}")]
    Instance(#[from] InstanceError),
    /// An instance cannot be assessed.
    #[error("{0}")]
    Assessment(Box<AssessmentError>),
    /// An optimal load cannot be assessed.
    #[error("{0}")]
    Optimum(Box<OptimumError>),
    /// The best routing of a tree cannot be searched.
    #[error("{0}")]
    Synth(Box<SynthError>),
    /// An adversary failed.
    #[error("{0}")]
    Adversary(#[from] Box<AdversaryError>),
    /// Something that the check needs exceeds a limit.
    #[error("{0}")]
    TooLarge(#[from] crate::limit::TooLarge),
    /// Traffic of a check cannot be generated.
    #[error("{0}")]
    Traffic(#[from] crate::traffic::TrafficError),
    /// Messages of a check are not delivered.
    #[error("{0}")]
    Delivery(DeliveryError),
    /// A network of a check lacks what the check needs: a defect of its hypothesis.
    #[error("the hypothesis of a statement accepts `{0}`, which is a defect")]
    Hypothesis(String),
    /// A planted falsehood changed nothing.
    #[error("the planted falsehood of a statement changes no routing of `{0}`, which is a defect")]
    NotPlanted(String),
}

impl From<LayoutError> for TheoremError {
    fn from(error: LayoutError) -> Self {
        match error {
            LayoutError::Stopped(stopped) => stopped.into(),
            LayoutError::TooLarge(error) => error.into(),
            other => Self::Hypothesis(other.to_string()),
        }
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

impl From<RearrangeError> for TheoremError {
    fn from(error: RearrangeError) -> Self {
        match error {
            RearrangeError::Stopped(stopped) => stopped.into(),
            other => Self::Hypothesis(other.to_string()),
        }
    }
}

impl From<DeliveryError> for TheoremError {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::Stopped(stopped) => stopped.into(),
            DeliveryError::TooLarge(error) => error.into(),
            other => Self::Delivery(other),
        }
    }
}

impl From<SetError> for TheoremError {
    fn from(error: SetError) -> Self {
        match error {
            SetError::Messages(error) => (*error).into(),
            SetError::TooLarge(error) => error.into(),
            other => Self::Hypothesis(other.to_string()),
        }
    }
}

impl From<AttackError> for TheoremError {
    fn from(error: AttackError) -> Self {
        match error {
            AttackError::Delivery(error) => error.into(),
            AttackError::TooLarge(error) => error.into(),
            other => Self::Hypothesis(other.to_string()),
        }
    }
}

impl From<RegistersError> for TheoremError {
    fn from(error: RegistersError) -> Self {
        match error {
            RegistersError::Stopped(stopped) => stopped.into(),
            RegistersError::TooLarge(error) => error.into(),
            other => Self::Hypothesis(other.to_string()),
        }
    }
}

impl From<SynthError> for TheoremError {
    fn from(error: SynthError) -> Self {
        Self::Synth(Box::new(error))
    }
}
