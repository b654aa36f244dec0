//! Sets of messages that adversaries find, beside those that are drawn.

use super::{AttackError, KINDS, Target, build};
use crate::prelude::*;
use crate::simulation::delivery::{DeliveryError, Messages};

/// Whether `spec` names an adversary against GREEDY.
#[must_use]
pub fn is_named(spec: &str) -> bool {
    Spec::parse(spec).is_ok_and(|spec| KINDS.iter().any(|kind| kind.name == spec.name))
}

/// The worst set that the adversary of `spec` finds, and its canonical spec. `progress` counts sets.
///
/// # Errors
/// [`AttackError`], also when the work was stopped before any set was measured.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::adversary::delivery::{Target, find_set};
/// use routebound::channel_tree::WireTree;
/// use routebound::progress::Progress;
/// use routebound::simulation::delivery::loss;
/// use routebound::topology::UniversalShape;
/// let shape = UniversalShape::named("universal(16,root=open)")?.ok_or("another family")?;
/// let tree = WireTree::universal(&shape);
/// let target = Target { tree: &tree, shape: Some(&shape), loss: loss::find("left")? };
/// // 24 for each of the four wires of the root channel.
/// let (messages, spec) = find_set("theorem-9(lambda=24)", &target, &Progress::silent())?;
/// assert_eq!((messages.total(), spec.as_str()), (96, "theorem-9(lambda=24,trials=64,seed=1)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_set(
    spec: &str,
    target: &Target<'_>,
    progress: &Progress,
) -> Result<(Messages, String), AttackError> {
    let found = build(spec)?.attack(target, progress)?;
    let worst = found.worst.ok_or(DeliveryError::Stopped(Stopped))?;
    Ok((worst.messages, found.adversary))
}

/// Spec of an adversary with another load factor; `None` where that is not a whole number above 0.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::adversary::delivery::with_load_factor;
/// use routebound::rational::Rational;
/// let spec = with_load_factor("climb(lambda=2,trials=9)", &Rational::from(3));
/// assert_eq!(spec.as_deref(), Some("climb(trials=9,lambda=3)"));
/// assert_eq!(with_load_factor("climb", &"3/2".parse()?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn with_load_factor(spec: &str, load_factor: &Rational) -> Option<String> {
    let whole = load_factor.scaled(1).filter(|whole| *whole > 0)?;
    let mut spec = Spec::parse(spec).ok()?;
    spec.options.retain(|(key, _)| key != "lambda");
    spec.options.push(("lambda".to_string(), whole.to_string()));
    Some(spec.to_string())
}
