//! Runs: a network, how packets find their ways, and what hosts send.

use super::climb::Adaptive;
use super::engine::Engine;
use super::fabric::Fabric;
use super::measures::Measures;
use super::open_loop::{Arrivals, OpenLoop};
use super::order::{Delivery, Order};
use super::paths::{OnePath, Routed, Spread};
use super::select::Selection;
use super::source::Source;
use super::steady::Steady;
use super::way::Way;
use super::{Model, SimulationError};
use crate::prelude::*;
use crate::routing::Routing;
use crate::traffic::{PathRecord, TrafficView};

/// Maximum number of cycles of a run in open loop.
pub const MAX_CYCLES: u64 = 1 << 31;

/// Fewest cycles of such a run: one for each part of it.
pub(super) const MIN_CYCLES: u64 = super::measures::PARTS as u64;

/// Source of the ways of packets.
#[derive(Clone, Copy)]
pub enum Routes<'a> {
    /// Paths of a routing, whose pairs are spread over their paths.
    Oblivious(&'a dyn Routing, Spread),
    /// One path for each pair, as a scheme that sees the pattern gives them.
    Listed(&'a [PathRecord]),
    /// From switch to switch.
    Adaptive(&'a dyn Selection),
}

/// Setup of a simulation, except for what hosts send.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The network.
    pub topology: &'a Topology,
    /// The figures of switches, links and adapters.
    pub model: &'a Model,
    /// The ways.
    pub routes: Routes<'a>,
    /// The order in which packets are delivered.
    pub delivery: Delivery,
    /// Seed of all random choices.
    pub seed: u64,
}

/// Traffic of a run in open loop.
#[derive(Clone, Copy, Debug)]
pub struct OpenLoopRun<'a> {
    /// Destinations of hosts, with amounts in proportion to each other.
    pub traffic: TrafficView<'a>,
    /// Offered load of the busiest hosts, as a fraction of a link of capacity 1.
    pub load: &'a Rational,
    /// Times at which hosts generate packets.
    pub arrivals: Arrivals,
    /// Length of the run.
    pub cycles: u64,
}

/// A run in which all that was sent has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complete {
    /// Cycles until the last packet was delivered.
    pub cycles: u64,
    /// Packets.
    pub packets: u64,
    /// Flits.
    pub flits: u64,
    /// Packets that came before one of their pair that was sent earlier.
    pub early: u64,
    /// Maximum number of packets in a reorder buffer at a time.
    pub stored: u32,
    /// Cycles that each link was busy.
    pub busy: Vec<u64>,
}

impl Complete {
    /// Fraction of the time until the last packet was delivered in which each link was busy.
    #[must_use]
    pub fn utilisation(&self) -> Vec<f64> {
        let cycles = self.cycles.max(1) as f64;
        self.busy.iter().map(|busy| *busy as f64 / cycles).collect()
    }
}

/// The largest shortfall of a host: what is not delivered, as a fraction of what it generates.
/// `generated` are flits in `cycles` cycles, `sent` those that are delivered per cycle.
fn behind(generated: &[u64], sent: &[f64], cycles: u64) -> f64 {
    let missing = |(generated, sent): (&u64, &f64)| match generated {
        0 => 0.0,
        _ => 1.0 - sent * cycles as f64 / *generated as f64,
    };
    generated.iter().zip(sent).map(missing).fold(0.0, f64::max)
}

impl<'a> Setup<'a> {
    fn way(&self) -> Result<Way<'a>, SimulationError> {
        let hosts = self.topology.hosts();
        Ok(match self.routes {
            Routes::Oblivious(routing, spread) => {
                Way::Fixed(Box::new(Routed::new(routing, hosts, spread, self.seed)))
            }
            Routes::Listed(records) => Way::Fixed(Box::new(OnePath::new(records)?)),
            Routes::Adaptive(select) => {
                Way::Adaptive(Box::new(Adaptive::new(self.topology, select, self.seed)?))
            }
        })
    }

    /// Runs hosts that generate packets for the given number of cycles.
    ///
    /// # Errors
    /// [`SimulationError`], [`SimulationError::Stopped`] too: what was measured before a stop is not a steady
    /// state.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::progress::Progress;
    /// use routebound::rational::Rational;
    /// use routebound::simulation::packet::{Arrivals, Delivery, Model, OpenLoopRun, Routes, Setup, Spread};
    /// use routebound::{routing, topology::generate, traffic};
    /// let topology = generate("kary(4,2)")?;
    /// let routing = routing::build("dmodk", &topology)?;
    /// let model = Model { packet_bytes: 64, ..Model::go() };
    /// let routes = Routes::Oblivious(&*routing, Spread::Random);
    /// let setup =
    ///     Setup { topology: &topology, model: &model, routes, delivery: Delivery::AsTheyCome, seed: 1 };
    /// // Host (a,b) sends to (b,a): with D-mod-k four packets share every link up.
    /// let matrix = traffic::generate("bitrev", 16)?;
    /// let half = Rational::new(1, 2).ok_or("0")?;
    /// let traffic = matrix.demands().into();
    /// let run = OpenLoopRun { traffic, load: &half, arrivals: Arrivals::Bernoulli, cycles: 100_000 };
    /// let found = setup.open_loop(&run, &Progress::silent())?;
    /// assert!(found.accepted.mean < 0.45, "{found:?}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_loop(
        &self,
        run: &OpenLoopRun<'_>,
        progress: &Progress,
    ) -> Result<Steady, SimulationError> {
        let OpenLoopRun { traffic, load, arrivals, cycles } = *run;
        if !(MIN_CYCLES..=MAX_CYCLES).contains(&cycles) {
            let (least, most) = (MIN_CYCLES, MAX_CYCLES);
            return Err(SimulationError::Cycles { cycles, least, most });
        }
        self.model.check()?;
        let fabric = Fabric::of(self.topology)?;
        let hosts = fabric.hosts;
        let mut source =
            OpenLoop::new(traffic, hosts, load, arrivals, cycles / 2, self.model, self.seed)?;
        let shares: f64 = (0..hosts).map(|host| source.share(host_number(host))).sum();
        let offered = load.to_f64() * shares / hosts as f64;
        let measures = Measures::new(Some(cycles), fabric.links(), hosts);
        let mut engine = self.engine(&fabric, &mut source, measures)?;
        for part in 1..=MIN_CYCLES {
            engine.run(cycles * part / MIN_CYCLES, progress)?;
            progress.inc(cycles * part / MIN_CYCLES - cycles * (part - 1) / MIN_CYCLES);
        }
        let mut found = Steady::of(offered, cycles, &engine);
        drop(engine);
        let generated = source.generated(cycles);
        found.growth = behind(&generated, &found.sent, cycles - cycles / 2);
        Ok(found)
    }

    /// The hosts send what `source` has until nothing is left. `progress` is told nothing.
    ///
    /// # Errors
    /// [`SimulationError`]; [`SimulationError::Stuck`] where something never arrives.
    pub fn complete(
        &self,
        source: &mut dyn Source,
        progress: &Progress,
    ) -> Result<Complete, SimulationError> {
        self.model.check()?;
        let fabric = Fabric::of(self.topology)?;
        let measures = Measures::new(None, fabric.links(), fabric.hosts);
        let mut engine = self.engine(&fabric, source, measures)?;
        engine.run(u64::MAX, progress)?;
        engine.check_end()?;
        let part = &engine.measures.parts[0];
        Ok(Complete {
            cycles: engine.measures.last,
            packets: part.counts[1],
            flits: part.flits,
            early: part.early,
            stored: engine.order.most(),
            busy: std::mem::take(&mut engine.measures.busy),
        })
    }

    fn engine<'e>(
        &self,
        fabric: &'e Fabric,
        source: &'e mut dyn Source,
        measures: Measures,
    ) -> Result<Engine<'e>, SimulationError>
    where
        'a: 'e,
    {
        let way = self.way()?;
        let order = Order::new(self.delivery, way.may_differ(), fabric.hosts);
        Engine::new(fabric, self.model, way, source, order, measures)
    }
}
