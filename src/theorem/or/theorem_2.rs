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
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const FEW: Kind<Statement> = Kind {
    name: "or-theorem-2-few",
    usage: "or-theorem-2-few",
    about: "Every single path routing of EFT2(m,k), k < sqrt(2m), has PERF >= k/2",
    reference: "[OR] Theorem 2, continued with the exact T(X)",
    examples: &["or-theorem-2-few"],
    build: Statement {
        hypothesis: "any single-path routing on EFT2(m,k) with k < sqrt(2m)",
        subject: Subject::Instances {
            applies: |tree| shape::eft2(tree).is_some() && !applies(tree),
            to: |routing| routing.is_single_path(),
            check: few,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

/// m/2 top switches carry k(k−1)(m/2)² pairs, at most m(k−1)X each while X < m/k
/// (`or-lemma-8-exact`): X ≥ k/2, and k/2 < √(m/2) < m/k here.
fn few(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((_, k)) = shape::eft2(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    Ok(vec![oblivious::at_least(instance, scope, &u64::from(k.div_ceil(2)).into())?])
}

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
