//! What the paper says, beside what was measured: whether it holds is decided by the numbers alone.

use std::ops::RangeInclusive;

use crate::report::table::markdown;

/// A sentence of the paper and a test of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The words as printed.
    pub words: &'static str,
    /// What is measured, and what it has to be for the words to hold.
    pub test: String,
    /// What it is.
    pub measured: String,
    /// Whether the words hold.
    pub holds: bool,
}

impl Claim {
    /// The words hold if the least and the greatest of some ratios are within a range; not where one is missing.
    pub(super) fn of(
        words: &'static str,
        what: &str,
        ratios: impl IntoIterator<Item = f64>,
        wanted: RangeInclusive<f64>,
    ) -> Self {
        let ratios: Vec<f64> = ratios.into_iter().collect();
        let (least, most) = extremes(&ratios);
        let is_whole = !ratios.is_empty() && ratios.iter().all(|ratio| ratio.is_finite());
        let holds = is_whole && wanted.contains(&least) && wanted.contains(&most);
        let measured = match ratios.len() {
            0 => "nothing".to_string(),
            1 => format!("{least:.3}"),
            _ => format!("{least:.3} to {most:.3}"),
        };
        Self { words, test: format!("{what}: {}", range(&wanted)), measured, holds }
    }

    fn cells(&self) -> Vec<String> {
        let verdict = if self.holds { "holds" } else { "differs" };
        let words = format!("\"{}\"", self.words);
        vec![words, self.test.clone(), self.measured.clone(), verdict.to_string()]
    }
}

/// A range in words; what is below 0 or infinite is no bound.
fn range(wanted: &RangeInclusive<f64>) -> String {
    match (*wanted.start(), *wanted.end()) {
        (low, high) if low <= 0.0 => format!("at most {high}"),
        (low, high) if high.is_infinite() => format!("at least {low}"),
        (low, high) => format!("{low} to {high}"),
    }
}

/// The least and the greatest.
pub(super) fn extremes(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    (least, values.iter().copied().fold(0.0, f64::max))
}

/// The claims as a table of a page.
///
/// ```
/// use routebound::study::go::{Claim, claims_table};
/// let test = "ratio: at most 2".to_string();
/// let claim = Claim { words: "the same", test, measured: "3".into(), holds: false };
/// assert!(claims_table(&[claim]).ends_with("| ratio: at most 2 |        3 | differs |\n"));
/// ```
#[must_use]
pub fn claims_table(claims: &[Claim]) -> String {
    let heads = ["what the paper states", "holds if", "measured", "verdict"];
    markdown(&heads, claims.iter().map(Claim::cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_decide() {
        let holds = |ratios: &[f64], wanted| {
            let claim = Claim::of("w", "ratio", ratios.iter().copied(), wanted);
            (claim.holds, claim.measured, claim.test)
        };
        let wanted = |holds, measured: &str, test: &str| (holds, measured.into(), test.into());
        assert_eq!(
            holds(&[1.2], 1.1..=f64::INFINITY),
            wanted(true, "1.200", "ratio: at least 1.1")
        );
        assert_eq!(
            holds(&[1.0, 1.2], 1.1..=1.3),
            wanted(false, "1.000 to 1.200", "ratio: 1.1 to 1.3")
        );
        assert_eq!(
            holds(&[0.5, 6.0], 0.0..=5.0),
            wanted(false, "0.500 to 6.000", "ratio: at most 5")
        );
        // Without numbers nothing holds, nor where one of them is missing.
        assert!(!holds(&[2.0, f64::NAN], 0.0..=5.0).0);
        assert!(!holds(&[f64::INFINITY], 1.1..=f64::INFINITY).0);
        assert_eq!(holds(&[], 0.0..=5.0), wanted(false, "nothing", "ratio: at most 5"));
    }
}
