//! Output of `compare`: links and pairs that get worse from one state of a fabric to another.

use super::FailureSetsReport;
use super::lid_orders::LidOrders;
use super::prelude::*;
use crate::fabric::{Comparison, LinkChange, PairChange};
use crate::jobs::JobChange;
use crate::topology::quoted;

/// The record of a comparison, as `compare --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonReport {
    /// Network and routing before.
    pub before: [String; 2],
    /// Network and routing after.
    pub after: [String; 2],
    /// Whether nothing differs.
    pub same: bool,
    /// Whether the worst load rises above the threshold, hosts are gone, or pairs have lost their path.
    pub above_threshold: bool,
    /// The threshold: the factor by which the worst load may rise.
    pub threshold: Rational,
    /// Worst permutation load before and after.
    pub worst_loads: [Rational; 2],
    /// The links whose worst load changes, the largest increase first.
    pub links: Vec<LinkChange>,
    /// Number of them that get worse.
    pub links_worse: usize,
    /// Hosts that are gone.
    pub lost_hosts: Vec<String>,
    /// Hosts that are new.
    pub new_hosts: Vec<String>,
    /// SD pairs of hosts in both.
    pub pairs: u64,
    /// Pairs that have no path after, until they are rerouted.
    pub pairs_lost: u64,
    /// Pairs whose bottleneck gets worse.
    pub pairs_worse: u64,
    /// Pairs whose bottleneck gets better.
    pub pairs_better: u64,
    /// The first of the pairs that get worse, at most [`Comparison::KEPT`].
    pub worst_pairs: Vec<PairChange>,
    /// Changes for the given jobs, for every kind of traffic inside them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobChange>,
    /// Results of other orders of LIDs, before and after, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lid_orders: Option<[LidOrders; 2]>,
    /// The worst sets of failures before and after, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_sets: Option<[FailureSetsReport; 2]>,
}

impl ComparisonReport {
    /// The record of a comparison.
    #[must_use]
    pub fn new(
        [before, after]: [[String; 2]; 2],
        threshold: Rational,
        found: Comparison,
        jobs: Vec<JobChange>,
    ) -> Self {
        let [first, second] = &found.loads;
        let hit = jobs.iter().any(|job| job.is_worse_than(&threshold));
        Self {
            before,
            after,
            same: found.is_same() && jobs.iter().all(JobChange::is_same),
            above_threshold: *second > first * &threshold
                || !found.lost.is_empty()
                || found.lost_pairs > 0
                || hit,
            threshold,
            links_worse: found.links.iter().filter(|link| link.increase().is_some()).count(),
            worst_loads: found.loads,
            links: found.links,
            lost_hosts: found.lost,
            new_hosts: found.new,
            pairs: found.pairs,
            pairs_lost: found.lost_pairs,
            pairs_worse: found.worse,
            pairs_better: found.better,
            worst_pairs: found.worst_pairs,
            jobs,
            lid_orders: None,
            failure_sets: None,
        }
    }

    /// Whether all orders of LIDs and sets of failures that were asked for are known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let orders = self.lid_orders.iter().flatten().all(|side| side.complete);
        orders && self.failure_sets.iter().flatten().all(|side| side.complete)
    }

    /// The record as text, with at most `most` rows of every list.
    #[must_use]
    pub fn text(&self, most: usize) -> String {
        let [before, after] = [&self.before, &self.after];
        let mut text = format!(
            "before   {} on {}\nafter    {} on {}\n",
            before[1], before[0], after[1], after[0]
        );
        if self.same {
            text.push_str("no difference\n");
            return text + &self.orders_text() + &self.failures_text();
        }
        let [first, second] = self.worst_loads.each_ref().map(shown);
        // A String takes every write.
        let _ = writeln!(text, "worst permutation load {first} before, {second} after");
        for (what, hosts) in [("gone", &self.lost_hosts), ("new", &self.new_hosts)] {
            if let Some(name) = hosts.first() {
                let count = counted(hosts.len(), "host");
                let _ = writeln!(text, "{count} {what}, the first {}", quoted(name));
            }
        }
        text.push_str(&self.jobs_text());
        text.push_str(&self.links_text(most));
        text.push_str(&self.pairs_text(most));
        text.push_str(&self.orders_text());
        text.push_str(&self.failures_text());
        if self.above_threshold {
            let _ = writeln!(text, "\nabove the threshold: {}", self.reason());
        }
        text
    }

    /// The quantities above the threshold.
    fn reason(&self) -> String {
        let [before, after] = &self.worst_loads;
        if !self.lost_hosts.is_empty() {
            return "hosts are gone".to_string();
        }
        if self.pairs_lost > 0 {
            return "pairs have no path".to_string();
        }
        if *after > before * &self.threshold {
            return format!("the worst load rises by more than a factor of {}", self.threshold);
        }
        format!("the worst load of a job rises by more than a factor of {}", self.threshold)
    }

    /// The jobs that are hit first.
    fn jobs_text(&self) -> String {
        if self.jobs.is_empty() {
            return String::new();
        }
        let mut jobs: Vec<&JobChange> = self.jobs.iter().collect();
        jobs.sort_by_key(|job| (!job.is_worse_than(&Rational::ONE), job.is_same()));
        let load = |load: &Option<Bounds>| load.as_ref().map_or("-".to_string(), shown_bounds);
        let rows = jobs.into_iter().map(|change| {
            let fate = match (change.is_worse_than(&Rational::ONE), change.is_same()) {
                (true, _) => "hit",
                (_, true) => "same",
                _ => "better",
            };
            let loads = [&change.alone, &change.beside].into_iter().flatten().map(load);
            let lost = match change.lost.len() {
                0 => fate.to_string(),
                count => format!("{fate}, {} without adapters", counted(count, "node")),
            };
            let first = [change.job.clone(), change.exchange.name().to_string(), lost];
            first.into_iter().chain(loads).collect()
        });
        let heads =
            ["job", "traffic", "fate", "alone before", "after", "beside others before", "after"];
        format!("\n{}\n", table(&heads, rows))
    }

    fn orders_text(&self) -> String {
        let Some(sides) = &self.lid_orders else { return String::new() };
        let mut text = String::from("\nworst permutation load over orders of LIDs\n");
        for (side, name) in sides.iter().zip(["before", "after"]) {
            // A String takes every write.
            let _ = writeln!(text, "  {name:<6} {}", side.text());
        }
        text
    }

    fn failures_text(&self) -> String {
        self.failure_sets.as_ref().map_or_else(String::new, FailureSetsReport::compared_text)
    }

    fn links_text(&self, most: usize) -> String {
        let better = self.links.len() - self.links_worse;
        let counts = (counted(self.links_worse, "link"), better);
        let mut text = format!("\n{} may have to carry more, {} less\n", counts.0, counts.1);
        if self.links_worse == 0 {
            return text;
        }
        let load =
            |load: &Option<Rational>| load.as_ref().map_or("-".to_string(), Rational::to_string);
        let rows = self.links.iter().take(self.links_worse.min(most));
        let rows =
            rows.map(|change| vec![change.link.clone(), load(&change.before), load(&change.after)]);
        text.push('\n');
        text.push_str(&table(&["link", "before", "after"], rows));
        text.push('\n');
        text.push_str(&more(self.links_worse, most));
        text
    }

    fn pairs_text(&self, most: usize) -> String {
        let Self { pairs, pairs_lost, pairs_worse, pairs_better, .. } = self;
        let lost = match pairs_lost {
            0 => String::new(),
            lost => format!("{lost} have no path until they are rerouted, "),
        };
        let mut text = format!(
            "\nof {pairs} pairs, {lost}{pairs_worse} have a worse bottleneck, {pairs_better} a better one\n"
        );
        if self.worst_pairs.is_empty() {
            return text;
        }
        let pair = |change: &PairChange| format!("{} -> {}", quoted(&change.s), quoted(&change.d));
        let rows = self.worst_pairs.iter().take(most);
        let rows = rows.map(|one| vec![pair(one), one.before.to_string(), one.after.to_string()]);
        text.push('\n');
        text.push_str(&table(&["pair", "bottleneck before", "after"], rows));
        text.push('\n');
        let listed = most.min(self.worst_pairs.len());
        let _ = match usize::try_from(*pairs_worse) {
            Ok(worse) if worse > listed => writeln!(text, "  … {} more", worse - listed),
            _ => Ok(()),
        };
        text
    }
}

fn more(count: usize, most: usize) -> String {
    match count.saturating_sub(most) {
        0 => String::new(),
        more => format!("  … {more} more (see --all or --json)\n"),
    }
}
