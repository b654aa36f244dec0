//! The runs of \[RO\] VI: an application on a slimmed tree with a routing scheme, sent as packets.

use crate::load::LinkLoads;
use crate::simulation::adaptive::{self, PatternError};
use crate::simulation::packet::{
    Delivery, Model, Replay, Routes, Setup, SimulationError, Spread, ideal, messages,
};
use crate::study::prelude::*;
use crate::traffic::{Demand, PathRecord, TrafficMatrix, generate};

/// Hosts of every tree.
pub(super) const HOSTS: usize = 256;

/// Bytes of a message in the figures.
pub(super) const BYTES: u64 = 64 * 1024;

/// Number of samples of a scheme that is drawn at random: \[RO\] IX has "from 40 to 60".
pub(super) const SEEDS: u64 = 50;

/// An application of \[RO\] VI.A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Application {
    /// WRF-256.
    Wrf,
    /// CG.D-128.
    Cg,
}

impl Application {
    /// Every application.
    pub const ALL: [Self; 2] = [Self::Wrf, Self::Cg];

    /// The name of the application in the tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wrf => "WRF-256",
            Self::Cg => "CG.D-128",
        }
    }

    /// Its phases. Those before the last one do not leave the switches of level 1.
    fn phases(self) -> Vec<String> {
        match self {
            Self::Wrf => vec!["wrf(256)".to_string()],
            Self::Cg => (1..=5).map(|phase| format!("cg(128,phase={phase})")).collect(),
        }
    }

    /// Phases before the last one.
    #[must_use]
    pub fn local(self) -> u64 {
        self.phases().len() as u64 - 1
    }

    /// Number of messages that the links of hosts carry in the last phase.
    #[must_use]
    pub fn baseload(self) -> u64 {
        match self {
            Self::Wrf => 2,
            Self::Cg => 1,
        }
    }

    pub(super) fn traffic(self) -> Result<Vec<TrafficMatrix>> {
        let made = self.phases().into_iter().map(|phase| generate(&phase, HOSTS));
        Ok(made.collect::<Result<_, _>>().map_err(SimulationError::from)?)
    }

    /// The last phase.
    pub(super) fn last(self) -> Result<TrafficMatrix> {
        let phases = self.phases();
        let last = phases.last().map_or("", String::as_str);
        Ok(generate(last, HOSTS).map_err(SimulationError::from)?)
    }
}

/// Cycles of the phases that no routing changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The phases before the last one, on any of the trees.
    pub local: u64,
    /// All phases in the full crossbar.
    pub crossbar: u64,
    /// The last phase in the full crossbar.
    pub crossbar_last: u64,
}

impl Fixed {
    /// The cycles of an application with messages of [`BYTES`].
    pub(super) fn of(application: Application, progress: &Progress) -> Result<Self> {
        let (model, mut phases) = (Model::ro(), application.traffic()?);
        let crossbar = |traffic: &TrafficMatrix| {
            let trace = messages(traffic.demands(), HOSTS, BYTES)?;
            Ok::<_, StudyError>(ideal(&trace, &model, progress)?.cycles)
        };
        let found = phases.iter().map(crossbar).collect::<Result<Vec<_>, _>>()?;
        phases.pop();
        let ways = Ways::new(16, "dmodk", &[], progress)?;
        let local =
            phases.iter().map(|traffic| ways.sent(traffic.demands(), BYTES, &model, progress));
        Ok(Self {
            local: local.sum::<Result<u64, _>>()?,
            crossbar: found.iter().sum(),
            crossbar_last: found.last().copied().unwrap_or(0),
        })
    }
}

/// Whether a scheme is drawn at random, and with which first seed. Up and down get different seeds: with the
/// same ones they mirror each other on symmetric patterns.
#[must_use]
pub fn first_seed(scheme: &str) -> Option<u64> {
    match scheme {
        "random" => Some(1),
        "rnca-u" => Some(1001),
        "rnca-d" => Some(2001),
        _ => None,
    }
}

/// The spec of a scheme with a seed, if it takes one.
pub(super) fn spec(scheme: &str, seed: Option<u64>) -> String {
    seed.map_or_else(|| scheme.to_string(), |seed| format!("{scheme}(seed={seed})"))
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The application whose traffic is sent.
    pub application: Application,
    /// Switches of the upper level of XGFT(2;16,16;1,w2).
    pub w2: u64,
    /// The scheme.
    pub scheme: String,
    /// Seed of the point, if its scheme draws at random.
    pub seed: Option<u64>,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Cycles of the last phase.
    pub cycles: u64,
    /// Maximum number of messages on a link of it: exact.
    pub load: u64,
}

/// A tree with the ways of messages.
pub(super) struct Ways {
    instance: Instance,
    /// Paths of a scheme that sees the pattern.
    listed: Option<Vec<PathRecord>>,
}

impl Ways {
    /// The ways of a scheme; one that sees the pattern is given all phases, one after the other.
    pub(super) fn new(
        w2: u64,
        spec: &str,
        phases: &[&TrafficMatrix],
        progress: &Progress,
    ) -> Result<Self> {
        let tree = format!("xgft(2;16,16;1,{w2})");
        if !adaptive::is_named(spec) {
            return Ok(Self { instance: Instance::named(&tree, spec)?, listed: None });
        }
        let instance = Instance::named(&tree, "dmodk")?;
        let scheme = adaptive::build(spec, instance.topology())?;
        let routing = scheme.traffic_routing().ok_or_else(|| PatternError::DoesNotFit {
            routing: spec.to_string(),
            topology: tree,
            reason: "it takes permutations only".to_string(),
        })?;
        let mut listed = Vec::new();
        for traffic in phases {
            listed.extend(routing.route_traffic(traffic, progress)?.paths);
        }
        Ok(Self { instance, listed: Some(listed) })
    }

    pub(super) fn setup<'a>(&'a self, model: &'a Model) -> Setup<'a> {
        let routes = match &self.listed {
            Some(paths) => Routes::Listed(paths),
            None => Routes::Oblivious(self.instance.routing(), Spread::Random),
        };
        let (topology, delivery) = (self.instance.topology(), Delivery::AsTheyCome);
        Setup { topology, model, routes, delivery, seed: 1 }
    }

    /// Cycles that the messages of a phase take.
    pub(super) fn sent(
        &self,
        demands: &[Demand],
        bytes: u64,
        model: &Model,
        progress: &Progress,
    ) -> Result<u64> {
        let trace = messages(demands, HOSTS, bytes)?;
        let mut source = Replay::new(&trace, model)?;
        Ok(self.setup(model).complete(&mut source, progress)?.cycles)
    }

    /// Maximum number of messages on a link.
    pub(super) fn load(&self, traffic: &TrafficMatrix, progress: &Progress) -> Result<u64> {
        let (topology, routing) = (self.instance.topology(), self.instance.routing());
        let loads = match &self.listed {
            Some(paths) => {
                let paths = paths.iter().map(|path| (&path.share, &path.links[..]));
                LinkLoads::of_paths(topology, paths)
            }
            None => LinkLoads::of(topology, routing, traffic.demands(), progress)?,
        };
        Ok(loads.most_flows().map_or(0, |(_, flows)| flows))
    }
}

/// Runs, found at the same time.
#[derive(Clone, Debug)]
pub struct Points(pub Vec<Point>);

impl Points {
    /// Every application on every tree with every scheme, with all its seeds.
    pub(super) fn of(schemes: &[&str]) -> Self {
        let mut points = Vec::new();
        for (application, w2, scheme) in
            itertools::iproduct!(Application::ALL, (1..=16).rev(), schemes)
        {
            let seeds = match first_seed(scheme) {
                Some(first) => (first..first + SEEDS).map(Some).collect(),
                None => vec![None],
            };
            let point = |seed| Point { application, w2, scheme: (*scheme).to_string(), seed };
            points.extend(seeds.into_iter().map(point));
        }
        Self(points)
    }
}

impl Rows for Points {
    type Key = Point;
    type Row = Run;

    fn keys(&self) -> &[Point] {
        &self.0
    }

    fn find(&self, point: &Point, progress: &Progress) -> Result<Run> {
        let Point { application, w2, scheme, seed } = point;
        let (quiet, last) = (progress.part(1.0), application.last()?);
        let ways = Ways::new(*w2, &spec(scheme, *seed), &[&last], &quiet)?;
        let cycles = ways.sent(last.demands(), BYTES, &Model::ro(), &quiet)?;
        Ok(Run { cycles, load: ways.load(&last, &quiet)? })
    }

    /// A link with that number of messages is busy for as long as these take.
    fn holds(&self, point: &Point, found: &Run) -> bool {
        let flits = BYTES / u64::from(Model::ro().flit_bytes);
        let least = point.application.baseload();
        found.load >= least && found.cycles >= found.load.saturating_mul(flits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::engine::Job;

    /// Seven messages of each switch share a link with D-mod-k.
    #[test]
    fn the_fifth_phase_takes_seven_times_as_long() {
        let point = |scheme: &str, seed| Point {
            application: Application::Cg,
            w2: 16,
            scheme: scheme.to_string(),
            seed,
        };
        let points = Points(vec![point("dmodk", None), point("coloured", None)]);
        let (units, progress) = (Units::default(), Progress::silent());
        let job = Job { tier: Tier::Full, units: &units, progress: &progress };
        let found = job.at_once(&points).unwrap().unwrap();
        let flits = BYTES / 8;
        assert_eq!((found[0].load, found[1].load), (7, 1));
        for (point, run) in points.0.iter().zip(&found) {
            assert!(points.holds(point, run), "{run:?}");
            let part = run.cycles as f64 / (run.load * flits) as f64;
            assert!((1.0..1.05).contains(&part), "{part}");
        }
        assert!(!points.holds(&points.0[0], &Run { cycles: 6 * flits, load: 7 }));
    }
}
