//! \[OR\] Theorem 2.

use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, oblivious, shape};
use crate::topology::Topology;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-2",
    usage: "or-theorem-2",
    about: "Every single path routing of EFT2(m,k), k >= sqrt(2m), has PERF >= sqrt(m/2)",
    reference: "[OR] Theorem 2",
    examples: &["or-theorem-2"],
    build: Statement {
        hypothesis: "any single-path routing on EFT2(m,k) with k >= sqrt(2m)",
        subject: Subject::Instances { applies, to: |routing| routing.is_single_path(), check },
        erratum: None,
    },
};

pub(super) fn applies(topology: &Topology) -> bool {
    shape::eft2(topology).is_some_and(|(m, k)| u64::from(k).pow(2) >= 2 * u64::from(m))
}

/// The oblivious ratio of a single-path routing with equal links is an integer, so the bound is
/// ⌈√(m/2)⌉.
fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::eft2(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let bound = shape::ceil_sqrt(u64::from(m / 2));
    Ok(vec![oblivious::at_least(instance, scope, &bound.into())?])
}
