//! Adversaries: searches for traffic that loads some link far beyond optu.
//!
//! Every adversary returns a [`Finding`]: traffic, its most loaded link, the exact load there, and
//! a certain upper bound on the optu of that traffic. load ÷ optu is a lower bound on the
//! oblivious ratio and never exceeds it: what a search claims about its traffic is recomputed in
//! exact rationals, independently of the search ([`AttackContext::judge`]).
//!
//! Searches move from permutation to permutation by swapping two destinations
//! ([`IncrementalLoads`]). Each random restart has its own stream of the generator; restarts run in
//! fixed blocks and are merged in order, so the same seed and number of trials give the same
//! finding on any number of threads. A deadline ends a search early: how far it got then depends
//! on timing.
//!
//! One file per adversary. To add one, add its file, its `mod` line and its line in [`KINDS`].
//!
//! Where the exact load differs from what the search counted in integers, the program says so and stops. What an
//! adversary needs before it can search is prepared with the time checked throughout, and where it is stopped before it
//! has found anything, one permutation is measured ([`or_first`]): a lower bound with a witness.
//!
//! No test says that a new adversary belongs in `results/theorems.md`, or in the table of `own/adversaries.rs`. An
//! option that limits its work other than `trials`, `programs`, `pairs` and `permutations` has its number in
//! `papers/budget.rs` and in `LIMITS` of `tests/structure/registries/adversaries.rs`.

mod anneal;
mod candidate_links;
mod climb;
mod context;
mod even;
mod exhaustive;
mod first;
#[cfg(feature = "highs")]
mod ilp;
mod incremental_loads;
mod judge;
mod matching;
mod patterns;
mod random;
mod record;
mod statistics;
mod symmetry;
mod trials;
mod uses;

pub use context::{AttackContext, MAX_HOSTS};
pub use first::or_first;
pub use incremental_loads::IncrementalLoads;
pub use judge::Verdict;
pub use statistics::Statistics;
pub use trials::Trials;
pub use uses::MEMORY;

use crate::bounds::{Evidence, Witness};
use crate::limit::TooLarge;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::registry::{self, Kind, UnknownName};
use crate::routing::RoutingError;
use crate::spec::{Spec, SpecError};
use crate::worst_case::WorstCaseError;

/// Builds an adversary from its spec.
pub type Build = fn(&Spec) -> Result<Box<dyn Adversary>, AdversaryError>;

/// A method of finding bad traffic.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Builds the adversary.
    pub build: Build,
    /// What it spends its time on.
    pub work: Work,
}

/// What an adversary spends its time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Traffic that is known beforehand is measured.
    Measures,
    /// Random traffic is measured, every sample in full.
    Samples,
    /// Traffic is improved step by step, or link by link.
    Searches,
    /// Every permutation is tried: where that comes to an end, no other has to.
    TriesAll,
    /// The exact analysis of the verb `ratio`, which is no search.
    Analyses,
}

/// Every adversary. `attack --all` runs all of their examples.
pub const KINDS: &[Kind<Method>] = &[
    patterns::KIND,
    random::KIND,
    climb::KIND,
    anneal::KIND,
    exhaustive::KIND,
    #[cfg(feature = "highs")]
    ilp::KIND,
    matching::KIND,
];

/// A search for bad traffic. Anyone may implement it:
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::adversary::{Adversary, AdversaryError, AttackContext, Finding, Trials};
/// use routebound::{bounds::Evidence, progress::Progress, rational::Rational, routing::Instance};
/// use routebound::{topology::Host, traffic::Demand};
///
/// /// Every shift by k: host i sends to host i + k.
/// struct Shifts;
///
/// impl Adversary for Shifts {
///     fn spec(&self) -> &str {
///         "shifts"
///     }
///
///     fn attack(
///         &self,
///         context: &AttackContext<'_>,
///         progress: &Progress,
///     ) -> Result<Finding, AdversaryError> {
///         let (hosts, mut trials) = (context.hosts() as Host, Trials::new());
///         for k in (1..hosts).take_while(|_| !progress.cancelled()) {
///             let demand = |s| Demand { s, d: (s + k) % hosts, amount: Rational::ONE };
///             trials.judge(context, (0..hosts).map(demand).collect(), &Progress::silent())?;
///             progress.inc(1);
///         }
///         let mut finding = trials.finding(self.spec(), Evidence::Claimed("shifts".to_string()));
///         finding.stopped = progress.cancelled();
///         Ok(finding)
///     }
/// }
///
/// // D-mod-k carries every shift without contention; a tree of shortest paths over one root does
/// // not: all four hosts of a switch send over the same link.
/// for (routing, lower) in [("dmodk", 1), ("kpath(k=1)", 4)] {
///     let instance = Instance::named("ft(8,2)", routing)?;
///     let context = AttackContext::new(&instance, &Progress::silent())?;
///     let finding = Shifts.attack(&context, &Progress::silent())?;
///     assert_eq!((finding.lower, finding.evaluations), (Rational::from(lower), 31));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Adversary: Send + Sync {
    /// The canonical spec.
    fn spec(&self) -> &str;

    /// Whether several processes can share its work ([`AttackContext::shared_by`]), as they can that of
    /// every adversary of this crate. If not, the part of a shard would hold nothing of it: only the
    /// merge runs it.
    fn is_shared(&self) -> bool {
        false
    }

    /// Searches until its trials are used up, nothing more can be found, or `progress` is
    /// cancelled; in the last case the finding is the best so far. `progress` counts evaluations.
    ///
    /// # Errors
    /// [`AdversaryError`] when the instance is too large for this adversary.
    fn attack(
        &self,
        context: &AttackContext<'_>,
        progress: &Progress,
    ) -> Result<Finding, AdversaryError>;
}

/// What an adversary found; made by [`Trials`], so that its traffic was judged in exact arithmetic.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// Canonical spec of the adversary.
    pub adversary: String,
    /// Traffic with its most loaded link and a routing that bounds its optu; `None` when the work
    /// was stopped before anything was evaluated, or nothing fits the instance.
    pub witness: Option<Witness>,
    /// The load of that link.
    pub load: Rational,
    /// load ÷ optu: the oblivious ratio is at least this.
    pub lower: Rational,
    /// Upper bound on the oblivious ratio, if the adversary claims one.
    pub upper: Option<Rational>,
    /// Evidence for the bounds.
    pub evidence: Evidence,
    /// Traffic evaluated: permutations, swaps, matrices, programs or links.
    pub evaluations: u64,
    /// The evaluations at which the best ratio rose, each with the new ratio.
    pub curve: Vec<(u64, Rational)>,
    /// Only from adversaries that sample.
    pub statistics: Option<Statistics>,
    /// Whether it was stopped before it finished.
    pub stopped: bool,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

impl Finding {
    /// Nothing found: where a search begins. What it finds comes from [`Trials::finding`].
    #[must_use]
    pub fn nothing(adversary: &str, evidence: Evidence) -> Self {
        Self {
            adversary: adversary.to_string(),
            witness: None,
            load: Rational::ZERO,
            lower: Rational::ZERO,
            upper: None,
            evidence,
            evaluations: 0,
            curve: Vec::new(),
            statistics: None,
            stopped: false,
            notes: Vec::new(),
        }
    }

    fn with(self, verdict: Option<Verdict>) -> Self {
        match verdict {
            None => self,
            Some(Verdict { witness, load, lower }) => {
                Self { witness: Some(witness), load, lower, ..self }
            }
        }
    }
}

/// Why an adversary failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdversaryError {
    /// The spec is malformed or its arguments do not fit.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// No adversary of that name.
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// Shares or capacities that are not integers in a common unit.
    #[error(
        "the shares and capacities have no common unit within 60 bits: give every link capacity 1, or find the worst case by the exact analysis"
    )]
    Denominators,
    /// The even split, against which networks without labels are measured.
    #[error("{0}")]
    Even(#[from] RoutingError),
    /// The exact analysis failed.
    #[error("{0}")]
    WorstCase(#[from] WorstCaseError),
    /// Stopped before there was any result.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// The linear program could not be solved.
    #[cfg(feature = "highs")]
    #[error("{0}")]
    Lp(#[from] crate::lp::program::SolveError),
    /// A search and exact arithmetic disagree: a defect in this program.
    #[error(
        "the search says {claimed}, exact arithmetic {found}, which is a defect of `{adversary}`"
    )]
    Defect {
        /// The adversary.
        adversary: String,
        /// The ratio that the search claims its traffic proves.
        claimed: Rational,
        /// The ratio that it does prove.
        found: Rational,
    },
}

/// Builds the adversary that `spec` describes.
///
/// # Errors
/// [`AdversaryError`] when the name is unknown or the arguments do not fit.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{adversary::{self, AttackContext}, progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(8,3)", "dmodk")?;
/// let context = AttackContext::new(&instance, &Progress::silent())?;
/// let climb = adversary::build("climb(seed=1)")?;
/// let finding = climb.attack(&context, &Progress::silent())?;
/// assert_eq!(finding.lower.to_string(), "7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(spec: &str) -> Result<Box<dyn Adversary>, AdversaryError> {
    let spec = Spec::parse(spec)?;
    let kind = registry::find(KINDS, "adversary", &spec.name)?;
    if spec.path.is_some() {
        return Err(spec.bad(kind.usage, "an adversary takes no `:` and path").into());
    }
    (kind.build.build)(&spec)
}
