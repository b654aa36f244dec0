//! The ideal crossbar: one switch with all hosts in which packets wait for nothing but the links of hosts
//! (\[RO\] VI.B: "Full-Crossbar").

use super::execution::Execution;
use super::model::Model;
use super::replay::Replay;
use super::run::{Complete, Setup};
use super::{Delivery, Routes, SimulationError, Spread};
use crate::progress::Progress;
use crate::simulation::workload::{Program, Trace};
use crate::topology::generate;

/// Replays a trace in the ideal crossbar.
///
/// # Errors
/// [`SimulationError`].
pub fn ideal(
    trace: &Trace,
    model: &Model,
    progress: &Progress,
) -> Result<Complete, SimulationError> {
    crossbar(trace.hosts(), model, |setup| {
        setup.complete(&mut Replay::new(trace, setup.model)?, progress)
    })
}

/// Executes a program in the ideal crossbar; with the cycle in which its last operation ends, which may be
/// a computation.
///
/// # Errors
/// [`SimulationError`].
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::progress::Progress;
/// use routebound::simulation::packet::{Model, ideal_program, program};
/// // Two phases in which host i sends a packet to host i + 1.
/// let shift = routebound::traffic::generate("shift(1)", 4)?.into_demands();
/// let program = program(&[shift.clone(), shift], 4, 1024)?;
/// let model = Model { packet_bytes: 1024, ..Model::go() };
/// let (_, end) = ideal_program(&program, &model, &Progress::silent())?;
/// // The second packet of a host leaves when it has received its first.
/// assert_eq!(end, 2 * model.idle_latency(2, 1024));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ideal_program(
    program: &Program,
    model: &Model,
    progress: &Progress,
) -> Result<(Complete, u64), SimulationError> {
    let hosts = program.ranks().len();
    crossbar(hosts, model, |setup| {
        let mut source = Execution::new(program, hosts, setup.model)?;
        let found = setup.complete(&mut source, progress)?;
        let end = found.cycles.max(source.end());
        Ok((found, end))
    })
}

/// The result of `run` in the crossbar of `hosts` hosts.
fn crossbar<T>(
    hosts: usize,
    model: &Model,
    run: impl FnOnce(&Setup<'_>) -> Result<T, SimulationError>,
) -> Result<T, SimulationError> {
    let model = model.ideal();
    let topology = generate(&format!("xgft(1;{};1)", hosts.max(1)))?;
    let routing = crate::routing::build("dmodk", &topology)?;
    let routes = Routes::Oblivious(&*routing, Spread::Random);
    let delivery = Delivery::AsTheyCome;
    run(&Setup { topology: &topology, model: &model, routes, delivery, seed: 0 })
}
