//! \[NB\] Theorem 3.

use super::nonblocking::ftree;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Finding, Scope, Statement, Subject, TheoremError, Whose, is_kind, oblivious, planted, shape,
};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-theorem-3",
    usage: "nb-theorem-3",
    options: &[],
    about: "There is a single-path deterministic routing with which ftree(n,n^2,r) is nonblocking: (v,i) to (w,j) through top switch (i,j)",
    reference: "[NB] IV.A, Theorem 3",
    examples: &["nb-theorem-3"],
    build: Statement {
        hypothesis: "yuan on ftree(n,n^2,r)",
        whose: Whose::Paper,
        quote: "$ftree(n, m = n^2, r)$ is nonblocking using that routing algorithm.",
        subject: SUBJECT,
        remark: None,
        planted: |scope| planted::over_first_ports(SUBJECT, "ftree(2,4,3)", scope),
    },
};

const SUBJECT: Subject = Subject::Instances {
    applies: |tree| matches!(shape::ftree(tree), Some((n, m, _)) if m == n * n),
    to: |routing| is_kind(routing, "yuan"),
    check,
};

/// A network is nonblocking when no permutation loads a link twice: permutation load 1, which here
/// is the oblivious ratio (hosts have one link of capacity 1).
fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    Ok(vec![match ftree(instance)? {
        Ok(_) => oblivious::equals(instance, scope, &Rational::ONE)?,
        Err(vacuous) => vacuous,
    }])
}
