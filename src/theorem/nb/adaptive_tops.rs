//! \[NB\] V, before Lemma 6: top switches of NONBLOCKINGADAPTIVE, as arithmetic of configurations.
//!
//! "SD pairs are routed over (c+1)×n top level switches" in each phase, a configuration, and the
//! paper counts configurations: a switch sends at most n SD pairs, "the c+1 partitions in one
//! configuration can route at least route c+2 SD pairs", so "at most n/(c+2) configurations" are
//! needed. Any traffic through the top takes one whole configuration, (c+1)n top switches. For
//! n ≤ c+1 that is n² or more. Where c+2 does not divide n, the argument gives ⌈n/(c+2)⌉
//! configurations, which may not be fewer than n² switches either; in that case what the algorithm
//! needs is left open here.

use crate::registry::Kind;
use crate::theorem::{
    Basis, Case, Finding, Outcome, Remark, RemarkKind, Scope, Statement, Subject, TheoremError,
    Whose,
};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-adaptive-tops",
    usage: "nb-adaptive-tops",
    options: &[],
    about: "NONBLOCKINGADAPTIVE requires less than n^2 top switches for any permutation in ftree(n,m,r), r <= n^c",
    reference: "[NB] V, before Lemma 6",
    examples: &["nb-adaptive-tops"],
    build: Statement {
        hypothesis: "n = 2..30, c = 1..4, by counting configurations of (c+1)n top switches",
        whose: Whose::Paper,
        quote: "this algorithm requires less than n^2 top level switches for any permutation in $f_{tree}(n, m, r)$. ... SD pairs are routed over $(c+1) \\times n$ top level switches.",
        subject: Subject::Cases { check: |scope| check(scope, 2..=30, |n, _| n * n) },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "not for n <= c+1: one configuration has (c+1)n >= n^2 top switches, so the paper's own ftree(4,16,20), for which c = 3, needs 16. The number n/(c+2) of configurations is to be rounded up; less than n^2 follows for n = c+2 and where c+2 divides n",
            on: |case| matches!(case.numbers[..], [n, c] if n <= c + 1),
        }),
        // Fewer than the (c+1)n of one configuration, for n = c+2.
        planted: |scope| check(scope, 3..=3, |n, c| (c + 1) * n),
    },
};

fn check(
    scope: &Scope,
    sizes: std::ops::RangeInclusive<u64>,
    limit: fn(u64, u64) -> u64,
) -> Result<Vec<Finding>, TheoremError> {
    scope.progress.check()?;
    let cases = sizes.flat_map(|n| (1..=4).map(move |c| (n, c)));
    Ok(cases.map(|(n, c)| finding(n, c, limit(n, c))).collect())
}

/// The claim that fewer than `limit` top switches are required.
fn finding(n: u64, c: u64, limit: u64) -> Finding {
    let (one, configurations) = ((c + 1) * n, n.div_ceil(c + 2));
    let most = configurations * one;
    let found = format!("at least {one}, at most {most}");
    let (case, claimed) = (Case::of(format!("n = {n}, c = {c}"), [n, c]), format!("< {limit}"));
    let grid = Basis::Grid { points: 1 };
    if one < limit && most >= limit {
        let why = format!("the argument gives {configurations} configurations");
        return Finding::new(case, claimed, found, Outcome::Open(why), grid);
    }
    Finding::holds(case, claimed, found, most < limit, grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // One configuration: 3·4 = 12 < 16 switches; 4·4 = 16; 4·5 = 20 < 25.
        assert_eq!(finding(4, 2, 16).outcome, Outcome::Holds);
        assert!(finding(4, 3, 16).fails());
        assert_eq!(finding(5, 3, 25).outcome, Outcome::Holds);
        // Two configurations of 4·6 are 48 > 36, one is 24.
        assert!(matches!(finding(6, 3, 36).outcome, Outcome::Open(_)));
    }
}
