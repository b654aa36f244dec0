//! Matrix Market, coordinate form.

use std::io::Write;

use super::{WriteError, WriteTraffic, check_decimals, decimal};
use crate::registry::Kind;
use crate::traffic::TrafficMatrix;

pub(super) const KIND: Kind<WriteTraffic> = Kind {
    name: "mtx",
    usage: "traffic .. --format mtx",
    about: "Matrix Market: N x N coordinates from 1, integer or real",
    reference: "https://math.nist.gov/MatrixMarket/formats.html",
    examples: &["shift(1)", "ring"],
    build: write,
};

fn write(matrix: &TrafficMatrix, out: &mut dyn Write) -> Result<(), WriteError> {
    check_decimals(matrix, KIND.name)?;
    let whole = matrix.demands().iter().all(|demand| demand.amount.denominator().is_one());
    let field = if whole { "integer" } else { "real" };
    let hosts = matrix.hosts();
    writeln!(out, "%%MatrixMarket matrix coordinate {field} general")?;
    writeln!(out, "{hosts} {hosts} {}", matrix.len())?;
    for demand in matrix.demands() {
        writeln!(out, "{} {} {}", demand.s + 1, demand.d + 1, decimal(demand, KIND.name)?)?;
    }
    Ok(())
}
