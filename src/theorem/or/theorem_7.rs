//! \[OR\] Theorem 7, with the counts of V.B on which it rests.

use super::theorem_6::ends_of_links;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, is_kind, oblivious, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-theorem-7",
    usage: "or-theorem-7",
    about: "PERF(OSRM3) = m/2; each up link out of a SUBFT(m,2) carries m/2 sources, each down link into it m/2 destinations",
    reference: "[OR] Theorem 7, V.B",
    examples: &["or-theorem-7"],
    build: Statement {
        hypothesis: "osrm3 on FT(m,3)",
        subject: Subject::Instances {
            applies: |tree| matches!(shape::ft(tree), Some((_, 3))),
            to: |routing| is_kind(routing, "osrm3"),
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
    let half = u64::from(m / 2);
    let ratio = oblivious::equals(instance, scope, &half.into())?;
    Ok(vec![ratio, ends_of_links(instance, scope, 3, half)?])
}
