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
//! # One root
//! r times the left less r times the right side strictly decreases for r ≥ e and 2 ≤ j ≤ 5, whatever
//! stands in place of 12. So the inequality is false for every r from e up to a root r* and true
//! from there on. With L = ln r ≥ 1:
//!
//! - r·q ln(1/q) = e^(−j)·(1 + (j + ln L)/L) has the derivative −e^(−j)(j − 1 + ln L)/(rL²), which is
//!   at most −(j−1)e^(−j)/(rL²).
//! - r·h(q) with h(q) = (1−q) ln(1/(1−q)) has the derivative h − q·h'·(1 + 1/L). As h − q·h' =
//!   −ln(1−q) − q ≤ q²/(2(1−q)) and h' = 1 + ln(1−q) ≥ (1−2q)/(1−q), it is not positive where
//!   qL/2 + 2q ≤ 1, and q and qL are at most e^(−j−1).
//! - r·ln 2/(12r) is constant.
//! - r·(1−q) ln(8r/(8r−1)) = (1−q)·A with A = (1 + x/2 + x²/3 + …)/8 and x = 1/8r. Here 1 − q
//!   increases and −A' = (x/2 + 2x²/3 + 3x³/4 + …)/(8r) ≤ (x + 2x² + 3x³ + …)/(16r) =
//!   1/(2(8r−1)²).
//!
//! So (j−1)e^(−j)/(rL²) > 1/(2(8r−1)²) is enough. As (8r−1)/r ≥ 8 − 1/e, and L²/r is at most 4/e²,
//! it follows from (j−1)(8 − 1/e)² > 2e^(j−2), which holds for 2 ≤ j ≤ 5 if for j = 5.
//!
//! # Which r there are
//! A congestion parameter is above e: a path with a channel of c wires weighs (e/r)^c ≤ 1/2 or more.
//! It is below r* = 8.30… only for trees all of whose channels have two wires or more, such as r = 2e
//! = 5.43… for `universal(2,leaf=2)`; the trees of the paper, with host channels of one wire, have
//! r ≥ 4e = 10.87….
//!
//! For 1 < r ≤ e the inequality, which nobody needs there, is false too wherever q is below 1. For
//! L ≥ 1/10 the difference decreases by the same terms: j − 1 + ln L ≥ 0.69, q ≤ 0.17 and 8r − 1 ≥ 7r.
//! For smaller L, q > 0.16, so H(q) > ln(8/7) if q ≤ 1/2, and otherwise H(q) ≥ 2(1−q) ln 2 >
//! (1−q) ln(8/7).

use super::logarithm::{Interval, ln, rounded};
use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-lemma-7-inequality", "[GL] 4, proof of Lemma 7")
    .about("With q = 1/(e^4 r ln r) the probability of Lemma 7, (q^q (1-q)^(1-q))^(-z) (1-1/8r)^((1-q)z), is at most 2^(-z/12r)")
    .hypothesis("r > e on a grid; r of three fat-trees; every r > e, by a root and a difference that decreases")
    .quote("if we choose $q = 1/e^4 r \\ln r$, as the reader may verify.")
    .cases(|scope| check(scope, 4))
    .remark(
        RemarkKind::Wrong,
        |case| r_of(case).is_some_and(|r| r < root()[1]),
        "false for every congestion parameter r < r* = 8.306950290889292843..., true for every r >= r*. So the proof as printed covers r >= r*, and not, for instance, universal(64,growth=sqrt2,leaf=3) with r = 5.17. With e^5 in place of e^4, or 41 in place of 12, it is true for every r > e, see gl-lemma-7-mended; the other steps hold, see gl-lemma-7-steps. The lemma, in which k1 and k2 are any constants, stands",
    )
    // e^3, where e^4 will do.
    .planted(Planted::Check(|scope| check(scope, 3)));

/// Values of r, as fractions.
pub(super) const GRID: &[(u64, u64)] = &[
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

/// Two neighbours that enclose r*, in units of 10^−18.
const ROOT: [u64; 2] = [8_306_950_290_889_292_843, 8_306_950_290_889_292_844];
const UNIT: u64 = 1_000_000_000_000_000_000;

/// Hosts, growth and wires of host channels. r = 5.17…, 2e and 13.8….
const TREES: [(usize, &str, u64); 3] = [(64, "sqrt2", 3), (2, "double2", 2), (64, "double2", 1)];

const ARGUED: Basis = Basis::Argued("the docs of crates/papers/src/gl/statements/lemma_7.rs");

fn root() -> [Rational; 2] {
    ROOT.map(|units| fraction(units, UNIT))
}

/// r of a case, or a value that is at least or at most every r of it.
fn r_of(case: &Case) -> Option<Rational> {
    match case.numbers[..] {
        [numerator, denominator] => Rational::new(numerator, denominator),
        _ => None,
    }
}

fn check(scope: &Scope, j: u64) -> Findings {
    let mut findings = on_grid(scope, j)?;
    for tree in TREES {
        scope.progress.check()?;
        findings.push(on_tree(tree, j)?);
    }
    let decreases = decreases(j);
    let argued = |name: &str, units: u64, r: &Rational| {
        let name = format!("every {name} {}.{:018}", units / UNIT, units % UNIT);
        finding(Case::of(name, [units, UNIT]), sides_at(j, r).filter(|_| decreases), ARGUED)
    };
    let [below, above] = root();
    findings.push(argued("e < r <=", ROOT[0], &below));
    findings.push(argued("r >=", ROOT[1], &above));
    Ok(findings)
}

/// The inequality with e^j for the values of [`GRID`].
pub(super) fn on_grid(scope: &Scope, j: u64) -> Findings {
    let mut findings = Vec::new();
    for (numerator, denominator) in GRID {
        scope.progress.check()?;
        let Some(r) = Rational::new(*numerator, *denominator) else { continue };
        let case = Case::of(format!("r = {r}"), [*numerator, *denominator]);
        findings.push(finding(case, sides_at(j, &r), Basis::Grid { points: 1 }));
    }
    Ok(findings)
}

/// The inequality for the congestion parameter of a tree, whatever it is within its bounds.
fn on_tree((hosts, growth, leaf): (usize, &str, u64), j: u64) -> Result<Finding> {
    let (topology, tree) = trees::tree(hosts, growth, leaf)?;
    let defect = || defect(topology.spec());
    let bounds = tree.congestion_parameter().ok_or_else(defect)?;
    // Bounds have 12 decimal places.
    let places = 1_000_000_000_000;
    let units = bounds.upper.scaled(places).ok_or_else(defect)?;
    let name = format!("{}, r = {:.9}", topology.spec(), bounds.upper.to_f64());
    let r = [bounds.lower, bounds.upper];
    let sides = portion(j, &r).and_then(|q| sides(&q, &r, &Rational::from(12)));
    Ok(finding(Case::of(name, [units, places]), sides, Basis::Exhaustive))
}

/// Both sides of an inequality.
pub(super) type Sides = [Interval; 2];

/// That the left side is at most the right one.
pub(super) fn finding(case: Case, sides: Option<Sides>, basis: Basis) -> Finding {
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

/// Whether r times the difference of the sides decreases for all r ≥ e, 2 ≤ j ≤ 5, as in the module
/// docs: (j−1)(8 − 1/e)²·e² > 2e^j.
pub(super) fn decreases(j: u64) -> bool {
    let [low, high] = e_bounds();
    let eight_e = (&low * &Rational::from(8)).checked_sub(&Rational::ONE).unwrap_or_default();
    let least = &Rational::from(j.saturating_sub(1)) * &power(&eight_e, 2);
    (2..=5).contains(&j) && least > &power(&high, j) * &Rational::from(2)
}

/// Both sides at one r, with the printed 12.
fn sides_at(j: u64, r: &Rational) -> Option<Sides> {
    let r = [r.clone(), r.clone()];
    sides(&portion(j, &r)?, &r, &Rational::from(12))
}

/// 1/(e^j r ln r).
pub(super) fn portion(j: u64, r: &Interval) -> Option<Interval> {
    let ([e_low, e_high], logarithm) = (e_bounds(), ln(r)?);
    let most = &(&power(&e_high, j) * &r[1]) * &logarithm[1];
    let least = &(&power(&e_low, j) * &r[0]) * &logarithm[0];
    rounded(&[Rational::ONE.checked_div(&most)?, Rational::ONE.checked_div(&least)?])
}

/// H(q) + ln 2/(`divisor`·r) and (1−q) ln(8r/(8r−1)), for r ≥ 2 and q ≤ 1/2.
pub(super) fn sides(q: &Interval, r: &Interval, divisor: &Rational) -> Option<Sides> {
    let two = ln(&[Rational::from(2), Rational::from(2)])?;
    let rate = |two: &Rational, r: &Rational| two.checked_div(&(r * divisor));
    let entropy = [entropy(&q[0])?, entropy(&q[1])?];
    let left = [&entropy[0][0] + &rate(&two[0], &r[1])?, &entropy[1][1] + &rate(&two[1], &r[0])?];
    let cycle = |r: &Rational| {
        let eight = r * &Rational::from(8);
        eight.checked_div(&eight.checked_sub(&Rational::ONE)?)
    };
    let cycle = ln(&[cycle(&r[1])?, cycle(&r[0])?])?;
    let other = |q: &Rational| Rational::ONE.checked_sub(q);
    Some([left, [&other(&q[1])? * &cycle[0], &other(&q[0])? * &cycle[1]]])
}

/// q ln(1/q) + (1−q) ln(1/(1−q)).
fn entropy(q: &Rational) -> Option<Interval> {
    let part = |q: &Rational| {
        let inverse = Rational::ONE.checked_div(q)?;
        let [low, high] = ln(&[inverse.clone(), inverse])?;
        Some([q * &low, q * &high])
    };
    let [one, other] = [part(q)?, part(&Rational::ONE.checked_sub(q)?)?];
    Some([&one[0] + &other[0], &one[1] + &other[1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// r times the left less r times the right side, in floats.
    fn difference(r: f64, j: i32) -> f64 {
        let q = 1.0 / (1_f64.exp().powi(j) * r * r.ln());
        let left = -q * q.ln() - (1.0 - q) * (-q).ln_1p() + 2_f64.ln() / (12.0 * r);
        r * (left + (1.0 - q) * (-1.0 / (8.0 * r)).ln_1p())
    }

    /// In floats: at r = 10 the sides are 0.01216… and 0.01257….
    #[test]
    fn sides_are_those_of_floats() {
        for (r, j) in [(3_u32, 4_i32), (10, 4), (50, 5)] {
            let x = f64::from(r);
            let q = 1.0 / (1_f64.exp().powi(j) * x * x.ln());
            let left = -q * q.ln() - (1.0 - q) * (1.0 - q).ln() + 2_f64.ln() / (12.0 * x);
            let right = (1.0 - q) * (8.0 * x / (8.0 * x - 1.0)).ln();
            let found = sides_at(j.unsigned_abs().into(), &u64::from(r).into()).unwrap();
            for (interval, float) in found.iter().zip([left, right]) {
                assert!((interval[0].to_f64() - float).abs() < 1e-12, "{r}");
                assert!(interval[0] <= interval[1]);
            }
        }
    }

    /// The argument, looked at: steps of a thousandth of ln r from 1/10 to 14.
    #[test]
    fn the_difference_decreases() {
        for j in 2..=5_i32 {
            assert!(decreases(j.unsigned_abs().into()));
            let from = if j == 4 { 100 } else { 1000 };
            let values: Vec<f64> = (from..14_000)
                .map(|step| difference((f64::from(step) / 1000.0).exp(), j))
                .collect();
            assert!(values.windows(2).all(|pair| pair[1] < pair[0]), "{j}");
        }
        assert!(!decreases(1) && !decreases(6));
    }

    /// Below e, where q < 1.
    #[test]
    fn it_is_false_down_to_1() {
        let below = (0..1000).map(|step| 1.019 + 1.7 * f64::from(step) / 1000.0);
        assert!(below.into_iter().all(|r| difference(r, 4) > 0.0));
    }

    #[test]
    fn the_root_separates_false_and_true() {
        let [below, above] = root().map(|r| sides_at(4, &r).unwrap());
        assert!(below[0][0] > below[1][1] && above[0][1] < above[1][0]);
        assert!(difference(8.306_950_29, 4) > 0.0 && difference(8.306_950_30, 4) < 0.0);
    }

    /// An interval of r encloses the sides at its ends.
    #[test]
    fn intervals_enclose() {
        let ends = [Rational::from(5), Rational::from(6)];
        let whole = sides(&portion(4, &ends).unwrap(), &ends, &Rational::from(12)).unwrap();
        for r in &ends {
            for (inner, outer) in sides_at(4, r).unwrap().iter().zip(&whole) {
                assert!(outer[0] <= inner[0] && inner[1] <= outer[1]);
            }
        }
    }
}
