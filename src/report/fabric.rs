//! Output of `fabric`: shape, forwarding tables, alternative routings, advice.

mod advice;
mod difference;
mod jobs;
mod levels;
mod pairs;
mod pods;
mod shape;
mod tables;

use super::LeastTables;
use super::prelude::*;
use crate::fabric::Alternative;

pub use difference::DifferenceReport;
pub use jobs::{CollectiveReport, JobReport, JobsReport, WorstLoadReport};
pub use levels::FabricLevel;
pub use pairs::{PairsReport, RingReport};
pub use pods::PodReport;
pub(in crate::report) use pods::pods_text;
pub use shape::{FabricShape, RailGroupReport, SpeedReport};
pub use tables::{TablesFailure, TablesReport, WorstLink};

/// Names that a row lists.
const NAMED: usize = 4;

/// The record of a fabric, as `fabric --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct FabricReport {
    /// The file of the network, or a spec.
    pub network: String,
    /// Shape of the fabric, and differences from it.
    pub shape: FabricShape,
    /// Every set of forwarding tables, or the routing that was asked for.
    pub tables: Vec<TablesReport>,
    /// The lower bound on the worst permutation load of all forwarding tables of this network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_tables: Option<LeastTables>,
    /// Network on which the alternatives were assessed: the fabric itself, or the whole tree of its shape.
    pub alternatives_on: String,
    /// The routings that need no argument and fit.
    pub alternatives: Vec<AlternativeReport>,
    /// Advice, in words.
    pub advice: Vec<String>,
    /// Notes on how files were read and what was left out.
    pub notes: Vec<String>,
    /// Whether the work ran to completion.
    pub complete: bool,
}

/// A routing with a formula.
#[derive(Clone, Debug, Serialize)]
pub struct AlternativeReport {
    /// Canonical spec.
    pub routing: String,
    /// Whether every pair has one path.
    pub single_path: bool,
    /// The maximum max load of a permutation.
    pub permutation_load: Bounds,
    /// sup of max load ÷ optu over all traffic.
    pub oblivious_ratio: Bounds,
}

impl From<&Alternative> for AlternativeReport {
    fn from(found: &Alternative) -> Self {
        Self {
            routing: found.routing.clone(),
            single_path: found.is_single_path,
            permutation_load: found.permutation_load.clone(),
            oblivious_ratio: found.oblivious_ratio.clone(),
        }
    }
}

impl FabricReport {
    /// The report on a network of which nothing but the shape is known.
    #[must_use]
    pub fn new(network: String, shape: FabricShape, notes: Vec<String>) -> Self {
        Self {
            network,
            shape,
            tables: Vec::new(),
            least_tables: None,
            alternatives_on: String::new(),
            alternatives: Vec::new(),
            advice: Vec::new(),
            notes,
            complete: false,
        }
    }

    /// Adds the advice that follows from the rest.
    #[must_use]
    pub fn advised(mut self) -> Self {
        self.advice = advice::of(&self);
        self
    }

    /// The report as text, with at most `most` rows of every list.
    #[must_use]
    pub fn text(&self, most: usize) -> String {
        let mut text = format!("fabric       {}\n", self.network);
        text.push_str(&self.shape.text(most));
        for tables in &self.tables {
            text.push('\n');
            text.push_str(&tables.text(most));
        }
        text.push_str(&self.alternatives_text());
        // A String takes every write.
        for note in &self.notes {
            let _ = writeln!(text, "\nnote         {note}");
        }
        if !self.advice.is_empty() {
            text.push_str("\nadvice\n");
        }
        for advice in &self.advice {
            let _ = writeln!(text, "  - {advice}");
        }
        if !self.complete {
            text.push_str(
                "\npartial: the run was stopped, or something was too large to find out\n",
            );
        }
        text
    }

    fn alternatives_text(&self) -> String {
        if self.alternatives.is_empty() {
            return String::new();
        }
        let rows = self.alternatives.iter().map(|one| {
            let paths = if one.single_path { "one" } else { "several" };
            let [load, ratio] = [&one.permutation_load, &one.oblivious_ratio].map(shown_bounds);
            vec![one.routing.clone(), paths.into(), load, ratio]
        });
        let heads = ["routing", "paths of a pair", "worst permutation load", "oblivious ratio"];
        format!("\nrouting by formula on {}\n\n{}\n", self.alternatives_on, table(&heads, rows))
    }
}

/// The first names of a list.
fn named(names: &[String]) -> String {
    let more = if names.len() > NAMED { ", …" } else { "" };
    let names: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    names.join(", ") + more
}

/// The first `most` of a list, one per line and indented, and how many more there are.
fn listed(rows: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    listed_or(rows, most, "see --all or --json")
}

/// Like a list, with the option that shows the rest.
fn listed_or(rows: impl ExactSizeIterator<Item = String>, most: usize, rest: &str) -> String {
    let more = rows.len().saturating_sub(most);
    let mut text = String::new();
    for row in rows.take(most) {
        let _ = writeln!(text, "  {row}");
    }
    if more > 0 {
        let _ = writeln!(text, "  … {more} more ({rest})");
    }
    text
}
