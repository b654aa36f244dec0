//! Rational reconstruction: common denominators of floats that stand for fractions.
//!
//! A vertex of a linear program with small integers has coordinates with small denominators;
//! the solver's floats hide them. Once reconstructed, they make bounds meet exactly. A wrong guess
//! does no harm: callers compute an exact bound from the numbers.

use crate::integer::rounded;

/// Largest factor that a single number may contribute to the denominator.
const MAX_DENOMINATOR: u64 = 5_000;

/// The least factor found, at most `most`, that brings every value to within `tolerance` (of the
/// scaled value) of an integer; `None` when there is none. O(values).
pub fn common_factor(
    values: impl IntoIterator<Item = f64>,
    most: u64,
    tolerance: impl Fn(f64) -> f64,
) -> Option<u64> {
    values.into_iter().try_fold(1_u64, |factor, value| {
        let scaled = value * factor as f64;
        let more = denominator(scaled, tolerance(scaled))?;
        factor.checked_mul(more).filter(|factor| *factor <= most)
    })
}

/// The denominator of the first convergent of the continued fraction of `value` ≥ 0 by which the
/// value comes within `tolerance` of an integer.
fn denominator(value: f64, tolerance: f64) -> Option<u64> {
    // With a tolerance above 1/4, nearly every number would be close to an integer.
    if !value.is_finite() || tolerance > 0.25 {
        return None;
    }
    let (mut before, mut q) = (0_u64, 1_u64);
    let mut rest = value.fract();
    loop {
        let multiple = value.fract() * q as f64;
        if (multiple - multiple.round()).abs() <= tolerance {
            return Some(q);
        }
        rest = 1.0 / rest;
        let digit = rest.trunc();
        rest -= digit;
        if digit > MAX_DENOMINATOR as f64 {
            return None;
        }
        (before, q) = (q, rounded(digit) * q + before);
        if q > MAX_DENOMINATOR {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reconstructed() {
        let near = |_| 1e-7;
        assert_eq!(common_factor([0.5, 1.0 / 3.0, 7.0, 2.0 / 3.0], 100, near), Some(6));
        assert_eq!(common_factor([355.0 / 113.0, 1e-12], 1000, near), Some(113));
        assert_eq!(common_factor([0.0], 1, near), Some(1));
    }

    #[test]
    fn values_that_are_not_small_fractions_are_refused() {
        assert_eq!(common_factor([std::f64::consts::SQRT_2], 1_000_000, |_| 1e-9), None);
        assert_eq!(common_factor([1.0 / 3.0, 1.0 / 7.0], 20, |_| 1e-9), None);
        assert_eq!(common_factor([f64::NAN], 20, |_| 1e-9), None);
        assert_eq!(common_factor([1.5], 20, |_| 0.4), None);
    }
}
