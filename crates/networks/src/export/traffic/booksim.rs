//! Packet traces of BookSim 2.
//!
//! `workload = trace({FILE},{SIZE})` reads four numbers per packet: cycles since the previous
//! packet, source, destination, type (`TraceWorkload` in `src/workload.cpp` of BookSim 2). All
//! packets are of type 0 here, so SIZE is their length in flits. A unit of demand is a packet; the
//! k-th packet of every demand comes in cycle k. Nothing follows the last number, not even a line
//! end: the reader notices the end of the file only once a read has hit it.

use super::integers;
use super::prelude::*;
use crate::limit::within;

/// Maximum number of packets in a trace.
const MAX_PACKETS: u64 = 1 << 22;

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "booksim",
    usage: "traffic .. --format booksim",
    about: "packet trace of BookSim 2, workload = trace({FILE},{SIZE}): delay, source, destination, \
            type 0; packet counts are the least integers in the proportions of the demands",
    reference: "https://github.com/booksim/booksim2, src/workload.cpp",
    examples: &["shift(1)", "bitrev"],
    build: TrafficFormat { write, holds_header: false },
};

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let demands = replay.matrix.demands();
    let amounts = integers(demands);
    let total = amounts.as_ref().map(|all| all.iter().map(|amount| u128::from(*amount)).sum());
    within("number of packets", total, MAX_PACKETS, "use format pairs, or rounder demands")?;
    let amounts = amounts.unwrap_or_default();
    let mut line_end = "";
    let mut last = 0;
    for cycle in 0..amounts.iter().copied().max().unwrap_or(0) {
        let active = demands.iter().zip(&amounts).filter(|(_, amount)| **amount > cycle);
        for (demand, _) in active {
            let delay = cycle - std::mem::replace(&mut last, cycle);
            write!(out, "{line_end}{delay} {} {} 0", demand.s, demand.d)?;
            line_end = "\n";
        }
    }
    Ok(())
}
