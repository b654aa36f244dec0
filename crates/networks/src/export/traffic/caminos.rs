//! CAMINOS patterns, in the language of its configuration files.
//!
//! `EmbeddedMap` lists the destination of every server; a server that sends to itself sends nothing
//! (`TrafficError::SelfMessage`). Server numbers are host numbers.

use super::destinations;
use super::prelude::*;

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "caminos",
    usage: "traffic .. --format caminos",
    about: "CAMINOS pattern, `pattern: EmbeddedMap{..}` of a configuration: one destination per \
            host; a host that sends to itself is idle",
    reference: "https://docs.rs/caminos-lib, src/pattern/extra.rs and src/config_parser.rsg",
    examples: &["shift(1)", "bitrev"],
    build: TrafficFormat { write, holds_header: true },
};

/// Destinations per line.
const WIDTH: usize = 16;

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let image = destinations(replay.matrix, KIND.name)?;
    replay.comment("//", out)?;
    write!(out, "EmbeddedMap{{\n\tmap: [")?;
    for (s, d) in image.into_iter().enumerate() {
        let start = if s % WIDTH == 0 { "\n\t\t" } else { " " };
        write!(out, "{start}{},", d.map_or(s, |d| d as usize))?;
    }
    writeln!(out, "\n\t],\n}}")?;
    Ok(())
}
