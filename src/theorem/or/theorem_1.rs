//! \[OR\] Theorem 1.

use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, is_kind, oblivious, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-1",
    usage: "or-theorem-1",
    about: "PERF(OMRMN) = 1 on every FT(m,n)",
    reference: "[OR] Theorem 1",
    examples: &["or-theorem-1"],
    build: Statement {
        hypothesis: "omrmn on FT(m,n)",
        subject: Subject::Instances {
            applies: |tree| shape::ft(tree).is_some(),
            to: |routing| is_kind(routing, "omrmn"),
            check,
        },
        erratum: None,
    },
};

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    Ok(vec![oblivious::equals(instance, scope, &Ratio::ONE)?])
}
