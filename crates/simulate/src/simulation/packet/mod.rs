//! Packets on their ways: an event-driven simulator with virtual cut-through (\[GO\] 5, \[RO\] VI.B).
//!
//! # The model
//!
//! Time is counted in cycles, in each of which a link of capacity 1 carries a flit; [`Model`] has all
//! figures. A switch has a queue at every input port and at every output port, for a few packets each,
//! and a full crossbar between them.
//!
//! - The first flit of a packet that leaves a node in cycle t is at the next node in cycle t + 1 + fly, the
//!   last one as many cycles later as a packet has flits, less one.
//! - There its output is known `routing` cycles later. Packets that came before leave the input queue
//!   before it; routes are found meanwhile.
//! - At the head of its queue it asks for its output. An output that has a place for a whole packet, and
//!   that the crossbar does not fill, serves the inputs that ask in turn (round-robin). The first flit
//!   is in the output queue `crossbar` cycles later; the crossbar is busy for as long as the link will be.
//!   A link that is faster than the one by which a packet comes is held for as long as that takes.
//! - A packet is sent over the link when the link is free and there is a credit for a place beyond it. The
//!   credit for a place comes back `fly` cycles after the last flit has left it.
//! - A host takes what arrives as fast as the link brings it. What it sends goes to the output queue of its
//!   adapter at once, which holds as many packets as that of a switch.
//!
//! So one packet of F flits over n idle links of capacity 1 takes (n − 1)·(1 + fly + routing + crossbar)
//! plus fly + F cycles from its first flit on the first link to its last flit at the destination
//! ([`Model::idle_latency`]): with the figures of \[GO\] 30·(n − 1) + 8 + F, where n = 2L for nearest common
//! ancestors of level L. Of two packets that ask for one output in the same cycle, the second waits for the
//! F cycles of the first.
//!
//! Since packets leave queues in order, all times of a transmission are known when the choices before it have
//! been made, and only these choices are events: two per packet and link.
//!
//! # Deadlock
//!
//! Packets that hold places wait for places further on their paths. On trees every path goes up and then
//! down: a packet waits for an up link one level higher, for a down link, or for a host, which always
//! takes it, so that there is no credit loop; this holds for any choice of links up, hence for adaptive
//! routing. Elsewhere the channel dependencies of all paths are searched for a cycle before the run
//! (Dally and Seitz, 1987). A run that gets stuck all the same ends in [`SimulationError::Stuck`].
//!
//! # What is measured
//!
//! All that a simulation says is sampled, with its seed. A run is on one thread and gives the same on every
//! machine; many runs are made at the same time. The [`Ledger`](super::Ledger) is closed at every arrival, and
//! at the end of a complete run all queues are empty and all credits are back.
//!
//! `tests/caminos`, a crate of its own since the simulator of other authors that it compares with has a hundred
//! dependencies, sends the same packets through both (`make test-caminos`).

mod adapter;
mod climb;
mod crossbar;
mod destinations;
mod engine;
mod execution;
mod fabric;
mod measures;
mod model;
mod open_loop;
mod order;
mod packets;
mod paths;
mod phases;
mod ports;
mod replay;
mod run;
mod saturation;
pub mod select;
mod source;
mod steady;
mod transmission;
mod waiting;
mod way;
mod wheel;

pub use crossbar::{ideal, ideal_program};
pub use execution::Execution;
pub use model::{MAX_FLITS, MAX_LATENCY, MAX_QUEUE, Model};
pub use open_loop::Arrivals;
pub use order::Delivery;
pub use packets::Outgoing;
pub use paths::Spread;
pub use phases::{Phase, messages, program};
pub use replay::{MAX_PACKETS, Replay};
pub use run::{Complete, MAX_CYCLES, OpenLoopRun, Routes, Setup};
pub use saturation::{Saturation, Search, TOLERANCE, cycles_for};
pub use source::{Offer, Source};
pub use steady::{Estimate, Latency, Steady};

use super::Imbalance;
use crate::prelude::*;
use crate::traffic::TrafficError;

/// Why packets are not simulated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SimulationError {
    #[error("a {what} of {found} {unit}: expected {least} to {most}")]
    BadModel { what: &'static str, found: u32, least: u32, most: u32, unit: &'static str },
    #[error("a cycle of 0 ns: expected more")]
    NoCycle,
    #[error(
        "an offered load of {load}: expected more than 0 and at most 1, as a fraction of a host link"
    )]
    Load { load: Rational },
    #[error("a run of {cycles} cycles: expected {least} to {most}")]
    Cycles { cycles: u64, least: u64, most: u64 },
    #[error("link {link} has capacity {capacity}: numerator and denominator must be below 2^32")]
    Capacity { link: String, capacity: Rational },
    #[error(
        "`{topology}` is not a labelled tree: `{routing}` chooses among links up, and needs one such as kary(4,3)"
    )]
    NoLabels { topology: String, routing: String },
    /// A pair with more than one path where one is needed.
    #[error("host {s} has two paths to host {d}: give one for each pair")]
    TwoPaths { s: Host, d: Host },
    #[error("a packet for host {destination} cannot continue from node {node}")]
    NoWay { node: NodeId, destination: Host },
    #[error("deadlock: {waiting} packets have been waiting for each other since cycle {cycle}")]
    Stuck { waiting: u64, cycle: u64 },
    /// A packet is not where it is said to be.
    #[error("internal error: a packet was lost; please report it")]
    Lost,
    #[error(transparent)]
    Imbalance(#[from] Imbalance),
    #[error(transparent)]
    Traffic(#[from] TrafficError),
    #[error(transparent)]
    Topology(#[from] crate::topology::TopologyError),
    #[error(transparent)]
    Routing(#[from] crate::routing::RoutingError),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

#[cfg(test)]
mod tests;
