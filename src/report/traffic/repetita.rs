//! Demand files of REPETITA.

use std::io::Write;

use super::{WriteError, WriteTraffic, check_decimals, decimal};
use crate::registry::Kind;
use crate::traffic::TrafficMatrix;

pub(super) const KIND: Kind<WriteTraffic> = Kind {
    name: "repetita",
    usage: "traffic .. --format repetita",
    about: "REPETITA demands: label, source, destination, amount; nodes are host numbers",
    reference: "https://github.com/svissicchio/Repetita; Gay, Schaus and Vissicchio, 2017",
    examples: &["shift(1)", "bitrev"],
    build: write,
};

fn write(matrix: &TrafficMatrix, out: &mut dyn Write) -> Result<(), WriteError> {
    check_decimals(matrix, KIND.name)?;
    writeln!(out, "DEMANDS {}\nlabel src dest bw", matrix.len())?;
    for (number, demand) in matrix.demands().iter().enumerate() {
        let amount = decimal(demand, KIND.name)?;
        writeln!(out, "demand_{number} {} {} {amount}", demand.s, demand.d)?;
    }
    Ok(())
}
