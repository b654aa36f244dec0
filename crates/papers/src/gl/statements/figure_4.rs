//! \[GL\] Figure 4: after how many cycles RANDOM has tried its first guess of at least λ(M), with
//! constants.
//!
//! The cycles are those of [`Guesses`], the loops of Figures 2 and 3, with every number of them
//! rounded down. Let K = k2·lg n, ρ = k2/k1, g = ρ lg n lg lg n, the guess of line 8, and lg⁺ x =
//! max{0, lg x}. For n ≥ 4, k1 ≥ 1 and K ≥ 1 the number is at most
//!
//! 1. 2 + K for 1 < λ ≤ 2 if 2·k1 < K, and 2 + (3 + 2 lg⁺(1/ρ))·K for 1 < λ ≤ g if not,
//! 2. 1 + (8 + 2 lg⁺(1/ρ))·K lg λ for 2 < λ ≤ g,
//! 3. (11 + 4 lg⁺ ρ)·k1·λ + 3 + lg⁺(1/ρ) for λ > g and λ > 1.
//!
//! # Argument
//! TRY-GUESS(γ) halves λ from γ on. Those λ that are at least K/k1 = ρ lg n take at most 2·k1·γ − K
//! cycles together, if there are any; there are at most lg⁺(K/k1) + 1 others, and none if K ≤ k1, with
//! K each. So T(γ) ≤ 2·k1·γ + K lg⁺(K/k1) + 1 for γ ≥ K/k1. As lg n ≥ 2 and lg lg n ≥ 1, g is at least
//! K/k1 and at least 2ρ, and T(g) ≤ K·(2 lg lg n + lg⁺(K/k1)) + 1.
//!
//! The squares 2^(2^i), i = 0..s, are below K/k1 ≤ K. They take 2^i·⌊K⌋ + 1 cycles each, (2^(s+1) − 1)·K
//! + s + 1 at most in all, and K > 2^(2^s) ≥ s + 2, so that this is less than 2·2^s·K − 1.
//!
//! *1.* With squares, TRY-GUESS(2) has one λ. Without, K/k1 ≤ 2, so lg⁺(K/k1) ≤ 1 and lg lg n ≤ 1 +
//! lg⁺(1/ρ): line 1 and T(g) are within the bound. It is also within that of *2*, as lg λ > 1.
//!
//! *2.* If the first square that is at least λ has i = s ≥ 1, lg λ > 2^(s−1): line 1 and the squares
//! take at most 1 + 4K lg λ. If all squares are less, lg λ > 2^s, and lg(K/k1) ≤ 2^(s+1) < 2 lg λ, since
//! the next square was not tried. lg lg n = lg(K/k1) − lg ρ < 2 lg λ + lg⁺(1/ρ). So line 1, squares and
//! T(g) take at most 1 + 2K lg λ + K·(4 lg λ + 2 lg⁺(1/ρ) + 2 lg λ).
//!
//! *3.* The guesses are g, 2g, …, 2^t·g < 2λ. T of these sums up to at most 8·k1·λ − 2·k1·g + (t+1)·(K
//! lg⁺(K/k1) + 1), with t + 1 < 2 + lg(λ/g). K lg⁺(K/k1) ≤ k1·g·(1 + lg⁺ ρ), as K = k1·g/lg lg n and
//! lg⁺(K/k1) ≤ lg⁺ ρ + lg lg n. x·(2 + lg(1/x)) increases up to x = 1, where it is 2, so (t+1)·g < 2λ. The
//! squares, with 2^s < lg(K/k1), take at most 2K lg⁺(K/k1). In all there are at most k1·λ·(8 + 2·(1 +
//! lg⁺ ρ) + 2 lg⁺ ρ) cycles, line 1 and 2 + lg(λ/g), where lg(1/g) ≤ lg⁺(1/ρ) and lg λ < λ ≤ k1·λ.
//!
//! # On the grid
//! Between two guesses the number is the same for every λ, and bounds increase, so comparing it with
//! the bound just above the smaller guess settles **every** λ up to n² or 2^40. lg lg n is enclosed by
//! [`super::logarithm`]; if both ends give the same numbers of cycles, these are exact. The numbers
//! from [`Guesses::new`], which rounds logarithms, must be the same up to a part of 2^−50.

use dashu_int::UBig;

use super::logarithm::{Interval, ln};
use crate::simulation::delivery::{Constants, Guesses};
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-figure-4", "[GL] 3, Figure 4; 4, proof of Theorem 8")
    .about("RANDOM has tried its first guess of at least lambda after at most 2 + k2 lg n cycles for lambda <= 2 (2 + (3 + 2 lg+(k1/k2)) k2 lg n if 2 k1 >= k2 lg n), 1 + (8 + 2 lg+(k1/k2)) k2 lg n lg lambda for lambda up to g = (k2/k1) lg n lg lg n, and (11 + 4 lg+(k2/k1)) k1 lambda + 3 + lg+(k1/k2) above g, where lg+ x = max{0, lg x}")
    .hypothesis("lg n = 2..24, every lambda <= n^2 and 2^40, eight pairs k1, k2, and those of the proof among them; every n >= 4, lambda > 1, k1 >= 1 and k2 lg n >= 1 by argument")
    .sharpened()
    .quote("Now we just need to count the number of delivery cycles that have been completed by the time we call ... The total number of delivery cycles is, therefore,")
    .cases(|scope| check(scope, FACTORS))
    // Half of each factor.
    .planted(Planted::Check(|scope| check(scope, [1, 4, 5])));

/// 2 + 1·K, 8 + 2 lg⁺(1/ρ) and 11 + 4 lg⁺ ρ.
const FACTORS: [u64; 3] = [1, 8, 11];

/// Pairs of k1 and k2. With r = 4e those of the proof are about 61,600 and 391, with e^5 and with 41
/// as in `lemma_7_mended` 167,443 and 391, and 61,600 and 1337.
pub(super) const CONSTANTS: [[u64; 2]; 8] =
    [[1, 1], [1, 2], [1, 10], [1, 100], [4, 1], [61_600, 391], [167_443, 391], [61_600, 1337]];

/// Maximum of lg n.
pub(super) const HEIGHT: u64 = 24;

/// Largest λ: where it is n², numbers of cycles would exceed 64 bits.
const MOST: u64 = 1 << 40;

const NAMES: [&str; 3] = ["1 < lambda <= 2 or g", "2 < lambda <= g", "g < lambda"];

fn check(scope: &Scope, factors: [u64; 3]) -> Findings {
    let on_constants = |constants: &[u64; 2]| {
        scope.progress.check()?;
        let found = of_constants(*constants, factors);
        scope.progress.inc(1);
        Ok(found)
    };
    let findings = CONSTANTS.par_iter().map(on_constants);
    let mut findings: Vec<Finding> =
        findings.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    // The argument is about these factors.
    if factors == FACTORS {
        let docs = "the docs of crates/papers/src/gl/statements/figure_4.rs";
        findings.push(Finding::argued("every n, lambda, k1, k2", "within", "within", docs));
    }
    Ok(findings)
}

/// The largest number of cycles ÷ bound, where it is, and how many were compared.
#[derive(Clone, Default)]
struct Worst {
    part: Rational,
    at: String,
    points: u64,
}

impl Worst {
    fn add(&mut self, cycles: u64, bound: &Rational, at: impl Fn() -> String) {
        self.points += 1;
        let part = Rational::from(cycles).checked_div(bound);
        if let Some(part) = part.filter(|part| *part > self.part) {
            (self.part, self.at) = (part, at());
        }
    }
}

fn of_constants([k1, k2]: [u64; 2], factors: [u64; 3]) -> Vec<Finding> {
    let name = format!("k1 = {k1}, k2 = {k2}");
    let mut worst = <[Worst; 3]>::default();
    let bounds = Bounds::of([k1, k2], factors);
    for height in 2..=HEIGHT {
        let counted = Counted::of(height, [k1, k2]);
        let added =
            bounds.as_ref().zip(counted).and_then(|(b, counted)| counted.add(b, &mut worst));
        if added.is_none() {
            let open = Outcome::Open(format!("a count for lg n = {height} is not certain"));
            return vec![Finding::new(name, "counts", "", open, Basis::Grid { points: 0 })];
        }
    }
    let finding = |(range, Worst { part, at, points }): (&str, Worst)| {
        let case = format!("{name}, {range}");
        if points == 0 {
            return Finding::vacuous(case, "there is no such lambda");
        }
        let found = format!("at most {:.4} of the bound, {at}", part.to_f64());
        Finding::holds(case, "within", found, part <= Rational::ONE, Basis::Grid { points })
    };
    NAMES.into_iter().zip(worst).map(finding).collect()
}

/// The guesses for one n, up to the first of at least n² or 2^40, with the cycles when each has been
/// tried.
pub(super) struct Counted {
    pub(super) height: u64,
    pub(super) constants: [u64; 2],
    /// A lower bound on the guess of line 8.
    eighth: Rational,
    /// A lower bound on every guess, and its cycles.
    pub(super) tried: Vec<(Rational, u64)>,
}

impl Counted {
    /// `None` where a count is not certain.
    pub(super) fn of(height: u64, [k1, k2]: [u64; 2]) -> Option<Self> {
        let constants = Constants { k1: k1.into(), k2: k2.into(), r: Rational::ONE };
        let most = Rational::from(MOST.min(1 << (2 * height)));
        let until = |guesses: Guesses| {
            let (mut tried, mut found) = (guesses.tried(), Vec::new());
            while found.last().is_none_or(|(guess, _)| *guess < most) {
                found.push(tried.next()?);
            }
            Some(found)
        };
        let by = |lglg| Guesses::by_logarithms(&height.into(), &lglg, &constants).ok();
        let [low, high] = lg_of_whole(height)?;
        let eighth = (&Rational::from(k2 * height) * &low).checked_div(&k1.into())?;
        let (tried, above) = (until(by(low)?)?, until(by(high)?)?);
        let rounded = until(Guesses::new(1 << height, &constants).ok()?)?;
        let same = |other: &[(Rational, u64)], places: u32| {
            let is_near = |(a, b): (&u64, &u64)| *a < u64::MAX && a.abs_diff(*b) <= a >> places;
            let cycles = tried.iter().map(|(_, cycles)| cycles);
            let others = other.iter().map(|(_, cycles)| cycles);
            other.len() == tried.len() && cycles.zip(others).all(is_near)
        };
        let certain = same(&above, 63) && same(&rounded, 50);
        certain.then_some(Self { height, constants: [k1, k2], eighth, tried })
    }

    /// k2·lg n.
    pub(super) fn least(&self) -> u64 {
        self.constants[1] * self.height
    }

    /// Whether TRY-GUESS is called with 2.
    pub(super) fn has_squares(&self) -> bool {
        2 * self.constants[0] < self.least()
    }

    /// Compares the cycles for every λ between two guesses with the bounds.
    fn add(&self, bounds: &Bounds, worst: &mut [Worst; 3]) -> Option<()> {
        let (mut below, two) = (Rational::ONE, Rational::from(2));
        for (guess, cycles) in &self.tried {
            if *guess <= below {
                continue;
            }
            // Where λ is above this and at most the guess.
            let least = [Rational::ONE, two.clone(), self.eighth.clone().max(Rational::ONE)];
            let small = if self.has_squares() { &two } else { &self.eighth };
            let most = [small, &self.eighth, guess];
            for (range, worst) in worst.iter_mut().enumerate() {
                let above = below.clone().max(least[range].clone());
                if above < *guess.min(most[range]) {
                    let bound = bounds.at(range, self, &above)?;
                    worst.add(*cycles, &bound, || {
                        format!("lg n = {}, lambda above {:.3}", self.height, above.to_f64())
                    });
                }
            }
            below = guess.clone();
        }
        Some(())
    }
}

/// The bounds for one pair of constants.
struct Bounds {
    factors: [Rational; 3],
    /// Lower bounds on lg⁺ ρ and lg⁺(1/ρ).
    logarithms: [Rational; 2],
}

impl Bounds {
    fn of([k1, k2]: [u64; 2], factors: [u64; 3]) -> Option<Self> {
        let positive = |x: Option<Rational>| Some(lg(&x?.max(Rational::ONE))?[0].clone());
        let logarithms = [positive(Rational::new(k2, k1))?, positive(Rational::new(k1, k2))?];
        Some(Self { factors: factors.map(Rational::from), logarithms })
    }

    /// A lower bound on the bound for λ just above `above`.
    fn at(&self, range: usize, counted: &Counted, above: &Rational) -> Option<Rational> {
        let ([more, less], factor) = (&self.logarithms, &self.factors[range]);
        let (least, whole) = (Rational::from(counted.least()), Rational::from);
        Some(match range {
            0 if counted.has_squares() => &whole(2) + &(factor * &least),
            0 => &whole(2) + &(&(&(factor * &whole(3)) + &(less * &whole(2))) * &least),
            1 => {
                let product = &least * &lg(above)?[0];
                &Rational::ONE + &(&(factor + &(less * &whole(2))) * &product)
            }
            _ => {
                let product = &whole(counted.constants[0]) * above;
                &(&(&(factor + &(more * &whole(4))) * &product) + &whole(3)) + less
            }
        })
    }
}

/// Fractional bits of lg lg n.
const PLACES: usize = 80;

/// lg x for x ≥ 1.
fn lg(x: &Rational) -> Option<Interval> {
    let ([low, high], two) =
        (ln(&[x.clone(), x.clone()])?, ln(&[Rational::from(2), Rational::from(2)])?);
    Some([low.checked_div(&two[1])?, high.checked_div(&two[0])?])
}

/// lg x for a whole x, exact for powers of two.
fn lg_of_whole(x: u64) -> Option<Interval> {
    if x.is_power_of_two() {
        let exact = Rational::from(u64::from(x.ilog2()));
        return Some([exact.clone(), exact]);
    }
    // Short fractions are faster.
    let [low, high] = lg(&x.into())?;
    let scale = UBig::ONE << PLACES;
    let units = |x: &Rational| Some((x * &Rational::from_big(scale.clone(), UBig::ONE)?).floor());
    let at = |units| Rational::from_big(units, scale.clone());
    Some([at(units(&low)?)?, at(units(&high)? + UBig::ONE)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// lg n = 4, k1 = k2 = 1: the guesses 2, then 4 · 2 = 8, 16, …; a guess γ takes γ + … + 8 cycles,
    /// then 4 for λ = 4 and 2, and one.
    #[test]
    fn cycles_by_hand() {
        let counted = Counted::of(4, [1, 1]).unwrap();
        let expected = [(2, 6), (8, 23), (16, 56), (32, 121), (64, 250), (128, 507), (256, 1020)];
        let expected = expected.map(|(guess, cycles)| (Rational::from(guess), cycles));
        assert_eq!(counted.tried, expected);
        assert!(counted.has_squares() && counted.least() == 4);
        assert_eq!(counted.eighth, Rational::from(8));
    }

    /// Just above 2, 4, 8: 6 for λ ≤ 2, 23 for λ ≤ 8 against 1 + 8 · 4 lg 2, 56 above 8 against 11 · 8 +
    /// 3.
    #[test]
    fn parts_of_bounds_by_hand() {
        let mut worst = <[Worst; 3]>::default();
        let bounds = Bounds::of([1, 1], FACTORS).unwrap();
        Counted::of(4, [1, 1]).unwrap().add(&bounds, &mut worst).unwrap();
        assert_eq!(worst[0].part, Rational::ONE);
        assert!((worst[1].part.to_f64() - 23.0 / 33.0).abs() < 1e-12);
        let third = [(56.0, 8.0), (121.0, 16.0), (250.0, 32.0), (507.0, 64.0), (1020.0, 128.0)];
        let third = third.map(|(cycles, above)| cycles / (11.0 * above + 3.0));
        assert!((worst[2].part.to_f64() - third.into_iter().fold(0.0, f64::max)).abs() < 1e-12);
        assert_eq!(worst.map(|worst| worst.points), [1, 1, 5]);
    }

    /// The inequalities of the argument, in floats on a wider grid than that of the statement.
    #[test]
    fn the_argument_in_floats() {
        for step in 1..=1000 {
            let x = f64::from(step) / 1000.0;
            assert!(x * (2.0 + (1.0 / x).log2()) <= 2.0 + 1e-12, "{x}");
        }
        for s in 0..6_i32 {
            assert!(2_f64.powi(2_i32.pow(s.unsigned_abs())) >= f64::from(s) + 2.0);
        }
    }

    #[test]
    fn half_of_the_factors_is_too_little() {
        assert!(of_constants([1, 1], FACTORS).iter().all(|finding| !finding.fails()));
        let half = of_constants([1, 1], [1, 4, 5]);
        assert_eq!(half.iter().map(Finding::fails).collect::<Vec<_>>(), [false, true, true]);
    }
}
