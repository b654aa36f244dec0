//! Linear equations over the rationals, solved exactly near a known approximation.
//!
//! A vertex of a linear program is the solution of the equations that are tight there. The
//! solver's floats tell which those are; solved exactly, they give the vertex itself, whatever its
//! denominators. Elimination modulo a prime finds independent equations and their inverse; the
//! solution is then lifted to powers of the prime, and rationals are reconstructed from residues
//! (Dixon, Numerische Mathematik 40, 1982, <https://doi.org/10.1007/BF01459082>). The result is
//! not trusted: callers compute bounds from it.

use dashu_int::ops::UnsignedAbs;
use dashu_int::{IBig, UBig};

use super::float::{float, rounded};
use crate::rational::Rational;

/// The prime 2^61 − 1.
const PRIME: u64 = (1 << 61) - 1;

/// Largest coefficient: sums of products with residues stay within 128 bits.
const MOST: i128 = 1 << 50;

/// Maximum number of unknowns or equations: a second of work.
const MAX_SIZE: usize = 1500;

/// Largest deviation of a solution from its approximation.
const NEAR: f64 = 1e-5;

/// Powers of the prime to try: solutions of up to about 60, 240, 960 digits.
const STEPS: [usize; 3] = [8, 32, 128];

/// Unknowns that the equations leave free are set to multiples of 1/2^20.
const OPEN: u64 = 1 << 20;

/// One equation: Σ coefficient·unknown = right-hand side, in integers.
#[derive(Clone, Debug)]
pub struct Equation {
    /// Unknowns and their coefficients, each unknown at most once.
    pub left: Vec<(usize, i128)>,
    /// The right-hand side.
    pub right: i128,
}

/// The solution near `approximate`, all unknowns ≥ 0; `None` when there is none, the numbers
/// are too large, or the equations contradict each other. O(n³ + n²·digits).
#[must_use]
pub fn solve(equations: &[Equation], approximate: &[f64]) -> Option<Vec<Rational>> {
    let size = approximate.len().max(equations.len());
    let small = |e: &Equation| e.left.iter().all(|(_, c)| c.abs() <= MOST) && e.right.abs() <= MOST;
    if size > MAX_SIZE || !equations.iter().all(small) {
        return None;
    }
    let pivots = independent(equations, approximate.len());
    // Free unknowns move to the right-hand side; from here on everything is in units of 1/OPEN.
    let mut place = vec![None; approximate.len()];
    for (at, (_, column)) in pivots.iter().enumerate() {
        place[*column] = Some(at);
    }
    let fixed = |column: usize| i128::from(rounded(approximate[column] * float(OPEN)));
    let mut square = Vec::new();
    for (row, _) in &pivots {
        let equation = &equations[*row];
        let mut right = equation.right * i128::from(OPEN);
        let mut left = Vec::new();
        for (column, coefficient) in &equation.left {
            match place[*column] {
                Some(at) => left.push((at, *coefficient)),
                None => right -= coefficient * fixed(*column),
            }
        }
        square.push(Equation { left, right });
    }
    let inverse = inverse(&square)?;
    let unit = Rational::from(OPEN);
    let wanted: Vec<f64> = pivots.iter().map(|(_, column)| approximate[*column]).collect();
    let found = STEPS.into_iter().find_map(|steps| lift(&square, &inverse, &wanted, steps))?;
    let mut solution: Vec<Rational> = Vec::with_capacity(approximate.len());
    for (column, place) in place.into_iter().enumerate() {
        let value = match place {
            Some(at) => found[at].clone(),
            None => Rational::from(u64::try_from(fixed(column)).ok()?),
        };
        solution.push(value.checked_div(&unit)?);
    }
    Some(solution)
}

fn residue(value: i128) -> u64 {
    u64::try_from(value.rem_euclid(i128::from(PRIME))).expect("it is below the prime")
}

fn times(a: u64, b: u64) -> u64 {
    u64::try_from(u128::from(a) * u128::from(b) % u128::from(PRIME)).expect("it is below the prime")
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// a^(PRIME − 2).
fn reciprocal(a: u64) -> u64 {
    let (mut result, mut power, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        exponent >>= 1;
    }
    result
}

/// Rows and columns of a largest nonsingular submatrix, found by elimination modulo the prime.
fn independent(equations: &[Equation], unknowns: usize) -> Vec<(usize, usize)> {
    let dense = |equation: &Equation| {
        let mut row = vec![0; unknowns];
        for (column, coefficient) in &equation.left {
            row[*column] = residue(*coefficient);
        }
        row
    };
    let mut done: Vec<(Vec<u64>, usize)> = Vec::new();
    let mut pivots = Vec::new();
    for (index, equation) in equations.iter().enumerate() {
        let mut row = dense(equation);
        for (other, pivot) in &done {
            let factor = row[*pivot];
            if factor != 0 {
                subtract(&mut row, other, factor);
            }
        }
        if let Some(pivot) = row.iter().position(|value| *value != 0) {
            let scale = reciprocal(row[pivot]);
            multiply(&mut row, scale);
            done.push((row, pivot));
            pivots.push((index, pivot));
        }
    }
    pivots
}

fn multiply(row: &mut [u64], scale: u64) {
    for value in row {
        *value = times(*value, scale);
    }
}

fn subtract(row: &mut [u64], other: &[u64], factor: u64) {
    for (value, other) in row.iter_mut().zip(other).filter(|(_, other)| **other != 0) {
        *value = minus(*value, times(factor, *other));
    }
}

/// The inverse of the square coefficient matrix, modulo the prime.
fn inverse(square: &[Equation]) -> Option<Vec<Vec<u64>>> {
    let size = square.len();
    let mut rows: Vec<Vec<u64>> = Vec::with_capacity(size);
    for (index, equation) in square.iter().enumerate() {
        let mut row = vec![0; 2 * size];
        for (column, coefficient) in &equation.left {
            row[*column] = residue(*coefficient);
        }
        row[size + index] = 1;
        rows.push(row);
    }
    for at in 0..size {
        let pivot = (at..size).find(|row| rows[*row][at] != 0)?;
        rows.swap(at, pivot);
        let scale = reciprocal(rows[at][at]);
        multiply(&mut rows[at], scale);
        let own = rows[at].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != at) {
            let factor = row[at];
            if factor != 0 {
                subtract(row, &own, factor);
            }
        }
    }
    Some(rows.into_iter().map(|row| row[size..].to_vec()).collect())
}

/// The solution from `steps` digits in base PRIME; `None` unless it is near `wanted`.
fn lift(
    square: &[Equation],
    inverse: &[Vec<u64>],
    wanted: &[f64],
    steps: usize,
) -> Option<Vec<Rational>> {
    let mut right: Vec<i128> = square.iter().map(|equation| equation.right).collect();
    let mut residues = vec![UBig::ZERO; square.len()];
    let mut power = UBig::ONE;
    for _ in 0..steps {
        let low: Vec<u64> = right.iter().map(|value| residue(*value)).collect();
        let digit = |row: &Vec<u64>| {
            let products = row.iter().zip(&low).map(|(a, b)| times(*a, *b));
            products.fold(0, |sum, product| minus(sum, minus(0, product)))
        };
        let digits: Vec<u64> = inverse.iter().map(digit).collect();
        for (equation, right) in square.iter().zip(&mut right) {
            let product = |(column, c): &(usize, i128)| c * i128::from(digits[*column]);
            *right = (*right - equation.left.iter().map(product).sum::<i128>()) / i128::from(PRIME);
        }
        for (value, digit) in residues.iter_mut().zip(&digits) {
            *value += &power * UBig::from(*digit);
        }
        power *= UBig::from(PRIME);
    }
    let near = |value: Rational, wanted: f64| {
        let difference = value.to_f64() / float(OPEN) - wanted;
        (difference.abs() <= NEAR).then_some(value)
    };
    let values = residues.iter().zip(wanted).map(|(r, wanted)| near(rational(r, &power)?, *wanted));
    values.collect()
}

/// Rational reconstruction: the n/d ≥ 0 with n ≡ residue·d modulo `modulus` and n, d below the
/// square root of half the modulus; `None` when there is none. Extended Euclidean algorithm (Wang
/// 1981).
fn rational(residue: &UBig, modulus: &UBig) -> Option<Rational> {
    use dashu_int::ops::BitTest;
    let bits = modulus.bit_len() / 2 - 1;
    let (mut before, mut rest) = (IBig::from(modulus.clone()), IBig::from(residue.clone()));
    let (mut old, mut factor) = (IBig::ZERO, IBig::ONE);
    while rest.bit_len() > bits {
        let quotient = &before / &rest;
        (before, rest) = (rest.clone(), before - &quotient * &rest);
        (old, factor) = (factor.clone(), old - &quotient * &factor);
    }
    let negative = (rest < IBig::ZERO) != (factor < IBig::ZERO);
    let is_small = factor.bit_len() <= bits;
    let value = Rational::from_big(rest.unsigned_abs(), factor.unsigned_abs())?;
    (is_small && (!negative || value.is_zero())).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equation(left: &[(usize, i128)], right: i128) -> Equation {
        Equation { left: left.to_vec(), right }
    }

    #[test]
    fn fractions_are_found() {
        // 3x + 2y = 2, x − 5y = −1: x = 8/17, y = 5/17.
        let equations = [equation(&[(0, 3), (1, 2)], 2), equation(&[(0, 1), (1, -5)], -1)];
        let found = solve(&equations, &[0.470_588, 0.294_118]).unwrap();
        assert_eq!(found[0].to_string(), "8/17");
        assert_eq!(found[1].to_string(), "5/17");
    }

    #[test]
    fn open_unknowns_keep_their_value_and_repeated_equations_do_no_harm() {
        let equations = [equation(&[(0, 1), (1, 1)], 1), equation(&[(0, 2), (1, 2)], 2)];
        let found = solve(&equations, &[0.25, 0.75]).unwrap();
        assert_eq!(&found[0] + &found[1], Rational::ONE);
    }

    #[test]
    fn far_negative_and_large_solutions_are_refused() {
        assert!(solve(&[equation(&[(0, 3)], 1)], &[0.5]).is_none());
        assert!(solve(&[equation(&[(0, 3)], -1)], &[-0.333_333_3]).is_none());
        assert!(solve(&[equation(&[(0, 1 << 51)], 1)], &[0.0]).is_none());
    }
}
