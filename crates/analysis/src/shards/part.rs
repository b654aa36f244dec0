//! The part of a shard: a journal of its finished units.
//!
//! A line is appended in one piece as soon as a unit is finished. Whenever the process is killed, the
//! file holds whole lines and at most one torn one at its end, which is cut off when the shard is run
//! again: it continues with the units that are not there.

use std::collections::{BTreeSet, HashMap};
use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::value::RawValue;

use super::line::{Body, Command, FINISHED, Header, Line, complete, is_torn, sealed};
use super::{Shard, ShardError};
use crate::input::{Content, InputError, MAX_BYTES, STDIN};
use crate::limit::within;
use crate::quote::quote;

/// The part of one shard.
#[derive(Debug)]
pub struct Part {
    shard: Shard,
    path: String,
    /// Checksum of its first line.
    seal: u32,
    state: Mutex<State>,
}

/// Where lines go.
#[derive(Debug)]
enum Journal {
    File(File),
    Memory(Vec<u8>),
}

#[derive(Debug)]
struct State {
    journal: Journal,
    /// Bytes so far, and at most: a larger part could not be read again.
    bytes: u64,
    most: u64,
    /// Results from a run before this one, and what it read.
    known: HashMap<(String, u64), Box<RawValue>>,
    before: BTreeSet<Content>,
    /// What this run has read.
    inputs: BTreeSet<Content>,
    is_finished: bool,
    asked: u64,
    kept: u64,
    failure: Option<ShardError>,
}

/// The progress of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// Units of the shard that are in its part.
    pub kept: u64,
    /// Units of the shard that the work has come to: all of them, once it is finished.
    pub of: u64,
    /// Whether the shard has done all that it can do.
    pub finished: bool,
}

impl Part {
    /// The part at `path`, begun anew or continued.
    ///
    /// # Errors
    /// [`ShardError`] when the file cannot be read and written, or is something else.
    pub fn open(path: &Path, command: Command, shard: Shard) -> Result<Self, ShardError> {
        let name = path.display().to_string();
        let unwritable = |error: std::io::Error| ShardError::Unwritable {
            path: quote(&name),
            problem: error.to_string(),
        };
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(unwritable)?;
        let found = file.metadata().map_err(unwritable)?;
        if !found.is_file() {
            return Err(unwritable(std::io::Error::other("it is not a regular file")));
        }
        lock(&file).map_err(|InUse| ShardError::InUse(quote(&name)))?;
        let bytes = read(&mut file, &name)?;
        let (lines, end) = complete(&bytes);
        let header = Header::new(command, shard);
        let body = match lines.split_first() {
            Some((first, rest)) => continued(&name, first, &header, rest)?,
            None if is_torn(&bytes) => None,
            None => Header::read(&name, &bytes).map(|_| None)?,
        };
        let begun = if body.is_some() { end } else { 0 };
        file.set_len(begun as u64).map_err(unwritable)?;
        file.seek(SeekFrom::End(0)).map_err(unwritable)?;
        let part = Self::of(&header, shard, name.clone(), Journal::File(file), begun as u64);
        match body {
            Some(body) => part.resume(body),
            None => _ = part.append(&header.line()),
        }
        part.check()?;
        Ok(part)
    }

    /// A part that is not kept in a file.
    #[must_use]
    pub fn in_memory(command: Command, shard: Shard) -> Self {
        let header = Header::new(command, shard);
        let name = format!("shard {shard}");
        let part = Self::of(&header, shard, name, Journal::Memory(Vec::new()), 0);
        part.append(&header.line());
        part
    }

    /// A part of which a given number of bytes are there.
    fn of(header: &Header, shard: Shard, path: String, journal: Journal, begun: u64) -> Self {
        let state = State {
            journal,
            bytes: begun,
            most: MAX_BYTES,
            known: HashMap::new(),
            before: BTreeSet::new(),
            inputs: BTreeSet::new(),
            is_finished: false,
            asked: 0,
            kept: 0,
            failure: None,
        };
        Self { shard, path, seal: header.seal(), state: Mutex::new(state) }
    }

    fn resume(&self, body: Body) {
        let mut own = self.state();
        let lines = body.lines.into_iter();
        own.known = lines.map(|line| ((line.stage, line.unit), line.found)).collect();
        own.before = body.inputs.into_iter().collect();
        own.is_finished = body.is_finished;
    }

    #[cfg(test)]
    pub(super) fn limit(&self, most: u64) {
        self.state().most = most;
    }

    /// The shard of the part.
    #[must_use]
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// The name of its file, for messages.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Records that all units have been done that the shard can do, unless the work was `stopped`.
    ///
    /// # Errors
    /// [`ShardError`] when something could not be read or kept.
    pub fn finish(&self, stopped: bool) -> Result<Kept, ShardError> {
        if !stopped && !self.state().is_finished {
            self.append(&sealed(&FINISHED, self.seal));
            self.check()?;
            self.state().is_finished = true;
        }
        self.check()?;
        let state = self.state();
        if let Journal::File(file) = &state.journal {
            file.sync_all().map_err(|error| self.unwritable(&error))?;
        }
        Ok(Kept { kept: state.kept, of: state.asked, finished: state.is_finished })
    }

    /// The text of the part.
    ///
    /// # Errors
    /// When its file cannot be read again.
    pub fn text(&self) -> Result<Vec<u8>, ShardError> {
        match &mut self.state().journal {
            Journal::Memory(text) => Ok(text.clone()),
            Journal::File(file) => {
                file.rewind().map_err(|error| self.unwritable(&error))?;
                read(file, &self.path)
            }
        }
    }

    /// Takes down what this run has read: the same as a run before it, and with `all` no less.
    pub(super) fn reads(&self, inputs: &BTreeSet<Content>, all: bool) -> Result<(), ShardError> {
        let mut own = self.state();
        let is_named = |input: &str| own.before.iter().any(|before| before.input == input);
        let fresh =
            |content: &&Content| !own.before.contains(content) && !own.inputs.contains(content);
        let fresh: Vec<Content> = inputs.iter().filter(fresh).cloned().collect();
        let gone = own.before.difference(inputs).find(|_| all);
        let changed = fresh.iter().find(|content| is_named(&content.input)).or(gone);
        let wrong = if fresh.iter().any(|content| content.input == STDIN) {
            Some(ShardError::Stdin)
        } else {
            changed.map(|content| ShardError::changed(&content.input, self.shard))
        };
        own.inputs.extend(fresh.iter().cloned());
        drop(own);
        match wrong {
            Some(wrong) => self.fail(wrong),
            None => fresh.iter().for_each(|content| _ = self.append(&sealed(content, self.seal))),
        }
        self.check()
    }

    /// Whether a unit is this shard's, which is counted. None is after a failure: what comes after
    /// one is lost.
    pub(super) fn asks(&self, unit: u64) -> bool {
        let mut own = self.state();
        let does = own.failure.is_none() && self.shard.does(unit);
        own.asked += u64::from(does);
        does
    }

    /// The result of a unit from a run before.
    pub(super) fn known(&self, stage: &str, unit: u64) -> Option<Box<RawValue>> {
        let mut own = self.state();
        let known = own.known.get(&(stage.to_string(), unit)).cloned();
        own.kept += u64::from(known.is_some());
        known
    }

    /// Keeps the result of a unit.
    pub(super) fn keep(&self, stage: &str, unit: u64, found: &impl Serialize) {
        let found = match serde_json::value::to_raw_value(found) {
            Ok(found) => found,
            Err(error) => return self.fail(self.unwritable(&error)),
        };
        if self.append(&sealed(&Line { stage: stage.to_string(), unit, found }, self.seal)) {
            self.state().kept += 1;
        }
    }

    /// Records the first failure.
    pub(super) fn fail(&self, failure: ShardError) {
        self.state().failure.get_or_insert(failure);
    }

    pub(super) fn check(&self) -> Result<(), ShardError> {
        self.state().failure.clone().map_or(Ok(()), Err)
    }

    /// Whether the line is in the part now. After a failure nothing is added: half a line may be there.
    fn append(&self, line: &str) -> bool {
        let mut own = self.state();
        if own.failure.is_some() {
            return false;
        }
        let fits = fits(own.bytes + line.len() as u64, own.most);
        let written = fits.and_then(|()| match &mut own.journal {
            Journal::File(file) => {
                file.write_all(line.as_bytes()).map_err(|error| self.unwritable(&error))
            }
            Journal::Memory(text) => {
                text.extend(line.as_bytes());
                Ok(())
            }
        });
        own.bytes += line.len() as u64;
        own.failure = written.err();
        own.failure.is_none()
    }

    fn unwritable(&self, problem: &dyn ToString) -> ShardError {
        ShardError::Unwritable { path: quote(&self.path), problem: problem.to_string() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a part that was begun holds, if it is that of the same command and shard; `None` where it is
/// another one that holds no results.
fn continued(
    path: &str,
    first: &[u8],
    expected: &Header,
    rest: &[&[u8]],
) -> Result<Option<Body>, ShardError> {
    let found = Header::read(path, first)?;
    let body = Body::read(path, rest, found.seal())?;
    if found == *expected {
        return Ok(Some(body));
    }
    if body.lines.is_empty() && !body.is_finished {
        return Ok(None);
    }
    let shown = |header: &Header| format!("{}, shard {}", header.command.shown(), header.shard);
    let (found, expected) = (shown(&found), shown(expected));
    Err(ShardError::Command { path: quote(path), found, expected })
}

/// Another process holds the lock.
struct InUse;

/// How long a process that was killed may hold a lock.
const DYING: Duration = Duration::from_secs(1);

/// Locks the file of a part. A process that was just killed may hold it for a moment.
fn lock(file: &File) -> Result<(), InUse> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < DYING => {
                thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(InUse),
            // Where files cannot be locked, nobody watches that each shard has its own.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
}

/// The bytes of a part.
fn read(file: &mut File, path: &str) -> Result<Vec<u8>, ShardError> {
    let mut bytes = Vec::new();
    let read = (&mut *file).take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| InputError::of(path, error))?;
    fits(bytes.len() as u64, MAX_BYTES)?;
    Ok(bytes)
}

fn fits(bytes: u64, most: u64) -> Result<(), ShardError> {
    let bytes = Some(u128::from(bytes));
    let fits = within("number of bytes of a part", bytes, most, "use more shards");
    fits.map(|_| ()).map_err(|large| InputError::from(large).into())
}
