//! Programs that consist of rounds of messages.

use std::ops::Range;

use crate::prelude::*;
use crate::simulation::workload::error::WorkloadError;
use crate::simulation::workload::operations::{Operation, Rank};
use crate::simulation::workload::program::{MAX_OPERATIONS, Program, REMEDY};

/// A program that is made round by round.
pub(super) struct Rounds {
    ranks: Vec<Rank>,
    /// By rank: its operations of the last round in which it had any.
    last: Vec<Range<u32>>,
    round: u32,
}

impl Rounds {
    /// Ranks that have nothing to do yet, and will have at most `messages` messages in all.
    pub(super) fn of(ranks: usize, messages: u128) -> Result<Self, WorkloadError> {
        within("number of operations", Some(2 * messages), MAX_OPERATIONS, REMEDY)?;
        Ok(Self { ranks: vec![Rank::default(); ranks], last: vec![0..0; ranks], round: 0 })
    }

    /// The ranks.
    pub(super) fn ranks(&self) -> Range<Host> {
        0..host_number(self.ranks.len())
    }

    /// The next round: messages `(s, d, bytes)`, in which a rank may send and receive.
    pub(super) fn add(&mut self, messages: impl IntoIterator<Item = (Host, Host, u64)>) {
        let first: Vec<u32> = self.ranks.iter().map(next).collect();
        let tag = self.round;
        for (s, d, bytes) in messages {
            self.push(s, Operation::Send { to: d, bytes, tag });
            self.push(d, Operation::Receive { from: s, bytes, tag });
        }
        for ((rank, last), first) in self.ranks.iter().zip(&mut self.last).zip(first) {
            if next(rank) > first {
                *last = first..next(rank);
            }
        }
        self.round += 1;
    }

    fn push(&mut self, rank: Host, operation: Operation) {
        let requires = self.last[rank as usize].clone().collect();
        self.ranks[rank as usize].push(operation, requires);
    }

    /// The program.
    pub(super) fn program(self) -> Result<Program, WorkloadError> {
        Ok(Program::new(self.ranks)?)
    }
}

/// The number of the next operation.
fn next(rank: &Rank) -> u32 {
    index32(rank.operations.len())
}
