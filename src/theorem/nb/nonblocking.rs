//! Which of the implemented routings are nonblocking.

use crate::ratio::Ratio;
use crate::routing::Instance;
use crate::theorem::{Scope, TheoremError, oblivious};

/// The name of the case when the instance is nonblocking: no permutation loads a link of
/// capacity 1 more than once.
pub(super) fn nonblocking(
    instance: &Instance,
    scope: &Scope,
) -> Result<Option<String>, TheoremError> {
    let load = scope.assess(instance)?.permutation_load;
    Ok((load.upper == Ratio::ONE).then(|| oblivious::case(instance)))
}
