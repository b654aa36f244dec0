//! Searches for permutations against a routing that sees the pattern.
//!
//! Such a routing has no oblivious ratio. What is sought is the permutation with the greatest
//! [`Measure`]: one that the network is too small for, else most paths on a link, else most
//! configurations and top switches. Every permutation is routed anew: a single changed pair may change
//! all paths of its source switch, or all paths.
//!
//! One file per adversary. To add one, add its file, its `mod` line and its line in [`KINDS`].

mod climb;
mod exhaustive;
mod measure;
mod random;

pub use exhaustive::{MAX_HOSTS, for_each_partial};
pub use measure::{Measure, Target};

use crate::bounds::Evidence;
use crate::progress::Progress;
use crate::registry::{self, Kind};
use crate::simulation::adaptive::PatternError;
use crate::spec::Spec;
use crate::traffic::Permutation;

/// Builds an adversary from its spec.
pub type Build = fn(&Spec) -> Result<Box<dyn PatternAdversary>, PatternError>;

/// Every adversary against routings that see the pattern.
pub const KINDS: &[Kind<Build>] = &[random::KIND, climb::KIND, exhaustive::KIND];

/// A search for a bad permutation.
pub trait PatternAdversary: Send + Sync {
    /// The canonical spec.
    fn spec(&self) -> &str;

    /// Searches until its trials are used up or `progress` is cancelled; in the latter case the
    /// finding is the best so far. `progress` counts permutations.
    ///
    /// # Errors
    /// [`PatternError`] when the network is too large for this adversary.
    fn attack(
        &self,
        target: &Target<'_>,
        progress: &Progress,
    ) -> Result<PatternFinding, PatternError>;
}

/// What an adversary found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternFinding {
    /// Canonical spec of the adversary.
    pub adversary: String,
    /// The greatest measure with its permutation, the first of several; `None` when the work was
    /// stopped before any was measured.
    pub worst: Option<(Measure, Permutation)>,
    /// Permutations that were routed.
    pub evaluations: u64,
    /// Evidence that no permutation is worse.
    pub evidence: Evidence,
    /// Whether it was stopped before it finished.
    pub stopped: bool,
}

/// Builds the adversary that `spec` describes.
///
/// # Errors
/// [`PatternError`] when the name is unknown or the arguments do not fit.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::adversary::pattern::{self, Target};
/// use routebound::{progress::Progress, simulation::adaptive, topology::generate};
/// let tree = generate("ftree(2,6,3)")?;
/// let routing = adaptive::build("nonblocking-adaptive", &tree)?;
/// let target = Target { topology: &tree, routing: &*routing };
/// let found = pattern::build("exhaustive")?.attack(&target, &Progress::silent())?;
/// let (measure, _) = found.worst.ok_or("none")?;
/// assert_eq!((found.evaluations, measure.load, measure.configurations), (6_600, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(spec: &str) -> Result<Box<dyn PatternAdversary>, PatternError> {
    let spec = Spec::parse(spec)?;
    let kind =
        registry::find(KINDS, "adversary against routings that see the pattern", &spec.name)?;
    if spec.path.is_some() {
        return Err(spec.bad(kind.usage, "an adversary takes no `:` and path").into());
    }
    (kind.build)(&spec)
}

/// The number of trials, at least 1.
fn trials(spec: &Spec, usage: &'static str) -> Result<u64, PatternError> {
    let trials = spec.integer_option("trials", 10_000, usage)?;
    if trials == 0 {
        return Err(spec.bad(usage, "trials must be at least 1").into());
    }
    Ok(trials)
}
