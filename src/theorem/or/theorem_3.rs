//! \[OR\] Theorem 3.

use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, oblivious, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-3",
    usage: "or-theorem-3",
    about: "Every single path routing of FT(m,2) has PERF >= sqrt(m/2)",
    reference: "[OR] Theorem 3",
    examples: &["or-theorem-3"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,2)",
        subject: Subject::Instances {
            applies: |tree| matches!(shape::ft(tree), Some((_, 2))),
            to: |routing| routing.is_single_path(),
            check,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

/// The oblivious ratio of a single-path routing of FT(m,n) is an integer, so the bound is
/// ⌈√(m/2)⌉.
fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::ft(&instance.topology) else { return Ok(Vec::new()) };
    let bound = shape::ceil_sqrt(u64::from(m / 2));
    Ok(vec![oblivious::at_least(instance, scope, &bound.into())?])
}
