//! \[NB\] V, before Lemma 6: top switches of NONBLOCKINGADAPTIVE.
//!
//! "SD pairs are routed over (c+1)×n top level switches" in each phase, a configuration, and the
//! paper counts configurations: a switch sends at most n SD pairs, "the c+1 partitions in one
//! configuration can route at least route c+2 SD pairs", so "at most n/(c+2) configurations" are
//! needed. Any traffic through the top takes one whole configuration, (c+1)n top switches. For
//! n ≤ c+1 that is n² or more. Where c+2 does not divide n, the argument gives ⌈n/(c+2)⌉
//! configurations, which may not be fewer than n² switches either.
//!
//! Here configurations are bounded by what each takes at least, whichever largest sets are chosen
//! ([`configuration_bounds`]). Where that leaves n² or more, a pattern is searched that needs as many
//! when the first of several largest sets is taken, which the paper does not exclude. For every
//! larger n: T(n) ≤ (c+1)/c·n^(1−1/(c+1)) configurations suffice (`recurrence.rs`), which is fewer
//! than n/(c+1) where n > ((c+1)²/c)^(c+1).

use crate::simulation::adaptive::{Drawn, Numbering, configuration_bounds, sampled};
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-adaptive-tops", "[NB] V, before Lemma 6")
    .about("NONBLOCKINGADAPTIVE requires less than n^2 top switches for any permutation in ftree(n,m,r), r <= n^c")
    .hypothesis("c = 1..4 and every n >= 2, r = n^c: an upper bound on configurations of (c+1)n top switches, or a pattern that needs as many as n^2")
    .quote("this algorithm requires less than n^2 top level switches for any permutation in $f_{tree}(n, m, r)$. ... SD pairs are routed over $(c+1) \\times n$ top level switches.")
    .cases(|scope| check(scope, 2..=30, |n, _| n * n))
    .remark(
        RemarkKind::Wrong,
        |case| matches!(case.numbers[..], [n, c] if n <= c + 1 || TWO.contains(&(n, c))),
        "not for n <= c+1: one configuration has (c+1)n >= n^2 top switches, so the paper's own ftree(4,16,20), for which c = 3, needs 16. The number n/(c+2) of configurations is to be rounded up; where two are needed for n <= 2(c+1) that is n^2 or more again: for (n,c) = (4,1), (6,2), (7,3), (8,3), (8,4), (9,4), (10,4) some patterns need two if the first of several largest subsets is taken, which Figure 4 leaves open. For c <= 4 it holds for all other n, whichever subsets are taken",
    )
    // Fewer than the (c+1)n of one configuration, for n = c+2.
    .planted(Planted::Check(|scope| check(scope, 3..=3, |n, c| (c + 1) * n)));

/// n and c, n > c + 1, for which some patterns need n² top switches or more.
const TWO: &[(u64, u64)] = &[(4, 1), (6, 2), (7, 3), (8, 3), (8, 4), (9, 4), (10, 4)];

/// Patterns that are searched for one of them.
const TRIALS: u64 = 1 << 14;

fn check(
    scope: &Scope,
    sizes: std::ops::RangeInclusive<u64>,
    limit: fn(u64, u64) -> u64,
) -> Findings {
    let mut findings = Vec::new();
    for c in 1..=4 {
        for n in sizes.clone() {
            scope.progress.check()?;
            findings.push(finding(scope, (n, c), limit(n, c))?);
        }
        findings.push(larger(c, *sizes.end(), limit));
    }
    Ok(findings)
}

/// A number of a case.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("the cases are small")
}

fn numbering(n: u64, c: u64) -> Numbering {
    Numbering::with_digits(narrow(n), narrow(c))
}

/// The most configurations that n pairs of a switch need, by an upper bound.
fn most(n: u64, c: u64) -> u64 {
    let of = numbering(n, c);
    configuration_bounds(of.c(), of.n()).last().copied().unwrap_or(0)
}

/// The claim that fewer than `limit` top switches are required.
fn finding(scope: &Scope, (n, c): (u64, u64), limit: u64) -> Result<Finding> {
    let (one, most) = ((c + 1) * n, most(n, c));
    let (case, claimed) = (Case::of(format!("n = {n}, c = {c}"), [n, c]), format!("< {limit}"));
    let grid = Basis::Grid { points: 1 };
    if one >= limit || most * one < limit {
        let found = format!("at least {one}, at most {}", most * one);
        return Ok(Finding::holds(case, claimed, found, one < limit, grid));
    }
    // r is as large as c allows, so that every destination exists.
    let r = narrow(n).pow(narrow(c));
    let of = numbering(n, c);
    let worst = sampled(of, r, Drawn::FewValues, TRIALS, scope.seed, scope.progress)?;
    let (count, pattern) = worst.unwrap_or_default();
    let found = format!("{} for a pattern, at most {}", count * one, most * one);
    if count * one < limit {
        let why = format!("no pattern that needs {limit} was found");
        return Ok(Finding::new(case, claimed, found, Outcome::Open(why), grid));
    }
    let lines = || {
        let of = |(switch, p): &(u32, u32)| format!("{p} of switch {switch}");
        let hosts: Vec<String> = pattern.iter().map(of).collect();
        format!("the hosts {} as destinations of one switch\n", hosts.join(", "))
    };
    Ok(Finding::holds(case, claimed, found, false, grid).because(lines))
}

/// Every n above `last`.
fn larger(c: u64, last: u64, limit: fn(u64, u64) -> u64) -> Finding {
    let degree = narrow(c) + 1;
    // From here on (c+1)/c n^(1-1/(c+1)) configurations are fewer than n/(c+1).
    let enough = (c + 1).pow(2 * degree) / c.pow(degree) + 1;
    let bounds = configuration_bounds(degree - 1, numbering(enough, c).n());
    let is_fewer = |n: &u64| bounds[as_size(*n)] * (c + 1) * n < limit(*n, c);
    let holds = (last + 1..=enough).all(|n| is_fewer(&n)) && limit(enough, c) >= enough * enough;
    let basis = Basis::Argued("the docs of crates/papers/src/nb/statements/adaptive_tops.rs");
    let found = format!("by the bound on configurations up to {enough}, then by its growth");
    Finding::holds(format!("n > {last}, c = {c}"), "< n^2", found, holds, basis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let of = |n, c, limit| finding(&scope, (n, c), limit).unwrap();
        // One configuration: 3·4 = 12 < 16 switches; 4·4 = 16; 4·5 = 20 < 25.
        assert_eq!(of(4, 2, 16).outcome, Outcome::Holds);
        assert!(of(4, 3, 16).fails());
        assert_eq!(of(5, 3, 25).outcome, Outcome::Holds);
        // One configuration of 4·6 is 24 < 36: at least two pairs go through each of its first two
        // partitions, and one through each of the others.
        assert_eq!(of(6, 3, 36).outcome, Outcome::Holds);
        // Two of 2·4: a square of coordinates.
        assert!(of(4, 1, 16).fails());
    }

    #[test]
    fn the_bound_from_which_growth_decides() {
        // (c+1)^2/c to the power c+1: 16, 91.1.
        let square = |n: u64, _| n * n;
        assert!(larger(1, 4, square).found.contains("up to 17,"));
        assert!(larger(2, 6, square).found.contains("up to 92,"));
        assert!(larger(2, 5, square).fails() && !larger(2, 6, square).fails());
    }
}
