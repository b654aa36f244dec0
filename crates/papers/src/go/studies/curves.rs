//! Curves of points: the runs of a routing at all loads, and their numbers.

use super::UNIFORM;
use super::points::Line;
use crate::study::engine::extremes;
use crate::study::prelude::*;

/// A routing or a selection function with a reorder buffer, or none.
pub(super) type Key = (&'static str, Option<u32>);

/// Hosts keep up with what is offered if no more than this part of it is missing.
const MISSING: f64 = 0.02;

/// The runs of a figure under one traffic.
pub(super) struct Runs<'l>(Vec<&'l Line>);

impl<'l> Runs<'l> {
    pub(super) fn new(lines: &'l [Line], traffic: &str) -> Self {
        Self(lines.iter().filter(|line| line.traffic == traffic).collect())
    }

    /// The runs of a curve, in the order of their loads.
    pub(super) fn of(&self, (routing, buffer): Key) -> impl Iterator<Item = &'l Line> + '_ {
        self.0.iter().copied().filter(move |line| line.routing == routing && line.buffer == buffer)
    }

    /// Maximum that is accepted.
    pub(super) fn peak(&self, key: Key) -> f64 {
        self.of(key).map(|line| line.accepted).fold(0.0, f64::max)
    }

    /// The throughput of the first as a fraction of that of each other one.
    pub(super) fn peaks(&self, first: Key, others: &[Key]) -> Vec<f64> {
        others.iter().map(|other| self.peak(first) / self.peak(*other)).collect()
    }

    /// Maximum that is accepted, and half the width of its confidence interval.
    fn peak_run(&self, key: Key) -> (f64, f64) {
        let most = self.of(key).max_by(|a, b| a.accepted.total_cmp(&b.accepted));
        most.map_or((f64::NAN, f64::NAN), |line| (line.accepted, line.error))
    }

    /// Like [`Self::peaks`], with the errors of both in favour of the first.
    pub(super) fn peaks_at_best(&self, first: Key, others: &[Key]) -> Vec<f64> {
        let (own, error) = self.peak_run(first);
        let over = |other: &Key| {
            let (peak, width) = self.peak_run(*other);
            (own + error) / (peak - width)
        };
        others.iter().map(over).collect()
    }

    /// Network latencies of the first over those of the second, at all loads where `wanted` says so of who keeps up.
    fn quotients(&self, a: Key, b: Key, wanted: fn([bool; 2]) -> bool) -> Vec<f64> {
        let keeps_up = |line: &Line| line.accepted >= (1.0 - MISSING) * line.offered;
        let pairs = self.of(a).zip(self.of(b));
        let pairs = pairs.filter(|(a, b)| wanted([keeps_up(a), keeps_up(b)]));
        pairs.map(|(a, b)| a.latency / b.latency).collect()
    }

    /// Network latencies of the first over those of the second, at all loads that both keep up with.
    pub(super) fn below_saturation(&self, a: Key, b: Key) -> Vec<f64> {
        self.quotients(a, b, |keep_up| keep_up == [true; 2])
    }

    /// The quotient of network latencies at the first load that one of them does not keep up with.
    pub(super) fn near_saturation(&self, a: Key, b: Key) -> Option<f64> {
        self.quotients(a, b, |keep_up| keep_up != [true; 2]).first().copied()
    }

    /// Network latencies of the first over those of the second, at all loads that neither keeps up with.
    pub(super) fn above_saturation(&self, a: Key, b: Key) -> Vec<f64> {
        self.quotients(a, b, |keep_up| keep_up == [false; 2])
    }

    /// The curves of a chart, with their names.
    pub(super) fn chart(&self, title: &str, keys: &[Key]) -> Chart {
        let curve = |key: &Key| Curve {
            name: name(*key),
            points: self.of(*key).map(Line::point).collect(),
            form: Form::Measured,
        };
        Chart { title: title.to_string(), curves: keys.iter().map(curve).collect() }
    }

    /// A line for every curve: its throughput, and its latency at some of its loads.
    pub(super) fn summary(&self, keys: &[Key], loads: [f64; 3]) -> String {
        let latencies = loads.map(|load| format!("latency at {load}"));
        let heads =
            ["routing", "throughput"].into_iter().chain(latencies.iter().map(String::as_str));
        let row = |key: &Key| {
            let at = |load: f64| self.of(*key).find(|line| (line.load - load).abs() < 1e-6);
            let latency =
                |load| at(load).map_or_else(String::new, |line| format!("{:.0}", line.latency));
            let head = [name(*key), format!("{:.4}", self.peak(*key))];
            head.into_iter().chain(loads.map(latency)).collect()
        };
        markdown(&heads.collect::<Vec<_>>(), keys.iter().map(row))
    }

    /// The words hold if the throughputs of all curves differ by no more than a part of the maximum.
    pub(super) fn alike(
        &self,
        words: &'static str,
        what: &str,
        keys: &[Key],
        part: f64,
    ) -> Finding {
        let peaks: Vec<f64> = keys.iter().map(|key| self.peak(*key)).collect();
        let (_, most) = extremes(&peaks);
        Finding::within(
            Case::quote(UNIFORM, words),
            what,
            peaks.into_iter().map(|peak| peak / most),
            1.0 - part..=1.0,
        )
    }
}

/// A curve in a legend.
pub(super) fn name((routing, buffer): Key) -> String {
    let routing = match routing {
        "dmodk" => "deterministic".to_string(),
        other => other.to_uppercase(),
    };
    match buffer {
        None => routing,
        Some(packets) => format!("{routing}, buffer of {packets}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(routing: &str, load: f64, accepted: f64, latency: f64) -> Line {
        let [traffic, routing] = ["uniform", routing].map(String::from);
        let (buffer, error, half_width, early) = (None, 0.1, 1.0, 0.0);
        let offered = load;
        Line {
            traffic,
            routing,
            buffer,
            load,
            offered,
            accepted,
            error,
            latency,
            half_width,
            early,
        }
    }

    #[test]
    fn curves_are_compared_at_the_same_loads() {
        let lines = [
            line("dmodk", 0.2, 0.2, 110.0),
            line("dmodk", 0.5, 0.495, 120.0),
            line("dmodk", 0.8, 0.7, 150.0),
            line("dmodk", 1.0, 0.69, 170.0),
            line("ff", 0.2, 0.2, 100.0),
            line("ff", 0.5, 0.5, 150.0),
            line("ff", 0.8, 0.5, 300.0),
            line("ff", 1.0, 0.5, 340.0),
        ];
        let runs = Runs::new(&lines, "uniform");
        let [a, b] = [("dmodk", None), ("ff", None)];
        assert_eq!(runs.peaks(a, &[b]), [0.7 / 0.5]);
        assert_eq!(runs.peaks_at_best(b, &[a]), [(0.5 + 0.1) / (0.7 - 0.1)]);
        assert!(runs.peaks_at_best(a, &[("ff", Some(2))])[0].is_nan());
        assert_eq!(runs.below_saturation(a, b), [1.1, 0.8]);
        assert_eq!(runs.near_saturation(a, b), Some(0.5));
        assert_eq!(runs.above_saturation(a, b), [0.5, 0.5]);
        assert_eq!(runs.near_saturation(a, a), Some(1.0));
        assert!(runs.alike("w", "t", &[a, b], 0.2).fails());
        assert!(!runs.alike("w", "t", &[a, b], 0.3).fails());
        let chart = runs.chart("t", &[a, ("ff", Some(2))]);
        assert_eq!(chart.curves[0].points[1], CurvePoint { x: 0.495, y: 120.0, half_width: 1.0 });
        assert_eq!(chart.curves[1].name, "FF, buffer of 2");
        assert!(chart.curves[1].points.is_empty());
        let summary = runs.summary(&[a], [0.2, 0.3, 1.0]);
        let wanted =
            "| deterministic |     0.7000 |            110 |                |          170 |\n";
        assert!(summary.ends_with(wanted), "{summary}");
        assert!(Runs::new(&lines, "hot").peaks(a, &[b])[0].is_nan());
    }
}
