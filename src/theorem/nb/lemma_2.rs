//! \[NB\] Lemma 2: how many SD pairs one top switch can carry.

use crate::registry::Kind;
use crate::theorem::root_capacity::most_pairs;
use crate::theorem::{Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-lemma-2",
    usage: "nb-lemma-2",
    about: "With one source or one destination a link, at most r(r-1) SD pairs are routed through the root when r >= 2n+1, and 2nr when r <= 2n+1",
    reference: "[NB] Lemma 2",
    examples: &["nb-lemma-2"],
    build: Statement {
        hypothesis: "the subgraph of ftree(n,m,r) with one top switch, where the largest number can be searched",
        subject: Subject::Cases { check: printed },
        remark: Some(Remark {
            kind: RemarkKind::CanBeSharpened,
            says: "it is (r-1) max(r,2n): 2n(r-1) instead of 2nr, and r(r-1) from r = 2n on, see nb-lemma-2-exact",
            on: |case| ports(case).is_some_and(|(n, r)| r <= 2 * n),
        }),
        ..Statement::UNREAD
    },
};

pub(super) const EXACT: Kind<Statement> = Kind {
    name: "nb-lemma-2-exact",
    usage: "nb-lemma-2-exact",
    about: "With one source or one destination a link, the largest number of SD pairs through the root is (r-1) max(r,2n)",
    reference: "[NB] Lemma 2, sharpened",
    examples: &["nb-lemma-2-exact"],
    build: Statement {
        hypothesis: "the subgraph of ftree(n,m,r) with one top switch, where the largest number can be searched",
        subject: Subject::Cases { check: exact },
        remark: None,
        ..Statement::UNREAD
    },
};

/// Hosts a leaf n, leaves r, and the exact largest number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) n: u64,
    pub(super) r: u64,
    pub(super) most: u64,
}

/// Every (n,r) with r ≤ 2n + 2 that can be searched.
pub(super) fn searched(scope: &Scope) -> Result<Vec<Known>, TheoremError> {
    let work = match scope.hosts {
        0..=16 => 1 << 17,
        _ if scope.full => 1 << 34,
        _ => 1 << 25,
    };
    let mut known = Vec::new();
    for n in 1..=5_usize {
        for r in 2..=2 * n + 2 {
            scope.progress.check()?;
            if let Some(most) = most_pairs(n, r, 1, work, scope.progress)? {
                known.push(Known { n: n as u64, r: r as u64, most });
            }
            scope.progress.inc(1);
        }
    }
    Ok(known)
}

pub(super) fn case(n: u64, r: u64) -> String {
    format!("n = {n}, r = {r}")
}

/// n and r of a case.
pub(super) fn ports(case: &str) -> Option<(u64, u64)> {
    let (n, r) = case.strip_prefix("n = ")?.split_once(", r = ")?;
    Some((n.parse().ok()?, r.parse().ok()?))
}

fn printed(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let finding = |Known { n, r, most }| {
        let claimed = if r > 2 * n { r * (r - 1) } else { 2 * n * r };
        Finding::at_most(case(n, r), claimed, most, Basis::Exhaustive)
    };
    Ok(searched(scope)?.into_iter().map(finding).collect())
}

fn exact(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let finding = |Known { n, r, most }| {
        Finding::equal(case(n, r), (r - 1) * r.max(2 * n), most, Basis::Exhaustive)
    };
    Ok(searched(scope)?.into_iter().map(finding).collect())
}
