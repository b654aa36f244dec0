//! \[NB\] Theorem 2.

use super::lemma_2::{Known, case, searched};
use super::nonblocking::nonblocking;
use super::theorem_1::counted;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-theorem-2",
    usage: "nb-theorem-2",
    about: "When r >= 2n+1, a nonblocking ftree(n,m,r) with any single-path deterministic routing has m >= n^2",
    reference: "[NB] Theorem 2",
    examples: &["nb-theorem-2"],
    build: Statement {
        hypothesis: "any nonblocking single-path routing on ftree(n,m,r), r >= 2n+1",
        subject: Subject::Instances {
            applies: |tree| shape::ftree(tree).is_some_and(|(n, _, r)| r > 2 * n),
            to: |routing| routing.is_single_path(),
            check,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const ALL: Kind<Statement> = Kind {
    name: "nb-theorem-2-all",
    usage: "nb-theorem-2-all",
    about: "When r >= 2n+1, no single-path deterministic routing whatever makes ftree(n,m,r) nonblocking with m < n^2: by counting",
    reference: "[NB] Theorem 2",
    examples: &["nb-theorem-2-all"],
    build: Statement {
        hypothesis: "all single-path routings of ftree(n,m,r), r >= 2n+1, by the exact largest number of SD pairs through a top switch",
        subject: Subject::Cases { check: all },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((n, m, _)) = shape::ftree(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let Some(case) = nonblocking(instance, scope)? else { return Ok(Vec::new()) };
    Ok(vec![Finding::at_least(case, u64::from(n * n), u64::from(m), Basis::Certified)])
}

fn all(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let finding = |known: Known| {
        let Known { n, r, .. } = known;
        let least = counted(known);
        (r > 2 * n).then(|| Finding::at_least(case(n, r), n * n, least, Basis::Exhaustive))
    };
    Ok(searched(scope)?.into_iter().filter_map(finding).collect())
}
