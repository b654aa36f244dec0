//! Findings about the oblivious ratio of an instance.

use super::{Basis, Finding, Outcome, Scope, TheoremError};
use crate::assessment::Assessment;
use crate::bounds::Bounds;
use crate::rational::Rational;
use crate::routing::Instance;

/// The name of a case: `dmodk on ft(4,2)`.
#[must_use]
pub fn case(instance: &Instance) -> String {
    format!("{} on {}", instance.routing.spec(), instance.topology.spec())
}

/// The claim that the oblivious ratio is `claimed`.
///
/// # Errors
/// [`TheoremError`] when the instance cannot be assessed.
pub fn equals(
    instance: &Instance,
    scope: &Scope,
    claimed: &Rational,
) -> Result<Finding, TheoremError> {
    finding(instance, scope, "=", claimed, |bounds| {
        let holds = bounds.exact() == Some(claimed);
        (holds || bounds.lower > *claimed || bounds.upper < *claimed)
            .then_some(holds.then_some(Rational::ZERO))
    })
}

/// The claim that it is at least `claimed`.
///
/// # Errors
/// [`TheoremError`] when the instance cannot be assessed.
pub fn at_least(
    instance: &Instance,
    scope: &Scope,
    claimed: &Rational,
) -> Result<Finding, TheoremError> {
    finding(instance, scope, ">=", claimed, |bounds| {
        let slack = bounds.lower.checked_sub(claimed);
        (slack.is_some() || bounds.upper < *claimed).then_some(slack)
    })
}

/// The claim that it is at most `claimed`.
///
/// # Errors
/// [`TheoremError`] when the instance cannot be assessed.
pub fn at_most(
    instance: &Instance,
    scope: &Scope,
    claimed: &Rational,
) -> Result<Finding, TheoremError> {
    finding(instance, scope, "<=", claimed, |bounds| {
        let slack = claimed.checked_sub(&bounds.upper);
        (slack.is_some() || bounds.lower > *claimed).then_some(slack)
    })
}

/// `compare` returns `None` when the bounds do not decide, `Some(None)` when the claim is wrong,
/// and otherwise by how much it is loose.
fn finding(
    instance: &Instance,
    scope: &Scope,
    relation: &str,
    claimed: &Rational,
    compare: impl Fn(&Bounds) -> Option<Option<Rational>>,
) -> Result<Finding, TheoremError> {
    let Assessment { oblivious_ratio: bounds, certificate, .. } = scope.assess(instance)?;
    let found = bounds.exact().map_or_else(|| bounds.to_string(), ToString::to_string);
    let (case, claimed) = (case(instance), format!("{relation} {claimed}"));
    let basis = Basis::of(&bounds);
    let outcome = match compare(&bounds) {
        None => Outcome::Open(format!("the ratio is {bounds}")),
        Some(None) => {
            let finding = Finding::holds(case, claimed, found, false, basis);
            return Ok(finding.certified_by(certificate.ok()));
        }
        Some(Some(slack)) if slack.is_zero() => Outcome::Holds,
        Some(Some(slack)) => Outcome::Loose(slack),
    };
    Ok(Finding::new(case, claimed, found, outcome, basis))
}
