//! CSV, one demand a line.

use std::io::Write;

use super::{Replay, TrafficFormat, WriteError, exact};
use crate::registry::Kind;

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "csv",
    usage: "traffic .. --format csv",
    about: "source,destination,demand with header; hosts by number, amounts as decimals where \
            they are finite and else as fractions",
    reference: "https://www.rfc-editor.org/rfc/rfc4180",
    examples: &["shift(1)", "hotspot-percent"],
    build: TrafficFormat { write, holds_header: false },
};

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let matrix = replay.matrix;
    // Nothing here needs quotes: only digits, points and slashes are written.
    writeln!(out, "source,destination,demand")?;
    for demand in matrix.demands() {
        let amount = exact(&demand.amount);
        writeln!(out, "{},{},{amount}", demand.s, demand.d)?;
    }
    Ok(())
}
