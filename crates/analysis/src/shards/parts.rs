//! The parts of all shards, put together.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Read as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use itertools::Itertools;
use serde_json::value::RawValue;

use super::line::{Body, Command, Header, LONGEST_HEADER, complete, is_torn};
use super::{Shard, ShardError};
use crate::input::{Content, Input, InputError, MAX_BYTES, STDIN};
use crate::quote::quote;

/// The results of all units that shards have done.
#[derive(Debug)]
pub struct Parts {
    command: Command,
    pub(super) known: HashMap<(String, u64), Box<RawValue>>,
    /// What every shard read.
    inputs: Vec<(Shard, BTreeSet<Content>)>,
    failure: Mutex<Option<ShardError>>,
}

/// A part as it was read.
struct Reading {
    path: String,
    command: Command,
    shard: Shard,
    body: Body,
}

impl Parts {
    /// The parts in these files: of one command, with every shard of it, all finished. A file may be
    /// given twice.
    ///
    /// # Errors
    /// [`ShardError`] with the file, or the shard to run again.
    pub fn open<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<Self, ShardError> {
        let read = |path: &Path| {
            let name = path.display().to_string();
            let mut bytes = Vec::new();
            let mut input = Input::unrecorded(path, MAX_BYTES)?;
            // Anything else may be large.
            Header::check(&name, input.head(LONGEST_HEADER))?;
            let read = input.read_to_end(&mut bytes);
            read.map_err(|error| InputError::of(&name, error))?;
            Ok((name, bytes))
        };
        Self::read(paths.into_iter().map(read))
    }

    /// Reads parts from names and texts.
    ///
    /// # Errors
    /// As [`Self::open`], and those of `texts`.
    pub fn read(
        texts: impl IntoIterator<Item = Result<(String, Vec<u8>), ShardError>>,
    ) -> Result<Self, ShardError> {
        let mut readings = Vec::new();
        for named in texts {
            let (path, bytes) = named?;
            readings.push(Reading::of(path, &bytes)?);
        }
        let Some((first, others)) = readings.split_first() else {
            return Err(ShardError::NoParts);
        };
        if let Some(other) = others.iter().find(|part| !part.is_of(first)) {
            let shown = |part: &Reading| format!("{}, {}", part.command.shown(), part.shard);
            let (path, found, expected) = (quote(&other.path), shown(other), shown(first));
            return Err(ShardError::Command { path, found, expected });
        }
        every_shard(&readings, first.shard.of())?;
        let command = first.command.clone();
        let (known, inputs, failure) = (HashMap::new(), Vec::new(), Mutex::default());
        let mut parts = Self { command, known, inputs, failure };
        readings.into_iter().try_for_each(|part| parts.take(part))?;
        Ok(parts)
    }

    /// The command whose work they are.
    #[must_use]
    pub fn command(&self) -> &Command {
        &self.command
    }

    fn take(&mut self, part: Reading) -> Result<(), ShardError> {
        self.inputs.push((part.shard, part.body.inputs.into_iter().collect()));
        for line in part.body.lines {
            let (stage, unit) = (line.stage, line.unit);
            let differs = |stage: &str| {
                let (path, stage) = (quote(&part.path), quote(stage));
                ShardError::Differ { path, stage, unit }
            };
            if !part.shard.does(unit) {
                return Err(differs(&stage));
            }
            let known = self.known.entry((stage.clone(), unit));
            let first = known.or_insert_with(|| line.found.clone());
            if first.get() != line.found.get() {
                return Err(differs(&stage));
            }
        }
        Ok(())
    }

    /// Every shard has to have read what this run has read, and with `all` nothing else.
    pub(super) fn reads(&self, inputs: &BTreeSet<Content>, all: bool) -> Result<(), ShardError> {
        if inputs.iter().any(|content| content.input == STDIN) {
            return Err(ShardError::Stdin);
        }
        let differing = self.inputs.iter().find_map(|(shard, read)| {
            let gone = read.difference(inputs).filter(|_| all);
            let changed = inputs.difference(read).chain(gone).next()?;
            Some(ShardError::changed(&changed.input, *shard))
        });
        differing.map_or(Ok(()), Err)
    }

    pub(super) fn known(&self, stage: &str, unit: u64) -> Option<Box<RawValue>> {
        self.known.get(&(stage.to_string(), unit)).cloned()
    }

    /// Records the first failure.
    pub(super) fn fail(&self, failure: ShardError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    }

    pub(super) fn check(&self) -> Result<(), ShardError> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone().map_or(Ok(()), Err)
    }
}

impl Reading {
    fn of(path: String, bytes: &[u8]) -> Result<Self, ShardError> {
        if is_torn(bytes) {
            return Err(ShardError::Torn(quote(&path)));
        }
        let (lines, _) = complete(bytes);
        let (first, rest) = lines.split_first().map_or((bytes, &[][..]), |(a, b)| (*a, b));
        let header = Header::read(&path, first)?;
        let shard = header.shard.parse()?;
        let body = Body::read(&path, rest, header.seal())?;
        Ok(Self { path, command: header.command, shard, body })
    }

    fn is_of(&self, other: &Self) -> bool {
        self.command == other.command && self.shard.of() == other.shard.of()
    }
}

/// Shards that a message names.
const NAMED: usize = 16;

/// Every shard has a part that is finished.
fn every_shard(parts: &[Reading], of: u64) -> Result<(), ShardError> {
    let finished = parts.iter().filter(|part| part.body.is_finished);
    let finished: HashSet<Shard> = finished.map(|part| part.shard).collect();
    let begun: HashMap<Shard, &str> =
        parts.iter().map(|part| (part.shard, part.path.as_str())).collect();
    let all = (1..=of).filter_map(|number| Shard::new(number, of));
    let open = all.filter(|shard| !finished.contains(shard));
    let (begun, missing): (Vec<_>, Vec<_>) = open
        .map(|shard| match begun.get(&shard) {
            Some(path) => (Some(format!("{shard} ({})", quote(path))), None),
            None => (None, Some(shard.to_string())),
        })
        .unzip();
    let (missing, unfinished) = (named(missing), named(begun));
    if missing.is_none() && unfinished.is_none() {
        return Ok(());
    }
    Err(ShardError::Incomplete { missing, unfinished })
}

/// The first names, and how many there are besides; `None` where there are none.
fn named(shards: Vec<Option<String>>) -> Option<String> {
    let shards: Vec<String> = shards.into_iter().flatten().collect();
    let some = shards.iter().take(NAMED).join(", ");
    match shards.len().saturating_sub(NAMED) {
        _ if shards.is_empty() => None,
        0 => Some(some),
        more => Some(format!("{some} and {more} more")),
    }
}
