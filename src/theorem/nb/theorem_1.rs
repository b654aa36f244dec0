//! \[NB\] Theorem 1.

use super::lemma_2::{Known, case, searched};
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, shape,
};

use super::nonblocking::nonblocking;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-theorem-1",
    usage: "nb-theorem-1",
    about: "When r <= 2n+1, a nonblocking ftree(n,m,r) with any single-path deterministic routing has at most 2(n+m) ports",
    reference: "[NB] Theorem 1",
    examples: &["nb-theorem-1"],
    build: Statement {
        hypothesis: "any nonblocking single-path routing on ftree(n,m,r), r <= 2n+1",
        subject: Subject::Instances {
            applies: |tree| shape::ftree(tree).is_some_and(|(n, _, r)| r <= 2 * n + 1),
            to: |routing| routing.is_single_path(),
            check: printed,
        },
        remark: Some(Remark {
            kind: RemarkKind::CanBeSharpened,
            says: "at most 2m ports for r <= 2n, see nb-theorem-1-sharper; 2m + n already from the printed proof",
            on: |_| true,
        }),
        ..Statement::UNREAD
    },
};

pub(super) const SHARPER: Kind<Statement> = Kind {
    name: "nb-theorem-1-sharper",
    usage: "nb-theorem-1-sharper",
    about: "A nonblocking ftree(n,m,r) with any single-path deterministic routing has m >= rn/2 when r <= 2n, that is at most 2m ports, and m >= n^2 when r >= 2n",
    reference: "[NB] Theorems 1 and 2, with the exact value of Lemma 2",
    examples: &["nb-theorem-1-sharper"],
    build: Statement {
        hypothesis: "all single-path routings of ftree(n,m,r), by the exact largest number of SD pairs through a top switch",
        subject: Subject::Cases { check: sharper },
        remark: None,
        ..Statement::UNREAD
    },
};

fn printed(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((n, m, r)) = shape::ftree(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let Some(case) = nonblocking(instance, scope)? else { return Ok(Vec::new()) };
    let (ports, claimed) = (u64::from(r * n), u64::from(2 * (n + m)));
    Ok(vec![Finding::at_most(case, claimed, ports, Basis::Exhaustive)])
}

/// The top switches that counting asks of every routing.
pub(super) fn counted(known: Known) -> u64 {
    let Known { n, r, most } = known;
    (r * (r - 1) * n * n).div_ceil(most)
}

fn sharper(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let finding = |known: Known| {
        let Known { n, r, .. } = known;
        let claimed = if r >= 2 * n { n * n } else { (r * n).div_ceil(2) };
        Finding::equal(case(n, r), claimed, Ratio::from(counted(known)), Basis::Exhaustive)
    };
    Ok(searched(scope)?.into_iter().map(finding).collect())
}
