//! \[OR\] II.A: what a performance ratio is.

use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, oblivious};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-perf",
    usage: "or-perf",
    about: "PERF(r) >= 1 for every routing",
    reference: "[OR] II.A",
    examples: &["or-perf"],
    build: Statement {
        hypothesis: "any routing on any tree, slimmed trees too",
        subject: Subject::Instances { applies: |_| true, to: |_| true, check },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    Ok(vec![oblivious::at_least(instance, scope, &Ratio::ONE)?])
}
