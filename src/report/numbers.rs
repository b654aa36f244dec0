//! How text shows exact numbers: the one rule of all verbs.
//!
//! An integer, or a fraction of few digits such as `52/21`, is shown as it is, anything longer as a decimal: a single
//! number is marked by `≈`, and bounds are rounded away from each other, so that what is proven of them stays true. A
//! column has one form: exact if every number in it is short, otherwise decimals with the same number of digits. JSON,
//! CSV files and certificates have exact numbers.

use crate::bounds::Bounds;
use crate::rational::Rational;

/// Length of the longest fraction that is shown exactly, such as `3917/6400`.
const SHORT: usize = 9;
/// Significant digits of a decimal below 1.
const SIGNIFICANT: u32 = 6;
/// Maximum number of digits after the point; smaller numbers have an exponent.
const MAX_PLACES: u32 = 12;
/// Maximum number of zeros that are counted after the point.
const MAX_ZEROS: u32 = 400;

/// A direction of rounding.
#[derive(Clone, Copy)]
enum Round {
    Down,
    Nearest,
    Up,
}

/// A number: exact if short, otherwise a decimal marked by `≈`.
#[must_use]
pub fn shown(ratio: &Rational) -> String {
    if is_short(ratio) {
        return ratio.to_string();
    }
    format!("≈{}", decimal(ratio, places(ratio), Round::Nearest))
}

/// Bounds with their evidence, as [`Bounds`] displays them if both sides are short.
#[must_use]
pub fn shown_bounds(bounds: &Bounds) -> String {
    let Bounds { lower, upper, evidence } = bounds;
    if bounds.exact().is_some() {
        return format!("{} ({evidence})", shown(lower));
    }
    format!("between {} and {} ({evidence})", at_least(lower), at_most(upper))
}

/// Bounds on both sides of what they are about, such as `5 ≤ ratio ≤ 9`, for progress.
#[must_use]
pub fn on_both_sides(what: &str, bounds: &Bounds) -> String {
    format!("{} ≤ {what} ≤ {}", at_least(&bounds.lower), at_most(&bounds.upper))
}

/// Both sides, or the only value.
#[must_use]
pub fn sides(bounds: &Bounds) -> String {
    let both = || format!("{}..{}", at_least(&bounds.lower), at_most(&bounds.upper));
    bounds.exact().map_or_else(both, shown)
}

/// A lower bound, rounded down if it is not short.
#[must_use]
pub fn at_least(ratio: &Rational) -> String {
    side(ratio, Round::Down)
}

/// An upper bound, rounded up if it is not short.
#[must_use]
pub fn at_most(ratio: &Rational) -> String {
    side(ratio, Round::Up)
}

/// A column of numbers, in one form; empty where there is none.
#[must_use]
pub fn column<'r>(numbers: impl IntoIterator<Item = Option<&'r Rational>>) -> Vec<String> {
    rounded(numbers, Round::Nearest)
}

/// A column of lower bounds, rounded down if they are decimals.
#[must_use]
pub fn column_at_least<'r>(numbers: impl IntoIterator<Item = Option<&'r Rational>>) -> Vec<String> {
    rounded(numbers, Round::Down)
}

/// A column of upper bounds, rounded up if they are decimals.
#[must_use]
pub fn column_at_most<'r>(numbers: impl IntoIterator<Item = Option<&'r Rational>>) -> Vec<String> {
    rounded(numbers, Round::Up)
}

fn rounded<'r>(
    numbers: impl IntoIterator<Item = Option<&'r Rational>>,
    round: Round,
) -> Vec<String> {
    let numbers: Vec<Option<&Rational>> = numbers.into_iter().collect();
    let known = || numbers.iter().copied().flatten();
    let places = known().filter(|number| !number.is_zero()).map(places).max().unwrap_or(0);
    let is_exact = known().all(is_short);
    let cell = |number: &Rational| {
        if is_exact { number.to_string() } else { decimal(number, places.max(SIGNIFICANT), round) }
    };
    numbers.iter().map(|number| number.map_or_else(String::new, cell)).collect()
}

fn side(ratio: &Rational, round: Round) -> String {
    if is_short(ratio) { ratio.to_string() } else { decimal(ratio, places(ratio), round) }
}

fn is_short(ratio: &Rational) -> bool {
    ratio.denominator_bits() == 1 || ratio.to_string().len() <= SHORT
}

/// Digits after the point with which a number has at least six significant ones.
fn places(ratio: &Rational) -> u32 {
    let mut scaled = ratio.clone();
    let mut zeros: u32 = 0;
    while scaled < Rational::ONE && !scaled.is_zero() && zeros < MAX_ZEROS {
        scaled = &scaled * &Rational::from(10);
        zeros += 1;
    }
    SIGNIFICANT + zeros.saturating_sub(1)
}

/// A decimal with the given digits after the point, or with an exponent if these are too many.
fn decimal(ratio: &Rational, places: u32, round: Round) -> String {
    if places > MAX_PLACES {
        return with_exponent(ratio, round);
    }
    let places = places as usize;
    let digits = format!("{:0>width$}", scaled(ratio, places, round), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{whole}.{fraction}")
}

/// The first six digits of a number, with an exponent.
fn with_exponent(ratio: &Rational, round: Round) -> String {
    if ratio.is_zero() {
        return "0".to_string();
    }
    // Of numbers from 1 on these are more digits, which does no harm.
    let places = places(ratio) as usize;
    let digits = scaled(ratio, places, round);
    let (first, rest) = digits.split_at(1);
    let exponent = match rest.len().checked_sub(places) {
        Some(up) => up.to_string(),
        None => format!("-{}", places - rest.len()),
    };
    format!("{first}.{rest}e{exponent}")
}

/// The number times a power of ten, as an integer.
fn scaled(ratio: &Rational, places: usize, round: Round) -> String {
    let ten = Rational::from(10);
    let scaled = (0..places).fold(ratio.clone(), |scaled, _| &scaled * &ten);
    let whole = scaled.floor();
    let up = match round {
        Round::Down => false,
        Round::Up => scaled.denominator_bits() > 1,
        Round::Nearest => (&scaled + &scaled).floor() > &whole + &whole,
    };
    if up { (&scaled + &Rational::ONE).floor() } else { whole }.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Evidence;

    fn ratio(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn short_numbers_are_exact_and_long_ones_decimals() {
        for (exact, text) in [
            ("52/21", "52/21"),
            ("3917/6400", "3917/6400"),
            ("123456789012", "123456789012"),
            ("209790367/81", "≈2590004.530864"),
            ("166924101/49600000", "≈3.365405"),
            ("99999999/100000000", "≈1.000000"),
            ("3/310000000", "≈9.67742e-9"),
            ("1/3100000000000000", "≈3.22581e-16"),
        ] {
            assert_eq!(shown(&ratio(exact)), text);
        }
    }

    #[test]
    fn bounds_are_rounded_away_from_each_other() {
        let [lower, upper] = ["10000000/30000001", "20000000/30000001"].map(ratio);
        let bounds = Bounds { lower, upper, evidence: Evidence::Proven };
        assert_eq!(shown_bounds(&bounds), "between 0.333333 and 0.666667 (proven)");
        assert_eq!(on_both_sides("optu", &bounds), "0.333333 ≤ optu ≤ 0.666667");
        let bounds = Bounds { lower: 3.into(), upper: ratio("7/2"), ..bounds };
        assert_eq!(shown_bounds(&bounds), bounds.to_string());
    }

    #[test]
    fn a_column_has_one_form() {
        let [half, long] = ["1/2", "166924101/49600000"].map(ratio);
        let exact = column([Some(&half), None, Some(&Rational::ZERO)]);
        assert_eq!(exact, ["1/2", "", "0"]);
        let decimals = column([Some(&half), Some(&Rational::ZERO), Some(&long)]);
        assert_eq!(decimals, ["0.500000", "0.000000", "3.365405"]);
        let third = ratio("100000000/300000001");
        assert_eq!(column_at_least([Some(&third)]), ["0.333333"]);
        assert_eq!(column_at_most([Some(&third)]), ["0.333334"]);
        let tiny = ratio("3/310000000");
        assert_eq!(column_at_least([Some(&tiny), Some(&half)]), ["9.67741e-9", "5.00000e-1"]);
        assert_eq!(column_at_most([Some(&tiny), Some(&Rational::ZERO)]), ["9.67742e-9", "0"]);
    }
}
