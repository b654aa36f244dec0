//! The part of a shard: a journal of its finished units.
//!
//! A line is appended in one piece as soon as a unit is finished. Whenever the process is killed, the
//! file holds whole lines and at most one torn one at its end, which is cut off when the shard is run
//! again: it continues with the units that are not there.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::value::RawValue;

use super::line::{Body, Command, FINISHED, Header, Line, complete};
use super::{DistributionError, Shard};
use crate::input::{InputError, MAX_BYTES};
use crate::limit::within;
use crate::quote::quote;

/// The part of one shard.
#[derive(Debug)]
pub struct Part {
    shard: Shard,
    path: String,
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
    /// Results from a run before this one.
    known: HashMap<(String, u64), Box<RawValue>>,
    is_finished: bool,
    asked: u64,
    kept: u64,
    failure: Option<DistributionError>,
}

/// How far a shard has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// Units of the shard that are in its part.
    pub kept: u64,
    /// Units of the shard that the work has come to.
    pub of: u64,
    /// Whether the shard has done all that it can do.
    pub finished: bool,
}

impl Part {
    /// The part at `path`, begun anew or continued.
    ///
    /// # Errors
    /// [`DistributionError`] when the file cannot be read and written, or is something else.
    pub fn open(path: &Path, command: Command, shard: Shard) -> Result<Self, DistributionError> {
        let name = path.display().to_string();
        let unwritable = |error: std::io::Error| DistributionError::Unwritable {
            path: quote(&name),
            problem: error.to_string(),
        };
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(unwritable)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(DistributionError::InUse(quote(&name))),
            // Where files cannot be locked, nobody watches that each shard has its own.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let text = read(&mut file, &name)?;
        let (lines, end) = complete(&text);
        let header = Header::new(command, shard);
        let (body, end) = match lines.split_first() {
            None => (Body::default(), 0),
            Some((first, rest)) => (continued(&name, first, &header, rest)?, end),
        };
        if end == 0 && !format!("{}\n", json(&header)).starts_with(&text) {
            Header::read(&quote(&name), &text)?;
        }
        file.set_len(end as u64).map_err(unwritable)?;
        file.seek(SeekFrom::End(0)).map_err(unwritable)?;
        if end == 0 {
            file.write_all(format!("{}\n", json(&header)).as_bytes()).map_err(unwritable)?;
        }
        Ok(Self::of(shard, name, Journal::File(file), body))
    }

    /// A part that is not kept in a file.
    #[must_use]
    pub fn in_memory(command: Command, shard: Shard) -> Self {
        let text = format!("{}\n", json(&Header::new(command, shard)));
        let journal = Journal::Memory(text.into_bytes());
        Self::of(shard, format!("shard {shard}"), journal, Body::default())
    }

    fn of(shard: Shard, path: String, journal: Journal, body: Body) -> Self {
        let known = body.lines.into_iter().map(|line| ((line.stage, line.unit), line.found));
        let known = known.collect();
        let is_finished = body.is_finished;
        let (asked, kept, failure) = (0, 0, None);
        let state = State { journal, known, is_finished, asked, kept, failure };
        Self { shard, path, state: Mutex::new(state) }
    }

    /// Its shard.
    #[must_use]
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// Its name, for messages.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Records that all units have been done that the shard can do, unless the work was `stopped`.
    ///
    /// # Errors
    /// [`DistributionError`] when something could not be read or kept.
    pub fn finish(&self, stopped: bool) -> Result<Kept, DistributionError> {
        if !stopped && !self.state().is_finished {
            self.append(&format!("{FINISHED}\n"));
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
    pub fn text(&self) -> Result<Vec<u8>, DistributionError> {
        match &mut self.state().journal {
            Journal::Memory(text) => Ok(text.clone()),
            Journal::File(file) => {
                file.rewind().map_err(|error| self.unwritable(&error))?;
                Ok(read(file, &self.path)?.into_bytes())
            }
        }
    }

    /// Whether a unit is this shard's, which is counted.
    pub(super) fn asks(&self, unit: u64) -> bool {
        let does = self.shard.does(unit);
        self.state().asked += u64::from(does);
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
        self.append(&(json(&Line { stage: stage.to_string(), unit, found }) + "\n"));
        self.state().kept += 1;
    }

    /// Records the first failure.
    pub(super) fn fail(&self, failure: DistributionError) {
        self.state().failure.get_or_insert(failure);
    }

    pub(super) fn check(&self) -> Result<(), DistributionError> {
        self.state().failure.clone().map_or(Ok(()), Err)
    }

    fn append(&self, line: &str) {
        let written = match &mut self.state().journal {
            Journal::File(file) => file.write_all(line.as_bytes()),
            Journal::Memory(text) => {
                text.extend(line.as_bytes());
                Ok(())
            }
        };
        if let Err(error) = written {
            self.fail(self.unwritable(&error));
        }
    }

    fn unwritable(&self, problem: &dyn ToString) -> DistributionError {
        DistributionError::Unwritable { path: quote(&self.path), problem: problem.to_string() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a part that was begun holds, if it is that of the same command and shard.
fn continued(
    path: &str,
    first: &str,
    expected: &Header,
    rest: &[&str],
) -> Result<Body, DistributionError> {
    let found = Header::read(&quote(path), first)?;
    if found != *expected {
        let shown = |header: &Header| format!("{}, shard {}", header.command.shown(), header.shard);
        let (found, expected) = (shown(&found), shown(expected));
        return Err(DistributionError::Command { path: quote(path), found, expected });
    }
    Body::read(path, rest)
}

/// The text of a part, whose torn end may be no text.
fn read(file: &mut File, path: &str) -> Result<String, DistributionError> {
    let mut bytes = Vec::new();
    let read = (&mut *file).take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| InputError::of(path, error))?;
    let size = Some(bytes.len() as u128);
    within("bytes of a part", size, MAX_BYTES, "use more shards").map_err(InputError::from)?;
    Ok(text(bytes))
}

/// A text that ends before the first byte that is none.
pub(super) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let end = error.utf8_error().valid_up_to();
        String::from_utf8_lossy(&error.as_bytes()[..end]).into_owned()
    })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings, numbers and JSON have a form in JSON")
}
