//! The parts of all shards, put together.

use std::collections::{HashMap, HashSet};
use std::io::Read as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use itertools::Itertools;
use serde_json::value::RawValue;

use super::line::{Body, Command, Header, complete};
use super::part::text;
use super::{DistributionError, Shard};
use crate::input::{Input, InputError, MAX_BYTES};
use crate::quote::quote;

/// The results of all units that shards have done.
#[derive(Debug)]
pub struct Parts {
    command: Command,
    pub(super) known: HashMap<(String, u64), Box<RawValue>>,
    failure: Mutex<Option<DistributionError>>,
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
    /// [`DistributionError`] with the file, or the shard to run again.
    pub fn open<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<Self, DistributionError> {
        let read = |path: &Path| {
            let name = path.display().to_string();
            let mut bytes = Vec::new();
            let read = Input::open(path, MAX_BYTES)?.read_to_end(&mut bytes);
            read.map_err(|error| InputError::of(&name, error))?;
            Ok((name, bytes))
        };
        Self::read(paths.into_iter().map(read))
    }

    /// The same from names and texts.
    ///
    /// # Errors
    /// As [`Self::open`], and those of `texts`.
    pub fn read(
        texts: impl IntoIterator<Item = Result<(String, Vec<u8>), DistributionError>>,
    ) -> Result<Self, DistributionError> {
        let mut readings = Vec::new();
        for named in texts {
            let (path, bytes) = named?;
            readings.push(Reading::of(path, bytes)?);
        }
        let Some((first, others)) = readings.split_first() else {
            return Err(DistributionError::NoParts);
        };
        if let Some(other) = others.iter().find(|part| !part.is_of(first)) {
            let shown = |part: &Reading| format!("{}, {}", part.command.shown(), part.shard);
            let (path, found, expected) = (quote(&other.path), shown(other), shown(first));
            return Err(DistributionError::Command { path, found, expected });
        }
        every_shard(&readings, first.shard.of())?;
        let command = first.command.clone();
        let mut parts = Self { command, known: HashMap::new(), failure: Mutex::default() };
        readings.into_iter().try_for_each(|part| parts.take(part))?;
        Ok(parts)
    }

    /// The command whose work they are.
    #[must_use]
    pub fn command(&self) -> &Command {
        &self.command
    }

    fn take(&mut self, part: Reading) -> Result<(), DistributionError> {
        for line in part.body.lines {
            let (stage, unit) = (line.stage, line.unit);
            let differs = |stage: &str| {
                let (path, stage) = (quote(&part.path), quote(stage));
                DistributionError::Differ { path, stage, unit }
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

    pub(super) fn known(&self, stage: &str, unit: u64) -> Option<Box<RawValue>> {
        self.known.get(&(stage.to_string(), unit)).cloned()
    }

    /// Records the first failure.
    pub(super) fn fail(&self, failure: DistributionError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    }

    pub(super) fn check(&self) -> Result<(), DistributionError> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone().map_or(Ok(()), Err)
    }
}

impl Reading {
    fn of(path: String, bytes: Vec<u8>) -> Result<Self, DistributionError> {
        let text = text(bytes);
        let (lines, _) = complete(&text);
        let (first, rest) =
            lines.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
        let header = Header::read(&quote(&path), first)?;
        let shard = header.shard.parse()?;
        let body = Body::read(&path, rest)?;
        Ok(Self { path, command: header.command, shard, body })
    }

    fn is_of(&self, other: &Self) -> bool {
        self.command == other.command && self.shard.of() == other.shard.of()
    }
}

/// Every shard has a part that is finished.
fn every_shard(parts: &[Reading], of: u64) -> Result<(), DistributionError> {
    let finished = parts.iter().filter(|part| part.body.is_finished);
    let finished: HashSet<Shard> = finished.map(|part| part.shard).collect();
    let all = (1..=of).filter_map(|number| Shard::new(number, of));
    let missing = all.filter(|shard| !finished.contains(shard)).collect_vec();
    let Some(first) = missing.first() else { return Ok(()) };
    match parts.iter().find(|part| part.shard == *first) {
        Some(part) => {
            let (path, shard) = (quote(&part.path), first.to_string());
            Err(DistributionError::Unfinished { path, shard })
        }
        None => Err(DistributionError::Missing(missing.iter().join(", "))),
    }
}
