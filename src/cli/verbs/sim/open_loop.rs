//! Hosts that generate packets at a rate: runs at given loads, and the search for the saturation.

use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};
use rayon::prelude::*;

use super::ways::Ways;
use super::{Sim, traffic};
use crate::cli::{Context, Outcome, Traffic};
use crate::integer::as_size;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::report::{Found, SaturationReport, SimulationReport, SteadyReport};
use crate::shards::{Found as Unit, Work};
use crate::simulation::packet::{
    Arrivals, Model, OpenLoopRun, Search, SimulationError, cycles_for,
};
use crate::topology::link_number;

/// Runs that several processes may share.
struct Runs<'r> {
    sim: &'r Sim,
    ways: &'r Ways,
    traffic: &'r Traffic,
    model: &'r Model,
    /// Load, seed and cycles of each.
    all: Vec<(Rational, u64, u64)>,
    progress: Progress,
    /// The first error but a stop.
    failure: Mutex<Option<SimulationError>>,
}

impl Runs<'_> {
    fn simulate(&self, run: u64) -> Result<SteadyReport, SimulationError> {
        let (load, seed, cycles) = &self.all[as_size(run)];
        let run = OpenLoopRun {
            traffic: self.traffic.demands.view(),
            load,
            arrivals: self.sim.arrivals.unwrap_or(Arrivals::Bernoulli),
            cycles: *cycles,
        };
        let name = |link: usize| self.ways.topology().link_name(link_number(link));
        let setup = self.sim.setup(self.ways, self.model, *seed);
        let found = setup.open_loop(&run, &self.progress)?;
        let report = SteadyReport::new(load, *seed, &found, &name);
        let utilisation = if self.sim.save_links.is_some() { found.busy } else { Vec::new() };
        Ok(SteadyReport { utilisation, ..report })
    }
}

impl Work for Runs<'_> {
    type Result = SteadyReport;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), run: u64) -> Unit<SteadyReport> {
        match self.simulate(run) {
            Ok(found) => Unit::Final(found),
            Err(SimulationError::Stopped(_)) => Unit::Stopped,
            Err(error) => {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
                Unit::Stopped
            }
        }
    }

    fn fits(&self, run: u64, found: &SteadyReport) -> bool {
        let (load, seed, cycles) = &self.all[as_size(run)];
        (found.load, found.seed, found.cycles) == (load.to_nearest_f64(), *seed, *cycles)
    }
}

/// Runs at all loads with all seeds.
pub(super) fn loads(sim: &Sim, model: &Model, context: &Context) -> Result<Outcome> {
    let ways = Ways::open(sim, &[&sim.traffic], context)?;
    let traffic = traffic(&sim.traffic, ways.topology(), context)?;
    context.inputs_are_read()?;
    let seeds = sim.seeds(context);
    let runs = sim.load.iter().flat_map(|load| seeds.iter().map(move |seed| (load, *seed)));
    let runs = runs.map(|(load, seed)| {
        let cycles = match sim.cycles {
            Some(cycles) => cycles,
            None => cycles_for(sim.packets, load, model.packet_flits())?,
        };
        Ok((load.clone(), seed, cycles))
    });
    let runs = runs.collect::<Result<Vec<_>, SimulationError>>()?;
    let progress = context.progress(runs.iter().map(|(.., cycles)| cycles).sum(), "cycles");
    let count = runs.len() as u64;
    let failure = Mutex::new(None);
    let work = Runs { sim, ways: &ways, traffic: &traffic, model, all: runs, progress, failure };
    let found = context.units().each("runs", 0..count, &work);
    let Runs { failure, progress, .. } = work;
    drop(progress);
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error.into());
    }
    if let Some(part) = context.units().part() {
        return context.end_part(part);
    }
    context.units().check()?;
    let all = found.len();
    let found: Vec<SteadyReport> = found.into_iter().flatten().collect();
    if found.is_empty() {
        return Err(crate::progress::Stopped.into());
    }
    let complete = found.len() == all;
    let facts = sim.facts(&ways, traffic.spec.clone(), traffic.notes.clone(), model, seeds[0]);
    let found = Found::OpenLoop(found);
    sim.print(&ways, &SimulationReport { facts, found, complete }, context)
}

/// Searches with all seeds.
pub(super) fn saturation(sim: &Sim, model: &Model, context: &Context) -> Result<Outcome> {
    if sim.cycles.is_some() {
        bail!("`--cycles` does not apply to `--saturation`: use `--packets`");
    }
    let ways = Ways::open(sim, &[&sim.traffic], context)?;
    let traffic = traffic(&sim.traffic, ways.topology(), context)?;
    let max_load = ways.max_load(&traffic, &context.progress(traffic.size(), "demands"))?;
    let seeds = sim.seeds(context);
    let search = Search {
        arrivals: sim.arrivals.unwrap_or(Arrivals::Periodic),
        packets: sim.packets,
        ..Search::default()
    };
    let progress = context.progress(seeds.len() as u64 * u64::from(search.steps + 1), "runs");
    let find = |seed: &u64| {
        let setup = sim.setup(&ways, model, *seed);
        let found = setup.saturation(traffic.demands.view(), search, &progress)?;
        Ok(SaturationReport::new(*seed, &found, max_load.clone()))
    };
    let found: Vec<Result<_, SimulationError>> = seeds.par_iter().map(find).collect();
    drop(progress);
    let (found, complete) = kept(found)?;
    let complete = complete && !found.iter().any(|one| one.stopped);
    let facts = sim.facts(&ways, traffic.spec, traffic.notes, model, seeds[0]);
    let found = Found::Saturation(found);
    sim.print(&ways, &SimulationReport { facts, found, complete }, context)
}

/// The results finished before a stop, and whether there was none; the error of the stop if there are no results.
pub(super) fn kept<T>(found: Vec<Result<T, SimulationError>>) -> Result<(Vec<T>, bool)> {
    let (mut kept, mut stopped) = (Vec::new(), None);
    for one in found {
        match one {
            Ok(one) => kept.push(one),
            Err(SimulationError::Stopped(error)) => stopped = Some(error),
            Err(error) => return Err(error.into()),
        }
    }
    match stopped {
        Some(stopped) if kept.is_empty() => Err(stopped.into()),
        stopped => Ok((kept, stopped.is_none())),
    }
}

/// Progress for work that counts nothing.
pub(super) fn quiet(progress: &Progress) -> Progress {
    progress.part(1.0)
}
