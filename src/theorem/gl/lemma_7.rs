//! \[GL\] Lemma 7: the inequality that is left to the reader, as arithmetic.
//!
//! For z > 0 the printed (q^q (1−q)^(1−q))^(−z) (1 − 1/8r)^((1−q)z) ≤ 2^(−z/12r) means, by
//! logarithms,
//!
//! H(q) + ln 2/(12r) ≤ (1−q) ln(8r/(8r−1)), with H(q) = q ln(1/q) + (1−q) ln(1/(1−q)),
//!
//! whatever z is. H increases up to q = 1/2, so bounds on q = 1/(e^j r ln r), where the print has
//! j = 4, give bounds on both sides.
//!
//! For every r from some r0 ≥ e on: (1−q) ln(1/(1−q)) ≤ q and ln(1/q) = j + L + ln L with L = ln r,
//! so r·H(q) ≤ e^(−j)·(1 + (j + 1 + ln L)/L), which decreases for L ≥ 1, as its derivative has the
//! sign of −j − ln L; and since ln(1/(1−x)) ≥ x, r times the right side is at least (1−q)/8, which
//! increases. So e^(−j)·(1 + (j + 1 + ln L)/L) + ln 2/12 ≤ (1−q)/8 at r0 is enough.
//!
//! A congestion parameter is above e: a path of two channels of c wires weighs 2(e/r)^c ≤ 1/2. It
//! is below 8.307 only for trees all of whose channels have two wires or more, such as
//! r = 2e = 5.43… for `universal(2,leaf=2)`; the trees of the paper, with host channels of one wire,
//! have r ≥ 4e = 10.87….

use super::binomial::power;
use super::logarithm::{Interval, ln, rounded};
use crate::channels::e_bounds;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::theorem::{
    Basis, Case, Finding, Outcome, Remark, RemarkKind, Scope, Statement, Subject, TheoremError,
    Whose,
};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "gl-lemma-7-inequality",
    usage: "gl-lemma-7-inequality",
    options: &[],
    about: "With q = 1/(e^4 r ln r) the probability of Lemma 7, (q^q (1-q)^(1-q))^(-z) (1-1/8r)^((1-q)z), is at most 2^(-z/12r)",
    reference: "[GL] 4, proof of Lemma 7",
    examples: &["gl-lemma-7-inequality"],
    build: Statement {
        hypothesis: "r > e on a grid; every r >= 9 by the growth of both sides",
        whose: Whose::Paper,
        quote: "if we choose $q = 1/e^4 r \\ln r$, as the reader may verify.",
        subject: Subject::Cases { check: |scope| check(scope, 4, GRID, From::Nine) },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "false for every r below 8.307 that is tried, true from there on (from 9 on by argument); with e^5 in place of e^4 it is true for every r >= e, see gl-lemma-7-mended. The lemma is asymptotic and stands",
            on: |case| r_of(case).is_some_and(|r| r < threshold()),
        }),
        // e^3, where e^4 will do.
        planted: |scope| check(scope, 3, &[(9, 1), (100, 1)], From::Nine),
    },
};

pub(super) const MENDED: Kind<Statement> = Kind {
    name: "gl-lemma-7-mended",
    usage: "gl-lemma-7-mended",
    options: &[],
    about: "With q = 1/(e^5 r ln r) the probability of Lemma 7, (q^q (1-q)^(1-q))^(-z) (1-1/8r)^((1-q)z), is at most 2^(-z/12r) for every r >= e",
    reference: "[GL] 4, proof of Lemma 7, mended",
    examples: &["gl-lemma-7-mended"],
    build: Statement {
        hypothesis: "r > e on a grid; every r >= e by the growth of both sides",
        whose: Whose::Ours,
        quote: "if we choose $q = 1/e^4 r \\ln r$, as the reader may verify.",
        subject: Subject::Cases { check: |scope| check(scope, 5, GRID, From::E) },
        remark: None,
        // The printed e^4.
        planted: |scope| check(scope, 4, &[(3, 1)], From::E),
    },
};

/// Values of r, as fractions.
const GRID: &[(u64, u64)] = &[
    (11, 4),
    (3, 1),
    (4, 1),
    (5, 1),
    (6, 1),
    (7, 1),
    (8, 1),
    (83, 10),
    (8306, 1000),
    (8307, 1000),
    (17, 2),
    (9, 1),
    (10, 1),
    (11, 1),
    (12, 1),
    (16, 1),
    (24, 1),
    (32, 1),
    (64, 1),
    (100, 1),
    (1000, 1),
    (10_000, 1),
    (1_000_000, 1),
];

/// Where the argument for every r begins.
#[derive(Clone, Copy)]
enum From {
    E,
    Nine,
}

fn threshold() -> Ratio {
    Ratio::new(8307, 1000).expect("the denominator is not 0")
}

/// r of a case.
fn r_of(case: &Case) -> Option<Ratio> {
    match case.numbers[..] {
        [numerator, denominator] => Ratio::new(numerator, denominator),
        _ => None,
    }
}

fn check(
    scope: &Scope,
    j: u64,
    grid: &[(u64, u64)],
    from: From,
) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for (numerator, denominator) in grid {
        scope.progress.check()?;
        let Some(r) = Ratio::new(*numerator, *denominator) else { continue };
        let case = Case::of(format!("r = {r}"), [*numerator, *denominator]);
        findings.push(finding(case, sides(j, &r), Basis::Grid { points: 1 }));
    }
    let name = match from {
        From::E => "every r >= e",
        From::Nine => "every r >= 9",
    };
    let basis = Basis::Argued("the docs of src/theorem/gl/lemma_7.rs");
    findings.push(finding(name.into(), majorants(j, from), basis));
    Ok(findings)
}

/// Both sides of an inequality.
type Sides = [Interval; 2];

fn finding(case: Case, sides: Option<Sides>, basis: Basis) -> Finding {
    let claimed = "left <= right";
    let Some([left, right]) = sides else {
        let open = Outcome::Open("a logarithm is out of range".to_string());
        return Finding::new(case, claimed, "", open, basis);
    };
    let found = format!("{:.9} and {:.9}", left[0].to_f64(), right[0].to_f64());
    if left[1] > right[0] && left[0] <= right[1] {
        let open = Outcome::Open("the bounds overlap".to_string());
        return Finding::new(case, claimed, found, open, basis);
    }
    Finding::holds(case, claimed, found, left[1] <= right[0], basis)
}

/// 1/(e^j r ln r).
fn portion(j: u64, r: &Interval, logarithm: &Interval) -> Option<Interval> {
    let [e_low, e_high] = e_bounds();
    let most = &(&power(&e_high, j) * &r[1]) * &logarithm[1];
    let least = &(&power(&e_low, j) * &r[0]) * &logarithm[0];
    rounded(&[Ratio::ONE.checked_div(&most)?, Ratio::ONE.checked_div(&least)?])
}

/// H(q) + ln 2/(12r) and (1−q) ln(8r/(8r−1)), for r ≥ 2.
fn sides(j: u64, r: &Ratio) -> Option<Sides> {
    let same = |x: Ratio| [x.clone(), x];
    let q = portion(j, &same(r.clone()), &ln(&same(r.clone()))?)?;
    let two = ln(&same(Ratio::from(2)))?;
    let twelfth = Ratio::ONE.checked_div(&(r * &Ratio::from(12)))?;
    let entropy = [entropy(&q[0])?, entropy(&q[1])?];
    let left = [&entropy[0][0] + &(&two[0] * &twelfth), &entropy[1][1] + &(&two[1] * &twelfth)];
    let eight = r * &Ratio::from(8);
    let cycle = ln(&same(eight.checked_div(&eight.checked_sub(&Ratio::ONE)?)?))?;
    let other = |q: &Ratio| Ratio::ONE.checked_sub(q);
    Some([left, [&other(&q[1])? * &cycle[0], &other(&q[0])? * &cycle[1]]])
}

/// q ln(1/q) + (1−q) ln(1/(1−q)).
fn entropy(q: &Ratio) -> Option<Interval> {
    let part = |q: &Ratio| {
        let inverse = Ratio::ONE.checked_div(q)?;
        let [low, high] = ln(&[inverse.clone(), inverse])?;
        Some([q * &low, q * &high])
    };
    let [one, other] = [part(q)?, part(&Ratio::ONE.checked_sub(q)?)?];
    Some([&one[0] + &other[0], &one[1] + &other[1]])
}

/// e^(−j)·(1 + (j + 1 + ln L)/L) + ln 2/12 and (1−q)/8 at the beginning of the argument.
fn majorants(j: u64, from: From) -> Option<Sides> {
    let same = |x: u64| [Ratio::from(x), Ratio::from(x)];
    let (r, logarithm) = match from {
        From::E => (e_bounds(), same(1)),
        From::Nine => (same(9), ln(&same(9))?),
    };
    let (inner, two, e) = (ln(&logarithm)?, ln(&same(2))?, e_bounds());
    // At the ends `at` of L and e, the quotient by them is least or largest.
    let left = |end: usize| {
        let at = 1 - end;
        let sum = &Ratio::from(j + 1) + &inner[end];
        let bracket = &Ratio::ONE + &sum.checked_div(&logarithm[at])?;
        let first = bracket.checked_div(&power(&e[at], j))?;
        Some(&first + &two[end].checked_div(&Ratio::from(12))?)
    };
    let q = portion(j, &r, &logarithm)?;
    let eighth = |q: &Ratio| Ratio::ONE.checked_sub(q)?.checked_div(&Ratio::from(8));
    Some([[left(0)?, left(1)?], [eighth(&q[1])?, eighth(&q[0])?]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In floats: at r = 10 the sides are 0.01216… and 0.01257….
    #[test]
    fn sides_are_those_of_floats() {
        for (r, j) in [(3_u32, 4_i32), (10, 4), (50, 5)] {
            let x = f64::from(r);
            let q = 1.0 / (1_f64.exp().powi(j) * x * x.ln());
            let left = -q * q.ln() - (1.0 - q) * (1.0 - q).ln() + 2_f64.ln() / (12.0 * x);
            let right = (1.0 - q) * (8.0 * x / (8.0 * x - 1.0)).ln();
            let found = sides(j.unsigned_abs().into(), &Ratio::from(u64::from(r))).unwrap();
            for (interval, float) in found.iter().zip([left, right]) {
                assert!((interval[0].to_f64() - float).abs() < 1e-12, "{r}");
                assert!(interval[0] <= interval[1]);
            }
        }
    }

    /// At r = 9 one is above r times the left side, the other below r times the right side.
    #[test]
    fn majorants_are_majorants() {
        let nine = Ratio::from(9);
        let [left, right] = sides(4, &nine).unwrap();
        let [above, below] = majorants(4, From::Nine).unwrap();
        assert!(&nine * &left[1] <= above[0] && below[1] <= &nine * &right[0]);
    }
}
