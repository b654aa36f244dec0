//! \[NB\] Theorem 3.

use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, is_kind, oblivious, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-theorem-3",
    usage: "nb-theorem-3",
    about: "ftree(n,n^2,r) is nonblocking with a single-path deterministic routing",
    reference: "[NB] Theorem 3",
    examples: &["nb-theorem-3"],
    build: Statement {
        hypothesis: "yuan on ftree(n,n^2,r)",
        subject: Subject::Instances {
            applies: |tree| matches!(shape::ftree(tree), Some((n, m, _)) if m == n * n),
            to: |routing| is_kind(routing, "yuan"),
            check,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

/// A network is nonblocking when no permutation loads a link twice: permutation load 1, which is
/// here the oblivious ratio (hosts have one link of capacity 1).
fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    Ok(vec![oblivious::equals(instance, scope, &Ratio::ONE)?])
}
