//! Output of `regress`.

use super::prelude::*;
use crate::cases::{Case, CaseError, CaseFile, Difference, Expected};

/// The record of all cases.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RegressionReport {
    /// Number of files.
    pub files: usize,
    /// Number of cases that were computed.
    pub cases: usize,
    /// Number of values that were recomputed.
    pub values: usize,
    /// Values that are not as expected, in order.
    pub differences: Vec<DifferenceReport>,
    /// Cases that could not be computed, and why.
    pub failures: Vec<String>,
    /// Files that were rewritten.
    pub blessed: Vec<String>,
    /// Cases that were added, each with its file; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
}

/// A value that is not as expected.
#[derive(Clone, Debug, Serialize)]
pub struct DifferenceReport {
    /// The file.
    pub file: String,
    /// The line of the value, or of its case.
    pub line: usize,
    /// Spec or path.
    pub topology: String,
    /// Spec.
    pub routing: Option<String>,
    /// Spec or path.
    pub traffic: Option<String>,
    /// Name of the value.
    pub key: &'static str,
    /// The expected value or bounds; `None` when the case has no value yet.
    pub expected: Option<Expected>,
    /// The value found, if it is exact and proven.
    pub found: Option<Rational>,
    /// The value found, with its evidence.
    pub evidence: String,
    #[serde(skip)]
    name: String,
}

impl DifferenceReport {
    fn new(file: &CaseFile, case: &Case, difference: &Difference) -> Self {
        let (expected, line) = difference.expected.clone().unzip();
        Self {
            file: file.path.clone(),
            line: line.unwrap_or(case.line),
            topology: case.topology.clone(),
            routing: case.routing.clone(),
            traffic: case.traffic.clone(),
            key: difference.quantity.key(),
            expected,
            found: difference.found.proven().cloned(),
            evidence: difference.found.to_string(),
            name: case.name(),
        }
    }
}

impl RegressionReport {
    /// Adds a file and the results of its cases.
    pub fn add(&mut self, file: &CaseFile, results: &[Result<Vec<Difference>, CaseError>]) {
        self.files += 1;
        for (case, result) in file.cases.iter().zip(results) {
            match result {
                Ok(differences) => {
                    self.cases += 1;
                    self.values += case.asked().len();
                    let reports = differences.iter().map(|d| DifferenceReport::new(file, case, d));
                    self.differences.extend(reports);
                }
                Err(error) => self.failures.push(error.to_string()),
            }
        }
    }

    /// The record as text: a line for every value that is not as expected, then how many there
    /// are.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        // A String takes every write.
        for difference in &self.differences {
            let DifferenceReport { file, line, name, key, expected, evidence, .. } = difference;
            let expected =
                expected.as_ref().map_or_else(|| "nothing".to_string(), ToString::to_string);
            let _ = writeln!(
                text,
                "{file}:{line}: {name}: {key} expected {expected}, found {evidence}"
            );
        }
        for failure in &self.failures {
            let _ = writeln!(text, "{failure}");
        }
        for case in &self.added {
            let _ = writeln!(text, "added: {case}");
        }
        for file in &self.blessed {
            let _ = writeln!(text, "rewritten: {file}");
        }
        let [files, cases, values] =
            [(self.files, "file"), (self.cases, "case"), (self.values, "value")]
                .map(|(number, noun)| counted(number, noun));
        let _ = write!(text, "{files}, {cases}, {values}: ");
        let is_blessed = |found: &&DifferenceReport| self.blessed.contains(&found.file);
        let rewritten = self.differences.iter().filter(is_blessed).count();
        let _ = match (self.differences.len() - rewritten, self.cases) {
            (0, 0) => write!(text, "nothing compared"),
            (0, _) if rewritten == 0 => write!(text, "all as expected"),
            (0, _) => write!(text, "{rewritten} rewritten"),
            (count, _) if rewritten == 0 => write!(text, "{count} not as expected"),
            (count, _) => write!(text, "{rewritten} rewritten, {count} not as expected"),
        };
        let _ = match self.failures.len() {
            0 => writeln!(text),
            count => writeln!(text, "; {} not computed", counted(count, "case")),
        };
        text
    }
}
