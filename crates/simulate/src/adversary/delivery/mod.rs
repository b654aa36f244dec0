//! Adversaries against GREEDY (\[GL\] 5): searches for sets of messages that take many delivery cycles
//! for their load factor.
//!
//! In every cycle all messages that wait are sent; what happens then is up to the loss rule. Under a
//! deterministic rule a set takes a certain number of cycles, under a random one a mean number.
//!
//! One file per adversary. To add one, add its file, its `mod` line and its line in [`KINDS`].
//!
//! Besides them, [`theorem_9`] is the set of \[GL\] Theorem 9 with the record of its construction, and
//! [`BadSet::prove`] what GREEDY does with it; [`expected_cycles`] is an exact mean.

mod bad_set;
mod climb;
mod exhaustive;
mod expected;
mod measure;
mod outward;
mod properties;
mod quarters;
mod room;
mod sets;
mod starts;
mod symmetry;
mod theorem_9;

pub use bad_set::{BadSet, Choice, Construction, Level, theorem_9};
pub use exhaustive::{MAX_SETS, for_each_set};
pub use expected::{MAX_PAIRS, expected_cycles};
pub use measure::cycles;
pub use properties::{Properties, Proved, Step, bound};
pub use quarters::Quarter;
pub use sets::{find_set, is_named, with_load_factor};

use crate::bounds::Evidence;
use crate::channel_tree::WireTree;
use crate::limit::TooLarge;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::registry::{self, Kind, UnknownName};
use crate::simulation::delivery::loss::Loss;
use crate::simulation::delivery::{DeliveryError, Messages};
use crate::spec::{Spec, SpecError};
use crate::topology::{Host, UniversalShape};

/// What is attacked.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// The tree.
    pub tree: &'t WireTree,
    /// The shape that it was made from, if it was.
    pub shape: Option<&'t UniversalShape>,
    /// The loss rule of its switches: an admissible one.
    pub loss: &'static Kind<Loss>,
}

/// Builds an adversary from its spec.
pub type Build = fn(&Spec) -> Result<Box<dyn DeliveryAdversary>, AttackError>;

/// Every adversary against GREEDY.
pub const KINDS: &[Kind<Build>] = &[theorem_9::KIND, climb::KIND, exhaustive::KIND];

/// A search for a bad set of messages.
pub trait DeliveryAdversary: Send + Sync {
    /// The canonical spec.
    fn spec(&self) -> &str;

    /// Searches until its trials are used up or `progress` is cancelled; in the latter case the
    /// finding is the best so far. `progress` counts sets.
    ///
    /// # Errors
    /// [`AttackError`] when the tree or the rule does not fit.
    fn attack(
        &self,
        target: &Target<'_>,
        progress: &Progress,
    ) -> Result<DeliveryFinding, AttackError>;
}

/// A set of messages, and how long GREEDY takes for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// The messages, in the order in which their processors have them.
    pub messages: Messages,
    /// Cycles until the last is delivered; under a random rule a mean.
    pub cycles: Rational,
    /// λ of the set.
    pub load_factor: Rational,
}

/// What an adversary found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryFinding {
    /// Canonical spec of the adversary.
    pub adversary: String,
    /// The loss rule.
    pub loss: &'static str,
    /// The set that takes most cycles, the first of several; `None` when the work was stopped before
    /// any was measured.
    pub worst: Option<Worst>,
    /// Sets that were measured.
    pub evaluations: u64,
    /// What the number of cycles rests on.
    pub evidence: Evidence,
    /// Whether it was stopped before it finished.
    pub stopped: bool,
}

/// Why there is no bad set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AttackError {
    /// The spec is malformed or its arguments do not fit.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// No adversary of that name.
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The tree is another one.
    #[error(
        "{} is no standard fat-tree with a root channel: use universal(n,root=open), n a power of 4",
        .spec.as_ref().map_or_else(|| "the network".to_string(), |spec| format!("`{spec}`"))
    )]
    NotStandard {
        /// Its spec, where it is known.
        spec: Option<String>,
    },
    /// λ is too small.
    #[error("lambda = {lambda} must be at least 12")]
    SmallLambda {
        /// λ.
        lambda: u64,
    },
    /// GREEDY is about rules that lose no more than they have to.
    #[error(
        "the loss rule `{loss}` is not admissible: choose one that loses only what is too much"
    )]
    NotAdmissible {
        /// Its name.
        loss: &'static str,
    },
    /// Messages are asked for that go to no host.
    #[error("to={to} is no host: hosts of this tree are below {hosts}")]
    UnknownHost {
        /// The destination.
        to: Host,
        /// Number of hosts.
        hosts: usize,
    },
    /// The messages are not delivered.
    #[error("{0}")]
    Delivery(#[from] DeliveryError),
}

impl From<Stopped> for AttackError {
    fn from(stopped: Stopped) -> Self {
        Self::Delivery(stopped.into())
    }
}

/// Builds the adversary that `spec` describes.
///
/// # Errors
/// [`AttackError`] when the name is unknown or the arguments do not fit.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::adversary::delivery::{self, Target};
/// use routebound::channel_tree::WireTree;
/// use routebound::progress::Progress;
/// use routebound::rational::Rational;
/// use routebound::simulation::delivery::loss;
/// use routebound::topology::UniversalShape;
/// let shape = UniversalShape::named("universal(4)")?.ok_or("another family")?;
/// let tree = WireTree::universal(&shape);
/// let target = Target { tree: &tree, shape: Some(&shape), loss: loss::find("left")? };
/// let found = delivery::build("exhaustive(lambda=2)")?.attack(&target, &Progress::silent())?;
/// assert_eq!((found.evaluations, found.worst.ok_or("none")?.cycles), (3395, Rational::from(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(spec: &str) -> Result<Box<dyn DeliveryAdversary>, AttackError> {
    let spec = Spec::parse(spec)?;
    let kind = registry::find(KINDS, "adversary against GREEDY", &spec.name)?;
    if spec.path.is_some() {
        return Err(spec.bad(kind.usage, "an adversary takes no `:` and path").into());
    }
    (kind.build)(&spec)
}

/// An integer option that is at least 1.
fn positive(spec: &Spec, key: &str, default: u64, usage: &'static str) -> Result<u64, SpecError> {
    let number = spec.integer_option(key, default, usage)?;
    if number == 0 {
        return Err(spec.bad(usage, format!("{key} must be at least 1")));
    }
    Ok(number)
}

#[cfg(test)]
mod tests;
