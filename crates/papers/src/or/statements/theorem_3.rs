//! \[OR\] Theorem 3.

use super::claims::{InstanceCheck, at_least};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, Whose, planted, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-3",
    usage: "or-theorem-3",
    options: &[],
    about: "Every single path routing of FT(m,2) has PERF >= sqrt(m/2)",
    reference: "[OR] Theorem 3",
    examples: &["or-theorem-3"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,2)",
        whose: Whose::Paper,
        quote: r"Let r be a single path routing algorithm for $FT(m, 2), m \ge 2, PERF(r) \ge \sqrt{\frac{m}{2}}$.",
        subject: subject(|instance, scope| bound(instance, scope, 0)),
        remark: None,
        planted: |scope| {
            planted::on(subject(|instance, scope| bound(instance, scope, 1)), "ft(4,2)", scope)
        },
    },
};

const fn subject(check: InstanceCheck) -> Subject {
    Subject::Instances {
        applies: |tree| matches!(shape::ft(tree), Some((_, 2))),
        to: |routing| routing.is_single_path(),
        check,
    }
}

/// The oblivious ratio of a single-path routing of FT(m,n) is an integer, so the bound is
/// ⌈√(m/2)⌉, here plus `more`.
fn bound(instance: &Instance, scope: &Scope, more: u64) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    at_least(instance, scope, shape::ceil_sqrt(u64::from(m / 2)) + more)
}
