//! \[OR\] Theorem 4.

use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, oblivious, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-4",
    usage: "or-theorem-4",
    about: "Every single path routing of FT(m,3) has PERF >= m/2",
    reference: "[OR] Theorem 4",
    examples: &["or-theorem-4"],
    build: Statement {
        hypothesis: "any single-path routing on FT(m,3)",
        subject: Subject::Instances {
            applies: |tree| matches!(shape::ft(tree), Some((_, 3))),
            to: |routing| routing.is_single_path(),
            check,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::ft(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    Ok(vec![oblivious::at_least(instance, scope, &u64::from(m / 2).into())?])
}
