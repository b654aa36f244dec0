//! The lines of a part: one JSON value per line. The first names the command and the shard, the last
//! says that the shard is finished, those between are inputs that it read and results of units. Each
//! ends with its own checksum, which for all but the first depends on that of the first: so damage is
//! noticed, and so is a line of another part.

use flate2::Crc;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Shard, ShardError};
use crate::input::Content;
use crate::quote::quote;

/// Version of the format.
const FORMAT: u32 = 3;

/// Number of bytes by which a part is known before it is read; arguments may be longer.
pub(super) const LONGEST_HEADER: usize = 1 << 16;

/// How a part begins.
const START: &[u8] = b"{\"routebound_part\":";

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

    /// Refuses what does not begin like a part, from the first bytes of the file.
    pub(super) fn check(path: &str, begin: &[u8]) -> Result<(), ShardError> {
        match begin.iter().position(|byte| *byte == b'\n') {
            Some(end) => Self::read(path, &begin[..end]).map(drop),
            None if is_torn(begin) => Ok(()),
            None => Self::read(path, begin).map(drop),
        }
    }

    /// Reads the first line of the part at `path`.
    pub(super) fn read(path: &str, line: &[u8]) -> Result<Self, ShardError> {
        let no_part = |problem: String| ShardError::NoPart { path: quote(path), problem };
        let begins = || format!("it begins with `{}`", quote(&String::from_utf8_lossy(line)));
        let parsed: Result<Self, _> = serde_json::from_slice(line);
        let header = parsed.map_err(|_| no_part(begins()))?;
        if header.routebound_part == FORMAT && unsealed(line, 0).is_none() {
            return Err(ShardError::Line { path: quote(path), line: 1 });
        }
        let own = Self::new(header.command.clone(), header.shard.parse()?);
        if header != own {
            let (format, version) = (header.routebound_part, quote(&header.version));
            let found = format!("format {format} of routebound {version}");
            return Err(no_part(format!("it has {found}, not {FORMAT} of {}", own.version)));
        }
        Ok(header)
    }

    /// The first line, with its end.
    pub(super) fn line(&self) -> String {
        sealed(self, 0)
    }

    /// The checksum on which those of the other lines depend.
    pub(super) fn seal(&self) -> u32 {
        checksum(json(self).as_bytes(), 0)
    }
}

/// Whether the process that wrote this ended within the first line, so that there is nothing to lose.
pub(super) fn is_torn(bytes: &[u8]) -> bool {
    !bytes.contains(&b'\n') && (START.starts_with(bytes) || bytes.starts_with(START))
}

/// The result of a unit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) stage: String,
    pub(super) unit: u64,
    pub(super) found: Box<RawValue>,
}

/// The last line of a shard that has done all its units.
#[derive(Serialize)]
pub(super) struct Finished {
    finished: bool,
}

pub(super) const FINISHED: Finished = Finished { finished: true };

/// The contents of the complete lines after the first one.
#[derive(Default)]
pub(super) struct Body {
    pub(super) lines: Vec<Line>,
    pub(super) inputs: Vec<Content>,
    pub(super) is_finished: bool,
}

impl Body {
    /// Reads the lines after the first one, whose checksum is `seal`.
    pub(super) fn read(path: &str, lines: &[&[u8]], seal: u32) -> Result<Self, ShardError> {
        let mut body = Self::default();
        for (number, line) in (2..).zip(lines) {
            let taken = unsealed(line, seal).and_then(|json| body.take(&json));
            taken.ok_or_else(|| ShardError::Line { path: quote(path), line: number })?;
        }
        Ok(body)
    }

    fn take(&mut self, json: &[u8]) -> Option<()> {
        if json == b"{\"finished\":true}" {
            self.is_finished = true;
        } else if json.starts_with(b"{\"input\":") {
            self.inputs.push(serde_json::from_slice(json).ok()?);
        } else {
            self.lines.push(serde_json::from_slice(json).ok()?);
        }
        Some(())
    }
}

/// The complete lines of a part, without a torn last one, and where they end.
pub(super) fn complete(bytes: &[u8]) -> (Vec<&[u8]>, usize) {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let Some(whole) = end.checked_sub(1) else { return (Vec::new(), 0) };
    (bytes[..whole].split(|byte| *byte == b'\n').collect(), end)
}

/// What stands before the checksum of a line.
const SEAL: &str = ",\"crc32\":";

/// The line of an object, with its checksum after that of the first line as the last field, and its end.
pub(super) fn sealed(object: &impl Serialize, first: u32) -> String {
    let json = json(object);
    let fields = json.strip_suffix('}').expect("an object");
    format!("{fields}{SEAL}{}}}\n", checksum(json.as_bytes(), first))
}

/// The object of a line; `None` where its checksum after that of the first line is another.
fn unsealed(line: &[u8], first: u32) -> Option<Vec<u8>> {
    let at = line.windows(SEAL.len()).rposition(|window| window == SEAL.as_bytes())?;
    let (fields, seal) = line.split_at(at);
    let number = seal[SEAL.len()..].strip_suffix(b"}")?;
    let number: u32 = std::str::from_utf8(number).ok()?.parse().ok()?;
    let json = [fields, b"}"].concat();
    (checksum(&json, first) == number).then_some(json)
}

/// The checksum of a line after that of the first one, which itself has 0.
fn checksum(bytes: &[u8], first: u32) -> u32 {
    let mut crc = Crc::new();
    crc.update(&first.to_le_bytes());
    crc.update(bytes);
    crc.sum()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings, numbers and JSON have a form in JSON")
}
