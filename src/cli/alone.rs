//! In builds without MPI no process belongs to a job of several: what `ranks.rs` has, without ranks.

use anyhow::Result;
use clap::ArgMatches;

use super::{Context, Outcome, Verb};
use crate::shards::{Parts, Units};

/// There are none.
pub(super) enum Ranks {}

impl Ranks {
    pub(super) fn of_job() -> Option<Self> {
        None
    }

    pub(super) fn is_first(&self) -> bool {
        match *self {}
    }

    pub(super) fn give_up(&self, _: u8) -> ! {
        match *self {}
    }

    pub(super) fn units(&self, _: &Verb, _: &ArgMatches) -> Result<Units> {
        match *self {}
    }

    pub(super) fn gather(&self, _: Result<Outcome>, _: Option<&Context>) -> Result<Option<Parts>> {
        match *self {}
    }
}
