//! CSV, one demand a line.

use std::io::Write;

use super::{WriteError, WriteTraffic};
use crate::registry::Kind;
use crate::traffic::TrafficMatrix;

pub(super) const KIND: Kind<WriteTraffic> = Kind {
    name: "csv",
    usage: "traffic .. --format csv",
    about: "source,destination,demand with header; hosts by number, amounts as decimals where \
            they are finite and else as fractions",
    reference: "https://www.rfc-editor.org/rfc/rfc4180",
    examples: &["shift(1)", "hotspot-percent"],
    build: write,
};

fn write(matrix: &TrafficMatrix, out: &mut dyn Write) -> Result<(), WriteError> {
    // Nothing here needs quotes: only digits, points and slashes are written.
    writeln!(out, "source,destination,demand")?;
    for demand in matrix.demands() {
        let amount = demand.amount.to_decimal().unwrap_or_else(|| demand.amount.to_string());
        writeln!(out, "{},{},{amount}", demand.s, demand.d)?;
    }
    Ok(())
}
