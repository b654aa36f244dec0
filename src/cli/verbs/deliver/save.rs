//! `deliver --save-messages`: the messages as traffic.

use std::path::Path;

use anyhow::Result;

use super::Work;
use crate::cli::Context;
use crate::cli::overwriting::MARK;
use crate::cli::worst_traffic::format_of;
use crate::export::traffic::Replay;
use crate::traffic::{Demand, TrafficMatrix};

/// Writes the messages in the format of the file's extension; those of one pair are one demand, and a
/// processor's are sorted by destination.
pub(super) fn save(file: &Path, work: &Work, context: &Context) -> Result<()> {
    let Work { ground, messages, spec, .. } = work;
    let kind = format_of(None, file, "an extension")?;
    let demands = messages.iter().map(|(s, d, count)| Demand { s, d, amount: count.into() });
    let matrix = TrafficMatrix::new(ground.tree().hosts(), demands)?;
    let header = [format!("{spec} on {}", ground.spec()), MARK.to_string()];
    let replay = Replay { header: &header, ..Replay::of(&matrix) };
    context.write_beside(file, |out| Ok((kind.build.write)(&replay, out)?));
    Ok(())
}
