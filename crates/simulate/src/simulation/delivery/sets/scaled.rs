//! Sets of messages of a given load factor.

use super::super::{DeliveryError, Messages, bottleneck};
use super::{Ends, SETS, SetError, open};
use crate::channel_tree::WireTree;
use crate::prelude::*;

/// The set that `spec` describes, scaled so that its load factor is about `wanted`: of a family as many
/// messages as that takes on average, of a traffic pattern every message as often as comes nearest.
/// Returns also its spec.
///
/// # Errors
/// [`SetError`].
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::channel_tree::WireTree;
/// use routebound::simulation::delivery::sets::{Ends, with_load_factor};
/// use routebound::topology::UniversalShape;
/// let shape = UniversalShape::named("universal(16)")?.ok_or("another family")?;
/// let (tree, ends) = (WireTree::universal(&shape), Ends { processors: 16, outside: None });
/// // Once, the load factor is 2.
/// let (messages, spec) = with_load_factor("shift(8)", &tree, ends, &6.into())?;
/// assert_eq!((messages.total(), spec.as_str()), (48, "3 times shift(8)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_load_factor(
    spec: &str,
    tree: &WireTree,
    ends: Ends,
    wanted: &Rational,
) -> Result<(Messages, String), SetError> {
    let (messages, spec) = open(spec, ends)?;
    let found = bottleneck(tree, &messages)?.ok_or(DeliveryError::NoneSent)?;
    let scale = wanted.checked_div(&found.load_factor).unwrap_or_default();
    let half = Rational::new(1, 2).unwrap_or_default();
    let times = |number: u64| {
        let wanted = (&(&Rational::from(number) * &scale) + &half).floor();
        u64::try_from(wanted).unwrap_or(u64::MAX).max(1)
    };
    if is_counted(&spec) {
        return open(&with_count(&spec, times(messages.total()))?, ends);
    }
    let times = times(1);
    Ok((messages.times(times)?, format!("{times} times {spec}")))
}

/// Whether a spec is of a family that takes a number of messages.
fn is_counted(spec: &str) -> bool {
    let counted = |kind: &&Kind<_>| kind.takes("count");
    let is_of = |spec: Spec| SETS.iter().filter(counted).any(|kind| kind.name == spec.name);
    Spec::parse(spec).is_ok_and(is_of)
}

/// Spec of the same family with `count` messages.
fn with_count(spec: &str, count: u64) -> Result<String, SetError> {
    let mut spec = Spec::parse(spec)?;
    spec.options.retain(|(key, _)| key != "count");
    spec.options.push(("count".to_string(), count.to_string()));
    Ok(spec.to_string())
}
