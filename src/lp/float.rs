//! The two conversions between solver floats and the integers of exact arithmetic.

/// The nearest integer; 0 for negative values and NaN, the largest integer for values too large.
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "the cast saturates, as intended")]
pub fn rounded(value: f64) -> u64 {
    value.round() as u64
}

/// The nearest float.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "solvers need only a close value")]
pub fn float(value: u64) -> f64 {
    value as f64
}
