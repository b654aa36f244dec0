//! The finding of a search that was stopped at once: one permutation.

use super::judge::{judge, units};
use super::{AdversaryError, Finding, Ratio};
use crate::prelude::*;
use crate::traffic::Permutation;

/// The finding of an adversary or, if it was stopped before it found anything, that of one random
/// permutation, the first of `random(seed=…)`. There is thus a lower bound with a witness whenever
/// the search is stopped.
///
/// # Errors
/// The error of the adversary, unless it is [`AdversaryError::Stopped`].
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{adversary, progress::Stopped, routing::Instance};
/// let instance = Instance::named("ft(8,3)", "dmodk")?;
/// let finding = adversary::or_first(Err(Stopped.into()), 1, &instance)?;
/// assert!(finding.stopped && finding.worst.witness.is_some());
/// assert_eq!(finding.adversary, "random(trials=1,seed=1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn or_first(
    found: Result<Finding, AdversaryError>,
    seed: u64,
    instance: &Instance,
) -> Result<Finding, AdversaryError> {
    let known = match found {
        Err(AdversaryError::Stopped(_)) => None,
        Ok(found) if found.stopped && found.worst.lower <= Rational::ONE => Some(found),
        other => return other,
    };
    let hosts = instance.topology.hosts();
    let pairs: Vec<(Host, Host)> = Permutation::random(hosts, seed, 0).pairs().collect();
    let verdict = judge(instance, units(&pairs), None, &Progress::silent())?;
    let evidence = Evidence::Sampled { seed, trials: 1 };
    let mut first = Finding {
        worst: verdict.into(),
        stopped: true,
        ..Finding::nothing(&format!("random(trials=1,seed={seed})"), evidence)
    };
    first.notes.push("stopped before it had found more than one random permutation does".into());
    let Ratio { witness, lower, curve, .. } = &mut first.worst;
    if witness.is_some() {
        first.evaluations = 1;
        curve.push((1, lower.clone()));
    }
    let is_better = |known: &Ratio| known.witness.is_some() && known.lower >= first.worst.lower;
    Ok(known.filter(|known| is_better(&known.worst)).unwrap_or(first))
}
