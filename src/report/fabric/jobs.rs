//! The effect of traffic inside jobs on links, in words: worst loads, collectives, orders of ranks.

use std::fmt::Write as _;
use std::iter;

use serde::Serialize;

use super::{PairsReport, listed};
use crate::bounds::Bounds;
use crate::jobs::orders::{Cost, FoundOrder, Order, OrderLoads, PhaseLoad};
use crate::jobs::{CollectiveOrders, Exchange, Job, JobWorst, JobsExamined, WorstLoad};
use crate::rational::Rational;
use crate::report::counted;
use crate::report::numbers::{column, shown, shown_bounds};
use crate::report::table::table;
use crate::topology::Topology;

/// The report on jobs under one routing.
#[derive(Clone, Debug, Default, Serialize)]
pub struct JobsReport {
    /// The jobs, as they were given.
    pub jobs: Vec<JobReport>,
    /// The values that could not be found, and why.
    pub limits: Vec<String>,
}

/// One job.
#[derive(Clone, Debug, Serialize)]
pub struct JobReport {
    /// Name of the job.
    pub name: String,
    /// Number of nodes of the job.
    pub nodes: usize,
    /// Number of adapters of the job.
    pub adapters: usize,
    /// The worst loads of links, by kind of traffic.
    pub loads: Vec<JobLoadReport>,
    /// All-to-all, within rails and of all adapters: every adapter sends 1 in all.
    pub all_to_all: Vec<PhaseReport>,
    /// Sets of pairs of nodes to measure, if asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairsReport>,
    /// Collectives and the orders of their ranks.
    pub collectives: Vec<CollectiveReport>,
}

/// The worst that can happen with one kind of traffic.
#[derive(Clone, Debug, Serialize)]
pub struct JobLoadReport {
    /// The traffic: `adapters` to any other adapter, within `rails`, or `nodes` to nodes.
    pub exchange: Exchange,
    /// The worst load by this job alone; `None` where it sends nothing.
    pub alone: Option<WorstLoadReport>,
    /// The worst load with the other jobs beside it, on links that it may use; `None` where there are none.
    pub beside: Option<WorstLoadReport>,
}

/// The worst load of a link.
#[derive(Clone, Debug, Serialize)]
pub struct WorstLoadReport {
    /// The load.
    pub load: Bounds,
    /// The link.
    pub link: String,
    /// The jobs that load it, with their parts.
    pub parts: Vec<(String, Rational)>,
}

/// A collective in three orders of its ranks.
#[derive(Clone, Debug, Serialize)]
pub struct CollectiveReport {
    /// Canonical spec.
    pub collective: String,
    /// Cost in the order in which the job lists its nodes.
    pub listed: CostReport,
    /// The best order that was found.
    pub best: OrderReport,
    /// The worst order that was found.
    pub worst: OrderReport,
    /// Phases of the collective.
    pub phases: Vec<PhaseComparison>,
    /// The minimum load of a ring over all orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_ring: Option<Bounds>,
    /// The maximum load of a ring over all orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub greatest_ring: Option<Bounds>,
}

/// The cost of a collective in some order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CostReport {
    /// Sum over phases of size · maximum load: the time of a message in units of its time over a host link.
    pub time: Rational,
    /// The maximum load of a link in any phase.
    pub most: Rational,
}

/// An order of ranks that a search found.
#[derive(Clone, Debug, Serialize)]
pub struct OrderReport {
    /// The cost.
    #[serde(flatten)]
    pub cost: CostReport,
    /// Whether no order is better, or worse, in the sense of the search.
    pub exact: bool,
    /// Number of orders evaluated.
    pub evaluations: u64,
    /// Seed of the search.
    pub seed: u64,
    /// The node of every rank.
    pub nodes: Vec<String>,
}

/// The loads of a phase.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseReport {
    /// Name of the phase.
    pub name: String,
    /// The maximum load of a link.
    pub load: Rational,
    /// The first link with that load.
    pub link: Option<String>,
    /// Number of SD pairs.
    pub pairs: usize,
}

/// A phase in the three orders.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseComparison {
    /// Name of the phase.
    pub name: String,
    /// The size of a send, as a fraction of the message.
    pub size: Rational,
    /// The maximum load of a link in the order as listed.
    pub listed: Rational,
    /// Load in the best order.
    pub best: Rational,
    /// Load in the worst order.
    pub worst: Rational,
}

impl JobsReport {
    /// The record of what was found.
    #[must_use]
    pub fn new(topology: &Topology, jobs: &[Job], found: &JobsExamined) -> Self {
        let of_job = |(at, job): (usize, &Job)| {
            let loads = found.loads.iter().filter_map(|(exchange, worst)| {
                Some(JobLoadReport::new(topology, jobs, *exchange, worst.get(at)?))
            });
            let all_to_all = found.all_to_all.get(at).into_iter().flatten().flatten();
            let orders = found.orders.iter().filter(|orders| orders.job == at);
            let pairs = found.pairs.iter().filter(|pairs| pairs.job == at);
            JobReport {
                name: job.name.clone(),
                nodes: job.nodes.len(),
                adapters: job.nodes.iter().map(|node| node.hosts().count()).sum(),
                loads: loads.collect(),
                all_to_all: all_to_all.map(|phase| PhaseReport::new(topology, phase)).collect(),
                pairs: pairs.map(|pairs| PairsReport::new(topology, job, pairs)).collect(),
                collectives: orders.map(|orders| CollectiveReport::new(job, orders)).collect(),
            }
        };
        let jobs = jobs.iter().enumerate().map(of_job).collect();
        Self { jobs, limits: found.limits.clone() }
    }

    /// The report as text, with at most `most` rows of every list.
    #[must_use]
    pub fn text(&self, most: usize) -> String {
        let count = counted(self.jobs.len(), "job");
        let nodes = counted(self.jobs.iter().map(|job| job.nodes).sum(), "node");
        let mut text = format!("\n  jobs       {count}, {nodes}\n\n");
        text.push_str(&self.loads_text(most));
        for job in &self.jobs {
            text.push_str(&PairsReport::text(&job.name, &job.pairs, most));
            text.push_str(&job.collectives_text(most));
        }
        // A String takes every write.
        for limit in &self.limits {
            let _ = writeln!(text, "  note       {limit}");
        }
        text
    }

    fn loads_text(&self, most: usize) -> String {
        let rows: Vec<Vec<String>> = self.jobs.iter().flat_map(JobReport::rows).collect();
        let heads = ["job", "nodes", "traffic", "alone", "beside others", "worst link"];
        let shown = table(&heads, rows.iter().take(most).cloned());
        let more = listed(rows.iter().skip(most).map(|row| row.join(", ")), 0);
        shown + "\n" + &more
    }
}

impl JobReport {
    /// Its rows in the table of loads.
    fn rows(&self) -> Vec<Vec<String>> {
        let first = |name: &str| [self.name.clone(), self.nodes.to_string(), name.to_string()];
        let load = |found: &Option<WorstLoadReport>| {
            found.as_ref().map_or_else(|| "-".to_string(), |found| shown_bounds(&found.load))
        };
        let rows = self.loads.iter().map(|of| {
            let worst = of.beside.as_ref().or(of.alone.as_ref());
            let link = worst.map_or_else(String::new, |worst| worst.link.clone());
            let loads = [load(&of.alone), load(&of.beside), link];
            first(of.exchange.name()).into_iter().chain(loads).collect()
        });
        let all_to_all = self.all_to_all.iter().map(|phase| {
            let link = phase.link.clone().unwrap_or_default();
            let loads = [shown(&phase.load), "-".into(), link];
            first(&phase.name).into_iter().chain(loads).collect()
        });
        rows.chain(all_to_all).collect()
    }

    fn collectives_text(&self, most: usize) -> String {
        let mut text = String::new();
        for of in &self.collectives {
            // A String takes every write.
            let _ = writeln!(text, "\n  {} of {}, by order of its ranks", of.collective, self.name);
            text.push_str(&of.text(most));
        }
        text
    }
}

impl JobLoadReport {
    fn new(topology: &Topology, jobs: &[Job], exchange: Exchange, worst: &JobWorst) -> Self {
        let of = |load: &WorstLoad| WorstLoadReport::new(topology, jobs, load);
        let (alone, beside) = (worst.alone.as_ref().map(of), worst.beside.as_ref().map(of));
        Self { exchange, alone, beside }
    }
}

impl WorstLoadReport {
    fn new(topology: &Topology, jobs: &[Job], load: &WorstLoad) -> Self {
        let parts = jobs.iter().zip(&load.parts).filter(|(_, part)| !part.is_zero());
        Self {
            load: load.bounds.clone(),
            link: topology.link_name(load.link),
            parts: parts.map(|(job, part)| (job.name.clone(), part.clone())).collect(),
        }
    }
}

impl PhaseReport {
    fn new(topology: &Topology, phase: &PhaseLoad) -> Self {
        let link = phase.link.map(|link| topology.link_name(link));
        Self { name: phase.name.clone(), load: phase.load.clone(), link, pairs: phase.pairs }
    }
}

impl From<&Cost> for CostReport {
    fn from(cost: &Cost) -> Self {
        Self { time: cost.time.clone(), most: cost.most.clone() }
    }
}

impl CollectiveReport {
    fn new(job: &Job, found: &CollectiveOrders) -> Self {
        let CollectiveOrders { collective, listed, best, worst, ring, .. } = found;
        let nodes = |order: &Order| {
            order.nodes().iter().map(|node| job.nodes[*node as usize].name.clone()).collect()
        };
        let [least, greatest] =
            [ring.as_ref().map(|ring| &ring.least), ring.as_ref().map(|ring| &ring.greatest)]
                .map(|ring| ring.map(|ring| ring.bounds.clone()));
        let order = |found: &FoundOrder, ring: Option<&Bounds>| OrderReport {
            cost: (&found.cost).into(),
            exact: found.is_exact() || ring.and_then(Bounds::exact) == Some(&found.cost.most),
            evaluations: found.evaluations,
            seed: found.seed,
            nodes: nodes(&found.order),
        };
        Self {
            collective: collective.clone(),
            listed: (&listed.cost).into(),
            best: order(best, least.as_ref()),
            worst: order(worst, greatest.as_ref()),
            phases: phases(listed, &best.phases, &worst.phases),
            least_ring: least,
            greatest_ring: greatest,
        }
    }

    fn text(&self, most: usize) -> String {
        let how = |exact: bool, seed: u64, evaluations: u64| {
            if exact {
                "no order is beyond it".to_string()
            } else {
                format!("found in {evaluations} evaluations, seed {seed}")
            }
        };
        let (best, worst) = (&self.best, &self.worst);
        let costs = [&self.listed, &best.cost, &worst.cost];
        let evidence = [best, worst].map(|of| how(of.exact, of.seed, of.evaluations));
        let columns = [
            ["as listed", "best", "worst"].map(String::from).to_vec(),
            column(costs.map(|cost| Some(&cost.time))),
            column(costs.map(|cost| Some(&cost.most))),
            iter::once(String::new()).chain(evidence).collect(),
        ];
        let heads = ["order", "time", "max load", "evidence"];
        let mut text = format!("\n{}\n", table(&heads, rows(&columns)));
        if let Some((least, greatest)) = self.least_ring.as_ref().zip(self.greatest_ring.as_ref()) {
            // A String takes every write.
            let [least, greatest] = [least, greatest].map(shown_bounds);
            let _ = writeln!(text, "  minimum over all orders {least}, maximum {greatest}");
        }
        if self.phases.len() > 1 {
            text.push_str(&self.phases_text(most));
        }
        text.push_str("  best order: ");
        text.push_str(&crate::jobs::compact(best.nodes.iter().map(String::as_str)));
        text.push('\n');
        text
    }

    fn phases_text(&self, most: usize) -> String {
        let phases = || self.phases.iter().take(most);
        let numbers =
            |of: fn(&PhaseComparison) -> &Rational| column(phases().map(|phase| Some(of(phase))));
        let columns = [
            phases().map(|phase| phase.name.clone()).collect(),
            numbers(|phase| &phase.size),
            numbers(|phase| &phase.listed),
            numbers(|phase| &phase.best),
            numbers(|phase| &phase.worst),
        ];
        let text = table(&["phase", "size", "load as listed", "best", "worst"], rows(&columns));
        let left: Vec<String> =
            self.phases.iter().skip(most).map(|phase| phase.name.clone()).collect();
        text + "\n" + &listed(left.into_iter(), 0)
    }
}

/// The rows of a table of which the columns are known.
fn rows(columns: &[Vec<String>]) -> impl Iterator<Item = Vec<String>> {
    let count = columns.first().map_or(0, Vec::len);
    (0..count).map(|row| columns.iter().map(|column| column[row].clone()).collect())
}

fn phases(listed: &OrderLoads, best: &[PhaseLoad], worst: &[PhaseLoad]) -> Vec<PhaseComparison> {
    let all = listed.phases.iter().zip(best).zip(worst);
    let phase = |((listed, best), worst): ((&PhaseLoad, &PhaseLoad), &PhaseLoad)| PhaseComparison {
        name: listed.name.clone(),
        size: listed.size.clone(),
        listed: listed.load.clone(),
        best: best.load.clone(),
        worst: worst.load.clone(),
    };
    all.map(phase).collect()
}
