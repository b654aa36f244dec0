//! Output about routings that see the traffic pattern.

use super::prelude::*;
use crate::adversary::pattern::{Finding, Measure, Target};
use crate::simulation::adaptive::Guarantee;
use crate::topology::Host;
use crate::traffic::Permutation;

/// Whether a routing that sees the pattern sends permutations without contention, as `nonblocking
/// --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct PatternNonblockingReport {
    /// Canonical spec, or the path.
    pub topology: String,
    /// Canonical spec.
    pub routing: String,
    /// `local` or `global`.
    pub scope: String,
    /// Whether every permutation is routed without contention; `None` where that is open.
    pub nonblocking: Option<bool>,
    /// Maximum max load of a permutation that it routes.
    pub permutation_load: Bounds,
    /// Maximum number of configurations that a permutation needs.
    pub configurations: Option<Bounds>,
    /// Number of top switches in these, with which the network is nonblocking.
    pub top_switches: Option<Bounds>,
    /// SD pairs of a permutation that needs the lower bound.
    pub hardest: Vec<(Host, Host)>,
    /// Notes on the network and the routing.
    pub notes: Vec<String>,
}

impl PatternNonblockingReport {
    /// The record of a routing.
    #[must_use]
    pub fn new(target: &Target<'_>, found: Guarantee) -> Self {
        let (configurations, top_switches) = found.needs.unzip();
        let notes = target.topology.notes().iter().cloned().chain(found.notes);
        Self {
            topology: target.topology.spec().to_string(),
            routing: target.routing.spec().to_string(),
            scope: target.routing.scope().to_string(),
            nonblocking: found.nonblocking,
            permutation_load: found.load,
            configurations,
            top_switches,
            hardest: found.hardest.iter().flat_map(Permutation::pairs).collect(),
            notes: notes.collect(),
        }
    }

    /// The record for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, scope, permutation_load, .. } = self;
        let verdict = match self.nonblocking {
            Some(true) => "nonblocking",
            Some(false) => "blocking: some permutation needs more top switches",
            None => "open",
        };
        let mut text = format!(
            "{topology} with routing {routing} ({scope})\n\
             verdict           {verdict}\n\
             permutation load  {}\n",
            shown_bounds(permutation_load)
        );
        // A String takes every write.
        if let (Some(configurations), Some(tops)) = (&self.configurations, &self.top_switches) {
            let _ = writeln!(text, "configurations    {}", shown_bounds(configurations));
            let _ = writeln!(text, "top switches      {}", shown_bounds(tops));
        }
        if !self.hardest.is_empty() {
            let _ = writeln!(text, "hardest           {}", pairs(&self.hardest));
        }
        text.push_str(&labelled("note", 18, &self.notes));
        text
    }
}

/// Pairs that a line shows.
const SHOWN: usize = 64;

fn pairs(pairs: &[(Host, Host)]) -> String {
    let shown: Vec<String> = pairs.iter().take(SHOWN).map(|(s, d)| format!("{s}->{d}")).collect();
    let more = if pairs.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", shown.join(" "))
}

/// The findings of adversaries against a routing that sees the pattern, as `attack --json` prints them.
#[derive(Clone, Debug, Serialize)]
pub struct PatternAttackReport {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec.
    pub routing: String,
    /// `local` or `global`.
    pub scope: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Every adversary, in the order of their runs.
    pub adversaries: Vec<PatternRow>,
    /// The one that found the worst permutation, the first of several.
    pub found_by: Option<String>,
    /// SD pairs of that permutation.
    pub permutation: Vec<(Host, Host)>,
    /// Whether nothing was stopped.
    pub complete: bool,
}

/// One adversary.
#[derive(Clone, Debug, Serialize)]
pub struct PatternRow {
    /// Canonical spec of the adversary.
    pub adversary: String,
    /// The worst that it found.
    #[serde(flatten)]
    pub measure: Option<Measure>,
    /// Permutations that were routed.
    pub evaluations: u64,
    /// Evidence that none is worse.
    pub evidence: Evidence,
    /// Why it did not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_because: Option<String>,
}

impl PatternRow {
    /// An adversary that refuses the network.
    #[must_use]
    pub fn refused(adversary: &str, error: &dyn std::error::Error) -> Self {
        Self {
            adversary: adversary.to_string(),
            measure: None,
            evaluations: 0,
            evidence: Evidence::Claimed("nothing was routed".into()),
            refused_because: Some(error.to_string()),
        }
    }

    /// The row of a finding.
    #[must_use]
    pub fn found(finding: &Finding) -> Self {
        Self {
            adversary: finding.adversary.clone(),
            measure: finding.worst.as_ref().map(|(measure, _)| *measure),
            evaluations: finding.evaluations,
            evidence: finding.evidence.clone(),
            refused_because: None,
        }
    }

    fn cells(&self) -> Vec<String> {
        let dash = || "-".to_string();
        let of = |value: fn(&Measure) -> String| self.measure.as_ref().map_or_else(dash, value);
        vec![
            self.adversary.clone(),
            of(|it| if it.refused { "refused".to_string() } else { it.load.to_string() }),
            of(|it| it.configurations.to_string()),
            of(|it| it.top_switches.to_string()),
            self.evaluations.to_string(),
            if self.refused_because.is_some() { dash() } else { self.evidence.to_string() },
        ]
    }
}

impl PatternAttackReport {
    /// The record of all findings.
    #[must_use]
    pub fn new(
        target: &Target<'_>,
        rows: Vec<PatternRow>,
        findings: &[Finding],
        complete: bool,
    ) -> Self {
        let known = findings.iter().filter_map(|it| Some((it, it.worst.as_ref()?)));
        let worst = known.reduce(|best, next| if next.1.0 > best.1.0 { next } else { best });
        Self {
            topology: target.topology.spec().to_string(),
            routing: target.routing.spec().to_string(),
            scope: target.routing.scope().to_string(),
            hosts: target.topology.hosts(),
            adversaries: rows,
            found_by: worst.map(|(finding, _)| finding.adversary.clone()),
            permutation: worst.map_or_else(Vec::new, |(_, (_, worst))| worst.pairs().collect()),
            complete,
        }
    }

    /// The record for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, scope, hosts, .. } = self;
        let head =
            ["adversary", "max load", "configurations", "top switches", "routed", "evidence"];
        let rows = self.adversaries.iter().map(PatternRow::cells);
        let mut text =
            format!("{routing} ({scope}) on {topology}, {hosts} hosts\n\n{}\n", table(&head, rows));
        // A String takes every write.
        for row in &self.adversaries {
            if let Some(why) = &row.refused_because {
                let _ = writeln!(text, "{}: refused: {why}", row.adversary);
            }
        }
        if let Some(found_by) = &self.found_by {
            let pairs = pairs(&self.permutation);
            let _ = writeln!(text, "\nworst permutation, found by {found_by}\n{pairs}");
        }
        text
    }
}
