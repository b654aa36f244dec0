//! Searches for permutations against a routing that sees the pattern.
//!
//! Such a routing has no oblivious ratio. What is sought is the permutation with the maximum
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

use crate::attack::{self, Built};
use crate::bounds::Evidence;
use crate::registry::Kind;
use crate::simulation::adaptive::PatternError;
use crate::traffic::Permutation;

/// Every adversary against routings that see the pattern.
pub const KINDS: &[Kind<Method>] = &[random::KIND, climb::KIND, exhaustive::KIND];

/// Routings that see the pattern, as a target of adversaries: the worst permutation has the maximum [`Measure`].
#[derive(Clone, Copy, Debug)]
pub struct PatternAware;

impl attack::Target for PatternAware {
    type Site<'t> = Target<'t>;
    type Worst = Option<(Measure, Permutation)>;
    type Error = PatternError;
    const ADVERSARY: &'static str = "adversary against routings that see the pattern";
    const KINDS: &'static [Kind<Method>] = KINDS;
}

/// The finding of an adversary, or why it failed.
pub type Attacked = attack::Attacked<PatternAware>;

/// A method of finding bad permutations.
pub type Method = attack::Method<PatternAware>;

/// The result of an adversary: the maximum measure with its permutation.
pub type Finding = attack::Finding<Option<(Measure, Permutation)>>;

/// The worst permutation of some.
type Best = super::climb::Best<Measure, Permutation>;

/// The finding of permutations that were drawn at random.
fn sampled(best: Best, adversary: &str, seed: u64, trials: u64) -> Finding {
    let evaluations = best.evaluations;
    Finding {
        worst: best.value.zip(best.traffic),
        evaluations,
        stopped: evaluations < trials,
        ..Finding::nothing(adversary, Evidence::Sampled { seed, trials: evaluations })
    }
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
pub fn build(spec: &str) -> Result<Built<PatternAware>, PatternError> {
    attack::build(spec)
}
