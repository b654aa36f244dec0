//! Runs in open loop.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::rational::Rational;
use crate::simulation::packet::{Estimate, Latency, Steady};

/// A number with half the width of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct EstimateReport {
    /// The mean.
    pub mean: f64,
    /// Half the width.
    pub half_width: f64,
}

impl From<Estimate> for EstimateReport {
    fn from(Estimate { mean, half_width }: Estimate) -> Self {
        Self { mean, half_width }
    }
}

/// Latencies in cycles.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LatencyReport {
    /// Mean.
    pub mean: EstimateReport,
    /// Percentiles.
    pub median: u64,
    /// 95 of 100 take no longer.
    pub p95: u64,
    /// 99 of 100 take no longer.
    pub p99: u64,
    /// The longest.
    pub most: u64,
}

impl LatencyReport {
    /// A line about a kind of latency.
    fn write(&self, kind: &str, text: &mut String) {
        let Self { mean, median, p95, p99, most } = self;
        // A String takes every write.
        let _ = writeln!(
            text,
            "{kind:<17} {:.1} +- {:.1} cycles; half {median}, 95 % {p95}, 99 % {p99}, all {most}",
            mean.mean, mean.half_width
        );
    }
}

impl From<Latency> for LatencyReport {
    fn from(Latency { mean, median, p95, p99, most }: Latency) -> Self {
        Self { mean: mean.into(), median, p95, p99, most }
    }
}

/// A link, and the part of the time in which it was busy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BusyLink {
    /// Name of the link.
    pub link: String,
    /// The part of the time.
    pub utilisation: f64,
}

/// A run in open loop.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SteadyReport {
    /// Offered load of the hosts that send the most.
    pub load: f64,
    /// Seed of the run.
    pub seed: u64,
    /// Generated flits per cycle and host.
    pub offered: f64,
    /// Delivered flits per cycle and host.
    pub accepted: EstimateReport,
    /// Cycles of the run, and of its warm-up.
    pub cycles: u64,
    /// Cycles that are left out.
    pub warm_up: u64,
    /// Whether the rest looks alike all over, but for a drift below 5 %.
    pub is_steady: bool,
    /// Change of the mean load or latency from the third to the last quarter of the run, as a fraction.
    pub drift: f64,
    /// Maximum lag of a host, as a fraction of the time.
    pub growth: f64,
    /// From the first link to the last flit at the destination.
    pub network_latency: LatencyReport,
    /// From the generation of a packet to its delivery.
    pub total_latency: LatencyReport,
    /// Packets delivered after the warm-up.
    pub packets: u64,
    /// Packets that came before an earlier one of their pair.
    pub out_of_order: u64,
    /// Maximum number of packets in a reorder buffer.
    pub stored: u32,
    /// Number of times that a source waited for room in a reorder buffer.
    pub blocked: u64,
    /// The busiest link.
    pub busiest: Option<BusyLink>,
    /// Fraction of the second half of the run in which each link was busy, where that is asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub utilisation: Vec<f64>,
}

impl SteadyReport {
    /// The record of a run; `name` names links. [`Self::utilisation`] is left empty.
    #[must_use]
    pub fn new(load: &Rational, seed: u64, found: &Steady, name: &dyn Fn(usize) -> String) -> Self {
        let busiest = found.busy.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        Self {
            load: load.to_nearest_f64(),
            seed,
            offered: found.offered,
            accepted: found.accepted.into(),
            cycles: found.cycles,
            warm_up: found.warm_up,
            is_steady: found.has_settled(),
            drift: found.drift,
            growth: found.growth,
            network_latency: found.network.into(),
            total_latency: found.total.into(),
            packets: found.packets,
            out_of_order: found.early,
            stored: found.stored,
            blocked: found.refusals,
            busiest: busiest.map(|(link, busy)| BusyLink { link: name(link), utilisation: *busy }),
            utilisation: Vec::new(),
        }
    }

    /// Cells of a table under [`HEADS`].
    pub(super) fn cells(&self) -> Vec<String> {
        let Self { load, seed, offered, accepted, network_latency, total_latency, .. } = self;
        vec![
            format!("{load:.4}"),
            seed.to_string(),
            format!("{offered:.4}"),
            format!("{:.4}", accepted.mean),
            format!("{:.4}", accepted.half_width),
            format!("{:.1}", network_latency.mean.mean),
            format!("{:.1}", total_latency.mean.mean),
            total_latency.p99.to_string(),
            self.out_of_order.to_string(),
            if self.is_steady { "yes" } else { "not shown" }.into(),
        ]
    }

    pub(super) fn text(&self) -> String {
        let Self { accepted, .. } = self;
        let mut text = format!(
            "run               {} cycles with seed {}, of which {} are warm-up\n\
             offered           {:.4} flits per cycle and host\n\
             accepted          {:.4} +- {:.4} (sampled){}\n",
            self.cycles,
            self.seed,
            self.warm_up,
            self.offered,
            accepted.mean,
            accepted.half_width,
            if self.is_steady { "" } else { ": not shown steady in this run" },
        );
        self.network_latency.write("network latency", &mut text);
        self.total_latency.write("total latency", &mut text);
        // A String takes every write.
        let _ = writeln!(
            text,
            "packets           {}, {} out of order",
            self.packets, self.out_of_order
        );
        if self.stored > 0 || self.blocked > 0 {
            let _ = writeln!(
                text,
                "reorder buffers   at most {} packets; sources waited {} times",
                self.stored, self.blocked
            );
        }
        if let Some(BusyLink { link, utilisation }) = &self.busiest {
            let busy = 100.0 * utilisation;
            let _ = writeln!(text, "busiest link      {busy:.1} % of the time: {link}");
        }
        text
    }
}

/// Heads of the table of runs in files.
pub(super) const HEADS: [&str; 10] = [
    "load",
    "seed",
    "offered",
    "accepted",
    "+-",
    "network latency",
    "total latency",
    "99 %",
    "out of order",
    "steady",
];

/// Heads of the same table in text, with latencies in cycles.
pub(super) const SHORT_HEADS: [&str; 10] = [
    "load",
    "seed",
    "offered",
    "accepted",
    "+-",
    "in network",
    "in total",
    "99 %",
    "out of order",
    "steady",
];
