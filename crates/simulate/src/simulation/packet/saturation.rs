//! Saturation: the maximum offered load that every host can keep up.

use super::SimulationError;
use super::open_loop::Arrivals;
use super::run::{MAX_CYCLES, OpenLoopRun, Setup};
use super::steady::Steady;
use crate::integer::rounded;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::traffic::TrafficView;

/// A host keeps up if less than this part of what it generates is missing among what arrives.
pub const TOLERANCE: f64 = 0.01;

/// Limits of a search for the saturation.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Arrival process of packets.
    pub arrivals: Arrivals,
    /// Packets that the hosts that send the most generate in a run.
    pub packets: u64,
    /// Number of times that the interval of loads is halved.
    pub steps: u32,
}

impl Default for Search {
    /// 500 packets at equal distances, and an interval of 1/256.
    fn default() -> Self {
        Self { arrivals: Arrivals::Periodic, packets: 500, steps: 8 }
    }
}

/// The saturation of a network.
#[derive(Clone, Debug)]
pub struct Saturation {
    /// A load that all hosts kept up; 0 if none did.
    pub sustained: Rational,
    /// A load that some host did not, unless all kept up load 1.
    pub exceeded: Option<Rational>,
    /// The run with load 1.
    pub at_full_load: Steady,
    /// Cycles simulated.
    pub cycles: u64,
    /// Whether it was stopped before the interval was as small as asked for.
    pub stopped: bool,
}

/// Number of cycles in which hosts with `load` generate `packets` packets of `flits` flits.
///
/// # Errors
/// [`SimulationError::Cycles`] for more than [`MAX_CYCLES`]; [`SimulationError::Load`] for load 0.
pub fn cycles_for(packets: u64, load: &Rational, flits: u32) -> Result<u64, SimulationError> {
    if load.is_zero() {
        return Err(SimulationError::Load { load: load.clone() });
    }
    let cycles = rounded(packets as f64 * f64::from(flits) / load.to_f64());
    let least = 1;
    if (least..=MAX_CYCLES).contains(&cycles) {
        return Ok(cycles.max(super::run::MIN_CYCLES));
    }
    Err(SimulationError::Cycles { cycles, least, most: MAX_CYCLES })
}

impl Setup<'_> {
    /// The maximum offered load, as a fraction of a link of capacity 1, at which no host falls behind with
    /// its packets, by bisection: a run at load 1, then one for every step. Where all hosts send at the same
    /// rate by one path each, it is 1 over the max load of the traffic: the hosts that share the link with
    /// the max load fall behind above that. Where queues are short it may be less, by some percent: a packet at
    /// the head of an input queue holds up those behind it that go elsewhere. `progress` advances by one per run.
    /// A stop after the first run yields the interval known by then.
    ///
    /// # Errors
    /// [`SimulationError`]; [`SimulationError::Stopped`] for a stop in the first run.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::progress::Progress;
    /// use routebound::simulation::packet::{Delivery, Model, Routes, Search, Setup, Spread};
    /// use routebound::{routing, topology::generate, traffic};
    /// let topology = generate("kary(4,2)")?;
    /// let routing = routing::build("dmodk", &topology)?;
    /// let model = Model { packet_bytes: 64, ..Model::go() };
    /// let routes = Routes::Oblivious(&*routing, Spread::Random);
    /// let setup =
    ///     Setup { topology: &topology, model: &model, routes, delivery: Delivery::AsTheyCome, seed: 1 };
    /// // Host (a,b) sends to (b,a): three of four pairs of a switch share a link, but none with itself.
    /// let matrix = traffic::generate("bitrev", 16)?;
    /// let search = Search { steps: 5, ..Search::default() };
    /// let found = setup.saturation(matrix.demands().into(), search, &Progress::silent())?;
    /// assert!((0.24..0.35).contains(&found.sustained.to_f64()), "{found:?}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn saturation(
        &self,
        traffic: TrafficView<'_>,
        search: Search,
        progress: &Progress,
    ) -> Result<Saturation, SimulationError> {
        let quiet = progress.part(1.0);
        let run = |load: &Rational| {
            let cycles = cycles_for(search.packets, load, self.model.packet_flits())?;
            let run = OpenLoopRun { traffic, load, arrivals: search.arrivals, cycles };
            let found = self.open_loop(&run, &quiet)?;
            progress.inc(1);
            Ok::<_, SimulationError>(found)
        };
        let at_full_load = run(&Rational::ONE)?;
        let (mut cycles, mut stopped) = (at_full_load.cycles, false);
        if at_full_load.growth < TOLERANCE {
            let (sustained, exceeded) = (Rational::ONE, None);
            return Ok(Saturation { sustained, exceeded, at_full_load, cycles, stopped });
        }
        let (mut low, mut high, mut parts) = (0, 1_u64, 1_u64);
        let of = |number, parts| Rational::new(number, parts).unwrap_or(Rational::ONE);
        for _ in 0..search.steps.min(32) {
            let middle = 2 * low + 1;
            let found = match run(&of(middle, 2 * parts)) {
                Err(SimulationError::Stopped(_)) => {
                    stopped = true;
                    break;
                }
                found => found?,
            };
            cycles += found.cycles;
            parts *= 2;
            (low, high) =
                if found.growth < TOLERANCE { (middle, 2 * high) } else { (2 * low, middle) };
        }
        let (sustained, exceeded) = (of(low, parts), Some(of(high, parts)));
        Ok(Saturation { sustained, exceeded, at_full_load, cycles, stopped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;
    use crate::routing;
    use crate::simulation::packet::{Delivery, Model, Routes, Spread};
    use crate::topology::generate;
    use crate::traffic;

    /// The interval of a search that is stopped after a number of runs is the one that it had then.
    #[test]
    fn a_stop_leaves_the_interval_known_by_then() {
        let topology = generate("kary(4,2)").unwrap();
        let routing = routing::build("dmodk", &topology).unwrap();
        let model = Model { packet_bytes: 64, input_queue: 8, output_queue: 8, ..Model::go() };
        let routes = Routes::Oblivious(&*routing, Spread::Random);
        let (topology, model, delivery) = (&topology, &model, Delivery::AsTheyCome);
        let setup = Setup { topology, model, routes, delivery, seed: 1 };
        let matrix = traffic::generate("bitrev", 16).unwrap();
        let find = |runs: u64| {
            let stop = Stop::default();
            let asked = stop.clone();
            let watcher = move |done| {
                if done == runs {
                    asked.request();
                }
            };
            let progress = Progress::silent().stopped_by(stop).watched_by(watcher);
            setup.saturation(matrix.demands().into(), Search::default(), &progress)
        };
        let whole = find(u64::MAX).unwrap();
        let exceeded = |found: &Saturation| found.exceeded.clone().unwrap();
        let width = |found: &Saturation| exceeded(found).to_f64() - found.sustained.to_f64();
        assert!(!whole.stopped && (width(&whole) - 1.0 / 256.0).abs() < 1e-12, "{whole:?}");
        for runs in 1..9_u64 {
            let found = find(runs).unwrap();
            assert!(found.stopped);
            let wanted = 1.0 / f64::from(1_u32 << (runs - 1));
            assert!((width(&found) - wanted).abs() < 1e-12, "{found:?}");
            assert!(found.sustained <= whole.sustained && exceeded(&whole) <= exceeded(&found));
        }
    }
}
