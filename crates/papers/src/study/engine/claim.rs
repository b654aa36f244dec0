//! What a paper says, beside what was measured: whether it holds is decided by the numbers alone.

use std::ops::RangeInclusive;

/// A sentence of a paper and a test of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where it is printed, such as `VII.D`.
    pub section: &'static str,
    /// The words as printed.
    pub words: &'static str,
    /// The quantity that is measured, and its range if the words hold.
    pub test: String,
    /// Its value.
    pub measured: String,
    /// Whether the words hold.
    pub holds: bool,
}

impl Claim {
    /// A sentence that holds or not, by what was measured.
    pub(crate) fn new(
        (section, words): (&'static str, &'static str),
        test: impl Into<String>,
        measured: impl Into<String>,
        holds: bool,
    ) -> Self {
        Self { section, words, test: test.into(), measured: measured.into(), holds }
    }

    /// The words hold if all numbers are within a range; not where one is missing, or there is none.
    pub(crate) fn within(
        words: (&'static str, &'static str),
        what: &str,
        numbers: impl IntoIterator<Item = f64>,
        wanted: RangeInclusive<f64>,
    ) -> Self {
        let numbers: Vec<f64> = numbers.into_iter().collect();
        let is_whole = !numbers.is_empty() && numbers.iter().all(|number| number.is_finite());
        let holds = is_whole && numbers.iter().all(|number| wanted.contains(number));
        let (least, most) = extremes(&numbers);
        let measured = match numbers.len() {
            0 => "nothing".to_string(),
            1 => format!("{least:.3}"),
            _ => format!("{least:.3} to {most:.3}"),
        };
        Self::new(words, format!("{what}: {}", range(&wanted)), measured, holds)
    }

    /// Holds where `test` does for all of `cases` but `allowed` ones. `test` gives a number as well, of which the
    /// minimum and the maximum are told; `name` is what the cases are called.
    pub(crate) fn for_all(
        words: (&'static str, &'static str),
        taken_as: impl Into<String>,
        (name, cases, allowed): (&str, &[u64], usize),
        test: impl Fn(u64) -> (f64, bool),
    ) -> Self {
        let found: Vec<(u64, (f64, bool))> =
            cases.iter().map(|case| (*case, test(*case))).collect();
        let fails: Vec<String> = found
            .iter()
            .filter(|(_, (_, holds))| !holds)
            .map(|(case, _)| case.to_string())
            .collect();
        let least = found.iter().map(|(_, (number, _))| *number).fold(f64::MAX, f64::min);
        let most = found.iter().map(|(_, (number, _))| *number).fold(f64::MIN, f64::max);
        let but = match &fails[..] {
            [] => String::new(),
            some => format!("; not at {name} = {}", some.join(", ")),
        };
        let is_number = found.iter().all(|(_, (number, _))| number.is_finite());
        let holds = is_number && !found.is_empty() && fails.len() <= allowed;
        Self::new(words, taken_as, format!("{least:.3} to {most:.3}{but}"), holds)
    }

    fn item(&self) -> String {
        let Self { section, words, test, measured, holds } = self;
        let verdict = if *holds { "holds" } else { "**differs**" };
        format!("- {verdict}: \"{words}\" ({section})\n  - {test}\n  - measured: {measured}\n")
    }
}

/// A range in words; what is below 0 or infinite is not a bound.
fn range(wanted: &RangeInclusive<f64>) -> String {
    match (*wanted.start(), *wanted.end()) {
        (low, high) if low <= 0.0 => format!("at most {high}"),
        (low, high) if high.is_infinite() => format!("at least {low}"),
        (low, high) => format!("{low} to {high}"),
    }
}

/// Minimum and maximum.
pub(crate) fn extremes(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    (least, values.iter().copied().fold(0.0, f64::max))
}

/// The claims as a list of a page.
///
/// ```
/// # use routebound_papers as routebound;
/// use routebound::study::{Claim, claims_list};
/// let test = "ratio: at most 2".to_string();
/// let claim = Claim { section: "IV", words: "the same", test, measured: "3".into(), holds: false };
/// let list = "- **differs**: \"the same\" (IV)\n  - ratio: at most 2\n  - measured: 3\n";
/// assert_eq!(claims_list(&[claim]), list);
/// ```
#[must_use]
pub fn claims_list(claims: &[Claim]) -> String {
    claims.iter().map(Claim::item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_decide() {
        let holds = |numbers: &[f64], wanted| {
            let claim = Claim::within(("1", "w"), "ratio", numbers.iter().copied(), wanted);
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

    #[test]
    fn exceptions_are_told() {
        let claim = |allowed| {
            let cases = ("w2", &[1, 2, 3][..], allowed);
            Claim::for_all(("I", "q"), "r", cases, |w2| (w2 as f64, w2 < 3))
        };
        assert_eq!(claim(0).measured, "1.000 to 3.000; not at w2 = 3");
        assert!(!claim(0).holds && claim(1).holds);
        let nothing = Claim::for_all(("I", "q"), "r", ("w2", &[1], 1), |_| (f64::NAN, false));
        assert!(!nothing.holds);
        let table = claims_list(&[claim(0), claim(1)]);
        assert!(table.contains("**differs**") && table.contains("holds"), "{table}");
    }
}
