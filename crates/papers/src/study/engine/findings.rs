//! What a paper says, beside what a study measured: whether it holds is decided by the numbers alone.

use std::ops::RangeInclusive;

use crate::theorem::{Basis, Case, Finding};

impl Case {
    /// Words of a paper, and the section that prints them.
    pub(crate) fn quote(section: &str, words: &str) -> Self {
        format!("\"{words}\" ({section})").into()
    }
}

/// Numbers for which a claim is tested.
pub(crate) struct Cases<'c> {
    /// The name of such a number.
    pub(crate) name: &'c str,
    /// All numbers.
    pub(crate) all: &'c [u64],
    /// Maximum number of those for which it may fail.
    pub(crate) exceptions: usize,
}

impl Finding {
    /// The claim that a test holds, and whether what a study measured says so.
    pub(crate) fn measured(
        case: Case,
        test: impl Into<String>,
        measured: impl Into<String>,
        holds: bool,
    ) -> Self {
        Self::holds(case, test, measured, holds, Basis::Measured)
    }

    /// The words hold if all numbers are within a range; not where one is missing, or there is none.
    pub(crate) fn within(
        case: Case,
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
        Self::measured(case, format!("{what}: {}", range(&wanted)), measured, holds)
    }

    /// Holds where `test` does for all cases but the exceptions. `test` gives a number as well, of which the minimum and
    /// the maximum are told.
    pub(crate) fn for_all(
        case: Case,
        taken_as: impl Into<String>,
        Cases { name, all, exceptions }: Cases<'_>,
        test: impl Fn(u64) -> (f64, bool),
    ) -> Self {
        let found: Vec<(u64, (f64, bool))> = all.iter().map(|case| (*case, test(*case))).collect();
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
        let holds = is_number && !found.is_empty() && fails.len() <= exceptions;
        Self::measured(case, taken_as, format!("{least:.3} to {most:.3}{but}"), holds)
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

/// The findings as a list of a page.
pub(crate) fn findings_list(findings: &[Finding]) -> String {
    let item = |finding: &Finding| {
        let verdict = if finding.fails() { "**differs**" } else { "holds" };
        let Finding { case, claimed, found, .. } = finding;
        format!("- {verdict}: {case}\n  - {claimed}\n  - measured: {found}\n")
    };
    findings.iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_decide() {
        let holds = |numbers: &[f64], wanted| {
            let case = Case::quote("1", "w");
            let finding = Finding::within(case, "ratio", numbers.iter().copied(), wanted);
            (!finding.fails(), finding.found, finding.claimed)
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
        let quote = || Case::quote("I", "q");
        let finding = |exceptions| {
            let cases = Cases { name: "w2", all: &[1, 2, 3], exceptions };
            Finding::for_all(quote(), "r", cases, |w2| (w2 as f64, w2 < 3))
        };
        assert_eq!(finding(0).found, "1.000 to 3.000; not at w2 = 3");
        assert!(finding(0).fails() && !finding(1).fails());
        let one = Cases { name: "w2", all: &[1], exceptions: 1 };
        let nothing = Finding::for_all(quote(), "r", one, |_| (f64::NAN, false));
        assert!(nothing.fails());
        let item = "- **differs**: \"q\" (I)\n  - r\n  - measured: 1.000 to 3.000; not at w2 = 3\n";
        assert_eq!(
            findings_list(&[finding(0), finding(1)]),
            format!("{item}{}", item.replace("**differs**", "holds"))
        );
    }
}
