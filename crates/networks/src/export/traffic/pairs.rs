//! A plain list of SD pairs.

use super::exact;
use super::prelude::*;
use crate::rational::Rational;

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "pairs",
    usage: "traffic .. --format pairs",
    about: "one SD pair per line, `source destination`, with its demand unless all are 1; comments \
            after #, the first of which gives the number of pairs",
    reference: "pair lists of scripts and simulators",
    examples: &["shift(1)", "bitrev", "hotspot-percent"],
    build: TrafficFormat { write, holds_header: true },
};

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let demands = replay.matrix.demands();
    let plain = demands.iter().all(|demand| demand.amount == Rational::ONE);
    let columns = if plain { "source destination" } else { "source destination demand" };
    writeln!(out, "# {} pairs: {columns}", demands.len())?;
    replay.comment("#", out)?;
    for demand in demands {
        write!(out, "{} {}", demand.s, demand.d)?;
        let amount = if plain { String::new() } else { format!(" {}", exact(&demand.amount)) };
        writeln!(out, "{amount}")?;
    }
    Ok(())
}
