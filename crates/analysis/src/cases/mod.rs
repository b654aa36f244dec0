//! Regression cases: exact values that were proven once, recomputed.
//!
//! A case names a network, a routing and possibly traffic, and states the values expected of them.
//! A value counts only when it is exact and proven again, bounds on it (`"<= 18"`) when they are proven. Cases are kept in TOML files; `bless`
//! (feature `cli`) writes the values found in place of the values expected and leaves everything else
//! unchanged. `missing` (feature `cli`) lists cases for the entries of the registries that have none.

#[cfg(feature = "bless")]
mod bless;
mod compute;
mod error;
mod expected;
mod file;
#[cfg(feature = "bless")]
mod missing;

#[cfg(feature = "bless")]
pub use bless::{BlessError, bless};
pub use compute::{Value, compute};
pub use error::{AddError, CaseError, CaseProblem, ReadError};
pub use expected::Expected;
pub use file::{CaseFile, MAX_BYTES, MAX_FILES, case_files, read};
#[cfg(feature = "bless")]
pub use missing::{Home, home_of, missing, with_case, with_values};

use rayon::prelude::*;

use crate::progress::Progress;

/// A quantity that a case can expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Quantity {
    /// sup of max load ÷ optu over all traffic.
    ObliviousRatio,
    /// Greatest max load ÷ optu of any permutation.
    PermutationRatio,
    /// Greatest max load of any permutation.
    WorstPermutationLoad,
    /// Max load of the traffic.
    MaxLoad,
    /// Optimal load of the traffic.
    Optu,
    /// Max load ÷ optu of the traffic.
    PerformanceRatio,
}

impl Quantity {
    /// Every quantity with its key, the same as in `ratio --json` and `load --json`.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::ObliviousRatio, "oblivious_ratio"),
        (Self::PermutationRatio, "permutation_ratio"),
        (Self::WorstPermutationLoad, "worst_permutation_load"),
        (Self::MaxLoad, "max_load"),
        (Self::Optu, "optu"),
        (Self::PerformanceRatio, "performance_ratio"),
    ];

    /// The key.
    #[must_use]
    pub fn key(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Whether it depends on traffic, not on the routing alone.
    #[must_use]
    pub fn needs_traffic(self) -> bool {
        self >= Self::MaxLoad
    }

    /// Whether it depends on the routing.
    #[must_use]
    pub fn needs_routing(self) -> bool {
        self != Self::Optu
    }
}

/// A case of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The line on which it begins, from 1; 0 for a case that is in no file yet.
    pub line: usize,
    /// Spec, or path relative to where the program is run.
    pub topology: String,
    /// Spec.
    pub routing: Option<String>,
    /// Spec or path.
    pub traffic: Option<String>,
    /// Every link has capacity 1, whatever a file says.
    pub unit_capacity: bool,
    /// The expected values.
    pub expected: Vec<ExpectedValue>,
}

/// A value that a case expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedValue {
    /// The quantity.
    pub quantity: Quantity,
    /// Expected value or bounds of the quantity.
    pub value: Expected,
    /// The line on which it stands, from 1; 0 for one that is in no file yet.
    pub line: usize,
}

impl Case {
    /// `dmodk on ft(4,2)`, with the traffic if there is any.
    #[must_use]
    pub fn name(&self) -> String {
        let routing = self.routing.as_ref().map_or_else(String::new, |r| format!("{r} on "));
        let traffic = self.traffic.as_ref().map_or_else(String::new, |t| format!(", {t}"));
        format!("{routing}{}{traffic}", self.topology)
    }

    /// The requested quantities: those with an expected value or, if none has one, all that apply.
    #[must_use]
    pub fn asked(&self) -> Vec<Quantity> {
        if !self.expected.is_empty() {
            return self.expected.iter().map(|expected| expected.quantity).collect();
        }
        let all = Quantity::ALL.iter().map(|(quantity, _)| *quantity);
        let fits = |quantity: &Quantity| {
            quantity.needs_traffic() == self.traffic.is_some()
                && (!quantity.needs_routing() || self.routing.is_some())
        };
        all.filter(fits).collect()
    }
}

/// A value that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Index of the case in its file.
    pub case: usize,
    /// The quantity that differs.
    pub quantity: Quantity,
    /// The expected value and its line; `None` when the case does not state a value yet.
    pub expected: Option<(Expected, usize)>,
    /// The value found.
    pub found: Value,
}

/// Computes the cases of a file in parallel and returns, in order, the differences of each from
/// what was expected. `progress` counts the work of the analyses; when it is cancelled, the cases
/// that are not finished fail.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{cases, progress::Progress};
/// let text = "[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\noblivious_ratio = '3'\n";
/// let file = cases::read("cases.toml", text)?;
/// let first = cases::run(&file, &Progress::silent()).remove(0)?;
/// assert_eq!(first[0].found.to_string(), "2 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn run(file: &CaseFile, progress: &Progress) -> Vec<Result<Vec<Difference>, CaseError>> {
    let work = file.cases.par_iter().enumerate().map(|(number, case)| {
        let problem = |problem| file.fails(case, problem);
        let values = compute(case, progress).map_err(problem)?;
        Ok(differences(number, case, values))
    });
    work.collect()
}

/// What is asked for and not proven to be as expected. An expected value that was not computed
/// differs too.
fn differences(number: usize, case: &Case, mut values: Vec<(Quantity, Value)>) -> Vec<Difference> {
    let known: Vec<Quantity> = values.iter().map(|(quantity, _)| *quantity).collect();
    let asked = case.expected.iter().map(|expected| expected.quantity);
    let missing = asked.filter(|quantity| !known.contains(quantity));
    values.extend(missing.map(|quantity| (quantity, Value::Absent)));
    let expected = |quantity| {
        let found = case.expected.iter().find(|expected| expected.quantity == quantity);
        found.map(|expected| (expected.value.clone(), expected.line))
    };
    let differs = |(quantity, found): (Quantity, Value)| {
        let expected = expected(quantity);
        let same = expected.as_ref().is_some_and(|(value, _)| found.proves(value));
        (!same).then_some(Difference { case: number, quantity, expected, found })
    };
    values.into_iter().filter_map(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;

    /// A reader refuses such a case, but anyone may make one.
    #[test]
    fn a_value_without_its_routing_or_traffic_is_not_as_expected() {
        let text = "[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\ntraffic = 'shift(1)'\n\
                    oblivious_ratio = '2'\nmax_load = '1'\n";
        let file = read("cases.toml", text).unwrap();
        let differing = |change: fn(&mut Case)| {
            let mut file = file.clone();
            change(&mut file.cases[0]);
            run(&file, &Progress::silent()).remove(0).unwrap()
        };
        assert_eq!(differing(|_| {}), []);
        let (ratio, load) = (Quantity::ObliviousRatio, Quantity::MaxLoad);
        let absent = |quantity, value, line| {
            let expected = Some((Expected::Exactly(Rational::from(value)), line));
            Difference { case: 0, quantity, expected, found: Value::Absent }
        };
        assert_eq!(differing(|case| case.traffic = None), [absent(load, 1, 6)]);
        let both = [absent(load, 1, 6), absent(ratio, 2, 5)];
        assert_eq!(differing(|case| case.routing = None), both);
        assert_eq!(both[0].found.to_string(), "no value");
    }

    #[test]
    fn bounds_may_be_expected() {
        let differing = |expected: &str| {
            let text = format!(
                "[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\noblivious_ratio = '{expected}'\n"
            );
            run(&read("cases.toml", &text).unwrap(), &Progress::silent()).remove(0).unwrap().len()
        };
        for (expected, count) in [("2", 0), ("<= 2", 0), ("<= 18", 0), (">= 2", 0), ("1..3", 0)] {
            assert_eq!(differing(expected), count, "{expected}");
        }
        for expected in ["3", "<= 1.5", ">= 5/2", "3..4"] {
            assert_eq!(differing(expected), 1, "{expected}");
        }
        let error =
            read("a.toml", "[[case]]\ntopology='ft(4,2)'\nrouting='x'\noblivious_ratio='< 2'");
        assert!(error.unwrap_err().to_string().contains("or bounds such as \"<= 18\""));
    }

    #[test]
    fn a_value_that_was_not_computed_is_not_as_expected() {
        let text = "[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\n\
                    oblivious_ratio = '2'\npermutation_ratio = '3'\n";
        let case = &read("cases.toml", text).unwrap().cases[0];
        let values = vec![(Quantity::ObliviousRatio, Value::Exact(Rational::from(2)))];
        let found = differences(0, case, values);
        let missing: Vec<_> = found.iter().map(|found| (found.quantity, &found.found)).collect();
        assert_eq!(missing, [(Quantity::PermutationRatio, &Value::Absent)]);
    }
}
