//! \[GL\] Lemma 7: constants with which its inequality holds for every congestion parameter.
//!
//! As [`super::lemma_7`] shows, r times the difference of both sides decreases for r ≥ e, for
//! exponents 2 ≤ j ≤ 5 of q = 1/(e^j r ln r) and whatever stands in place of 12. So the inequality
//! holds for every r > e exactly if it does at r = e, where q = 1/e^(j+1). There the left side
//! decreases and the right one increases with j, and the left one decreases with what stands in
//! place of 12. For j > 5 both sides are better than for j = 5 at every r. So there is a least j for
//! 12, and a least number for j = 4.
//!
//! With e^5, k1 = 4r/q = 4e^5 r² ln r and k2 = 36r; with the printed e^4 and 41 in place of 12,
//! k1 = 4e^4 r² ln r and k2 = 123r. Either way Lemma 7 holds for every r > e, with n^(−3) for one
//! channel.

use super::lemma_7::{Sides, decreases, finding, on_grid, portion, sides};
use super::logarithm::{Interval, ln};
use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-lemma-7-mended", "[GL] 4, proof of Lemma 7, mended")
    .about("With q = 1/(e^5 r ln r) the probability of Lemma 7, (q^q (1-q)^(1-q))^(-z) (1-1/8r)^((1-q)z), is at most 2^(-z/12r) for every r > e, with the printed q at most 2^(-z/41r); no exponent of e below 4.5413852027 and no number below 40.1333333977 in place of 12 would do")
    .hypothesis("r > e on a grid; every r > e, by a difference that decreases")
    .ours()
    .quote("if we choose $q = 1/e^4 r \\ln r$, as the reader may verify.")
    .cases(|scope| check(scope, 5))
    // The printed e^4.
    .planted(Planted::Check(|scope| check(scope, 4)));

/// Neighbours that enclose e^(j+1) for the least j, in units of 10^−12.
const LEAST_POWER: [u64; 2] = [255_031_024_568_933, 255_031_024_568_934];
const LEAST_J: &str = "4.541385202734";

/// Neighbours that enclose what is least in place of 12, in units of 10^−12.
const LEAST_DIVISOR: [u64; 2] = [40_133_333_397_765, 40_133_333_397_766];

const UNIT: u64 = 1_000_000_000_000;

const ARGUED: Basis =
    Basis::Argued("the docs of crates/papers/src/gl/statements/lemma_7_mended.rs");

fn check(scope: &Scope, j: u64) -> Findings {
    let mut findings = on_grid(scope, j)?;
    let sides_at_e = |j, divisor: u64| at_e(&portion(j, &e_bounds())?, &divisor.into());
    let every = |name: &str, j, divisor| {
        let name = format!("every r > e, {name}");
        finding(name.into(), sides_at_e(j, divisor).filter(|_| decreases(j)), ARGUED)
    };
    findings.push(every(&format!("e^{j} and 12"), j, 12));
    findings.push(every("e^4 and 41", 4, 41));
    findings.push(least_exponent());
    findings.push(least_divisor());
    Ok(findings)
}

/// Both sides at r = e.
fn at_e(q: &Interval, divisor: &Rational) -> Option<Sides> {
    sides(q, &e_bounds(), divisor)
}

fn units(units: u64) -> Rational {
    fraction(units, UNIT)
}

/// Whether the inequality is false with the first sides and true with the second.
fn separate([below, above]: [Option<Sides>; 2]) -> Option<bool> {
    let [[false_left, false_right], [left, right]] = [below?, above?];
    Some(false_left[0] > false_right[1] && left[1] <= right[0])
}

fn least_exponent() -> Finding {
    let at = |power: u64| {
        let q = Rational::ONE.checked_div(&units(power))?;
        at_e(&[q.clone(), q], &Rational::from(12))
    };
    // j = ln(e^(j+1)) − 1.
    let known: Option<Rational> = LEAST_J.replacen('.', "", 1).parse().ok().map(units);
    let logarithm = ln(&LEAST_POWER.map(units));
    let near = known.zip(logarithm).is_some_and(|(j, [low, high])| {
        let after = &j + &units(1);
        &j + &Rational::ONE <= low && high <= &after + &Rational::ONE
    });
    let holds = near && decreases(5) && separate(LEAST_POWER.map(at)) == Some(true);
    let found = if holds { "false below and true above" } else { "not shown" };
    let claimed = format!("true for every r > e from j = {LEAST_J}... on");
    Finding::holds("the least j for 12", claimed, found, holds, ARGUED)
}

fn least_divisor() -> Finding {
    let at = |divisor: u64| at_e(&portion(4, &e_bounds())?, &units(divisor));
    let holds = decreases(4) && separate(LEAST_DIVISOR.map(at)) == Some(true);
    let found = if holds { "false below and true above" } else { "not shown" };
    let claimed = format!("true for every r > e from {:.12} on", units(LEAST_DIVISOR[0]).to_f64());
    Finding::holds("the least number in place of 12 for e^4", claimed, found, holds, ARGUED)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Floats give these numbers by bisection of the inequality at r = e.
    #[test]
    fn the_least_constants_are_those_of_floats() {
        let difference = |j: f64, divisor: f64| {
            let (r, q) = (1_f64.exp(), (-j - 1.0).exp());
            let left = -q * q.ln() - (1.0 - q) * (-q).ln_1p() + 2_f64.ln() / (divisor * r);
            left + (1.0 - q) * (-1.0 / (8.0 * r)).ln_1p()
        };
        let root = |at: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64| {
            for _ in 0..100 {
                let middle = f64::midpoint(low, high);
                *(if at(middle) > 0.0 { &mut low } else { &mut high }) = middle;
            }
            low
        };
        let j = root(&|j| difference(j, 12.0), 4.0, 5.0);
        assert!((j - LEAST_J.parse::<f64>().unwrap()).abs() < 1e-11, "{j}");
        let divisor = root(&|divisor| difference(4.0, divisor), 12.0, 100.0);
        assert!((divisor - units(LEAST_DIVISOR[0]).to_f64()).abs() < 1e-9, "{divisor}");
        assert_eq!(least_exponent().outcome, Outcome::Holds);
        assert_eq!(least_divisor().outcome, Outcome::Holds);
    }

    /// Only a pair around the root separates.
    #[test]
    fn other_neighbours_do_not_separate() {
        let at = |divisor: u64| at_e(&portion(4, &e_bounds()).unwrap(), &divisor.into());
        assert_eq!(separate([at(40), at(41)]), Some(true));
        assert_eq!(separate([at(41), at(42)]), Some(false));
        assert_eq!(separate([at(39), at(40)]), Some(false));
    }
}
