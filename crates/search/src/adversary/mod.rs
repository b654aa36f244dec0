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
//! Anyone may implement [`Adversary`]:
//!
//! ```
//! # use routebound_search as routebound;
//! use routebound::adversary::{
//!     Adversary, AdversaryError, AttackContext, Finding, Oblivious, Trials,
//! };
//! use routebound::{bounds::Evidence, progress::Progress, rational::Rational, routing::Instance};
//! use routebound::{topology::Host, traffic::Demand};
//!
//! /// Every shift by k: host i sends to host i + k.
//! struct Shifts;
//!
//! impl Adversary<Oblivious> for Shifts {
//!     fn attack(
//!         &self,
//!         spec: &str,
//!         context: &AttackContext<'_>,
//!         progress: &Progress,
//!     ) -> Result<Finding, AdversaryError> {
//!         let (hosts, mut trials) = (context.hosts() as Host, Trials::new());
//!         for k in (1..hosts).take_while(|_| !progress.cancelled()) {
//!             let demand = |s| Demand { s, d: (s + k) % hosts, amount: Rational::ONE };
//!             trials.judge(context, (0..hosts).map(demand).collect(), &Progress::silent())?;
//!             progress.inc(1);
//!         }
//!         let mut finding = trials.finding(spec, Evidence::Claimed("shifts".to_string()));
//!         finding.stopped = progress.cancelled();
//!         Ok(finding)
//!     }
//! }
//!
//! // D-mod-k carries every shift without contention; a tree of shortest paths over one root does
//! // not: all four hosts of a switch send over the same link.
//! for (routing, lower) in [("dmodk", 1), ("kpath(k=1)", 4)] {
//!     let instance = Instance::named("ft(8,2)", routing)?;
//!     let context = AttackContext::new(&instance, &Progress::silent())?;
//!     let finding = Shifts.attack("shifts", &context, &Progress::silent())?;
//!     assert_eq!((finding.worst.lower, finding.evaluations), (Rational::from(lower), 31));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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

pub use crate::attack::{Adversary, Built, Target, Work};

use crate::advice::{Advice, Remedy};
use crate::attack;
use crate::bounds::Witness;
use crate::prelude::*;
use crate::registry::UnknownName;
use crate::routing::RoutingError;
use crate::spec::SpecError;
use crate::worst_case::WorstCaseError;

/// Routings that do not see the traffic, as a target of adversaries: the worst traffic has the maximum load ÷ optu.
#[derive(Clone, Copy, Debug)]
pub struct Oblivious;

impl Target for Oblivious {
    type Site<'t> = AttackContext<'t>;
    type Worst = Ratio;
    type Error = AdversaryError;
    const ADVERSARY: &'static str = "adversary";
    const KINDS: &'static [Kind<Method>] = KINDS;
}

/// Builds an adversary from its spec.
pub type Build = attack::Build<Oblivious>;

/// The finding of an adversary, or why it failed.
pub type Attacked = attack::Attacked<Oblivious>;

/// A method of finding traffic that is bad for a routing.
pub type Method = attack::Method<Oblivious>;

/// The result of an adversary of a routing; made by [`Trials`], so that its traffic was judged in exact arithmetic.
pub type Finding = attack::Finding<Ratio>;

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

/// The traffic of the maximum load ÷ optu that was found, and what follows for the oblivious ratio.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Ratio {
    /// Traffic with its most loaded link and a routing that bounds its optu.
    pub witness: Option<Witness>,
    /// The load of that link.
    pub load: Rational,
    /// load ÷ optu: the oblivious ratio is at least this.
    pub lower: Rational,
    /// Upper bound on the oblivious ratio, if the adversary claims one.
    pub upper: Option<Rational>,
    /// The evaluations at which the best ratio rose, each with the new ratio.
    pub curve: Vec<(u64, Rational)>,
    /// Statistics of adversaries that sample.
    pub statistics: Option<Statistics>,
}

impl Ratio {
    /// Refuses a ratio that the search claims and its traffic does not prove.
    fn check(&self, adversary: &str, claimed: &Rational) -> Result<(), AdversaryError> {
        if self.lower >= *claimed {
            return Ok(());
        }
        let (claimed, found) = (claimed.clone(), self.lower.clone());
        Err(AdversaryError::Defect { adversary: adversary.to_string(), claimed, found })
    }
}

impl From<Option<Verdict>> for Ratio {
    fn from(verdict: Option<Verdict>) -> Self {
        verdict.map_or_else(Self::default, |Verdict { witness, load, lower }| Self {
            witness: Some(witness),
            load,
            lower,
            ..Self::default()
        })
    }
}

/// Why an adversary failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum AdversaryError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("the shares and capacities have no common unit within 60 bits: {0}")]
    Denominators(#[source] Advice),
    #[error(transparent)]
    Even(#[from] RoutingError),
    #[error(transparent)]
    WorstCase(#[from] WorstCaseError),
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[cfg(feature = "highs")]
    #[error(transparent)]
    Lp(#[from] crate::lp::program::SolveError),
    /// A search and exact arithmetic disagree: an error in this program.
    #[error(
        "internal error: `{adversary}` claims a ratio of {claimed}, exact arithmetic finds {found}; please report it"
    )]
    Defect { adversary: String, claimed: Rational, found: Rational },
}

impl AdversaryError {
    pub(crate) const DENOMINATORS: Self = Self::Denominators(Advice::new(
        "give every link capacity 1, or find the worst case by the exact analysis",
        &[Remedy::UnitCapacities, Remedy::ExactAnalysis],
    ));
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
/// assert_eq!(finding.worst.lower.to_string(), "7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(spec: &str) -> Result<Built<Oblivious>, AdversaryError> {
    attack::build(spec)
}
