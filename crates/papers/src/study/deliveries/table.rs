//! Measured points as rows of a table.

use super::{Measured, Point};

/// The columns.
pub const HEADS: [&str; 15] = [
    "algorithm",
    "messages",
    "loss",
    "n",
    "total",
    "lambda",
    "lower bound",
    "runs",
    "mean",
    "half width",
    "least",
    "median",
    "most",
    "printed loops",
    "times Figure 4",
];

/// The cells of a point, as many as [`HEADS`]. Half widths are of the 95 % confidence interval of the
/// mean; *printed loops* is the mean number of cycles of the algorithm as printed.
#[must_use]
pub fn cells(point: &Point, found: &Measured) -> Vec<String> {
    let factor = found.factor();
    let lower = factor.floor() + u8::from(factor.scaled(1).is_none());
    let sample = found.sample();
    let of = |value: Option<String>| value.unwrap_or_else(|| "-".to_string());
    let performed =
        found.performed.iter().sum::<u64>() as f64 / found.performed.len().max(1) as f64;
    vec![
        found.algorithm.clone(),
        found.messages.clone(),
        point.loss.clone(),
        found.processors.to_string(),
        found.total.to_string(),
        factor.to_string(),
        lower.to_string(),
        point.runs.to_string(),
        of(sample.as_ref().map(|sample| format!("{:.3}", sample.mean().to_f64()))),
        of(sample.as_ref().map(|sample| format!("{:.3}", sample.half_width()))),
        of(sample.as_ref().map(|sample| sample.least().to_string())),
        of(sample.as_ref().map(|sample| sample.median().to_string())),
        of(sample.as_ref().map(|sample| sample.most().to_string())),
        format!("{performed:.1}"),
        of(found.fitted().map(|times| format!("{times:.3}"))),
    ]
}
