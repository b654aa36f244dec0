//! The two conversions between floats of solvers and integers of exact arithmetic.

/// The nearest integer; 0 for what is negative or no number, the largest for what is too large.
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "the cast saturates, as wanted")]
pub fn rounded(value: f64) -> u64 {
    value.round() as u64
}

/// The nearest float.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "solvers take what is near")]
pub fn float(value: u64) -> f64 {
    value as f64
}
