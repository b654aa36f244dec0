//! \[NB\] Theorem 5: how many top switches NONBLOCKINGADAPTIVE requires, measured.
//!
//! The recurrence bounds configurations by e/(e−1)·n^(1−1/e) (`recurrence.rs`), with e = 2(c+1) as
//! printed and e = c+1 by the true exponent of Lemma 6. That exponent is right: let n = v^(c+1), and
//! let the destinations of a switch be those whose coordinates all are below v. Every partition takes
//! at most v of these n pairs, a configuration at most (c+1)v, so that there are at least
//! n/((c+1)v) configurations, which have n²/v = n^(2−1/(c+1)) top switches, whichever sets are
//! chosen.

use super::recurrence::is_within;
use crate::simulation::adaptive::{Destinations, Drawn, Numbering, Scratch, sampled};
use crate::theorem::prelude::*;

const QUOTE: &str = "requires at most $O(n^{2 - \\frac{1}{2(c+1)}})$ top level switches to route any permutation in $ftree(n, m, r)$.";

pub(super) const KIND: Statement = Statement::new("nb-theorem-5", "[NB] V, Theorem 5")
    .about("NONBLOCKINGADAPTIVE requires O(n^(2-1/(2(c+1)))) top switches for any permutation of ftree(n,m,r), r <= n^c")
    .hypothesis("at most 2(c+1)/(2c+1) (c+1) n^(2-1/(2(c+1))): the worst patterns found for c = 1..3, n up to 64")
    .quote(QUOTE)
    .cases(|scope| check(scope, |c| 2 * (c + 1), |k, _| k))
    .planted(Planted::Check(|scope| check(scope, |c| 2 * (c + 1), |_, n| n)));

pub(super) const EXPONENT: Statement =
    Statement::new("nb-theorem-5-exponent", "[NB] V, Theorem 5, sharpened")
        .about("It requires at most (c+1)^2/c n^(2-1/(c+1)), by the true exponent of Lemma 6")
        .hypothesis(
            "the worst patterns found for c = 1..3, n up to 64; every n by nb-recurrence-exponent",
        )
        .sharpened()
        .quote(QUOTE)
        .cases(|scope| check(scope, |c| c + 1, |k, _| k))
        .planted(Planted::Check(|scope| check(scope, |c| c + 1, |_, n| n)));

pub(super) const TIGHT: Statement = Statement::new("nb-theorem-5-tight", "[NB] V, Theorem 5")
    .about("For n = v^(c+1) some permutation requires at least n^(2-1/(c+1)), whichever largest subsets are chosen: the exponent 2-1/(c+1) is exact")
    .hypothesis("destinations whose coordinates are below v, r = n^c, n up to 256; every v and c by counting")
    .ours()
    .quote(QUOTE)
    .cases(|scope| tight(scope, |v| v))
    .remark(
        RemarkKind::CanBeSharpened,
        |_| true,
        "the exponent is exact, the constant is not: on every case here more are required if the first of several largest subsets is taken",
    )
    // As if a partition took one pair.
    .planted(Planted::Check(|scope| tight(scope, |_| 1)));

/// c, and the n whose patterns are searched.
const SIZES: &[(u32, &[u32])] =
    &[(1, &[2, 4, 8, 16, 32, 64]), (2, &[2, 4, 8, 16, 32, 64]), (3, &[2, 4, 8, 16, 32, 64])];

fn check(scope: &Scope, degree: fn(u32) -> u32, counted: fn(u64, u64) -> u64) -> Findings {
    let sizes = SIZES.iter().flat_map(|(c, sizes)| sizes.iter().map(|n| (*c, *n)));
    scope.each(sizes, |(c, n)| {
        let numbering = Numbering::with_digits(n, c);
        let Scope { trials, seed, progress, .. } = scope;
        let found = sampled(numbering, n.pow(c), Drawn::FewValues, *trials, *seed, progress)?;
        let (n, e) = (u64::from(n), degree(c));
        let count = counted(found.map_or(0, |(count, _)| count), n);
        let tops = count * numbering.per_configuration();
        let case = format!("n = {n}, c = {c}");
        let claimed = format!("<= {e}/{} (c+1) n^(2-1/{e})", e - 1);
        let found = format!("{count} configurations, {tops} top switches");
        let basis = Basis::sampled(*trials, *seed);
        Ok(Finding::holds(case, claimed, found, is_within(count, n, e), basis))
    })
}

fn tight(scope: &Scope, taken: fn(u64) -> u64) -> Findings {
    let sizes =
        [(2_u32, 1), (3, 1), (5, 1), (8, 1), (16, 1), (2, 2), (3, 2), (6, 2), (2, 3), (4, 3)];
    let mut findings = scope.each(sizes, |(v, c)| {
        let n = v.pow(c + 1);
        let numbering = Numbering::with_digits(n, c);
        let mut tops = Vec::new();
        let cube = cube(numbering, v);
        let count = numbering.allot(&cube, &mut Scratch::default(), &mut tops);
        let required = count * numbering.per_configuration();
        let least = u64::from(n).pow(2).div_ceil(taken(v.into()));
        let case = format!("v = {v}, c = {c}, n = {n}");
        Ok(Finding::at_least(case, least, required, Basis::Grid { points: 1 }))
    })?;
    let by = "a configuration takes at most (c+1)v of n pairs";
    let docs = "the docs of crates/papers/src/nb/statements/theorem_5.rs";
    findings.push(Finding::argued("every v and c", "n^2/v", by, docs));
    Ok(findings)
}

/// The hosts all of whose coordinates are below v.
fn cube(numbering: Numbering, v: u32) -> Destinations {
    let digits = numbering.c() + 1;
    let host = |number: u32| {
        let coordinates: Vec<u32> = (0..digits).map(|i| number / v.pow(i) % v).collect();
        let (switch, p) = numbering.host(&coordinates);
        (u32::try_from(switch).expect("there are n^c switches, a u32"), p)
    };
    (0..v.pow(digits)).map(host).collect()
}
