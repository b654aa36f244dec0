//! REPETITA demand files.

use super::prelude::*;
use super::{check_decimals, decimal};

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "repetita",
    usage: "traffic .. --format repetita",
    about: "REPETITA demands: label, source, destination, amount; nodes are host numbers",
    reference: "https://github.com/svissicchio/Repetita; Gay, Schaus and Vissicchio, 2017",
    examples: &["shift(1)", "bitrev"],
    build: TrafficFormat { write, holds_header: false },
};

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let matrix = replay.matrix;
    check_decimals(matrix, KIND.name)?;
    writeln!(out, "DEMANDS {}\nlabel src dest bw", matrix.len())?;
    for (number, demand) in matrix.demands().iter().enumerate() {
        let amount = decimal(demand, KIND.name)?;
        writeln!(out, "demand_{number} {} {} {amount}", demand.s, demand.d)?;
    }
    Ok(())
}
