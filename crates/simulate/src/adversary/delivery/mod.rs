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

use crate::attack::{self, Built};
use crate::channel_tree::WireTree;
use crate::prelude::*;
use crate::registry::UnknownName;
use crate::simulation::delivery::loss::Loss;
use crate::simulation::delivery::{DeliveryError, Messages};
use crate::spec::SpecError;
use crate::topology::UniversalShape;

/// A tree and a loss rule that are attacked.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// The tree.
    pub tree: &'t WireTree,
    /// The shape that it was made from, if it was.
    pub shape: Option<&'t UniversalShape>,
    /// The loss rule of its switches: an admissible one.
    pub loss: &'static Kind<Loss>,
}

/// Every adversary against GREEDY.
pub const KINDS: &[Kind<Method>] = &[theorem_9::KIND, climb::KIND, exhaustive::KIND];

/// GREEDY on trees, as a target of adversaries: the worst set takes the most delivery cycles.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl attack::Target for Greedy {
    type Site<'t> = Target<'t>;
    type Worst = Option<Worst>;
    type Error = AttackError;
    const ADVERSARY: &'static str = "adversary against GREEDY";
    const KINDS: &'static [Kind<Method>] = KINDS;
}

/// The finding of an adversary, or why it failed.
pub type Attacked = attack::Attacked<Greedy>;

/// A method of finding bad sets of messages.
pub type Method = attack::Method<Greedy>;

/// The result of an adversary: the set that takes most cycles. Its evidence is what the number of cycles rests on.
pub type Finding = attack::Finding<Option<Worst>>;

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

/// Why there is no bad set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum AttackError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(
        "{} is not a standard fat-tree with a root channel: use universal(n,root=open), n a power of 4",
        .spec.as_ref().map_or_else(|| "the network".to_string(), |spec| format!("`{spec}`"))
    )]
    NotStandard {
        /// Spec of the tree, where it is known.
        spec: Option<String>,
    },
    #[error("lambda = {lambda} must be at least 12")]
    SmallLambda { lambda: u64 },
    #[error(
        "the loss rule `{loss}` is not admissible: choose one that loses only what is too much"
    )]
    NotAdmissible { loss: &'static str },
    #[error("to={to} is out of range: hosts are 0 to {last}", last = .hosts.saturating_sub(1))]
    UnknownHost { to: Host, hosts: usize },
    #[error(transparent)]
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
pub fn build(spec: &str) -> Result<Built<Greedy>, AttackError> {
    attack::build(spec)
}

#[cfg(test)]
mod tests;
