//! Output of `ratio --worst-single-failure`.

use std::fmt::Write as _;

use serde::Serialize;

use super::labelled;
use crate::bounds::Bounds;
use crate::routing::Routing;
use crate::single_failures::{SingleFailures, Worst};
use crate::topology::Topology;

/// Breaking cables that the text lists, at most.
const LISTED: usize = 10;

/// The record of all single failures of an instance.
#[derive(Clone, Debug, Serialize)]
pub struct SingleFailuresReport {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec.
    pub routing: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Number of cables that were taken out in turn.
    pub cables: usize,
    /// Bounds of the worst oblivious ratio over the failures that leave every pair a path.
    pub oblivious_ratio: Option<Bounds>,
    /// The cable whose failure has it.
    pub oblivious_ratio_cable: Option<String>,
    /// Bounds of the worst permutation load over these failures.
    pub permutation_load: Option<Bounds>,
    /// The cable whose failure has it.
    pub permutation_load_cable: Option<String>,
    /// Cables whose failure leaves pairs without a path, with the reason.
    pub breaking: Vec<(String, String)>,
    /// Whether the work was finished.
    pub complete: bool,
    /// Notes on the network and the routing.
    pub notes: Vec<String>,
}

impl SingleFailuresReport {
    /// The record of `found`.
    #[must_use]
    pub fn new(topology: &Topology, routing: &dyn Routing, found: &SingleFailures) -> Self {
        let split = |worst: &Option<Worst>| {
            worst.clone().map(|Worst { bounds, cable }| (bounds, cable)).unzip()
        };
        let (oblivious_ratio, oblivious_ratio_cable) = split(&found.oblivious_ratio);
        let (permutation_load, permutation_load_cable) = split(&found.permutation_load);
        Self {
            topology: topology.spec().to_string(),
            routing: routing.spec().to_string(),
            hosts: topology.hosts(),
            cables: found.cables,
            oblivious_ratio,
            oblivious_ratio_cable,
            permutation_load,
            permutation_load_cable,
            breaking: found.breaking.clone(),
            complete: found.complete,
            notes: topology.notes().iter().cloned().chain(routing.notes()).collect(),
        }
    }

    /// The record as text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, hosts, cables, breaking, .. } = self;
        let mut text = format!(
            "{routing} on {topology}, {hosts} hosts, without each of {cables} cables between \
             switches\n"
        );
        text.push_str(&labelled("note", 25, &self.notes));
        let mut row = |name: &str, bounds: &Option<Bounds>, cable: &Option<String>| {
            // A String takes every write.
            let _ = match (bounds, cable) {
                (Some(bounds), Some(cable)) => {
                    writeln!(text, "{name}  {bounds}, without {cable}")
                }
                _ => writeln!(text, "{name}  none: no failure leaves every pair a path"),
            };
        };
        row("worst oblivious ratio  ", &self.oblivious_ratio, &self.oblivious_ratio_cable);
        row("worst permutation load ", &self.permutation_load, &self.permutation_load_cable);
        let _ = writeln!(text, "failures that break it   {}", breaking.len());
        for (cable, reason) in breaking.iter().take(LISTED) {
            let _ = writeln!(text, "  {cable}: {reason}");
        }
        if breaking.len() > LISTED {
            let _ = writeln!(text, "  … {} more (see --json)", breaking.len() - LISTED);
        }
        text
    }
}
