//! \[OR\] Theorem 4.

use super::claims::{InstanceCheck, at_least};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, Whose, planted, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-4",
    usage: "or-theorem-4",
    options: &[],
    about: "Every single path routing of FT(m,3) has PERF >= m/2",
    reference: "[OR] Theorem 4",
    examples: &["or-theorem-4"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,3)",
        whose: Whose::Paper,
        quote: r"Let r be a single path routing algorithm for FT(m,3), $PERF(r) \geq \frac{m}{2}$.",
        subject: subject(|instance, scope| bound(instance, scope, 0)),
        remark: None,
        planted: |scope| {
            planted::on(subject(|instance, scope| bound(instance, scope, 1)), "ft(4,3)", scope)
        },
    },
};

const fn subject(check: InstanceCheck) -> Subject {
    Subject::Instances {
        applies: |tree| matches!(shape::ft(tree), Some((_, 3))),
        to: |routing| routing.is_single_path(),
        check,
    }
}

/// The claim that PERF is at least m/2 + `more`.
fn bound(instance: &Instance, scope: &Scope, more: u64) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    at_least(instance, scope, u64::from(m / 2) + more)
}
