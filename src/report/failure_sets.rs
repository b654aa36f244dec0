//! Output of `ratio --failures`: the worst case over all sets of failures.

use std::cmp::Reverse;

use itertools::Itertools;

use super::dangerous::DangerousReport;
use super::prelude::*;
use crate::failure_sets::{Counts, FailureSets, Failures, Peak, Repair, Unit};
use crate::integer::as_size;
use crate::routing::Instance;
use crate::topology::{LinkId, quoted};

/// Maximum number of hosts that are named in a line.
const NAMED_HOSTS: usize = 10;

/// The record of all sets of failures of an instance.
#[derive(Clone, Debug, Serialize)]
pub struct FailureSetsReport {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec.
    pub routing: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// What may fail: `cable` or `switch`.
    pub failing: &'static str,
    /// Number of cables or switches that may fail.
    pub elements: usize,
    /// Maximum number that fail together.
    pub failures: u8,
    /// What is done about broken paths: `none`, `reroute`, `ecmp` or `tables=FOLDER`.
    pub repair: String,
    /// Bounds of the worst permutation load over all sets, the empty one among them.
    pub permutation_load: Bounds,
    /// The worst permutation load without failures, where it is known.
    pub permutation_load_of_whole: Option<Rational>,
    /// The set that has the lower bound; `None` where no failure adds to the load.
    pub worst: Option<WorstSetReport>,
    /// Bounds of the permutation load of what the worst set leaves, assessed alone.
    pub alone: Option<Bounds>,
    /// Bounds of the oblivious ratio of the same.
    pub alone_oblivious_ratio: Option<Bounds>,
    /// Number of sets.
    pub sets: SetCounts,
    /// Who loses what.
    pub losses: SetLosses,
    /// The most dangerous sets of one failure and of two, if asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dangerous: Vec<DangerousReport>,
    /// Whether the work was finished.
    pub complete: bool,
    /// Notes on the network and the routing.
    pub notes: Vec<String>,
}

/// The worst set.
#[derive(Clone, Debug, Serialize)]
pub struct WorstSetReport {
    /// Names of what fails.
    pub failures: Vec<String>,
    /// The link that is loaded most, by the names and ports of its ends.
    pub link: String,
    /// Id of the link.
    pub link_id: LinkId,
    /// The pairs of a permutation that cross it, by the names of hosts.
    pub pairs: Vec<(String, String)>,
}

/// Numbers of sets.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SetCounts {
    /// All sets.
    pub all: u64,
    /// Those of which losses are known, and a bound.
    pub looked_at: u64,
    /// Settled by a bound.
    pub settled: u64,
    /// Taken to another by an automorphism.
    pub symmetric: u64,
    /// Analysed link by link.
    pub analysed: u64,
    /// With a link that could not be solved exactly.
    pub unsolved: u64,
}

/// What sets of failures cut off and lose.
#[derive(Clone, Debug, Serialize)]
pub struct SetLosses {
    /// Number of sets that cut hosts off.
    pub sets_that_cut_off: u64,
    /// The hosts with the number of sets that cut them off, the most first.
    pub cut_off: Vec<(String, u64)>,
    /// Number of sets that leave pairs of the other hosts without a path.
    pub sets_that_lose_pairs: u64,
    /// The most pairs that a set leaves without a path.
    pub most_lost: u64,
    /// That set.
    pub most_lost_by: Vec<String>,
}

impl FailureSetsReport {
    /// The record of `found`.
    #[must_use]
    pub fn new(instance: &Instance, unit: Unit, failures: &Failures, found: &FailureSets) -> Self {
        let Instance { topology, routing, .. } = instance;
        let Counts { settled, symmetric, analysed, unsolved, .. } = found.counts;
        let dangerous = found.rankings.iter();
        let dangerous = dangerous.map(|ranking| DangerousReport::new(topology, failures, ranking));
        Self {
            topology: topology.spec().to_string(),
            routing: routing.spec().to_string(),
            hosts: topology.hosts(),
            failing: match unit {
                Unit::Cable => "cable",
                Unit::Switch => "switch",
            },
            elements: failures.elements.len(),
            failures: failures.most,
            repair: match &failures.repair {
                Repair::None => "none".into(),
                Repair::Reroute => "reroute".into(),
                Repair::Ecmp => "ecmp".into(),
                Repair::Tables(folder) => format!("tables={folder}"),
            },
            permutation_load: found.load.clone(),
            permutation_load_of_whole: found.whole.clone(),
            worst: found.peak.as_ref().map(|peak| WorstSetReport::new(topology, failures, peak)),
            alone: None,
            alone_oblivious_ratio: None,
            sets: SetCounts {
                all: failures.sets(),
                looked_at: found.looked_at,
                settled,
                symmetric,
                analysed,
                unsolved,
            },
            losses: SetLosses::new(topology, failures, found),
            dangerous: dangerous.collect(),
            complete: found.complete,
            notes: instance.notes(),
        }
    }

    /// Whether a set cuts hosts off or leaves pairs without a path.
    #[must_use]
    pub fn loses(&self) -> bool {
        self.losses.sets_that_cut_off > 0 || self.losses.sets_that_lose_pairs > 0
    }

    /// What fails, in words.
    pub(super) fn failing_text(&self) -> String {
        let failures = usize::from(self.failures).min(self.elements);
        let units = match (self.failing, self.elements) {
            ("switch", 1) => "1 switch".to_string(),
            ("switch", count) => format!("{count} switches"),
            (_, count) => counted(count, "cable"),
        };
        format!("at most {failures} of {units} fail")
    }

    /// The record as text, with at most `most` pairs of the worst permutation.
    #[must_use]
    pub fn text(&self, most: usize) -> String {
        let Self { topology, routing, hosts, repair, .. } = self;
        let mut text = format!(
            "{routing} on {topology}, {hosts} hosts, {}, repair: {repair}\n",
            self.failing_text()
        );
        text.push_str(&labelled("note", 24, &self.notes));
        let mut line = |label: &str, value: &str| {
            text.push_str(&labelled(label, 24, &[value.to_string()]));
        };
        line("worst permutation load", &shown_bounds(&self.permutation_load));
        let whole = self.permutation_load_of_whole.as_ref();
        line("  without failures", &whole.map_or("unknown".to_string(), shown));
        match &self.worst {
            None if self.permutation_load.exact().is_none() => line("  at its worst", "unknown"),
            None => line("  at its worst", "without failures"),
            Some(WorstSetReport { failures, link, .. }) => {
                line("  at its worst", &format!("without {}", failures.join(" and ")));
                line("  on link", link);
            }
        }
        if let Some(alone) = &self.alone {
            line("  this set alone", &shown_bounds(alone));
        }
        if let Some(ratio) = &self.alone_oblivious_ratio {
            line("  its oblivious ratio", &shown_bounds(ratio));
        }
        line("sets", &self.sets.text());
        let line_of_losses = |found: Option<String>| self.sets.where_looked_at(found);
        line("hosts cut off", &line_of_losses(self.losses.hosts()));
        line("pairs lost", &line_of_losses(self.losses.pairs()));
        if let Some(WorstSetReport { pairs, .. }) = &self.worst {
            let listed = pairs.iter().take(most).map(|(s, d)| format!("{s}->{d}")).join(" ");
            let more = match pairs.len().saturating_sub(most) {
                0 => String::new(),
                more => format!(" … {more} more (see --all or --json)"),
            };
            line("worst traffic", &format!("{}: {listed}{more}", counted(pairs.len(), "pair")));
        }
        text + &self.dangerous_text()
    }
}

impl WorstSetReport {
    fn new(topology: &Topology, failures: &Failures, peak: &Peak) -> Self {
        let name = |host| topology.host_label(host);
        Self {
            failures: failures.names(&peak.set),
            link: topology.link_name(peak.link),
            link_id: peak.link,
            pairs: peak.pairs.iter().map(|(s, d)| (name(*s), name(*d))).collect(),
        }
    }
}

impl SetCounts {
    fn text(self) -> String {
        let Self { all, settled, symmetric, analysed, unsolved, .. } = self;
        let others = |count: u64, what: &str| match count {
            0 => String::new(),
            count => format!(", {count} {what}"),
        };
        let open = all.saturating_sub(settled + symmetric + analysed + unsolved);
        let open = others(open, "open");
        let unsolved = others(unsolved, "not solved exactly");
        format!(
            "{all}: {settled} settled by a bound, {symmetric} by symmetry, {analysed} analysed{unsolved}{open}"
        )
    }

    /// What was found, or that nothing was, with the number of sets in which it was looked for if not in all.
    fn where_looked_at(self, found: Option<String>) -> String {
        match (found, self.looked_at) {
            (found, looked_at) if looked_at == self.all => found.unwrap_or("none".to_string()),
            (None, 0) => "unknown".to_string(),
            (None, looked_at) => format!("none in the {looked_at} sets looked at"),
            (Some(found), looked_at) => format!("{found} (of the {looked_at} sets looked at)"),
        }
    }
}

impl SetLosses {
    fn new(topology: &Topology, failures: &Failures, found: &FailureSets) -> Self {
        let hosts = topology.host_numbers().zip(&found.cut_off).filter(|(_, sets)| **sets > 0);
        let hosts = hosts.sorted_by_key(|(_, sets)| Reverse(**sets));
        let (most_lost_by, most_lost) = found.most_lost.clone().unwrap_or_default();
        Self {
            sets_that_cut_off: found.counts.cutting,
            cut_off: hosts.map(|(host, sets)| (topology.node(host).name.clone(), *sets)).collect(),
            sets_that_lose_pairs: found.counts.losing,
            most_lost,
            most_lost_by: failures.names(&most_lost_by),
        }
    }

    pub(super) fn hosts(&self) -> Option<String> {
        let Self { sets_that_cut_off, cut_off, .. } = self;
        if *sets_that_cut_off == 0 {
            return None;
        }
        let named = |(host, sets): &(String, u64)| format!("{} in {sets}", quoted(host));
        let listed = cut_off.iter().take(NAMED_HOSTS).map(named).join(", ");
        let more = match cut_off.len().saturating_sub(NAMED_HOSTS) {
            0 => String::new(),
            more => format!(", … {more} more"),
        };
        Some(format!("in {}: {listed}{more}", counted(as_size(*sets_that_cut_off), "set")))
    }

    pub(super) fn pairs(&self) -> Option<String> {
        let Self { sets_that_lose_pairs, most_lost, most_lost_by, .. } = self;
        if *sets_that_lose_pairs == 0 {
            return None;
        }
        let sets = counted(as_size(*sets_that_lose_pairs), "set");
        let by = most_lost_by.join(" and ");
        Some(format!("in {sets}, at most {most_lost}, without {by}"))
    }
}
