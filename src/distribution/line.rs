//! The lines of a part: one JSON value per line. The first names the command and the shard, the last
//! says that the shard is finished, those between are results of units.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{DistributionError, Shard};
use crate::quote::quote;

/// Version of the format.
const FORMAT: u32 = 1;

/// The command whose work is shared, by the words that decide what it computes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Command(pub Vec<String>);

impl Command {
    /// The words, for messages.
    pub(super) fn shown(&self) -> String {
        quote(&self.0.join(" "))
    }
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    routebound_part: u32,
    version: String,
    pub(super) command: Command,
    pub(super) shard: String,
}

impl Header {
    pub(super) fn new(command: Command, shard: Shard) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_string();
        Self { routebound_part: FORMAT, version, command, shard: shard.to_string() }
    }

    /// Reads the first line of the part at `path`.
    pub(super) fn read(path: &str, line: &str) -> Result<Self, DistributionError> {
        let no_part = |problem: String| DistributionError::NoPart { path: path.into(), problem };
        let header: Self = serde_json::from_str(line)
            .map_err(|_| no_part(format!("it begins with `{}`", quote(line))))?;
        let own = Self::new(header.command.clone(), header.shard.parse()?);
        if header != own {
            let (format, version) = (header.routebound_part, quote(&header.version));
            let found = format!("format {format} of routebound {version}");
            return Err(no_part(format!("it has {found}, not {FORMAT} of {}", own.version)));
        }
        Ok(header)
    }
}

/// Any other line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) stage: String,
    pub(super) unit: u64,
    pub(super) found: Box<RawValue>,
}

/// The last line of a shard that has done all its units.
pub(super) const FINISHED: &str = "{\"finished\":true}";

/// What the complete lines after the first one say.
#[derive(Default)]
pub(super) struct Body {
    pub(super) lines: Vec<Line>,
    pub(super) is_finished: bool,
}

impl Body {
    /// Reads the lines after the first one.
    pub(super) fn read(path: &str, lines: &[&str]) -> Result<Self, DistributionError> {
        let mut body = Self::default();
        for (number, line) in (2..).zip(lines) {
            if *line == FINISHED {
                body.is_finished = true;
                continue;
            }
            let damaged = |_| DistributionError::Line { path: quote(path), line: number };
            body.lines.push(serde_json::from_str(line).map_err(damaged)?);
        }
        Ok(body)
    }
}

/// The complete lines of a text, without a torn last one.
pub(super) fn complete(text: &str) -> (Vec<&str>, usize) {
    let end = text.rfind('\n').map_or(0, |at| at + 1);
    (text[..end].lines().collect(), end)
}
