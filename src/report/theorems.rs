//! Output of `verify`: one record per statement.

use itertools::Itertools;

use super::prelude::*;
use super::table;
use crate::theorem::{Attacks, Empirical, Finding, Outcome, Remark, Statement, Verdict, Verified};

/// The record of one statement, as `verify --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct StatementReport {
    /// Name of the statement.
    pub name: &'static str,
    /// The statement in one sentence.
    pub statement: &'static str,
    /// Paper and number.
    pub source: &'static str,
    /// The printed words; empty where they could not be read.
    pub quote: &'static str,
    /// `the paper's`, `sharpened`, `ours` or `as recalled`.
    pub whose: &'static str,
    /// Scope of the statement.
    pub hypothesis: &'static str,
    /// `holds`, `loose`, `fails`, `open`, `argued` or `not applicable`.
    pub verdict: &'static str,
    /// The verdict in a few words.
    pub text: String,
    /// Number of cases about which the statement says something that is computed.
    pub instances: usize,
    /// Number of cases that an argument alone decides.
    pub argued: usize,
    /// Number of cases about which it says nothing.
    pub vacuous: usize,
    /// Evidence of the verdict.
    pub evidence: String,
    /// Number of cases in which a bound is attained, if not all.
    pub tightness: Option<String>,
    /// Findings of adversaries, if they were run and the statement bounds the ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empirically: Option<Empirical>,
    /// Remarks beside the verdict.
    pub remark: Option<RemarkReport>,
    /// File of the counterexample.
    pub counterexample: Option<String>,
    /// Differences from what is expected.
    pub differences: Vec<String>,
    /// Time of the check.
    pub seconds: f64,
    /// Both sides, case by case.
    pub cases: Vec<CaseReport>,
}

/// Remarks on a statement beside its verdict.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RemarkReport {
    /// `wrong`, `imprecise`, `can be sharpened` or `our reading`.
    pub kind: &'static str,
    /// The statement that is true instead.
    pub says: &'static str,
}

/// Both sides on one case.
#[derive(Clone, Debug, Serialize)]
pub struct CaseReport {
    /// Name of the case.
    pub case: String,
    /// The words of the statement.
    pub claimed: String,
    /// The computed value.
    pub found: String,
    /// `holds`, `loose by …`, `fails`, `open: …`, `vacuous: …` or `argued, not computed`.
    pub outcome: String,
}

impl CaseReport {
    fn new(finding: &Finding) -> Self {
        let outcome = match &finding.outcome {
            Outcome::Holds => "holds".to_string(),
            Outcome::Loose(by) => format!("loose by {by}"),
            Outcome::Fails(_) => "fails".to_string(),
            Outcome::Open(why) => format!("open: {why}"),
            Outcome::Vacuous(why) => format!("vacuous: {why}"),
            Outcome::Argued => "argued, not computed".to_string(),
        };
        let Finding { case, claimed, found, .. } = finding.clone();
        Self { case: case.name, claimed, found, outcome }
    }
}

impl StatementReport {
    /// The record of a checked statement; `counterexample` is the file that it was written to, if any.
    #[must_use]
    pub fn new(verified: &Verified, counterexample: Option<String>) -> Self {
        let written = counterexample.as_ref();
        let written =
            written.map_or_else(String::new, |file| format!(": counterexample written to {file}"));
        let text = verified.verdict_text() + &written;
        let statement = verified.statement;
        Self {
            name: statement.name,
            statement: statement.about,
            source: statement.reference,
            quote: statement.quote,
            whose: statement.whose.name(),
            hypothesis: statement.hypothesis,
            verdict: verified.verdict.name(),
            text,
            instances: verified.instances(),
            argued: verified.argued(),
            vacuous: verified.vacuous(),
            evidence: verified.evidence(),
            tightness: verified.tightness(),
            empirically: None,
            remark: statement.remark.map(|Remark { kind, says, .. }| {
                let kind = kind.name();
                RemarkReport { kind, says }
            }),
            counterexample,
            differences: verified.differences.clone(),
            seconds: verified.seconds,
            cases: verified.findings.iter().map(CaseReport::new).collect(),
        }
    }

    /// The record of a statement whose check was stopped after `units` units of its work.
    #[must_use]
    pub fn stopped(verified: &Verified, counterexample: Option<String>, units: u64) -> Self {
        let report = Self::new(verified, counterexample);
        let text = match (verified.instances(), units, &verified.verdict) {
            (cases, _, Verdict::Fails(_)) => {
                format!("{}, stopped after {cases} cases", report.text)
            }
            (0, 0, _) => "open: stopped before its first case was finished".to_string(),
            (0, cases, _) => format!("open: stopped after {cases} cases, before their verdict"),
            (cases, _, _) => format!("open: stopped after {cases} cases, none contradicts"),
        };
        Self { text, ..report }
    }

    /// Adds what adversaries found. If they break a bound that the exact analysis confirms, one of
    /// the two is wrong: that is not as expected.
    pub fn add_empirical(&mut self, found: Option<Empirical>) {
        let broken = found.iter().flat_map(|found| &found.broken);
        if self.verdict != "fails" {
            self.differences.extend(broken.map(|text| format!("broken by an adversary: {text}")));
        }
        self.empirically = found;
    }

    /// The record as text, with both sides of every case if `cases`.
    #[must_use]
    pub fn text(&self, cases: bool) -> String {
        let Self { name, statement, source, whose, quote, text: verdict, .. } = self;
        let mut text = format!("{name} ({source}; {whose})\n  {statement}\n");
        let advice = match self.counterexample {
            None if self.verdict == "fails" => {
                ": --save-counterexamples FOLDER writes the counterexample"
            }
            _ => "",
        };
        // A String takes every write.
        if !quote.is_empty() {
            let _ = writeln!(text, "  printed: \"{quote}\"");
        }
        let _ = writeln!(text, "  {verdict}{advice}");
        if let Some(tightness) = &self.tightness {
            let _ = writeln!(text, "  {tightness}");
        }
        if let Some(found) = &self.empirically {
            let _ = writeln!(text, "  empirically: {}", found.text());
        }
        if let Some(RemarkReport { kind, says }) = self.remark {
            let _ = writeln!(text, "  {kind}: {says}");
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

/// The outcome of a planted falsehood, as `verify --planted --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct PlantedReport {
    /// Name of the statement.
    pub name: &'static str,
    /// Whether its check failed, as it must.
    pub noticed: bool,
    /// The first case that failed, with both sides.
    pub case: Option<CaseReport>,
}

impl PlantedReport {
    /// The record of a statement and the first case on which its falsehood was noticed.
    #[must_use]
    pub fn new(statement: &Statement, noticed: Option<&Finding>) -> Self {
        let case = noticed.map(CaseReport::new);
        Self { name: statement.name, noticed: case.is_some(), case }
    }

    /// The record as one line of text.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.case {
            Some(CaseReport { case, claimed, found, .. }) => {
                format!("{}: noticed on {case}: claimed {claimed}, found {found}\n", self.name)
            }
            None => format!("{}: MISSED\n", self.name),
        }
    }
}

/// All records as a Markdown page, one section per paper; `attacks` is what the adversaries did, if
/// they were run, and `command` is the command line that made the page.
#[must_use]
pub fn markdown(reports: &[StatementReport], attacks: Option<&Attacks>, command: &str) -> String {
    let count = |verdict: &str| reports.iter().filter(|report| report.verdict == verdict).count();
    let mut text = format!(
        "# The theorem battery\n\n\
         What the source papers state, checked against every implemented routing. Made by \
         `{command}`: {} statements, of which {} hold, {} are loose, {} fail, {} are open, {} are \
         argued alone and {} do not apply. What is known beside the verdicts is explained in [errata.md](errata.md); \
         both sides on every case are printed by `routebound verify NAME --cases`.\n\n\
         A statement is *the paper's* where the quoted words state it, *sharpened* where more is \
         shown, *ours* where the words only gave rise to it, and *as recalled* where it is known to come from a paper \
         whose text could not be read. *Proven*: the checker accepted a \
         certificate, or everything that the statement covers was enumerated. *Vacuous*: the \
         statement says nothing about that case, which is not counted as support. *Sampled*: \
         trials and seed are given. *Argued*: by an argument that is written down where the page \
         says; what it needs was computed, unless it says *not computed*. Cases of the latter kind \
         have a column of their own, since no run can refute them.\n",
        reports.len(),
        count("holds"),
        count("loose"),
        count("fails"),
        count("open"),
        count("argued"),
        count("not applicable"),
    );
    if let Some(attacks) = attacks {
        // A String takes every write.
        let _ = writeln!(text, "\n{EMPIRICALLY} {}.", attacks.text());
    }
    for (paper, reports) in &reports.iter().chunk_by(|report| paper(report)) {
        section(&mut text, paper, &reports.collect_vec());
    }
    text
}

const EMPIRICALLY: &str = "*Empirically*: what adversaries found on every instance with a \
    published bound: on how many traffic reaches it, on how many traffic breaks it. Adversaries \
    that refuse an instance for its size are counted (*without*).";

/// `[OR]` of `[OR] Theorem 3`.
fn paper(report: &StatementReport) -> &'static str {
    report.source.split_inclusive(']').next().unwrap_or(report.source)
}

/// A table of the verdicts, then what is stated and what each verdict rests on.
fn section(text: &mut String, paper: &str, reports: &[&StatementReport]) {
    // A String takes every write.
    let _ = writeln!(text, "\n## {paper}\n");
    text.push_str(&table::markdown(&HEADS, reports.iter().map(|report| row(report))));
    text.push('\n');
    for report in reports {
        let StatementReport { name, source, whose, statement, quote, .. } = report;
        let printed =
            if quote.is_empty() { String::new() } else { format!(" Printed: \"{quote}\".") };
        let _ = writeln!(text, "- `{name}` ({source}; {whose}): {statement}.{printed}");
        let evidence = if report.verdict == "fails" { &report.text } else { &report.evidence };
        let evidence = evidence.split(": counterexample").next().unwrap_or_default();
        let tightness = report.tightness.as_ref().map(|text| format!("; {text}"));
        let _ = writeln!(text, "  *{evidence}{}*", tightness.unwrap_or_default());
        if let Some(found) = &report.empirically {
            let _ = writeln!(text, "  Empirically {}.", found.text());
        }
        if let Some(RemarkReport { kind, says }) = report.remark {
            let _ = writeln!(text, "  **{kind}**: {says}.");
        }
    }
}

const HEADS: [&str; 6] = ["name", "verdict", "known", "cases", "argued", "vacuous"];

fn row(report: &StatementReport) -> Vec<String> {
    vec![
        report.name.to_string(),
        report.verdict.to_string(),
        report.remark.map_or_else(String::new, |remark| remark.kind.to_string()),
        report.instances.to_string(),
        report.argued.to_string(),
        report.vacuous.to_string(),
    ]
}
