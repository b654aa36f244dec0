//! Points of the figures: hosts that generate packets at a rate, simulated one run a point.

use crate::routing::build;
use crate::simulation::packet::select;
use crate::simulation::packet::{
    Arrivals, Delivery, Model, OpenLoopRun, Routes, Setup, SimulationError, Spread, Steady,
    cycles_for,
};
use crate::study::prelude::*;
use crate::traffic::{self, TrafficMatrix};

/// Seed of all runs.
pub(super) const SEED: u64 = 1;

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Point {
    /// Pattern.
    pub(super) traffic: &'static str,
    /// Routing or selection function.
    pub(super) routing: &'static str,
    /// Packets of a reorder buffer; `None` where packets are delivered as they come.
    pub(super) buffer: Option<u32>,
    /// Thousandths of a link that every host generates.
    pub(super) load: u64,
    /// Packets that a host generates in the run.
    pub(super) packets: u64,
}

/// Runs on one network.
pub(super) struct Points {
    pub(super) topology: &'static str,
    pub(super) all: Vec<Point>,
}

/// The columns of a table of points.
pub(super) const HEADS: [&str; 15] = [
    "traffic",
    "routing",
    "buffer",
    "load",
    "cycles",
    "offered",
    "accepted",
    "accepted +-",
    "network latency",
    "network latency +-",
    "total latency",
    "early %",
    "stored",
    "refusals",
    "steady",
];

/// A row of a table of points, as far as figures and claims need it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Line {
    /// Pattern.
    pub(super) traffic: String,
    /// Routing or selection function.
    pub(super) routing: String,
    /// Packets of a reorder buffer.
    pub(super) buffer: Option<u32>,
    /// What every host generates, as a fraction of a link.
    pub(super) load: f64,
    /// Flits per cycle and host that hosts generate, as expected.
    pub(super) offered: f64,
    /// Flits per cycle and host that are delivered.
    pub(super) accepted: f64,
    /// Half the width of its 95 % confidence interval.
    #[serde(rename = "accepted +-")]
    pub(super) error: f64,
    /// Mean cycles from the first flit on the first link to the last flit at the destination.
    #[serde(rename = "network latency")]
    pub(super) latency: f64,
    /// Half the width of its 95 % confidence interval.
    #[serde(rename = "network latency +-")]
    pub(super) half_width: f64,
    /// Packets out of order among 100.
    #[serde(rename = "early %")]
    pub(super) early: f64,
}

impl Line {
    /// Its point of a curve of latency against accepted traffic.
    pub(super) fn point(&self) -> CurvePoint {
        CurvePoint { x: self.accepted, y: self.latency, half_width: self.half_width }
    }
}

/// Runs with the routes of a routing or a selection function of this name.
pub(super) fn with_routes<T>(
    name: &str,
    topology: &Topology,
    run: impl FnOnce(Routes<'_>) -> Result<T, SimulationError>,
) -> Result<T> {
    if select::is_named(name) {
        return Ok(run(Routes::Adaptive(select::find(name)?.build))?);
    }
    let routing = build(name, topology)?;
    Ok(run(Routes::Oblivious(&*routing, Spread::Random))?)
}

/// A network.
pub(super) fn network(spec: &str) -> Result<Topology> {
    Ok(generate(spec).map_err(SimulationError::from)?)
}

/// A pattern among the hosts of a network.
pub(super) fn pattern(spec: &str, topology: &Topology) -> Result<TrafficMatrix> {
    Ok(traffic::generate(spec, topology.hosts()).map_err(SimulationError::from)?)
}

/// How packets are delivered with such a reorder buffer.
pub(super) fn delivery(buffer: Option<u32>) -> Delivery {
    buffer.map_or(Delivery::AsTheyCome, |buffer| Delivery::InOrder { buffer })
}

impl Point {
    fn run(&self, topology: &'static str, progress: &Progress) -> Result<Steady> {
        let topology = network(topology)?;
        let matrix = pattern(self.traffic, &topology)?;
        let model = Model::go();
        let load = Rational::new(self.load, 1000).unwrap_or(Rational::ONE);
        let cycles = cycles_for(self.packets, &load, model.packet_flits())?;
        let arrivals = Arrivals::Bernoulli;
        let run = OpenLoopRun { traffic: matrix.demands().into(), load: &load, arrivals, cycles };
        let delivery = delivery(self.buffer);
        with_routes(self.routing, &topology, |routes| {
            let setup = Setup { topology: &topology, model: &model, routes, delivery, seed: SEED };
            setup.open_loop(&run, progress)
        })
    }

    /// The first cells: what is simulated.
    fn head(&self) -> [String; 4] {
        let buffer = self.buffer.map_or_else(String::new, |buffer| buffer.to_string());
        let load = format!("{:.3}", self.load as f64 / 1000.0);
        [self.traffic.to_string(), self.routing.to_string(), buffer, load]
    }

    fn cells(&self, found: &Steady) -> Vec<String> {
        let numbers = [
            found.cycles.to_string(),
            format!("{:.4}", found.offered),
            format!("{:.4}", found.accepted.mean),
            format!("{:.4}", found.accepted.half_width),
            format!("{:.0}", found.network.mean.mean),
            format!("{:.0}", found.network.mean.half_width),
            format!("{:.0}", found.total.mean.mean),
            format!("{:.2}", found.early_percent()),
            found.stored.to_string(),
            found.refusals.to_string(),
            (if found.is_steady { "yes" } else { "no" }).to_string(),
        ];
        self.head().into_iter().chain(numbers).collect()
    }
}

/// A part holds the cells: they are all that a figure or a claim is made from.
impl Rows for Points {
    type Key = Point;
    type Row = Vec<String>;

    fn keys(&self) -> &[Point] {
        &self.all
    }

    fn find(&self, point: &Point, progress: &Progress) -> Result<Vec<String>> {
        Ok(point.cells(&point.run(self.topology, &progress.part(1.0))?))
    }

    fn holds(&self, point: &Point, found: &Vec<String>) -> bool {
        let of = |name: &str| {
            let at = HEADS.iter().position(|head| *head == name)?;
            found.get(at)?.parse::<f64>().ok()
        };
        let is_possible = of("accepted").is_some_and(|accepted| (0.0..=1.0).contains(&accepted));
        found.len() == HEADS.len() && found.starts_with(&point.head()) && is_possible
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::engine::lines;

    fn point(routing: &'static str, buffer: Option<u32>) -> Point {
        Point { traffic: "uniform", routing, buffer, load: 200, packets: 30 }
    }

    /// At a fifth of the bandwidth everything arrives, and no earlier than it can.
    #[test]
    fn a_small_point_is_simulated() {
        let all = vec![point("dmodk", None), point("sadp", Some(2)), point("ff", Some(1024))];
        let points = Points { topology: "kary(2,3)", all };
        let rows = points.all.iter().map(|point| points.find(point, &Progress::silent()).unwrap());
        let rows: Vec<Vec<String>> = rows.collect();
        for (at, cells) in rows.iter().enumerate() {
            let [own, other] = [at, (at + 1) % 3].map(|at| &points.all[at]);
            assert!(points.holds(own, cells), "{cells:?}");
            assert!(!points.holds(other, cells));
            assert!(!points.holds(own, &cells[1..].to_vec()));
        }
        let table = Table::new("table.csv", &HEADS, rows);
        let lines: Vec<Line> = lines(&[table]).unwrap();
        assert_eq!(
            lines.iter().map(|line| line.buffer).collect::<Vec<_>>(),
            [None, Some(2), Some(1024)]
        );
        for line in &lines {
            assert!((line.accepted - line.offered).abs() < 0.06, "{line:?}");
            let least = Model::go().idle_latency(2, 8192) as f64;
            assert!((least..10.0 * least).contains(&line.latency), "{line:?}");
        }
        assert!(lines[0].early < 1e-9);
    }

    #[test]
    fn another_table_is_refused() {
        let other = Table::new("table.csv", &["a"], [vec!["1".to_string()]]);
        assert!(lines::<Line>(&[other]).is_err());
    }
}
