//! \[OR\] Lemma 8, and what the paper says of T(X) below it.

use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::theorem::root_capacity::most_pairs;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-8",
    usage: "or-lemma-8",
    about: "With mds <= X on every link of SEFT2(m,k) at most k(k-1)X^2 SD pairs are routed through the root, X >= m/k",
    reference: "[OR] Lemma 8",
    examples: &["or-lemma-8"],
    build: Statement {
        hypothesis: "SEFT2(m,k), m/k <= X <= m/2, where T(X) can be searched",
        subject: Subject::Cases { check: lemma },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const BELOW: Kind<Statement> = Kind {
    name: "or-lemma-8-below",
    usage: "or-lemma-8-below",
    about: "When X < m/k, T(X) < k(k-1)(m/k)^2; T(X) grows with X until all pairs are routed",
    reference: "[OR] IV, below Lemma 8",
    examples: &["or-lemma-8-below"],
    build: Statement {
        hypothesis: "SEFT2(m,k), 1 <= X < m/k, where T(X) can be searched",
        subject: Subject::Cases { check: below },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const EXACT: Kind<Statement> = Kind {
    name: "or-lemma-8-exact",
    usage: "or-lemma-8-exact",
    about: "T(X) = (k-1) X max(kX,m) for every X <= m/2: the bound of Lemma 8 is attained, and below X = m/k it is m(k-1)X",
    reference: "[OR] Lemma 8, sharpened",
    examples: &["or-lemma-8-exact"],
    build: Statement {
        hypothesis: "SEFT2(m,k), 1 <= X <= m/2, where T(X) can be searched",
        subject: Subject::Cases { check: exact },
        remark: None,
        ..Statement::UNREAD
    },
};

/// Combinations of covers that are searched.
pub(super) fn work(scope: &Scope) -> u64 {
    match scope.hosts {
        0..=16 => 1 << 16,
        _ if scope.full => 1 << 34,
        _ => 1 << 24,
    }
}

struct Known {
    m: usize,
    k: usize,
    x: usize,
    /// T(x).
    most: u64,
}

/// T(X) for every SEFT2(m,k) and X < m/2 within the work, and the trivial T(m/2).
fn searched(scope: &Scope) -> Result<Vec<Known>, TheoremError> {
    let mut known = Vec::new();
    for n in 1..=5 {
        for k in 2..=9 {
            for x in 1..=n {
                scope.progress.check()?;
                if let Some(most) = most_pairs(n, k, x, work(scope), scope.progress)? {
                    known.push(Known { m: 2 * n, k, x, most });
                }
                scope.progress.inc(1);
            }
        }
    }
    Ok(known)
}

fn lemma(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let finding = |known: Known| {
        let Known { m, k, x, most } = known;
        let claimed = Ratio::from((k * (k - 1) * x * x) as u64);
        let case = format!("T({x}) of SEFT2({m},{k})");
        (x * k >= m).then(|| Finding::at_most(case, claimed, Ratio::from(most), Basis::Exhaustive))
    };
    Ok(searched(scope)?.into_iter().filter_map(finding).collect())
}

fn below(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let all = searched(scope)?;
    let mut findings = Vec::new();
    for Known { m, k, x, most } in &all {
        let case = format!("T({x}) of SEFT2({m},{k})");
        // most < k(k−1)(m/k)² = (k−1)m²/k.
        if x * k < *m {
            let holds = most * (*k as u64) < ((k - 1) * m * m) as u64;
            let claimed = format!("T({x}) < {}*{m}^2/{k}", k - 1);
            findings.push(Finding::holds(
                &case,
                claimed,
                most.to_string(),
                holds,
                Basis::Exhaustive,
            ));
        }
        let next = all.iter().find(|known| (known.m, known.k, known.x) == (*m, *k, x + 1));
        if let Some(next) = next {
            let total = (k * (k - 1) * m * m / 4) as u64;
            let holds = next.most > *most || *most == total;
            let (claimed, found) =
                (format!("T({}) > T({x}) = {most}", x + 1), next.most.to_string());
            let case = format!("T({}) and {case}", x + 1);
            findings.push(Finding::holds(case, claimed, found, holds, Basis::Exhaustive));
        }
    }
    Ok(findings)
}

fn exact(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let finding = |known: Known| {
        let Known { m, k, x, most } = known;
        let claimed = ((k - 1) * x * (k * x).max(m)) as u64;
        Finding::equal(format!("T({x}) of SEFT2({m},{k})"), claimed, most, Basis::Exhaustive)
    };
    Ok(searched(scope)?.into_iter().map(finding).collect())
}
