//! Algorithms that group messages into delivery cycles, as \[GL\] prints them.

mod greedy;
mod offline;
mod random;
mod random_prime;
mod repeated;

use super::run::Run;
use super::{DeliveryError, GuessesError};
use crate::prelude::*;
use crate::registry::{self, UnknownName};
use crate::spec::SpecError;

/// Sends the messages of a run until all have arrived.
pub trait Algorithm: Send + Sync {
    /// Spec of the algorithm with the values of all options.
    fn spec(&self) -> String;

    /// Cycle by cycle.
    ///
    /// # Errors
    /// [`DeliveryError::Stopped`] with what has been delivered by then in the run.
    fn deliver(&self, run: &mut Run<'_>) -> Result<(), DeliveryError>;

    /// Whether every message takes a random wire up (\[GL\] 6, Figure 8) instead of passing
    /// concentrators.
    fn takes_wires(&self) -> bool {
        false
    }
}

/// Facts about the tree and the messages that an algorithm may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Number n of processors.
    pub processors: usize,
    /// Number of messages.
    pub messages: u64,
    /// An upper bound on the congestion parameter r; `None` where there is none.
    pub congestion: Option<Rational>,
}

/// Why there is no such algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum AlgorithmError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error(transparent)]
    Guesses(#[from] GuessesError),
    #[error("`{spec}` needs the congestion parameter r, which this network does not have: give r=")]
    NoCongestion { spec: String },
}

/// Builds an algorithm from its spec.
pub type Build = fn(&Spec, &Facts) -> Result<Box<dyn Algorithm>, AlgorithmError>;

/// Every algorithm.
pub const ALGORITHMS: &[Kind<Build>] = &[
    random::RANDOM,
    random::TRY_GUESS,
    random::INTERLEAVED,
    random_prime::KIND,
    greedy::KIND,
    repeated::KIND,
    offline::KIND,
];

/// The algorithm that `spec` describes.
///
/// # Errors
/// [`AlgorithmError`].
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::delivery::algorithm::{Facts, build};
/// let facts = Facts { processors: 16, messages: 256, congestion: None };
/// assert_eq!(build("greedy", &facts)?.spec(), "greedy");
/// // k = lg |M| / lg n = 2: three times lg n passes for every z.
/// assert_eq!(build("repeated", &facts)?.spec(), "repeated(passes=12)");
/// # Ok::<(), routebound::simulation::delivery::algorithm::AlgorithmError>(())
/// ```
pub fn build(spec: &str, facts: &Facts) -> Result<Box<dyn Algorithm>, AlgorithmError> {
    let (spec, kind) = registry::parse::<_, AlgorithmError>(ALGORITHMS, "algorithm", spec)?;
    (kind.build)(&spec, facts)
}
