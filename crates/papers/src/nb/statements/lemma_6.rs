//! \[NB\] Lemma 6, and its true exponent.
//!
//! Let X_0 be how many values d_0 takes among k numbers, and X_i how many (d_i − d_0) mod n takes.
//! Since d ↦ (d_0, (d_1 − d_0) mod n, …, (d_c − d_0) mod n) is a bijection, k ≤ X_0·X_1⋯X_c, so
//! the largest X_i is at least k^(1/(c+1)); the print has half that exponent. Sets in which
//! d_0 and every (d_i − d_0) mod n take any v values, v^(c+1) numbers in all, attain it, and so do
//! their subsets: the least possible largest X_i is ⌈k^(1/(c+1))⌉ for every k ≤ n^(c+1).

use std::collections::HashSet;

use rand::seq::SliceRandom;

use crate::integer::ceil_root;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-lemma-6", "[NB] V, Lemma 6")
    .about("Among any k different numbers of c+1 n-based digits, for some i at least k^(1/(2(c+1))) have different d_0 or different (d_i-d_0)%n")
    .hypothesis("the least over all sets of k >= 2 numbers for small n and c, sets built from few values for larger")
    .quote("there are at least $k^{\\frac{1}{2(c+1)}}$ numbers in the set of k different numbers either with different d_0 or with different $(d_i - d_0) \\% n$'s.")
    .cases(|scope| check(scope, SMALL, &PRINTED))
    .remark(
        RemarkKind::CanBeSharpened,
        |case| matches!(case.numbers[..], [printed, true_root] if printed < true_root),
        "the exponent is 1/(c+1), see nb-lemma-6-exponent",
    )
    .planted(Planted::Check(|scope| check(scope, &[(2, 1)], &TOO_MUCH)));

pub(super) const EXPONENT: Statement = Statement::new("nb-lemma-6-exponent", "[NB] V, Lemma 6, sharpened")
    .about("Among any k different numbers of c+1 n-based digits, for some i at least k^(1/(c+1)) have different d_0 or different (d_i-d_0)%n, and for every k <= n^(c+1) there are k numbers with no more")
    .hypothesis("the least over all sets of k >= 2 numbers for small n and c, sets built from few values for larger; every n, c and k by the bijection")
    .sharpened()
    .quote("there are at least $k^{\\frac{1}{2(c+1)}}$ numbers in the set of k different numbers either with different d_0 or with different $(d_i - d_0) \\% n$'s.")
    .cases(|scope| {
        let mut findings = check(scope, SMALL, &SHARPENED)?;
        findings.push(by_bijection());
        Ok(findings)
    })
    .planted(Planted::Check(|scope| check(scope, &[(2, 1)], &TOO_MUCH)));

/// (n, c).
type Size = (u32, u32);

/// Sizes all of whose sets are examined.
const SMALL: &[Size] = &[(2, 1), (3, 1), (4, 1), (2, 2), (2, 3)];

/// More of them in a full run: 2^25 sets.
const FULL: &[Size] = &[(5, 1)];

/// Sizes of the sets built from few values.
const LARGE: &[Size] = &[(5, 1), (8, 1), (3, 2), (5, 2), (8, 2), (3, 4), (10, 3)];

/// Number of sets of each kind that are drawn.
const DRAWN: u64 = 20;

/// What is claimed of k numbers: the degree of the root, for c, and how it compares with the least.
struct Claim {
    degree: fn(u32) -> u32,
    compare: fn(Case, u64, u64, Basis) -> Finding,
}

const PRINTED: Claim = Claim { degree: |c| 2 * (c + 1), compare: Finding::at_least };
const SHARPENED: Claim = Claim { degree: |c| c + 1, compare: Finding::equal };

/// The exponent 1/c.
const TOO_MUCH: Claim = Claim { degree: |c| c, compare: Finding::at_least };

fn check(scope: &Scope, small: &[Size], claim: &Claim) -> Findings {
    let mut findings = Vec::new();
    let full = if scope.full { FULL } else { &[] };
    for (n, c) in small.iter().chain(full).copied() {
        scope.progress.check()?;
        for (k, least) in least(n, c).into_iter().enumerate().skip(2) {
            let k = k as u64;
            let case = numbered(format!("n = {n}, c = {c}, k = {k}"), c, k);
            let claimed = ceil_root(k, (claim.degree)(c));
            findings.push((claim.compare)(case, claimed, least.into(), Basis::Exhaustive));
        }
    }
    for (n, c) in LARGE.iter().copied() {
        scope.progress.check()?;
        findings.extend((2..=n).map(|v| of_few_values(scope, (n, c), v, claim)));
    }
    Ok(findings)
}

/// A case with the printed and the true root of k, which the remark compares.
fn numbered(name: String, c: u32, k: u64) -> Case {
    Case::of(name, [ceil_root(k, 2 * (c + 1)), ceil_root(k, c + 1)])
}

/// The values of a number that the lemma speaks of: d_0 and (d_i − d_0) mod n.
fn values(number: u32, (n, c): Size) -> impl Iterator<Item = u32> {
    let first = number % n;
    let rest = (1..=c).map(move |i| (number / n.pow(i) % n + n - first) % n);
    std::iter::once(first).chain(rest)
}

/// The largest X_i of a set of numbers; n ≤ 64.
fn most(numbers: impl Iterator<Item = u32>, size: Size) -> u32 {
    let mut seen = vec![0_u64; size.1 as usize + 1];
    for number in numbers {
        for (seen, value) in seen.iter_mut().zip(values(number, size)) {
            *seen |= 1 << value;
        }
    }
    seen.iter().map(|seen| seen.count_ones()).max().unwrap_or(0)
}

/// Entry k: the least that [`most`] is on a set of k numbers, over all sets.
fn least(n: u32, c: u32) -> Vec<u32> {
    let numbers = n.pow(c + 1);
    let none = || vec![u32::MAX; numbers as usize + 1];
    let with = |mut least: Vec<u32>, bits: u64| {
        let members = (0..numbers).filter(|number| bits >> number & 1 == 1);
        let entry = &mut least[bits.count_ones() as usize];
        *entry = most(members, (n, c)).min(*entry);
        least
    };
    let join = |a: Vec<u32>, b: Vec<u32>| a.iter().zip(&b).map(|(a, b)| *a.min(b)).collect();
    (1..1_u64 << numbers).into_par_iter().fold(none, with).reduce(none, join)
}

/// Sets in which d_0 and all (d_i − d_0) mod n take `v` values that are drawn.
fn of_few_values(scope: &Scope, (n, c): Size, v: u32, claim: &Claim) -> Finding {
    let k = u64::from(v).pow(c + 1);
    let found = (0..DRAWN).map(|index| {
        let allowed = draw(n, c, v, scope.seed, index);
        let member = |number: &u32| {
            values(*number, (n, c)).zip(&allowed).all(|(value, set)| set >> value & 1 == 1)
        };
        most((0..n.pow(c + 1)).filter(member), (n, c))
    });
    let found = found.min().unwrap_or(0);
    let case = numbered(format!("sets of {v} values, n = {n}, c = {c}, k = {k}"), c, k);
    let basis = Basis::sampled(DRAWN, scope.seed);
    (claim.compare)(case, ceil_root(k, (claim.degree)(c)), found.into(), basis)
}

/// c + 1 sets of `v` values.
fn draw(n: u32, c: u32, v: u32, seed: u64, index: u64) -> Vec<u64> {
    let mut generator = Streams::new(seed).at(index);
    let mut set = || {
        let mut all: Vec<u32> = (0..n).collect();
        all.shuffle(&mut generator);
        all[..v as usize].iter().fold(0, |set, value| set | 1 << value)
    };
    (0..=c).map(|_| set()).collect()
}

/// For every n, c and k, from the bijection; that it is one is checked here for some n and c.
fn by_bijection() -> Finding {
    let is_one = |(n, c): &Size| {
        let numbers = n.pow(c + 1);
        let images: HashSet<Vec<u32>> =
            (0..numbers).map(|number| values(number, (*n, *c)).collect()).collect();
        images.len() == numbers as usize
    };
    let holds = SMALL.iter().chain(LARGE).all(is_one);
    let basis = Basis::Argued("the docs of nb-lemma-6-exponent");
    Finding::holds("every n, c and k", ">= k^(1/(c+1))", "k <= X_0 ... X_c", holds, basis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // 21 in base 3: d_0 = 1, d_1 - d_0 = 1. 02: d_0 = 2, d_1 - d_0 = -2 = 1.
        assert_eq!(values(7, (3, 1)).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(values(2, (3, 1)).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(most([7, 2].into_iter(), (3, 1)), 2);
        // Four numbers of two binary digits are all of them: two values each.
        assert_eq!(least(2, 1)[1..], [1, 2, 2, 2]);
        // Nine of two ternary digits: three values; four fit into two by two.
        assert_eq!(least(3, 1)[4..], [2, 3, 3, 3, 3, 3]);
    }
}
