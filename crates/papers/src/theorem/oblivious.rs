//! Findings about the oblivious ratio of an instance.

use super::bounded::{self, Known};
use super::{Finding, Scope, TheoremError};
use crate::assessment::Assessment;
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
    Ok(bounded::equals(case(instance), claimed, known(instance, scope)?))
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
    Ok(bounded::at_least(case(instance), claimed, known(instance, scope)?))
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
    Ok(bounded::at_most(case(instance), claimed, known(instance, scope)?))
}

fn known(instance: &Instance, scope: &Scope) -> Result<Known, TheoremError> {
    let Assessment { oblivious_ratio, certificate, .. } = scope.assess(instance)?;
    Ok((oblivious_ratio, certificate.ok()))
}
