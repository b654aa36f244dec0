//! The behaviour of forwarding tables, in words: delivery, loops, use of links, worst links, bisections.

use std::fmt::Write as _;

use serde::Serialize;

use super::{JobsReport, listed};
use crate::bounds::Bounds;
use crate::fabric::{Bisections, Detour, Examined, LevelUsage};
use crate::load::CreditLoop;
use crate::rational::Rational;
use crate::report::table::table;
use crate::report::{FailureSetsReport, labelled, shown, shown_bounds};
use crate::routing::Instance;
use crate::topology::{LinkId, Topology};

/// The report on one set of tables.
#[derive(Clone, Debug, Serialize)]
pub struct TablesReport {
    /// The file or folder, or a routing.
    pub tables: String,
    /// Other dumps of the same tables, with the entries that they have in common.
    pub copies: Vec<(String, u64)>,
    /// Why the tables cannot be used: some pairs are not delivered, or they are damaged. All that
    /// follows is then missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<TablesFailure>,
    /// Number of SD pairs, all of which are delivered unless a failure leaves some without a path.
    pub pairs: Option<u64>,
    /// Number of them that have no path, until they are rerouted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_pairs: Option<u64>,
    /// SD pairs with a path that is longer than the shortest.
    pub detours: Option<u64>,
    /// The first of them.
    pub first_detour: Option<String>,
    /// Whether there is a credit loop; `None` where that is not known.
    pub may_deadlock: Option<bool>,
    /// The links of a credit loop, in the order of waiting.
    pub credit_loop: Vec<String>,
    /// The maximum max load of a permutation.
    pub permutation_load: Option<Bounds>,
    /// sup of max load ÷ optu over all traffic.
    pub oblivious_ratio: Option<Bounds>,
    /// Links between switches by the most that a permutation puts on them, the worst first.
    pub worst_links: Vec<WorstLink>,
    /// Pairs and destinations of the links, level by level.
    pub usage: Vec<LevelUsage>,
    /// Links between switches that no pair uses.
    pub unused: Vec<String>,
    /// Links between switches with more than twice the mean pairs of their level and direction.
    pub crowded: Vec<String>,
    /// Bandwidth of random bisections, as floats of a sample.
    pub bisections: Option<Bisections>,
    /// The report on the given jobs; `None` where no job was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jobs: Option<JobsReport>,
    /// The report on sets of failures; `None` where none were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_sets: Option<FailureSetsReport>,
    /// Notes on how the tables were read.
    pub notes: Vec<String>,
}

/// Why tables cannot be used.
#[derive(Clone, Debug, Serialize)]
pub struct TablesFailure {
    /// The reason, with the first places.
    pub reason: String,
}

/// A link and the most that a permutation puts on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorstLink {
    /// Name of the link: `sw-2-0[15] -> sw-3-6[1]`.
    pub link: String,
    /// The load.
    pub load: Rational,
    /// SD pairs that use it.
    pub pairs: Option<u64>,
    /// Destinations to which it is used.
    pub destinations: Option<u32>,
}

impl TablesReport {
    /// The report on tables of which nothing is known yet.
    #[must_use]
    pub fn unexamined(tables: String, copies: Vec<(String, u64)>) -> Self {
        Self {
            tables,
            copies,
            failure: None,
            pairs: None,
            lost_pairs: None,
            detours: None,
            first_detour: None,
            may_deadlock: None,
            credit_loop: Vec::new(),
            permutation_load: None,
            oblivious_ratio: None,
            worst_links: Vec::new(),
            usage: Vec::new(),
            unused: Vec::new(),
            crowded: Vec::new(),
            bisections: None,
            jobs: None,
            failure_sets: None,
            notes: Vec::new(),
        }
    }

    /// The report on tables that cannot be used.
    #[must_use]
    pub fn refused(self, reason: String) -> Self {
        Self { failure: Some(TablesFailure { reason }), ..self }
    }

    /// Adds the results of the examination.
    #[must_use]
    pub fn examined(self, instance: &Instance, found: &Examined) -> Self {
        let topology = &instance.topology;
        let hosts = topology.hosts() as u64;
        let usage = found.usage.as_ref();
        let assessment = found.assessment.as_ref();
        let cycle = found.credit_loop.as_ref();
        let levels = usage.map(|usage| usage.by_level(topology)).unwrap_or_default();
        let notes = instance.routing.notes().into_iter().chain(found.limits.iter().cloned());
        let more = assessment.iter().flat_map(|assessment| assessment.notes.iter().cloned());
        Self {
            pairs: Some(hosts * hosts.saturating_sub(1)),
            lost_pairs: Some(instance.routing.lost_pairs()).filter(|lost| *lost > 0),
            detours: usage.map(|usage| usage.detours),
            first_detour: usage.and_then(|usage| Some(detour(topology, usage.first_detour?))),
            may_deadlock: cycle.map(Option::is_some),
            credit_loop: cycle
                .cloned()
                .flatten()
                .map_or_else(Vec::new, |found: CreditLoop| found.links),
            permutation_load: assessment.map(|found| found.permutation_load.clone()),
            oblivious_ratio: assessment.map(|found| found.oblivious_ratio.clone()),
            worst_links: worst_links(topology, found),
            unused: links_where(topology, found, &levels, |_, pairs| pairs == 0),
            crowded: links_where(topology, found, &levels, LevelUsage::is_crowded),
            usage: levels,
            bisections: found.bisections,
            notes: notes.chain(more).collect(),
            ..self
        }
    }

    /// Adds the report on jobs.
    #[must_use]
    pub fn with_jobs(self, jobs: JobsReport) -> Self {
        Self { jobs: Some(jobs), ..self }
    }

    /// The report as text, with at most `most` rows of every list.
    #[must_use]
    pub fn text(&self, most: usize) -> String {
        let mut text = format!("tables       {}\n", self.tables);
        for (copy, entries) in &self.copies {
            let _ = writeln!(text, "  same       {copy} ({entries} entries agree)");
        }
        if let Some(TablesFailure { reason }) = &self.failure {
            return text + &format!("  refused    {reason}\n");
        }
        text.push_str(&self.checks_text());
        text.push_str(&self.worst_text(most));
        if !self.usage.is_empty() {
            text.push('\n');
            text.push_str(&self.usage_text());
        }
        for (name, links) in [("unused", &self.unused), ("crowded", &self.crowded)] {
            if !links.is_empty() {
                let count = links.len();
                let _ = writeln!(text, "\n{name} links between switches: {count}");
                text.push_str(&listed(links.iter().cloned(), most));
            }
        }
        text.push_str(&self.bisections_text());
        if let Some(jobs) = &self.jobs {
            text.push_str(&jobs.text(most));
        }
        if let Some(sets) = &self.failure_sets {
            text.push_str(&sets.section_text());
        }
        text.push_str(&labelled("  note", 13, &self.notes));
        text
    }

    fn checks_text(&self) -> String {
        let mut text = String::new();
        let _ = match (self.pairs, self.lost_pairs) {
            (None, _) => Ok(()),
            (Some(pairs), None) => writeln!(text, "  delivered  all {pairs} pairs"),
            (Some(pairs), Some(lost)) => {
                let left = pairs - lost;
                writeln!(
                    text,
                    "  delivered  {left} of {pairs} pairs: {lost} have no path until they are rerouted"
                )
            }
        };
        let _ = match (self.detours, &self.first_detour) {
            (Some(0), _) => writeln!(text, "  paths      all shortest"),
            (Some(count), Some(first)) => {
                writeln!(text, "  paths      {count} pairs take detours, the first {first}")
            }
            _ => Ok(()),
        };
        let _ = match self.may_deadlock {
            None => Ok(()),
            Some(false) => writeln!(text, "  credits    no credit loop"),
            Some(true) => {
                let count = self.credit_loop.len();
                let links = self.credit_loop.join(", then ");
                writeln!(
                    text,
                    "  credits    LOOP of {count} links, unless virtual lanes cut it: {links}"
                )
            }
        };
        text
    }

    fn worst_text(&self, most: usize) -> String {
        let mut text = String::new();
        if let Some(load) = &self.permutation_load {
            let _ = writeln!(text, "  worst      permutation load {}", shown_bounds(load));
        }
        if let Some(ratio) = &self.oblivious_ratio {
            let _ = writeln!(text, "  ratio      oblivious ratio {}", shown_bounds(ratio));
        }
        if self.worst_links.is_empty() {
            return text;
        }
        let rows = self.worst_links.iter().take(most).map(|worst| {
            let count = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
            let WorstLink { link, load, pairs, destinations } = worst;
            vec![link.clone(), shown(load), count(*pairs), count(destinations.map(u64::from))]
        });
        let heads = ["worst links", "worst load", "pairs", "destinations"];
        text.push('\n');
        text.push_str(&table(&heads, rows));
        text.push('\n');
        text
    }

    fn usage_text(&self) -> String {
        let rows = self.usage.iter().map(|usage| {
            let mean =
                usage.mean_pairs().map_or_else(String::new, |mean| format!("{:.1}", mean.to_f64()));
            let numbers = [usage.links as u64, usage.unused as u64, usage.least_pairs];
            let numbers = numbers.iter().map(ToString::to_string);
            let place = [usage.level.to_string(), usage.direction.to_string()];
            let most = [usage.most_pairs.to_string(), usage.most_destinations.to_string()];
            place.into_iter().chain(numbers).chain([mean]).chain(most).collect()
        });
        let heads = [
            "level",
            "direction",
            "links",
            "unused",
            "min pairs",
            "mean",
            "max",
            "max destinations",
        ];
        table(&heads, rows) + "\n"
    }

    fn bisections_text(&self) -> String {
        let Some(found) = &self.bisections else { return String::new() };
        let Bisections { seed, samples, mean, least, most, max_load } = found;
        let mut text = format!(
            "\n  sampled    effective bisection bandwidth {mean:.3} of a host link ({least:.3} to {most:.3}) \
             in {samples} random bisections (seed {seed}), max load {max_load:.1}\n"
        );
        let worst = self.permutation_load.as_ref().map(|load| &load.lower);
        if let Some(worst) = worst.filter(|worst| !worst.is_zero()) {
            let rate = Rational::ONE.to_f64() / worst.to_f64();
            let _ = writeln!(
                text,
                "  exact      the worst permutation leaves a pair {rate:.3}: load {}",
                shown(worst)
            );
        }
        text
    }
}

fn detour(topology: &Topology, Detour { s, d, links, shortest }: Detour) -> String {
    let [s, d] = [s, d].map(|host| topology.host_label(host));
    format!("{s} -> {d}: {links} links instead of {shortest}")
}

fn worst_links(topology: &Topology, found: &Examined) -> Vec<WorstLink> {
    let links = found.worst_links.iter().flatten();
    let usage = found.usage.as_ref();
    let worst = links.map(|(link, load)| WorstLink {
        link: topology.link_name(*link),
        load: load.clone(),
        pairs: usage.map(|usage| usage.pairs[*link as usize]),
        destinations: usage.map(|usage| usage.destinations[*link as usize]),
    });
    worst.collect()
}

/// The names of the links between switches whose pairs are as asked, compared with their level.
fn links_where(
    topology: &Topology,
    found: &Examined,
    levels: &[LevelUsage],
    wanted: impl Fn(&LevelUsage, u64) -> bool,
) -> Vec<String> {
    let Some(usage) = &found.usage else { return Vec::new() };
    let is_wanted = |link: &LinkId| {
        let place = topology.shown_place(*link);
        let level = levels.iter().find(|l| (l.level, l.direction) == place);
        let between = place.0 > 1 || place.1 == crate::topology::Direction::Flat;
        between && level.is_some_and(|level| wanted(level, usage.pairs[*link as usize]))
    };
    topology.link_numbers().filter(is_wanted).map(|link| topology.link_name(link)).collect()
}
