//! The ideal crossbar: one switch with all hosts in which packets wait for nothing but the links of hosts
//! (\[RO\] VI.B: "Full-Crossbar").

use super::execution::Execution;
use super::model::Model;
use super::replay::Replay;
use super::run::{Complete, Setup};
use super::{Delivery, MAX_QUEUE, Routes, SimulationError, Spread};
use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::simulation::workload::{Operation, Program, Trace};
use crate::topology::generate;

/// Replays a trace in the ideal crossbar.
///
/// # Errors
/// [`SimulationError`]; [`SimulationError::TooLarge`] where a host receives too many packets.
pub fn ideal(
    trace: &Trace,
    model: &Model,
    progress: &Progress,
) -> Result<Complete, SimulationError> {
    let mut received = vec![0_u64; trace.hosts()];
    for (_, message) in trace.messages() {
        received[message.d as usize] += packets(message.bytes, model);
    }
    crossbar(&received, model, |setup| {
        setup.complete(&mut Replay::new(trace, setup.model)?, progress)
    })
}

/// Executes a program in the ideal crossbar; with the cycle in which its last operation ends, which may be
/// a computation.
///
/// # Errors
/// [`SimulationError`]; [`SimulationError::TooLarge`] where a host receives too many packets.
///
/// ```
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
    let mut received = vec![0_u64; program.ranks().len()];
    for operation in program.ranks().iter().flat_map(|rank| &rank.operations) {
        if let Operation::Send { to, bytes, .. } = operation {
            received[*to as usize] += packets(*bytes, model);
        }
    }
    crossbar(&received, model, |setup| {
        let mut source = Execution::new(program, received.len(), setup.model)?;
        let found = setup.complete(&mut source, progress)?;
        let end = found.cycles.max(source.end());
        Ok((found, end))
    })
}

/// Packets of a message.
fn packets(bytes: u64, model: &Model) -> u64 {
    bytes.div_ceil(model.packet_bytes.into())
}

/// What `run` finds in the crossbar of as many hosts as `received` has, where a queue holds as many packets as
/// one host receives.
fn crossbar<T>(
    received: &[u64],
    model: &Model,
    run: impl FnOnce(&Setup<'_>) -> Result<T, SimulationError>,
) -> Result<T, SimulationError> {
    let most = received.iter().copied().max().unwrap_or(0).max(1);
    let queue = u32::try_from(most).ok().filter(|most| *most <= MAX_QUEUE).ok_or_else(|| {
        SimulationError::TooLarge(TooLarge {
            what: "number of packets for one host".into(),
            size: most.to_string(),
            limit: MAX_QUEUE.into(),
            remedy: "send fewer bytes or take larger packets",
        })
    })?;
    let model = model.ideal(queue);
    let topology = generate(&format!("xgft(1;{};1)", received.len().max(1)))?;
    let routing = crate::routing::build("dmodk", &topology)?;
    let routes = Routes::Oblivious(&*routing, Spread::Random);
    let delivery = Delivery::AsTheyCome;
    run(&Setup { topology: &topology, model: &model, routes, delivery, seed: 0 })
}
