//! Matrix Market, coordinate form.

use super::prelude::*;
use super::{check_decimals, decimal};

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "mtx",
    usage: "traffic .. --format mtx",
    about: "Matrix Market: N x N coordinates from 1, integer or real",
    reference: "https://math.nist.gov/MatrixMarket/formats.html",
    examples: &["shift(1)", "ring"],
    build: TrafficFormat { write, holds_header: true },
};

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let matrix = replay.matrix;
    check_decimals(matrix, KIND.name)?;
    let whole = matrix.demands().iter().all(|demand| demand.amount.denominator().is_one());
    let field = if whole { "integer" } else { "real" };
    let hosts = matrix.hosts();
    writeln!(out, "%%MatrixMarket matrix coordinate {field} general")?;
    replay.comment("%", out)?;
    writeln!(out, "{hosts} {hosts} {}", matrix.len())?;
    for demand in matrix.demands() {
        writeln!(out, "{} {} {}", demand.s + 1, demand.d + 1, decimal(demand, KIND.name)?)?;
    }
    Ok(())
}
