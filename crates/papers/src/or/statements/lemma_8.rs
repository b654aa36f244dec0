//! \[OR\] Lemma 8, and what the paper states about T(X) below it.

use crate::theorem::prelude::*;
use crate::theorem::root_capacity::most_pairs;

pub(super) const KIND: Statement = Statement::new("or-lemma-8", "[OR] Lemma 8")
    .about("With mds <= X on every link of SEFT2(m,k) at most k(k-1)X^2 SD pairs are routed through the root, X >= m/k")
    .hypothesis("SEFT2(m,k), m/k <= X < m/2, where T(X) can be searched")
    .quote(r"the number of SD pairs routed through the root is at most $k(k-1)X^2$ when $X \ge \frac{m}{k}$.")
    .cases(|scope| lemma(scope, 0))
    .planted(Planted::Check(|scope| lemma(&small(scope), 1)));

pub(super) const BELOW: Statement = Statement::new("or-lemma-8-below", "[OR] IV, below Lemma 8")
    .about("When X < m/k, T(X) < k(k-1)(m/k)^2; T(X) grows with X until all pairs are routed")
    .hypothesis("SEFT2(m,k), 1 <= X < m/2, where T(X) can be searched")
    .quote(r"when $X < \frac{m}{k}$, $T(X) < T(\frac{m}{k}) \le k(k-1)(\frac{m}{k})^2$.")
    .cases(|scope| below(scope, |m, k, _| ((k - 1) * m * m, k)))
    // The bound of Lemma 8 without its condition.
    .planted(Planted::Check(|scope| below(&small(scope), |_, k, x| (k * (k - 1) * x * x + 1, 1))));

pub(super) const EXACT: Statement = Statement::new("or-lemma-8-exact", "[OR] Lemma 8, continued by us")
    .about("T(X) = (k-1) X max(kX,m) for every X < m/2: the bound of Lemma 8 is attained, and below X = m/k it is m(k-1)X")
    .hypothesis("SEFT2(m,k), 1 <= X < m/2, where T(X) can be searched; proved for all m and k in crates/proof/src/checker/COUNTING.md")
    .ours()
    .quote(r"Let us denote by T(X) the maximum number of SD pairs routed through SEFT2(m,k) when the largest of the maximum disjoint sizes of the links in SEFT2(m,k) is X.")
    .cases(|scope| exact(scope, |m, k, x| (k * x).max(m)))
    .planted(Planted::Check(|scope| exact(&small(scope), |_, k, x| k * x)));

/// Number of cover combinations to search.
pub(super) fn work(scope: &Scope) -> u64 {
    match scope.hosts {
        0..=16 => 1 << 16,
        _ if scope.full => 1 << 34,
        _ => 1 << 24,
    }
}

/// What is enough for a planted falsehood: the least work.
fn small<'a>(scope: &Scope<'a>) -> Scope<'a> {
    Scope::new(16, scope.progress)
}

struct Known {
    m: usize,
    k: usize,
    x: usize,
    /// T(x).
    most: u64,
}

impl Known {
    fn case(&self) -> String {
        format!("T({}) of SEFT2({},{})", self.x, self.m, self.k)
    }

    /// Whether any set qualifies, as no link has more than m/2 hosts on its near side.
    fn is_total(&self) -> bool {
        2 * self.x >= self.m
    }

    /// The vacuous finding for this case.
    fn nothing(&self) -> Finding {
        Finding::vacuous(self.case(), "T(m/2) is all pairs by definition")
    }
}

/// T(X) for every SEFT2(m,k) and X < m/2 within the work limit, and the trivial T(m/2).
fn searched(scope: &Scope) -> Result<Vec<Known>> {
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

/// The claim that T(X) is at most the printed bound minus `fewer`.
fn lemma(scope: &Scope, fewer: usize) -> Findings {
    let finding = |known: &Known| {
        let Known { k, x, most, .. } = *known;
        if known.is_total() {
            return known.nothing();
        }
        let claimed = Rational::from((k * (k - 1) * x * x - fewer) as u64);
        Finding::at_most(known.case(), claimed, Rational::from(most), Basis::Exhaustive)
    };
    let all = searched(scope)?;
    Ok(all.iter().filter(|known| known.x * known.k >= known.m).map(finding).collect())
}

/// The claim that T(X) is below `bound`(m,k,X), a fraction, when X < m/k.
fn below(scope: &Scope, bound: fn(usize, usize, usize) -> (usize, usize)) -> Findings {
    let all = searched(scope)?;
    let mut findings = Vec::new();
    for known in &all {
        let Known { m, k, x, most } = *known;
        if x * k < m {
            let (above, under) = bound(m, k, x);
            let holds = most * (under as u64) < above as u64;
            let (claimed, found) = (format!("T({x}) < {above}/{under}"), most.to_string());
            findings.push(Finding::holds(known.case(), claimed, found, holds, Basis::Exhaustive));
        }
        let next = all.iter().find(|other| (other.m, other.k, other.x) == (m, k, x + 1));
        findings.extend(next.map(|next| grows(known, next)));
    }
    Ok(findings)
}

/// The claim that T(X+1) > T(X), unless T(X) is all pairs.
fn grows(known: &Known, next: &Known) -> Finding {
    let Known { m, k, x, most } = *known;
    let case = format!("T({}) and {}", x + 1, known.case());
    if next.is_total() {
        return Finding::vacuous(case, "T(m/2) is all pairs by definition");
    }
    let total = (k * (k - 1) * m * m / 4) as u64;
    let holds = next.most > most || most == total;
    let (claimed, found) = (format!("T({}) > T({x}) = {most}", x + 1), next.most.to_string());
    Finding::holds(case, claimed, found, holds, Basis::Exhaustive)
}

/// The claim that T(X) = (k−1)·X·`factor`(m,k,X).
fn exact(scope: &Scope, factor: fn(usize, usize, usize) -> usize) -> Findings {
    let finding = |known: &Known| {
        let Known { m, k, x, most } = *known;
        if known.is_total() {
            return known.nothing();
        }
        let claimed = ((k - 1) * x * factor(m, k, x)) as u64;
        Finding::equal(known.case(), claimed, most, Basis::Exhaustive)
    };
    Ok(searched(scope)?.iter().map(finding).collect())
}
