//! Work in numbered units, which several processes can share.
//!
//! An engine cuts its work into units that depend neither on threads nor on processes, and has them
//! done by [`Units::each`]. By default this process does them all. A *shard* i/n does those that a
//! fixed rule gives it and keeps every one that it finishes in its *part* ([`Part`]), a file from
//! which it resumes. Merging ([`Parts`]) takes the results from the parts of all shards: what follows
//! them, proof and check above all, happens once, from the same results and in the same order as in
//! one process, and so gives the same bytes. What no part has is done while merging.
//!
//! Units are independent: a shard never waits for another, and whatever depends on the results of
//! all is left to the merge.
//!
//! # What holds in a shard
//!
//! - A unit depends on its number alone, never on how many shards there are. An engine that needs the results of all
//!   units concludes nothing in a shard, where [`Units::part`] is some. So a merge and a job of MPI ranks run the same
//!   code on the same results as one process.
//! - What comes from a part may be anything: a unit says what can be worked with ([`Work::fits`]), the checker what is
//!   true. What neither sees is as the part says, and `docs/src/many-machines.md` names it: worst loads of links whose
//!   cover is their ends, statistics, numbers of evaluations, what studies only claim. No bound that rests on such
//!   results is proven, nor, in `attack`, claimed.
//! - The best bound so far would depend on who found it. So the linear programs of links all begin with the one that a
//!   few pilots give, which every process solves for itself (`lp/worst_demand/kept.rs`).
//! - Processes that share work have read the same: a part holds length and checksum of every input
//!   ([`input::contents`](crate::input::contents)), and a process that resumes or merges compares them before it does
//!   anything with the results ([`Units::reads`]).
//!
//! # Work that several processes share
//!
//! It is a [`Work`], done by [`Units::each`] or [`Units::together`]. All adversaries of oblivious routings share
//! theirs. A verb whose work can be shared has `ShardOptions`, refuses in `check_sharing` what
//! cannot, asks `Context::units`, calls `Context::inputs_are_read` when it has read all, and ends a shard with
//! `Context::end_part`. MPI is named in `cli/ranks.rs` only.

mod error;
mod line;
mod part;
mod parts;

pub use error::ShardError;
pub use line::Command;
pub use part::{Kept, Part};
pub use parts::Parts;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::input::Content;
use crate::quote::quote;

/// Maximum number of shards of one command.
pub const MAX_SHARDS: u64 = 1 << 16;

/// One of several processes that share the work: `3/16` is the third of 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Shard `number` of `of`, counted from 1; `None` where there is no such shard.
    #[must_use]
    pub fn new(number: u64, of: u64) -> Option<Self> {
        ((1..=of).contains(&number) && of <= MAX_SHARDS).then_some(Self { number, of })
    }

    /// The number of shards.
    #[must_use]
    pub fn of(self) -> u64 {
        self.of
    }

    /// Whether it does a unit: each row of `of` units is dealt out beginning one shard later, so that
    /// no shard gets only the even ones.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::shards::Shard;
    /// let first: Shard = "1/3".parse()?;
    /// assert_eq!((0..9).filter(|unit| first.does(*unit)).collect::<Vec<u64>>(), [0, 5, 7]);
    /// # Ok::<(), routebound::shards::ShardError>(())
    /// ```
    #[must_use]
    pub fn does(self, unit: u64) -> bool {
        (unit % self.of + unit / self.of % self.of) % self.of == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        let shard = numbers.and_then(|(number, of)| Self::new(number, of));
        shard.ok_or_else(|| ShardError::Shard(quote(text)))
    }
}

/// Outcome of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<R> {
    /// The result of the unit.
    Final(R),
    /// A result from when the work was stopped or a limit reached: nothing to keep.
    Passing(R),
    /// Nothing, as the work was stopped.
    Stopped,
}

/// Work that is done unit by unit.
pub trait Work: Sync {
    /// The result of a unit, and what the part of a shard holds of it.
    type Result: Serialize + DeserializeOwned + Send;
    /// What a thread uses for one unit after the other.
    type Scratch;

    /// What a thread begins with.
    fn scratch(&self) -> Self::Scratch;

    /// Does a unit. The result depends on nothing but its number.
    fn find(&self, scratch: &mut Self::Scratch, unit: u64) -> Found<Self::Result>;

    /// Whether a result from a file can be that of a unit, so that it may be worked with; whether it
    /// is right is decided later, by the checker or by measuring again.
    fn fits(&self, unit: u64, result: &Self::Result) -> bool;
}

/// The place where units of work are done.
#[derive(Clone, Debug, Default)]
pub struct Units {
    place: Place,
    /// Whether the part is that of the whole work, which then ends as if there were none.
    is_whole: bool,
    /// Begins the names of all stages.
    prefix: String,
}

#[derive(Clone, Debug, Default)]
enum Place {
    #[default]
    Here,
    Part(Arc<Part>),
    Parts(Arc<Parts>),
}

impl From<Arc<Part>> for Units {
    fn from(part: Arc<Part>) -> Self {
        Self { place: Place::Part(part), ..Self::default() }
    }
}

impl From<Arc<Parts>> for Units {
    fn from(parts: Arc<Parts>) -> Self {
        Self { place: Place::Parts(parts), ..Self::default() }
    }
}

impl Units {
    /// All units, done by this process alone, which keeps them in a part and takes from it what is there.
    #[must_use]
    pub fn whole(part: Arc<Part>) -> Self {
        Self { is_whole: true, ..part.into() }
    }

    /// The units of something that the work consists of, under a name of its own.
    #[must_use]
    pub fn within(&self, name: &str) -> Self {
        Self { prefix: format!("{}{name}: ", self.prefix), ..self.clone() }
    }

    /// Whether several processes share the work, in this run or in those that it merges.
    #[must_use]
    pub fn are_shared(&self) -> bool {
        !matches!(self.place, Place::Here)
    }

    /// The part that this run computes, if it is that of a shard: its results are then incomplete,
    /// and nothing is to be concluded from them.
    #[must_use]
    pub fn part(&self) -> Option<&Part> {
        self.kept().filter(|_| !self.is_whole)
    }

    /// The part in which this run keeps units, whether or not others do some.
    #[must_use]
    pub fn kept(&self) -> Option<&Part> {
        if let Place::Part(part) = &self.place { Some(part) } else { None }
    }

    /// The number of shards that do units at the same time as this run.
    #[must_use]
    pub fn shards(&self) -> u64 {
        self.part().map_or(1, |part| part.shard().of())
    }

    /// Does units of a stage of the work on all threads, or looks their results up. The result of a
    /// unit is `None` where it is another shard's, or the work was stopped.
    pub fn each<W: Work>(
        &self,
        stage: &str,
        units: Range<u64>,
        work: &W,
    ) -> Vec<Option<W::Result>> {
        let stage = self.named(stage);
        let one = |scratch: &mut W::Scratch, unit| {
            let known = match self.known(&stage, unit, work) {
                Err(AnotherShard) => return None,
                Ok(known) => known,
            };
            known.or_else(|| self.taken(&stage, unit, work.find(scratch, unit)))
        };
        units.into_par_iter().map_init(|| work.scratch(), one).collect()
    }

    /// Does units that are cheaper to do together: `all` gets those whose results are not
    /// known, in the order given, and hands over each result as soon as it is there, from any thread.
    pub fn together<W: Work>(
        &self,
        stage: &str,
        units: &[u64],
        work: &W,
        all: impl FnOnce(&[u64], &(dyn Fn(u64, Found<W::Result>) + Sync)),
    ) -> Vec<Option<W::Result>> {
        let stage = self.named(stage);
        let (mut found, mut open) = (HashMap::new(), Vec::new());
        for unit in units {
            match self.known(&stage, *unit, work) {
                Err(AnotherShard) => {}
                Ok(None) => open.push(*unit),
                Ok(Some(known)) => {
                    found.insert(*unit, known);
                }
            }
        }
        let found = Mutex::new(found);
        if !open.is_empty() {
            all(&open, &|unit, result| {
                let taken = self.taken(&stage, unit, result).map(|result| (unit, result));
                found.lock().unwrap_or_else(PoisonError::into_inner).extend(taken);
            });
        }
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        units.iter().map(|unit| found.remove(unit)).collect()
    }

    /// The error with files of parts, if one was noticed in the middle of work.
    ///
    /// # Errors
    /// The first such failure.
    pub fn check(&self) -> Result<(), ShardError> {
        match &self.place {
            Place::Here => Ok(()),
            Place::Part(part) => part.check(),
            Place::Parts(parts) => parts.check(),
        }
    }

    /// Whether something went wrong: what is done from now on is lost.
    #[must_use]
    pub fn have_failed(&self) -> bool {
        self.check().is_err()
    }

    /// Takes down what this run has read so far, before units are done with it, or compares it with
    /// what shards read; `all` says that there is no more to come.
    ///
    /// # Errors
    /// [`ShardError::Changed`] where a shard, or this one in a run before, read something
    /// else, and [`ShardError::Stdin`].
    pub fn reads(&self, inputs: &BTreeSet<Content>, all: bool) -> Result<(), ShardError> {
        match &self.place {
            Place::Here => Ok(()),
            Place::Part(part) => part.reads(inputs, all),
            Place::Parts(parts) => parts.reads(inputs, all),
        }
    }

    fn named(&self, stage: &str) -> String {
        format!("{}{stage}", self.prefix)
    }

    /// The result of a unit from a file, if it is there.
    fn known<W: Work>(
        &self,
        stage: &str,
        unit: u64,
        work: &W,
    ) -> Result<Option<W::Result>, AnotherShard> {
        let known = match &self.place {
            Place::Here => return Ok(None),
            Place::Part(part) if part.asks(unit) => part.known(stage, unit),
            // After a failure to keep them, all units are still done.
            Place::Part(_) if self.is_whole => return Ok(None),
            Place::Part(_) => return Err(AnotherShard),
            Place::Parts(parts) => parts.known(stage, unit),
        };
        let Some(text) = known else { return Ok(None) };
        let result = read(&text).filter(|result| work.fits(unit, result));
        if result.is_none() {
            let damaged =
                ShardError::Result { stage: quote(stage), unit, found: quote(text.get()) };
            match &self.place {
                Place::Here => {}
                Place::Part(part) => part.fail(damaged),
                Place::Parts(parts) => parts.fail(damaged),
            }
        }
        Ok(result)
    }

    fn taken<R: Serialize>(&self, stage: &str, unit: u64, found: Found<R>) -> Option<R> {
        match found {
            Found::Final(result) => {
                if let Place::Part(part) = &self.place {
                    part.keep(stage, unit, &result);
                }
                Some(result)
            }
            Found::Passing(result) => Some(result),
            Found::Stopped => None,
        }
    }
}

/// A unit is done by another shard.
struct AnotherShard;

fn read<R: DeserializeOwned>(text: &RawValue) -> Option<R> {
    serde_json::from_str(text.get()).ok()
}

#[cfg(test)]
mod tests;
