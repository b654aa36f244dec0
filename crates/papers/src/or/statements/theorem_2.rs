//! \[OR\] Theorem 2.

use super::claims::{InstanceCheck, at_least};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, Whose, planted, shape};
use crate::topology::Topology;

const QUOTE: &str = r"If $k \ge \sqrt{2m}$, $PERF(r) \ge \sqrt{\frac{m}{2}}$.";

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-2",
    usage: "or-theorem-2",
    options: &[],
    about: "Every single path routing of EFT2(m,k), k >= sqrt(2m), has PERF >= sqrt(m/2)",
    reference: "[OR] Theorem 2",
    examples: &["or-theorem-2"],
    build: Statement {
        hypothesis: "any single-path routing on EFT2(m,k) with k >= sqrt(2m)",
        whose: Whose::Paper,
        quote: QUOTE,
        subject: subject(applies, |instance, scope| many(instance, scope, 0)),
        remark: None,
        planted: |scope| {
            planted::on(
                subject(applies, |instance, scope| many(instance, scope, 1)),
                "ft(4,2)",
                scope,
            )
        },
    },
};

pub(super) const FEW: Kind<Statement> = Kind {
    name: "or-theorem-2-few",
    usage: "or-theorem-2-few",
    options: &[],
    about: "Every single path routing of EFT2(m,k), k < sqrt(2m), has PERF >= k/2",
    reference: "[OR] Theorem 2, continued with T(X) as found",
    examples: &["or-theorem-2-few"],
    build: Statement {
        hypothesis: "any single-path routing on EFT2(m,k) with k < sqrt(2m)",
        whose: Whose::Ours,
        quote: QUOTE,
        subject: subject(is_few, |instance, scope| few(instance, scope, 0)),
        remark: None,
        planted: |scope| {
            planted::on(
                subject(is_few, |instance, scope| few(instance, scope, 1)),
                "eft2(6,3)",
                scope,
            )
        },
    },
};

const fn subject(applies: fn(&Topology) -> bool, check: InstanceCheck) -> Subject {
    Subject::Instances { applies, to: |routing| routing.is_single_path(), check }
}

fn is_few(topology: &Topology) -> bool {
    shape::eft2(topology).is_some() && !applies(topology)
}

/// m/2 top switches carry k(k−1)(m/2)² pairs, at most m(k−1)X each while X < m/k
/// (`or-lemma-8-exact`): X ≥ k/2, and k/2 < √(m/2) < m/k here.
fn few(instance: &Instance, scope: &Scope, more: u64) -> Result<Vec<Finding>, TheoremError> {
    let Some((_, k)) = shape::eft2(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    at_least(instance, scope, u64::from(k.div_ceil(2)) + more)
}

pub(super) fn applies(topology: &Topology) -> bool {
    shape::eft2(topology).is_some_and(|(m, k)| u64::from(k).pow(2) >= 2 * u64::from(m))
}

/// The oblivious ratio of a single-path routing with equal links is an integer, so the bound is
/// ⌈√(m/2)⌉, here plus `more`.
fn many(instance: &Instance, scope: &Scope, more: u64) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::eft2(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    at_least(instance, scope, shape::ceil_sqrt(u64::from(m / 2)) + more)
}
