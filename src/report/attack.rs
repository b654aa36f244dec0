//! Output of `attack`: one row per adversary, and the worst traffic of all.

use super::numbers::{at_least, at_most, column_at_least, sides};
use super::prelude::*;
use super::remedy::with_options;
use super::worst_traffic::files_text;
use super::{WitnessReport, WrittenTraffic};
use crate::adversary::{Finding, Ratio, Statistics};
use crate::routing::Instance;
use crate::theorem::{PublishedBound, Side, Standing, published};

/// The record of all adversaries on one instance, as `attack --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct AttackReport {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec.
    pub routing: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// The bounds of sup max load ÷ optu.
    pub oblivious_ratio: RatioReport,
    /// The result of the exact analysis, if it was run.
    pub exact: Option<Bounds>,
    /// Every adversary, in the order of their runs.
    pub adversaries: Vec<AttackRow>,
    /// The adversary that found the witness.
    pub found_by: Option<String>,
    /// The traffic of the highest lower bound that an adversary found.
    pub witness: Option<WitnessReport>,
    /// Published bounds of this instance, and how close the adversaries came.
    pub published: Vec<PublishedRow>,
    /// Whether nothing was stopped by Ctrl-C or the time limit.
    pub complete: bool,
    /// Notes on the routing.
    pub notes: Vec<String>,
    /// Files of the witness, if any were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<WrittenTraffic>,
}

/// The finding with the highest lower bound that has a witness; of several, that of the adversary that ran first.
#[must_use]
pub fn best_finding(findings: &[Finding]) -> Option<&Finding> {
    let found = findings.iter().filter(|finding| finding.worst.witness.is_some());
    found.reduce(|best, next| if next.worst.lower > best.worst.lower { next } else { best })
}

/// Bounds whose upper side may be unknown.
#[derive(Clone, Debug, Serialize)]
pub struct RatioReport {
    /// Proved by the witness, or by the exact analysis.
    pub lower: Rational,
    /// From the exact analysis or an adversary, if any.
    pub upper: Option<Rational>,
    /// The evidence for both.
    pub evidence: Evidence,
}

/// A published bound beside what the adversaries found.
#[derive(Clone, Debug, Serialize)]
pub struct PublishedRow {
    /// Name of the statement, as `verify` takes it.
    pub statement: &'static str,
    /// Paper and number.
    pub source: &'static str,
    /// Side of the oblivious ratio that the value bounds.
    pub side: Side,
    /// The value.
    pub value: Rational,
    /// The highest ratio that an adversary found.
    pub found: Rational,
    /// Comparison of the two.
    pub standing: Standing,
}

fn published_rows(instance: &Instance, best: Option<&Finding>) -> Vec<PublishedRow> {
    let found = best.map_or(Rational::ZERO, |best| best.worst.lower.clone());
    let row = |bound: PublishedBound| {
        let (standing, found) = (bound.standing(&found), found.clone());
        let PublishedBound { statement, source, side, value } = bound;
        PublishedRow { statement, source, side, value, found, standing }
    };
    published(&instance.topology, &*instance.routing).into_iter().map(row).collect()
}

/// The finding of one adversary, or why it did not run.
#[derive(Clone, Debug, Serialize)]
pub struct AttackRow {
    /// Canonical spec.
    pub adversary: String,
    /// load ÷ optu of its traffic.
    pub lower: Rational,
    /// Load of the most loaded link.
    pub load: Rational,
    /// The upper bound on the oblivious ratio, if it has one.
    pub upper: Option<Rational>,
    /// Source of the bounds.
    pub evidence: Option<Evidence>,
    /// Number of traffic evaluations.
    pub evaluations: u64,
    /// Wall-clock time in seconds; `None` where it was that of shards, or the adversary did not begin.
    pub seconds: Option<f64>,
    /// Statistics of adversaries that sample.
    pub statistics: Option<Statistics>,
    /// Whether it was stopped before it had finished.
    pub stopped: bool,
    /// Remarks, or why it refused the instance.
    pub notes: Vec<String>,
}

impl AttackRow {
    /// The row of a finding that took the given number of seconds, if known.
    #[must_use]
    pub fn found(finding: &Finding, seconds: Option<f64>) -> Self {
        let Ratio { lower, load, upper, statistics, .. } = finding.worst.clone();
        Self {
            adversary: finding.adversary.clone(),
            lower,
            load,
            upper,
            evidence: Some(finding.evidence.clone()),
            evaluations: finding.evaluations,
            seconds,
            statistics,
            stopped: finding.stopped,
            notes: finding.notes.clone(),
        }
    }

    /// An adversary that refused the instance.
    #[must_use]
    pub fn refused(adversary: &str, reason: &(dyn std::error::Error + 'static)) -> Self {
        let note = with_options(format!("refused: {reason}"), reason);
        Self { seconds: Some(0.0), ..Self::without(adversary, note) }
    }

    /// An adversary whose turn did not come before the run was stopped.
    #[must_use]
    pub fn not_begun(adversary: &str) -> Self {
        let note = "not begun: the run was stopped before".to_string();
        Self { stopped: true, ..Self::without(adversary, note) }
    }

    /// An adversary that found nothing, and why.
    fn without(adversary: &str, note: String) -> Self {
        Self {
            adversary: adversary.to_string(),
            lower: Rational::ZERO,
            load: Rational::ZERO,
            upper: None,
            evidence: None,
            evaluations: 0,
            seconds: None,
            statistics: None,
            stopped: false,
            notes: vec![note],
        }
    }
}

impl AttackReport {
    /// The record of findings and of the exact analysis, if it was run. O(pairs of the witness).
    #[must_use]
    pub fn new(
        instance: &Instance,
        findings: &[Finding],
        rows: Vec<AttackRow>,
        exact: Option<Bounds>,
        complete: bool,
    ) -> Self {
        let Instance { topology, routing, .. } = instance;
        let best = best_finding(findings);
        let witness = best.and_then(|best| best.worst.witness.as_ref());
        Self {
            topology: topology.spec().to_string(),
            routing: routing.spec().to_string(),
            hosts: topology.hosts(),
            oblivious_ratio: bounds(best, findings, exact.as_ref()),
            exact,
            adversaries: rows,
            published: published_rows(instance, best),
            found_by: best.map(|best| best.adversary.clone()),
            witness: witness.map(|witness| WitnessReport::new(topology, witness)),
            complete,
            notes: instance.notes(),
            traffic: Vec::new(),
        }
    }

    /// The record as text, with at most `most_pairs` pairs of the witness.
    #[must_use]
    pub fn text(&self, most_pairs: usize) -> String {
        let Self { topology, routing, hosts, .. } = self;
        let RatioReport { lower, upper, evidence } = &self.oblivious_ratio;
        let mut text = format!("{routing} on {topology}, {hosts} hosts\n");
        // A String takes every write.
        let ratio = match upper {
            Some(upper) if upper == lower => shown(lower),
            Some(upper) => format!("between {} and {}", at_least(lower), at_most(upper)),
            None => format!("at least {}", at_least(lower)),
        };
        let _ = writeln!(text, "oblivious ratio         {ratio} ({evidence})");
        if let Some(witness) = &self.witness {
            let by = self.found_by.as_deref().unwrap_or_default();
            let _ = writeln!(
                text,
                "worst link found        {} (link {})",
                witness.worst_link, witness.worst_link_id
            );
            let _ = writeln!(text, "found by                {by}");
        }
        for PublishedRow { source, side, value, found, standing, .. } in &self.published {
            let more = if *standing == Standing::Broken { ", which is more" } else { "" };
            let line = format!("{source}: ratio {side} {value}; this search reached {found}{more}");
            let _ = writeln!(text, "published               {line}");
        }
        text.push_str(&labelled("note", 24, &self.notes));
        text.push('\n');
        text.push_str(&self.table());
        text.push('\n');
        text.push_str(&self.remarks());
        match &self.witness {
            Some(witness) => text.push_str(&witness.text(most_pairs, "--json")),
            None => text.push_str("\nno traffic was found\n"),
        }
        text.push_str(&files_text(&self.traffic));
        text
    }

    fn table(&self) -> String {
        let exact = self.exact.as_ref().map_or_else(String::new, sides);
        let found = self.adversaries.iter().map(|row| row.evidence.as_ref().map(|_| &row.lower));
        let row = |(row, found): (&AttackRow, String)| {
            vec![
                row.adversary.clone(),
                if found.is_empty() { "-".into() } else { found },
                exact.clone(),
                row.evaluations.to_string(),
                row.seconds.map_or_else(|| "-".into(), |seconds| format!("{seconds:.2}")),
            ]
        };
        let heads = ["adversary", "lower bound", "exact", "evaluations", "seconds"];
        table(&heads, self.adversaries.iter().zip(column_at_least(found)).map(row))
    }

    /// Statistics and remarks, adversary by adversary.
    fn remarks(&self) -> String {
        let mut text = String::new();
        for row in &self.adversaries {
            let name = row.adversary.split('(').next().unwrap_or_default();
            for note in &row.notes {
                let _ = writeln!(text, "{name}: {note}");
            }
            if row.stopped && row.evidence.is_some() {
                let _ = writeln!(text, "{name}: stopped before it had finished");
            }
            let Some(found) = &row.statistics else { continue };
            let _ = write!(
                text,
                "{}: mean {:.4} ± {:.4} (95 %), most {} of {}",
                row.adversary,
                found.mean.to_f64(),
                found.half_width,
                found.most,
                found.trials
            );
            if let Some(bandwidth) = &found.effective_bisection_bandwidth {
                let _ = write!(text, ", effective bisection bandwidth {:.4}", bandwidth.to_f64());
            }
            text.push('\n');
        }
        text
    }
}

/// The bounds of the oblivious ratio that follow from all findings.
fn bounds(best: Option<&Finding>, findings: &[Finding], exact: Option<&Bounds>) -> RatioReport {
    let found = best.map_or(Rational::ZERO, |best| best.worst.lower.clone());
    if let Some(exact) = exact {
        let (lower, evidence) = if exact.lower >= found {
            (exact.lower.clone(), exact.evidence.clone())
        } else {
            let by = best.map_or("", |best| best.adversary.as_str());
            let text = format!("lower bound measured exactly on the traffic of {by}");
            (found, Evidence::Claimed(text))
        };
        return RatioReport { lower, upper: Some(exact.upper.clone()), evidence };
    }
    let upper = findings.iter().filter_map(|finding| finding.worst.upper.clone()).min();
    let none = || Evidence::Claimed("nothing was evaluated".to_string());
    let evidence = best.map_or_else(none, |best| best.evidence.clone());
    RatioReport { lower: found, upper, evidence }
}
