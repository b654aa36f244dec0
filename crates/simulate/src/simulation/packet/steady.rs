//! Measurements of a run in open loop: batch means after a warm-up that is found.

use hdrhistogram::Histogram;

use super::engine::Engine;
use super::measures::{Measures, PARTS, Part};

/// Batches whose means give the confidence interval.
const BATCHES: usize = 20;

/// Quantile 97.5 % of Student's t for 19 degrees of freedom.
const STUDENT: f64 = 2.093;

/// The drift up to which a mean is not in doubt.
const MIN_DRIFT: f64 = 0.05;

/// A mean with half the width of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width.
    pub half_width: f64,
}

/// Latencies in cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latency {
    /// Mean over all packets.
    pub mean: Estimate,
    /// Half of the packets take no longer.
    pub median: u64,
    /// 95 of 100 take no longer.
    pub p95: u64,
    /// 99 of 100 take no longer.
    pub p99: u64,
    /// The longest.
    pub most: u64,
}

/// A run in open loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Steady {
    /// Generated flits per cycle and host, as expected.
    pub offered: f64,
    /// Delivered flits per cycle and host.
    pub accepted: Estimate,
    /// Cycles of the run, and those at its beginning that are left out.
    pub cycles: u64,
    /// Cycles of the warm-up.
    pub warm_up: u64,
    /// Whether the warm-up that was found is shorter than the half of the run that may be left out. Where it is not, there
    /// is a trend, however small: see [`Self::has_settled`].
    pub is_steady: bool,
    /// The change from one quarter of the run to the last: that of the mean of accepted flits or of total latencies,
    /// the larger, as a fraction of the mean of both.
    pub drift: f64,
    /// The fraction of what a host generated in the second half that was not delivered in that time, the largest of
    /// all hosts; less than 0 counts as none.
    pub growth: f64,
    /// From the first flit on the first link to the last flit at the destination.
    pub network: Latency,
    /// From when a packet was generated until it was delivered.
    pub total: Latency,
    /// Packets delivered after the warm-up.
    pub packets: u64,
    /// Number of these packets that came before one of their pair that was sent earlier.
    pub early: u64,
    /// Maximum number of packets in a reorder buffer at a time.
    pub stored: u32,
    /// Number of times that a source waited for room in one.
    pub refusals: u64,
    /// Fraction of the second half in which each link was busy.
    pub busy: Vec<f64>,
    /// Flits per cycle that each host received in the second half.
    pub received: Vec<f64>,
    /// Flits per cycle from each host that were delivered in the second half.
    pub sent: Vec<f64>,
    /// Packets generated and delivered in the whole run.
    pub delivered: u64,
}

impl Steady {
    /// All but what the sources know.
    pub(super) fn of(offered: f64, cycles: u64, engine: &Engine<'_>) -> Self {
        let Measures { parts, busy, received, sent, .. } = &engine.measures;
        let hosts = received.len() as f64;
        // The first cycle of a part whose number times `cycles` over all parts is no less.
        let first = |part: usize| (cycles * part as u64).div_ceil(PARTS as u64);
        let length = |part: usize| (first(part + 1) - first(part)) as f64;
        let flits = parts.iter().zip(0..).map(|(part, at)| part.flits as f64 / length(at) / hosts);
        let flits: Vec<f64> = flits.collect();
        let (network, latency) = (means(parts, 0), means(parts, 1));
        let warm_up = truncation(&flits).max(truncation(&latency));
        let rest = &parts[warm_up..];
        let sum = |of: fn(&Part) -> u64| rest.iter().map(of).sum::<u64>();
        let half = (cycles - cycles / 2) as f64;
        let in_half = |counts: &[u64]| counts.iter().map(|count| *count as f64 / half).collect();
        Self {
            offered,
            accepted: estimate(&flits[warm_up..]),
            cycles,
            warm_up: first(warm_up),
            is_steady: warm_up < PARTS / 2,
            drift: drift(&flits).max(drift(&latency)),
            growth: 0.0,
            network: latencies(rest, 0, &network[warm_up..]),
            total: latencies(rest, 1, &latency[warm_up..]),
            packets: sum(|part| part.counts[1]),
            early: sum(|part| part.early),
            stored: engine.order.most(),
            refusals: engine.order.refusals(),
            busy: in_half(busy),
            received: in_half(received),
            sent: in_half(sent),
            delivered: engine.ledger.delivered(),
        }
    }

    /// Whether the rest looks alike all over, but for a [drift](Self::drift) too small to matter. It does not above
    /// saturation, where latencies grow.
    #[must_use]
    pub fn has_settled(&self) -> bool {
        self.is_steady || self.drift < MIN_DRIFT
    }

    /// Packets out of order among 100.
    #[must_use]
    pub fn early_percent(&self) -> f64 {
        100.0 * ratio(self.early, self.packets)
    }
}

/// The mean latency of every part; of one without packets, that of all.
fn means(parts: &[Part], kind: usize) -> Vec<f64> {
    let all = mean(parts, kind);
    let of = |part: &Part| match part.counts[kind] {
        0 => all,
        _ => mean(std::slice::from_ref(part), kind),
    };
    parts.iter().map(of).collect()
}

/// The mean latency of all packets of some parts.
fn mean(parts: &[Part], kind: usize) -> f64 {
    let sum = |of: fn(&Part) -> [u64; 2]| parts.iter().map(|part| of(part)[kind]).sum();
    ratio(sum(|part| part.sums), sum(|part| part.counts))
}

fn ratio(sum: u64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}

/// Number of values at the beginning to leave out, at most half of them: those without which the standard
/// error of the mean, as if all were independent, is least (MSER; White, Simulation 69(6), 1997).
fn truncation(values: &[f64]) -> usize {
    let error = |from: usize| {
        let rest = &values[from..];
        let count = rest.len() as f64;
        let mean = rest.iter().sum::<f64>() / count;
        rest.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count * count)
    };
    let errors = (0..=values.len() / 2).map(error);
    errors.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(from, _)| from)
}

/// The difference of the means of the last two quarters of values, as a fraction of the mean of both.
fn drift(values: &[f64]) -> f64 {
    let quarter = values.len() / 4;
    let (rest, last) = values.split_at(values.len() - quarter);
    let [before, after] =
        [&rest[rest.len() - quarter..], last].map(|part| part.iter().sum::<f64>());
    if before + after > 0.0 { 2.0 * (after - before).abs() / (before + after) } else { 0.0 }
}

/// The mean of consecutive values, and its confidence interval from batch means.
fn estimate(values: &[f64]) -> Estimate {
    let count = values.len();
    let mean = values.iter().sum::<f64>() / count as f64;
    let bounds = |batch: usize| batch * count / BATCHES..(batch + 1) * count / BATCHES;
    let batches = (0..BATCHES).map(|batch| &values[bounds(batch)]);
    let means = batches.map(|batch| batch.iter().sum::<f64>() / batch.len() as f64);
    let squares: f64 = means.map(|value| (value - mean).powi(2)).sum();
    let variance = squares / (BATCHES - 1) as f64;
    Estimate { mean, half_width: STUDENT * (variance / BATCHES as f64).sqrt() }
}

/// The latencies of one kind in some parts, whose means are given.
fn latencies(parts: &[Part], kind: usize, means: &[f64]) -> Latency {
    let mut all: Option<Histogram<u32>> = None;
    for part in parts {
        let part = if kind == 0 { &part.network } else { &part.total };
        match &mut all {
            None => all = Some(part.clone()),
            Some(all) => all.add(part).expect("it grows to hold any value"),
        }
    }
    let at = |part: f64| all.as_ref().map_or(0, |all| all.value_at_quantile(part));
    let most = all.as_ref().map_or(0, Histogram::max);
    let mean = Estimate { mean: mean(parts, kind), ..estimate(means) };
    Latency { mean, median: at(0.5), p95: at(0.95), p99: at(0.99), most }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transient_is_left_out_and_a_trend_is_not_steady() {
        let noise = |i: usize| ((i * 37) % 11) as f64 / 11.0;
        let settled: Vec<f64> =
            (0..40).map(|i| if i < 6 { 50.0 - i as f64 } else { noise(i) }).collect();
        assert_eq!(truncation(&settled), 6);
        let growing: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(truncation(&growing), 20);
        assert_eq!(truncation(&[3.0; 40]), 0);
    }

    /// From 100 on, 1 % more by the end is a trend, but not one that matters; twice as much is.
    #[test]
    fn a_drift_is_measured_over_the_last_half() {
        let to = |end: f64| {
            (0..40).map(|i| 100.0 + (end - 100.0) * f64::from(i) / 39.0).collect::<Vec<_>>()
        };
        let (little, much) = (to(101.0), to(200.0));
        assert_eq!((truncation(&little), truncation(&much)), (20, 20));
        assert!(drift(&little) < MIN_DRIFT && drift(&much) > MIN_DRIFT);
        assert!(drift(&[0.0; 40]).abs() < 1e-12);
    }

    /// Two packets in the first of forty parts, one in the last, and none between.
    #[test]
    fn parts_without_packets_do_not_count() {
        let mut parts = vec![Part::default(); PARTS];
        (parts[0].sums, parts[0].counts) = ([20, 0], [2, 0]);
        (parts[PARTS - 1].sums, parts[PARTS - 1].counts) = ([40, 0], [1, 0]);
        let means = means(&parts, 0);
        assert_eq!((means[0], means[1], means[PARTS - 1]), (10.0, 20.0, 40.0));
        assert!((latencies(&parts, 0, &means).mean.mean - 20.0).abs() < 1e-12);
    }

    /// Twenty batches of one value, of which half are 0 and half 2: variance 20/19.
    #[test]
    fn the_interval_is_that_of_batch_means() {
        let values: Vec<f64> = (0..20).map(|i| f64::from(i % 2) * 2.0).collect();
        let Estimate { mean, half_width } = estimate(&values);
        assert!((mean - 1.0).abs() < 1e-12);
        assert!((half_width - 2.093 * (1.0_f64 / 19.0).sqrt()).abs() < 1e-12);
    }
}
