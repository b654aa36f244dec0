//! Phases: every host sends its messages of a traffic matrix, and then those of the next one.

use super::SimulationError;
use super::crossbar::ideal;
use super::replay::Replay;
use super::run::{Complete, Setup};
use crate::prelude::*;
use crate::simulation::workload::{
    Message, Operation, Program, ProgramError, Rank, Trace, TraceError,
};
use crate::traffic::Demand;

/// The messages of some traffic, of `bytes` for every unit of a demand, rounded up; all are there at time 0.
///
/// # Errors
/// [`TraceError`] for too many messages, or too long ones.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::packet::messages;
/// let demands = routebound::traffic::generate("cg(128,phase=5)", 128)?.into_demands();
/// let trace = messages(&demands, 128, 750 * 1024)?;
/// assert_eq!((trace.len(), trace.bytes()), (112, 112 * 768_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn messages(demands: &[Demand], hosts: usize, bytes: u64) -> Result<Trace, TraceError> {
    let mut trace = Trace::empty(hosts);
    for message in demands.iter().filter_map(|demand| message(demand, bytes)) {
        trace.push(0, message)?;
    }
    Ok(trace)
}

fn message(Demand { s, d, amount }: &Demand, bytes: u64) -> Option<Message> {
    let bytes = amount * &Rational::from(bytes);
    let whole = bytes.floor();
    let up = u64::from(Rational::from_big(whole.clone(), 1_u8.into()) != Some(bytes));
    let bytes = u64::try_from(whole).unwrap_or(u64::MAX).saturating_add(up);
    (bytes > 0).then_some(Message { s: *s, d: *d, bytes })
}

/// The phases as a program: a host begins a phase when it has sent and received everything of the one before.
///
/// # Errors
/// [`ProgramError`] for too many messages, or too long ones.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::packet::program;
/// let phase = |i| routebound::traffic::generate(&format!("cg(128,phase={i})"), 128);
/// let phases = [phase(1)?.into_demands(), phase(5)?.into_demands()];
/// let program = program(&phases, 128, 750 * 1024)?;
/// assert_eq!(program.messages(), 128 + 112);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn program(phases: &[Vec<Demand>], hosts: usize, bytes: u64) -> Result<Program, ProgramError> {
    let mut ranks = vec![Rank::default(); hosts];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); hosts];
    for (tag, demands) in (0..).zip(phases) {
        let mut own: Vec<Vec<u32>> = vec![Vec::new(); hosts];
        let mut add = |host: Host, operation| {
            let at = host as usize;
            let number = ranks[at].push(operation, before[at].clone());
            own[at].push(number);
        };
        for Message { s, d, bytes } in demands.iter().filter_map(|demand| message(demand, bytes)) {
            add(s, Operation::Send { to: d, bytes, tag });
            add(d, Operation::Receive { from: s, bytes, tag });
        }
        // A host without messages in this phase continues with what it waited for.
        for (before, own) in before.iter_mut().zip(own) {
            if !own.is_empty() {
                *before = own;
            }
        }
    }
    Program::new(ranks)
}

/// Time that messages take, and that they would take in an ideal crossbar.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The run on the network.
    pub found: Complete,
    /// Between the same adapters, in the ideal crossbar.
    pub ideal: Complete,
}

impl Phase {
    /// Time on the network over that in the crossbar; 1 where nothing is sent.
    #[must_use]
    pub fn slowdown(&self) -> f64 {
        let Self { found, ideal } = self;
        if ideal.cycles == 0 { 1.0 } else { found.cycles as f64 / ideal.cycles as f64 }
    }
}

impl Setup<'_> {
    /// Replays a trace on the network and, for comparison, in the ideal crossbar: one switch with all hosts
    /// in which packets wait for nothing but the links of hosts (\[RO\] VI.B: "Full-Crossbar").
    ///
    /// # Errors
    /// [`SimulationError`].
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::progress::Progress;
    /// use routebound::simulation::packet::{Delivery, Model, Routes, Setup, Spread, messages};
    /// use routebound::{routing, topology::generate, traffic};
    /// // The fifth exchange of CG: eight sources of every switch take the same port, one of them
    /// // to the switch itself.
    /// let topology = generate("xgft(2;16,16;1,16)")?;
    /// let routing = routing::build("dmodk", &topology)?;
    /// let model = Model::ro();
    /// let routes = Routes::Oblivious(&*routing, Spread::Random);
    /// let setup =
    ///     Setup { topology: &topology, model: &model, routes, delivery: Delivery::AsTheyCome, seed: 1 };
    /// let demands = traffic::generate("cg(128,phase=5)", 256)?.into_demands();
    /// let phase = setup.phase(&messages(&demands, 256, 100 * 1024)?, &Progress::silent())?;
    /// assert!((6.9..7.1).contains(&phase.slowdown()), "{}", phase.slowdown());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn phase(&self, trace: &Trace, progress: &Progress) -> Result<Phase, SimulationError> {
        let mut source = Replay::new(trace, self.model)?;
        let found = self.complete(&mut source, progress)?;
        let ideal = ideal(trace, self.model, progress)?;
        Ok(Phase { found, ideal })
    }
}
