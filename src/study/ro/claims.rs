//! What the paper says, beside what was measured: verdicts are computed.

use crate::report::table::markdown;

/// A sentence of the paper, decided by the numbers of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where it is printed.
    pub section: &'static str,
    /// Its words.
    pub quote: &'static str,
    /// What is compared, with its tolerance.
    pub taken_as: String,
    /// What was found.
    pub found: String,
    /// Whether that is what the sentence says.
    pub holds: bool,
}

impl Claim {
    /// One of a number of which `holds` says whether it is as claimed.
    pub(super) fn of(
        (section, quote): (&'static str, &'static str),
        taken_as: impl Into<String>,
        found: impl Into<String>,
        holds: bool,
    ) -> Self {
        Self { section, quote, taken_as: taken_as.into(), found: found.into(), holds }
    }

    /// Holds where `test` does for all of `cases` but `allowed` ones. `test` gives a number as well, of which the
    /// least and the greatest are told.
    pub(super) fn for_all(
        words: (&'static str, &'static str),
        taken_as: impl Into<String>,
        (cases, allowed): (&[u64], usize),
        test: impl Fn(u64) -> (f64, bool),
    ) -> Self {
        let found: Vec<(u64, f64, bool)> = cases
            .iter()
            .map(|w2| (*w2, test(*w2)))
            .map(|(w2, (x, holds))| (w2, x, holds))
            .collect();
        let fails: Vec<String> =
            found.iter().filter(|case| !case.2).map(|case| case.0.to_string()).collect();
        let least = found.iter().map(|case| case.1).fold(f64::MAX, f64::min);
        let most = found.iter().map(|case| case.1).fold(f64::MIN, f64::max);
        let but = match &fails[..] {
            [] => String::new(),
            some => format!("; not at w2 = {}", some.join(", ")),
        };
        let is_number = found.iter().all(|case| case.1.is_finite());
        let holds = is_number && !found.is_empty() && fails.len() <= allowed;
        Self::of(words, taken_as, format!("{least:.3} to {most:.3}{but}"), holds)
    }
}

/// The claims as a Markdown table.
#[must_use]
pub fn claims_table(claims: &[Claim]) -> String {
    let heads = ["section", "the paper states", "taken as", "measured", "verdict"];
    let row = |claim: &Claim| {
        let Claim { section, quote, taken_as, found, holds } = claim;
        let verdict = if *holds { "holds" } else { "**differs**" };
        vec![
            (*section).to_string(),
            format!("\"{quote}\""),
            taken_as.clone(),
            found.clone(),
            verdict.to_string(),
        ]
    };
    markdown(&heads, claims.iter().map(row))
}

/// How sure it is that `low` tends to be below `high`: the normal deviate of the Mann-Whitney test, with
/// correction for ties; above 1.645 at the level of 5 %, one-sided. 0 where all values are the same.
pub(super) fn below(low: &[f64], high: &[f64]) -> f64 {
    let (n, m) = (low.len() as f64, high.len() as f64);
    let wins = |a: &f64, b: &f64| match a.total_cmp(b) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    };
    let u: f64 = low.iter().flat_map(|a| high.iter().map(move |b| wins(a, b))).sum();
    let mut all: Vec<f64> = low.iter().chain(high).copied().collect();
    all.sort_unstable_by(f64::total_cmp);
    let of_group = |same: &[f64]| (same.len() as f64).powi(3) - same.len() as f64;
    let ties: f64 = all.chunk_by(|a, b| a.total_cmp(b).is_eq()).map(of_group).sum();
    let count = n + m;
    let variance = n * m / 12.0 * (count + 1.0 - ties / (count * (count - 1.0)));
    if variance > 1e-9 { (u - n * m / 2.0) / variance.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mann_whitney_by_hand() {
        // All of the first are below all of the second: u = 9, mean 4.5, variance 9·7/12.
        let z = below(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]);
        assert!((z - 4.5 / (63.0_f64 / 12.0).sqrt()).abs() < 1e-9, "{z}");
        assert!((below(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]) + z).abs() < 1e-9);
        assert!(below(&[2.0; 4], &[2.0; 4]).abs() < 1e-9);
        // With ties the variance is smaller: values 1, 1, 2, 2; 2·2/12·(5 − 12/12).
        let z = below(&[1.0, 1.0], &[2.0, 2.0]);
        assert!((z - 2.0 / (4.0_f64 / 3.0).sqrt()).abs() < 1e-9, "{z}");
    }

    #[test]
    fn claims_follow_from_numbers() {
        let claim = |allowed| {
            Claim::for_all(("I", "q"), "r", (&[1, 2, 3], allowed), |w2| (w2 as f64, w2 < 3))
        };
        assert_eq!(claim(0).found, "1.000 to 3.000; not at w2 = 3");
        assert!(!claim(0).holds && claim(1).holds);
        let nothing = Claim::for_all(("I", "q"), "r", (&[1], 1), |_| (f64::NAN, false));
        assert!(!nothing.holds);
        let table = claims_table(&[claim(0), claim(1)]);
        assert!(table.contains("**differs**") && table.contains("holds"), "{table}");
    }
}
