//! Connection matrices of the simulator htsim, `.cm`, in the proportions of the demands.

use super::integers;
use super::prelude::*;

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "connections",
    usage: "traffic .. --format connections",
    about: "connection matrix of htsim (.cm): all start at 0, sizes in the proportions of the demands, units of 2 MB",
    reference: "https://github.com/Broadcom/csg-htsim, ConnectionMatrix::load",
    examples: &["shift(1)", "uniform"],
    build: TrafficFormat { write, holds_header: true },
};

/// Bytes of the unit of sizes: the size in htsim's own examples.
const UNIT: u64 = 2_000_000;
/// The largest size that htsim reads.
const MAX_BYTES: u64 = (1 << 31) - 1;

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let demands = replay.matrix.demands();
    let wants = "holds sizes up to 2147483647 bytes, here up to 1073 units";
    let refused = |found| WriteError::DoesNotFit { format: KIND.name, wants, found };
    let sizes = integers(demands)
        .ok_or_else(|| refused("the proportions of the demands need larger numbers".into()))?;
    if let Some((size, demand)) =
        sizes.iter().zip(demands).find(|(size, _)| **size > MAX_BYTES / UNIT)
    {
        return Err(refused(format!("host {} sends {size} units to host {}", demand.s, demand.d)));
    }
    writeln!(out, "Nodes {}\nConnections {}", replay.matrix.hosts(), demands.len())?;
    replay.comment("#", out)?;
    for ((number, demand), size) in (1_u64..).zip(demands).zip(sizes) {
        writeln!(out, "{}->{} id {number} start 0 size {}", demand.s, demand.d, size * UNIT)?;
    }
    Ok(())
}
