//! Phases, traces and programs: until everything has arrived.

use anyhow::Result;
use rayon::prelude::*;

use super::open_loop::{kept, quiet};
use super::ways::Ways;
use super::{Sim, hosts, traffic};
use crate::cli::{Context, Outcome};
use crate::progress::Progress;
use crate::report::{CompleteReport, Found, SimulationReport};
use crate::simulation::packet::{
    Execution, Model, Replay, Setup, SimulationError, ideal, ideal_program, messages, program,
};
use crate::simulation::workload::{self, Program, Trace, Workload};
use crate::traffic::Demand;

/// Messages of one or more phases.
pub(super) fn phases(sim: &Sim, bytes: u64, model: &Model, context: &Context) -> Result<Outcome> {
    let all: Vec<&str> =
        std::iter::once(&sim.traffic).chain(&sim.then).map(String::as_str).collect();
    let ways = Ways::open(sim, &all, context)?;
    let texts = std::iter::once(&sim.traffic).chain(&sim.then);
    let open = |text: &String| traffic(text, ways.topology(), context);
    let all = texts.map(open).collect::<Result<Vec<_>>>()?;
    let names: Vec<String> = all.iter().map(|traffic| traffic.spec.clone()).collect();
    let notes = all.iter().flat_map(|traffic| traffic.notes.clone()).collect();
    let lists = all.into_iter().map(|traffic| Ok(traffic.demands.into_matrix()?.into_demands()));
    let lists = lists.collect::<Result<Vec<Vec<Demand>>>>()?;
    let count = ways.topology().hosts();
    let work: Vec<(String, Work)> = if sim.barrier || lists.len() == 1 {
        let each = names.iter().zip(&lists);
        each.map(|(name, demands)| {
            Ok((name.clone(), Work::Trace(messages(demands, count, bytes)?)))
        })
        .collect::<Result<_>>()?
    } else {
        vec![(names.join(", then "), Work::Program(program(&lists, count, bytes)?))]
    };
    run(sim, &ways, Sent { name: names.join(", "), notes, work }, model, context)
}

/// A trace or a program.
pub(super) fn workload(sim: &Sim, model: &Model, context: &Context) -> Result<Outcome> {
    let ways = Ways::open(sim, &[], context)?;
    let (hosts, text) = hosts(&sim.traffic, ways.topology());
    let seeded = context.seeded(text, workload::traces::TRACES);
    let read = || Ok(workload::open(&seeded, hosts)?);
    let (found, name) = context.reading(text, read)?;
    let work = match (found, &sim.compress) {
        (Workload::Trace(trace), None) => Work::Trace(trace),
        (Workload::Trace(trace), Some(factor)) => Work::Trace(trace.compressed(factor)?),
        (Workload::Program(program), None) => Work::Program(program),
        (Workload::Program(_), Some(_)) => {
            anyhow::bail!(
                "`--compress` is for traces: the only times in a program are those of computations"
            )
        }
    };
    let sent = Sent { name: name.clone(), notes: Vec::new(), work: vec![(name, work)] };
    run(sim, &ways, sent, model, context)
}

/// Everything that is sent, with the name and notes of the traffic.
struct Sent {
    name: String,
    notes: Vec<String>,
    /// Each phase or program, with its name.
    work: Vec<(String, Work)>,
}

/// A phase or a program.
enum Work {
    Trace(Trace),
    Program(Program),
}

impl Work {
    fn complete(
        &self,
        setup: &Setup<'_>,
        progress: &Progress,
    ) -> Result<(crate::simulation::packet::Complete, u64), SimulationError> {
        match self {
            Self::Trace(trace) => {
                let mut source = Replay::new(trace, setup.model)?;
                let found = setup.complete(&mut source, progress)?;
                let cycles = found.cycles;
                Ok((found, cycles))
            }
            Self::Program(program) => {
                let hosts = setup.topology.hosts();
                let mut source = Execution::new(program, hosts, setup.model)?;
                let found = setup.complete(&mut source, progress)?;
                let cycles = found.cycles.max(source.end());
                Ok((found, cycles))
            }
        }
    }

    /// Cycles in the ideal crossbar.
    fn ideal(&self, model: &Model, progress: &Progress) -> Result<u64, SimulationError> {
        match self {
            Self::Trace(trace) => Ok(ideal(trace, model, progress)?.cycles),
            Self::Program(program) => Ok(ideal_program(program, model, progress)?.1),
        }
    }
}

fn run(sim: &Sim, ways: &Ways, sent: Sent, model: &Model, context: &Context) -> Result<Outcome> {
    let Sent { name, notes, work } = sent;
    let seeds = sim.seeds(context);
    let progress = context.progress((work.len() * (seeds.len() + 1)) as u64, "runs");
    let ideals = work.par_iter().map(|(_, work)| {
        let found = work.ideal(model, &quiet(&progress));
        progress.inc(1);
        found
    });
    let ideals = ideals.collect::<Result<Vec<_>, _>>()?;
    let each: Vec<_> = work.iter().zip(&ideals).collect();
    let runs: Vec<_> =
        each.iter().flat_map(|one| seeds.iter().map(move |seed| (*one, *seed))).collect();
    let simulate = |(((name, work), ideal), seed): &((&(String, Work), &u64), u64)| {
        let setup = sim.setup(ways, model, *seed);
        let (found, cycles) = work.complete(&setup, &quiet(&progress))?;
        progress.inc(1);
        let report = CompleteReport::new(name, *seed, &found, cycles, **ideal, model);
        let utilisation = if sim.save_links.is_some() { found.utilisation() } else { Vec::new() };
        Ok(CompleteReport { utilisation, ..report })
    };
    let found: Vec<Result<_, SimulationError>> = runs.par_iter().map(simulate).collect();
    drop(progress);
    let (found, complete) = kept(found)?;
    let facts = sim.facts(ways, name, notes, model, seeds[0]);
    let found = Found::Completions(found);
    sim.print(ways, &SimulationReport { facts, found, complete }, context)
}
