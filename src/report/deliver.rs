//! Output of `deliver`.

use super::prelude::*;
use crate::integer::as_size;
use crate::sampling::Summary;
use crate::simulation::delivery::offline::Plan;
use crate::simulation::delivery::{Bottleneck, Deliveries, Messages, figure_4};
use crate::topology::Direction;

/// Cycles whose deliveries a line shows.
const SHOWN_CYCLES: usize = 16;

/// The network, algorithm and messages of a run.
#[derive(Clone, Debug)]
pub struct DeliveryFacts<'f> {
    /// Specs of the network, the algorithm, the messages and the loss rule.
    pub specs: [String; 4],
    /// Number n of processors.
    pub processors: usize,
    /// The messages.
    pub messages: &'f Messages,
    /// The channel that determines the load factor.
    pub bottleneck: &'f Bottleneck,
    /// Bounds of the congestion parameter r.
    pub congestion: Option<Bounds>,
    /// The first seed.
    pub seed: u64,
    /// Notes on how a file of messages was read.
    pub notes: &'f [String],
}

/// Runs of one algorithm on one set of messages, as `deliver --json` prints them. The numbers of
/// cycles are sampled.
#[derive(Clone, Debug, Serialize)]
pub struct DeliveryReport {
    /// Canonical spec, or the path.
    pub topology: String,
    /// Spec of the algorithm with all its options.
    pub algorithm: String,
    /// Spec of the messages, or the path.
    pub traffic: String,
    /// Loss rule.
    pub loss: String,
    /// Number n of processors.
    pub processors: usize,
    /// Number of messages |M|.
    pub messages: u64,
    /// λ(M).
    pub load_factor: Rational,
    /// A channel that determines it.
    pub load_factor_channel: ChannelReport,
    /// ⌈λ(M)⌉, or more where a search for a schedule has shown that: no schedule has fewer cycles.
    pub lower_bound: u64,
    /// The off-line schedule of the first run, where there is one.
    pub schedule: Option<Plan>,
    /// Bounds of the congestion parameter r.
    pub congestion_parameter: Option<Bounds>,
    /// The growth of the bound of \[GL\] Figure 4.
    pub figure_4: f64,
    /// The first seed; run k has seed + k.
    pub seed: u64,
    /// Every run.
    pub runs: Vec<RunReport>,
    /// Cycles of the runs that are complete.
    pub cycles: Option<SampleReport>,
    /// Whether every run delivered everything, and no schedule was stopped while it was made.
    pub complete: bool,
    /// Notes on how a file of messages was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The channel that determines the load factor.
#[derive(Clone, Debug, Serialize)]
pub struct ChannelReport {
    /// The node farther from the root, by number.
    pub node: u32,
    /// `up` or `down`.
    pub direction: Direction,
    /// Messages that must pass it.
    pub messages: u64,
    /// Number of wires of the channel.
    pub wires: u64,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// Seed of the run.
    pub seed: u64,
    /// Cycles until the last message arrived, or until it was stopped.
    pub cycles: u64,
    /// Cycles of the algorithm as printed, which may continue when nothing is left to send.
    pub performed: u64,
    /// Messages that arrived.
    pub delivered: u64,
    /// Messages that were left when it was stopped.
    pub waiting: u64,
    /// Number of times that a message was lost.
    pub lost: u64,
}

/// A sample of numbers of cycles.
#[derive(Clone, Debug, Serialize)]
pub struct SampleReport {
    /// Size of the sample.
    pub runs: u64,
    /// The minimum.
    pub least: u64,
    /// The maximum.
    pub most: u64,
    /// The median.
    pub median: u64,
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval of the mean, from the normal distribution.
    pub half_width: f64,
}

impl SampleReport {
    /// Statistics of the numbers of cycles of runs; `None` without any.
    #[must_use]
    pub fn of(cycles: impl IntoIterator<Item = u64>) -> Option<Self> {
        let sample = Summary::of(cycles.into_iter().map(|cycles| (Rational::from(cycles), 1)))?;
        let whole = |value: &Rational| value.scaled(1).unwrap_or_default();
        Some(Self {
            runs: sample.count(),
            least: whole(sample.least()),
            most: whole(sample.most()),
            median: whole(sample.median()),
            mean: sample.mean().to_f64(),
            half_width: sample.half_width(),
        })
    }
}

impl DeliveryReport {
    /// The record of runs with consecutive seeds.
    #[must_use]
    pub fn new(facts: &DeliveryFacts<'_>, runs: &[Deliveries]) -> Self {
        let [topology, algorithm, traffic, loss] = facts.specs.clone();
        let Bottleneck { load_factor, channel, messages, wires } = facts.bottleneck.clone();
        let least = facts.bottleneck.least_cycles();
        let schedule = runs.first().and_then(|run| run.plan);
        let complete = runs.iter().filter(|run| run.is_complete());
        let rows = runs.iter().zip(0..).map(|(run, number)| RunReport {
            seed: facts.seed.wrapping_add(number),
            cycles: run.cycles,
            performed: run.performed,
            delivered: run.ledger.delivered(),
            waiting: run.ledger.waiting(),
            lost: run.ledger.lost(),
        });
        Self {
            topology,
            algorithm,
            traffic,
            loss,
            processors: facts.processors,
            messages: facts.messages.total(),
            load_factor_channel: ChannelReport {
                node: channel.below,
                direction: channel.direction,
                messages,
                wires,
            },
            lower_bound: schedule.map_or(least, |plan| plan.lower.max(least)),
            schedule,
            congestion_parameter: facts.congestion.clone(),
            figure_4: figure_4(facts.processors, load_factor.to_f64()),
            load_factor,
            seed: facts.seed,
            runs: rows.collect(),
            cycles: SampleReport::of(complete.map(|run| run.cycles)),
            complete: runs
                .iter()
                .all(|run| run.is_complete() && run.plan.is_none_or(|plan| plan.is_complete)),
            notes: facts.notes.to_vec(),
        }
    }

    /// The record for people; `first` is the first run.
    #[must_use]
    pub fn text(&self, first: Option<&Deliveries>) -> String {
        let Self { topology, algorithm, traffic, loss, .. } = self;
        let ChannelReport { node, direction, messages, wires } = &self.load_factor_channel;
        let [sent, wires] = [(messages, "message"), (wires, "wire")]
            .map(|(number, noun)| counted(as_size(*number), noun));
        let mut text = format!(
            "{traffic} on {topology} by {algorithm}, loss rule {loss}\n\
             processors        {}\n\
             messages          {}\n\
             load factor       {} ({sent} on {wires} {direction} of node {node})\n",
            self.processors,
            self.messages,
            shown(&self.load_factor),
        );
        // A String takes every write.
        if let Some(r) = &self.congestion_parameter {
            let _ = writeln!(text, "congestion        r = {:.6}", r.upper.to_f64());
        }
        let _ = writeln!(text, "lower bound       {} cycles", self.lower_bound);
        if let Some(plan) = &self.schedule {
            let _ = writeln!(text, "schedule          {}", schedule(plan));
        }
        if let Some(cycles) = &self.cycles {
            let times = cycles.mean / self.figure_4;
            let _ = writeln!(text, "cycles            {}", cycles.text(self.seed));
            let _ = writeln!(
                text,
                "Figure 4          grows as {:.1}: {times:.3} times that",
                self.figure_4
            );
        }
        for run in &self.runs {
            if run.waiting > 0 {
                let _ = writeln!(
                    text,
                    "stopped           seed {} after {} cycles: {} messages delivered, {} left",
                    run.seed, run.cycles, run.delivered, run.waiting
                );
            }
        }
        if let Some((run, row)) = first.zip(self.runs.first()) {
            let _ =
                writeln!(text, "printed loops     {} cycles with seed {}", row.performed, row.seed);
            if !run.delivered.is_empty() {
                let _ = writeln!(text, "delivered         {}", per_cycle(run));
            }
        }
        text.push_str(&labelled("note", 18, &self.notes));
        text
    }
}

impl SampleReport {
    fn text(&self, seed: u64) -> String {
        let Self { runs, least, most, median, mean, half_width } = self;
        if *runs == 1 {
            return format!("{least} (sampled: seed {seed})");
        }
        format!(
            "{mean:.2} ± {half_width:.2} (sampled: {} from {seed} on), least {least}, median {median}, most {most}",
            counted(usize::try_from(*runs).unwrap_or(usize::MAX), "seed"),
        )
    }
}

/// A schedule in words.
fn schedule(plan: &Plan) -> String {
    let Plan { length, method, .. } = plan;
    let shortest = match (plan.is_shortest(), plan.is_complete) {
        (true, _) => "none is shorter",
        (false, true) => "a shorter one may exist",
        (false, false) => {
            "a shorter one may exist, and the work was stopped before others were made"
        }
    };
    format!("{length} cycles, made {}: {shortest}", method.text())
}

/// The deliveries of the first cycles.
fn per_cycle(run: &Deliveries) -> String {
    let shown: Vec<String> = run
        .delivered
        .iter()
        .take(SHOWN_CYCLES)
        .map(|(cycle, count)| format!("{count} in cycle {cycle}"))
        .collect();
    let more = run.delivered.len().saturating_sub(SHOWN_CYCLES);
    let more = if more > 0 { format!(", and so on in {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
