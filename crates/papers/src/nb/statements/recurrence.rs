//! \[NB\] V, the recurrence in the proof of Theorem 5, as arithmetic.
//!
//! If the first partition of a configuration takes at least X^(1/e) of X SD pairs of a switch,
//! T(X) = 1 + T(X − ⌈X^(1/e)⌉) configurations suffice for X pairs. Then T(X) ≤ f(X) =
//! e/(e−1)·X^(1−1/e) for every X: f(0) = 0, and since f'(x) = x^(−1/e) decreases,
//! f(X) − f(X − X^(1/e)) ≥ X^(1/e)·X^(−1/e) = 1. So at most e/(e−1)·(c+1)·n^(2−1/e) top switches
//! are needed. The print has e = 2(c+1) from Lemma 6; with its true exponent e = c+1.

use dashu_int::UBig;

use crate::integer::ceil_root;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-recurrence", "[NB] V, proof of Theorem 5")
    .about("T(n) <= T(n - n^(1/(2(c+1)))) + 1 gives T(n) = O(n^(1-1/(2(c+1)))), and T(n) (c+1) n = O(n^(2-1/(2(c+1)))) top switches")
    .hypothesis("c = 1..4, n up to 4096, with the constant 2(c+1)/(2c+1); every n by the growth of the bound")
    .quote("We have $T(n) \\leq T(n - n^{\\frac{1}{2(c+1)}}) + 1$. ... O(n^{1 - \\frac{1}{2(c+1)}}) ... $T(n) \\times (c+1) \\times n = O(n^{2 - \\frac{1}{2(c+1)}})$")
    .cases(|scope| check(scope, |c| 2 * (c + 1), |e| e))
    // The bound leaves out a larger power than is taken from n.
    .planted(Planted::Check(|scope| check(scope, |c| 2 * (c + 1), |e| e - 1)));

pub(super) const EXPONENT: Statement = Statement::new(
    "nb-recurrence-exponent",
    "[NB] V, proof of Theorem 5, sharpened; the recurrence of the Acknowledgement",
)
    .about("With the true exponent of Lemma 6 T(n) <= T(n - n^(1/(c+1))) + 1, which gives T(n) <= (c+1)/c n^(1-1/(c+1)), and O(n^(2-1/(c+1))) top switches in Theorem 5")
    .hypothesis("c = 1..4, n up to 4096; every n by the growth of the bound")
    .sharpened()
    .quote("the bound derived from the recurrence $T(n) \\leq T(n - n^{\\frac{1}{c+1}}) + 1$, which is used in the proof of Theorem 5.")
    .cases(|scope| check(scope, |c| c + 1, |e| e))
    .planted(Planted::Check(|scope| check(scope, |c| c + 2, |e| e - 1)));

/// Largest n.
const MOST: u64 = 4096;

/// The recurrence with the e-th root, e = `degree(c)`, against the bound with the root
/// `claimed(e)`.
fn check(scope: &Scope, degree: fn(u32) -> u32, claimed: fn(u32) -> u32) -> Findings {
    let mut findings = scope.each(1..=4, |c| Ok(up_to(c, degree(c), claimed(degree(c)))))?;
    // The argument needs the root taken to be the root of the bound.
    if (1..=4).all(|c| degree(c) == claimed(degree(c))) {
        let (claim, by) = ("T(n) <= e/(e-1) n^(1-1/e)", "f(X) - f(X - X^(1/e)) >= 1");
        let docs = "the docs of crates/papers/src/nb/statements/recurrence.rs";
        findings.push(Finding::argued("every c and n", claim, by, docs));
    }
    Ok(findings)
}

fn up_to(c: u32, degree: u32, e: u32) -> Finding {
    let counts = configurations(degree);
    let wrong = (1..=MOST).find(|n| !is_within(counts[as_size(*n)], *n, e));
    let last = counts[as_size(MOST)];
    let wrong = wrong.map(|n| format!("T({n}) = {}", counts[as_size(n)]));
    let case = format!("c = {c}, root {degree}, n = 1..{MOST}");
    let claimed = format!("T(n) <= {e}/{} n^(1-1/{e})", e - 1);
    let found = format!("holds for all, T({MOST}) = {last}");
    Finding::unless(case, claimed, found, wrong, Basis::Grid { points: MOST })
}

/// T(0), …, T([`MOST`]).
fn configurations(degree: u32) -> Vec<u64> {
    let mut counts = vec![0];
    for n in 1..=MOST {
        counts.push(1 + counts[as_size(n - ceil_root(n, degree))]);
    }
    counts
}

/// T ≤ e/(e−1)·n^(1−1/e), by e-th powers.
pub(super) fn is_within(t: u64, n: u64, e: u32) -> bool {
    let power = |x: u64, exponent: u32| UBig::from(x).pow(exponent as usize);
    let e_less = u64::from(e) - 1;
    power(t * e_less, e) <= power(e.into(), e) * power(n, e - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_hand() {
        // Square roots: 9 - 3 - 3 - 2 - 1.
        assert_eq!(configurations(2)[9], 4);
        // 4 <= 2 sqrt(9), not 7.
        assert!(is_within(6, 9, 2) && !is_within(7, 9, 2));
    }
}
