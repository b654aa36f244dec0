//! Claims shared by several statements of \[OR\], and how they are falsified.

use crate::routing::Instance;
use crate::theorem::{Finding, Scope, TheoremError, oblivious};
use crate::topology::Topology;

/// A check of one network.
pub(super) type NetworkCheck = fn(&Topology, &Scope) -> Result<Vec<Finding>, TheoremError>;

/// A check of one instance.
pub(super) type InstanceCheck = fn(&Instance, &Scope) -> Result<Vec<Finding>, TheoremError>;

/// Why a lower bound of at most 1 says nothing.
pub(super) const NO_RATIO_BELOW_1: &str = "no routing has a ratio below 1";

/// Why routings of a tree where [`has_choice`] is false are all the same.
pub(super) const ONE_PATH: &str = "every pair has one shortest path";

/// Whether some pairs of FT(m,n) have more than one shortest path.
pub(super) fn has_choice(m: u32, n: u32) -> bool {
    m > 2 && n > 1
}

/// The claim that PERF of the routing is at least `bound`.
pub(super) fn at_least(
    instance: &Instance,
    scope: &Scope,
    bound: u64,
) -> Result<Vec<Finding>, TheoremError> {
    Ok(vec![match bound {
        0 | 1 => Finding::vacuous(oblivious::case(instance), NO_RATIO_BELOW_1),
        _ => oblivious::at_least(instance, scope, &bound.into())?,
    }])
}

/// The claim that PERF of the routing is `value`, on a tree where routings differ.
pub(super) fn equals(
    instance: &Instance,
    scope: &Scope,
    value: u64,
    has_choice: bool,
) -> Result<Vec<Finding>, TheoremError> {
    Ok(vec![if has_choice {
        oblivious::equals(instance, scope, &value.into())?
    } else {
        Finding::vacuous(oblivious::case(instance), ONE_PATH)
    }])
}
