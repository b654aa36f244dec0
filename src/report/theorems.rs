//! What `verify` prints: one record a statement.

use std::fmt::Write as _;

use serde::Serialize;

use super::table;
use crate::theorem::{Finding, Outcome, Verified};

/// The record of one statement, as `verify --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct StatementReport {
    /// Its name.
    pub name: &'static str,
    /// The statement in one sentence.
    pub statement: &'static str,
    /// Paper and number.
    pub source: &'static str,
    /// What it is stated for.
    pub hypothesis: &'static str,
    /// `holds`, `loose`, `fails`, `open` or `not applicable`.
    pub verdict: &'static str,
    /// The verdict in a few words.
    pub text: String,
    /// Number of cases examined.
    pub instances: usize,
    /// On what the verdict rests.
    pub evidence: String,
    /// How often a bound is attained, where it is not always.
    pub tightness: Option<String>,
    /// What is known to be wrong or loose.
    pub erratum: Option<&'static str>,
    /// File with the counterexample.
    pub counterexample: Option<String>,
    /// What is not as expected.
    pub differences: Vec<String>,
    /// Time of the check.
    pub seconds: f64,
    /// Both sides, case by case.
    pub cases: Vec<CaseReport>,
}

/// Both sides on one case.
#[derive(Clone, Debug, Serialize)]
pub struct CaseReport {
    /// Its name.
    pub case: String,
    /// What the statement says.
    pub claimed: String,
    /// What was computed.
    pub found: String,
    /// `holds`, `loose by …`, `fails` or `open: …`.
    pub outcome: String,
}

impl CaseReport {
    fn new(finding: &Finding) -> Self {
        let outcome = match &finding.outcome {
            Outcome::Holds => "holds".to_string(),
            Outcome::Loose(by) => format!("loose by {by}"),
            Outcome::Fails(_) => "fails".to_string(),
            Outcome::Open(why) => format!("open: {why}"),
        };
        let Finding { case, claimed, found, .. } = finding.clone();
        Self { case, claimed, found, outcome }
    }
}

impl StatementReport {
    /// The record of a checked statement; `counterexample` is the file that one was written to.
    #[must_use]
    pub fn new(verified: &Verified, counterexample: Option<String>) -> Self {
        let text = match &counterexample {
            Some(file) => format!("{}: counterexample written to {file}", verified.verdict_text()),
            None => verified.verdict_text(),
        };
        let kind = verified.kind;
        Self {
            name: kind.name,
            statement: kind.about,
            source: kind.reference,
            hypothesis: kind.build.hypothesis,
            verdict: verified.verdict.name(),
            text,
            instances: verified.instances(),
            evidence: verified.evidence(),
            tightness: verified.tightness(),
            erratum: kind.build.erratum.map(|erratum| erratum.says),
            counterexample,
            differences: verified.differences.clone(),
            seconds: verified.seconds,
            cases: verified.findings.iter().map(CaseReport::new).collect(),
        }
    }

    /// The record for people.
    #[must_use]
    pub fn text(&self, cases: bool) -> String {
        let Self { name, statement, source, text: verdict, .. } = self;
        let mut text = format!("{name} ({source})\n  {statement}\n  {verdict}\n");
        // A String takes every write.
        if let Some(tightness) = &self.tightness {
            let _ = writeln!(text, "  {tightness}");
        }
        if let Some(erratum) = self.erratum {
            let _ = writeln!(text, "  erratum: {erratum}");
        }
        for difference in &self.differences {
            let _ = writeln!(text, "  NOT AS EXPECTED: {difference}");
        }
        for CaseReport { case, claimed, found, outcome } in self.cases.iter().filter(|_| cases) {
            let _ = writeln!(text, "    {case}: claimed {claimed}, found {found}: {outcome}");
        }
        text
    }
}

/// All records as a Markdown page; `command` is what made it.
#[must_use]
pub fn markdown(reports: &[StatementReport], command: &str) -> String {
    let count = |verdict: &str| reports.iter().filter(|report| report.verdict == verdict).count();
    let mut text = format!(
        "# The theorem battery\n\n\
         What the source papers state, checked against every implemented routing. Made by \
         `{command}`: {} statements, of which {} hold, {} are loose, {} fail, {} are open and {} \
         do not apply. What is wrong or loose is explained in [errata.md](errata.md); both sides \
         on every case are printed by `routebound verify NAME --cases`.\n\n\
         *Proven*: the checker accepted a certificate, or everything that the statement speaks \
         of was enumerated. *Sampled*: trials and seed are given.\n\n",
        reports.len(),
        count("holds"),
        count("loose"),
        count("fails"),
        count("open"),
        count("not applicable"),
    );
    let heads = ["name", "source", "statement", "verdict", "instances", "evidence", "seconds"];
    text.push_str(&table::markdown(&heads, reports.iter().map(row)));
    text.push_str("\n## Known errata\n\n");
    for report in reports {
        if let Some(says) = report.erratum {
            // A String takes every write.
            let _ = writeln!(text, "- `{}` ({}): {says}.", report.name, report.source);
        }
    }
    text
}

fn row(report: &StatementReport) -> Vec<String> {
    let tightness = report.tightness.as_ref().map(|text| format!("; {text}"));
    let evidence = if report.verdict == "fails" { &report.text } else { &report.evidence };
    let evidence = evidence.split(": counterexample").next().unwrap_or_default();
    vec![
        report.name.to_string(),
        report.source.to_string(),
        report.statement.replace('|', "\\|"),
        format!("{}{}", report.verdict, if report.erratum.is_some() { " (erratum)" } else { "" }),
        report.instances.to_string(),
        format!("{evidence}{}", tightness.unwrap_or_default()),
        format!("{:.1}", report.seconds),
    ]
}
