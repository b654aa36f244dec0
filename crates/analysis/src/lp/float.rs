//! The two conversions between solver floats and the integers of exact arithmetic.

pub use crate::integer::rounded;

/// The nearest float.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "solvers need only a close value")]
pub fn float(value: u64) -> f64 {
    value as f64
}
