//! Output of `ratio` about failures: what one takes from an instance, and what each cable would.

use std::cmp::Reverse;

use itertools::Itertools;

use super::numbers::sides;
use super::prelude::*;
use crate::failure::{LostPairs, Remainder};
use crate::routing::Instance;
use crate::single_failures::{SingleFailure, SingleFailures, Worst};
use crate::topology::quoted;

/// Maximum number of hosts in a row.
const NAMED_HOSTS: usize = 3;

/// The losses of an instance by a failure.
#[derive(Clone, Debug, Serialize)]
pub struct FailureReport {
    /// Names of the hosts that are cut off from the others.
    pub cut_off: Vec<String>,
    /// SD pairs of the other hosts that have no path.
    pub lost_pairs: LostPairs,
    /// Bounds of the oblivious ratio of equal-cost multipath on what remains, where pairs are lost.
    pub rerouted: Option<Bounds>,
}

impl FailureReport {
    /// The record of a failure; `None` if it takes nothing.
    #[must_use]
    pub fn new(left: &Remainder, rerouted: Option<Bounds>) -> Option<Self> {
        let Remainder { cut_off, lost, .. } = left;
        let is_broken = !cut_off.is_empty() || lost.count > 0;
        let (cut_off, lost_pairs) = (cut_off.clone(), lost.clone());
        is_broken.then_some(Self { cut_off, lost_pairs, rerouted })
    }

    /// The record as text, next to notes that name hosts and pairs.
    #[must_use]
    pub fn text(&self) -> String {
        let known = self.rerouted.as_ref();
        known.map_or_else(String::new, |bounds| {
            format!("if rerouted by ecmp     oblivious ratio {}\n", shown_bounds(bounds))
        })
    }
}

/// The record of all single failures of an instance.
#[derive(Clone, Debug, Serialize)]
pub struct SingleFailuresReport {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec.
    pub routing: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Number of cables between switches or between hosts that forward.
    pub cables: usize,
    /// Number of them that were removed in turn.
    pub examined: usize,
    /// Number of classes of equivalent cables, where one cable of each was analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<usize>,
    /// Number of these that cut hosts off or leave pairs without a path.
    pub broken: usize,
    /// Bounds of the worst oblivious ratio of what these failures leave.
    pub oblivious_ratio: Option<Bounds>,
    /// The cable whose failure has it.
    pub oblivious_ratio_cable: Option<String>,
    /// Bounds of the worst permutation load of what they leave.
    pub permutation_load: Option<Bounds>,
    /// The cable whose failure has it.
    pub permutation_load_cable: Option<String>,
    /// The failures, the worst first: those that cut off or leave without a path the most, then by ratio.
    pub failures: Vec<SingleFailure>,
    /// Whether the work was finished.
    pub complete: bool,
    /// Notes on the network and the routing.
    pub notes: Vec<String>,
}

impl SingleFailuresReport {
    /// The record of `found`.
    #[must_use]
    pub fn new(instance: &Instance, found: &SingleFailures) -> Self {
        let Instance { topology, routing, .. } = instance;
        let split = |worst: &Option<Worst>| {
            worst.clone().map(|Worst { bounds, cable }| (bounds, cable)).unzip()
        };
        let (oblivious_ratio, oblivious_ratio_cable) = split(&found.oblivious_ratio);
        let (permutation_load, permutation_load_cable) = split(&found.permutation_load);
        let mut failures = found.failures.clone();
        let upper = |bounds: &Option<Bounds>| bounds.as_ref().map(|bounds| bounds.upper.clone());
        failures.sort_by_cached_key(|failure| {
            let taken = (failure.cut_off.len(), failure.lost_pairs.count);
            Reverse((taken, upper(&failure.oblivious_ratio), upper(&failure.permutation_load)))
        });
        Self {
            topology: topology.spec().to_string(),
            routing: routing.spec().to_string(),
            hosts: topology.hosts(),
            cables: found.cables,
            examined: failures.len(),
            classes: found.classes,
            broken: failures.iter().filter(|failure| failure.is_broken()).count(),
            oblivious_ratio,
            oblivious_ratio_cable,
            permutation_load,
            permutation_load_cable,
            failures,
            complete: found.complete,
            notes: instance.notes(),
        }
    }

    /// The record as text, with at most `most` cables.
    #[must_use]
    pub fn text(&self, most: usize) -> String {
        let Self { topology, routing, hosts, cables, examined, broken, .. } = self;
        let among = if examined < cables { format!("{examined} of ") } else { String::new() };
        let mut text = format!(
            "{routing} on {topology}, {hosts} hosts, without each of {among}{cables} cables in turn\n"
        );
        text.push_str(&labelled("note", 25, &self.notes));
        let mut row = |name: &str, bounds: &Option<Bounds>, cable: &Option<String>| {
            // A String takes every write.
            let _ = match (bounds, cable) {
                (Some(bounds), Some(cable)) => {
                    writeln!(text, "{name}  {}, without {cable}", shown_bounds(bounds))
                }
                _ => writeln!(text, "{name}  none: nothing is known of what any failure leaves"),
            };
        };
        row("worst oblivious ratio  ", &self.oblivious_ratio, &self.oblivious_ratio_cable);
        row("worst permutation load ", &self.permutation_load, &self.permutation_load_cable);
        let _ = match broken {
            0 => writeln!(text, "failures that break it   none of {examined}"),
            _ => writeln!(
                text,
                "failures that break it   {broken} of {examined}: hosts are cut off, or pairs have no path until they \
                 are rerouted"
            ),
        };
        text.extend(self.classes.map(|classes| {
            let (cables, classes) = (counted(*cables, "cable"), counted(classes, "class"));
            format!("symmetry                 {cables} in {classes}\n")
        }));
        let heads =
            ["cable", "cut off", "lost pairs", "ratio of the rest", "load of the rest", "rerouted"];
        let _ = writeln!(text, "\n{}", table(&heads, self.failures.iter().take(most).map(cells)));
        if self.failures.len() > most {
            let _ = writeln!(text, "  … {} more (see --all or --json)", self.failures.len() - most);
        }
        text
    }
}

/// The row of a failure.
fn cells(failure: &SingleFailure) -> Vec<String> {
    let SingleFailure { cable, cut_off, lost_pairs, .. } = failure;
    let named = cut_off.iter().take(NAMED_HOSTS).map(|name| quoted(name)).join(" ");
    let cut_off = match cut_off.len().saturating_sub(NAMED_HOSTS) {
        0 if named.is_empty() => "-".to_string(),
        0 => named,
        more => format!("{named} … {more} more"),
    };
    let lost = match lost_pairs.count {
        0 => "-".to_string(),
        count => format!("{count} of {}", lost_pairs.of),
    };
    let of = [&failure.oblivious_ratio, &failure.permutation_load, &failure.rerouted];
    let values = of.map(|bounds| bounds.as_ref().map_or("-".to_string(), sides));
    [cable.clone(), cut_off, lost].into_iter().chain(values).collect()
}
