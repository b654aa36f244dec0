//! Operations of ranks: what must have ended or started before each, and their numbers.

use crate::prelude::*;

/// An operation of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Sends a message. It ends when the message has left; nothing waits for it to be received.
    Send {
        /// The rank that receives.
        to: Host,
        /// Number of bytes, 1 to [`MAX_BYTES`](super::MAX_BYTES).
        bytes: u64,
        /// Which of the receives of that rank it is for.
        tag: u32,
    },
    /// Receives a message. It ends when the message has arrived.
    Receive {
        /// The rank that sends.
        from: Host,
        /// Number of bytes.
        bytes: u64,
        /// Which of the sends of that rank it is for.
        tag: u32,
    },
    /// Computes.
    Compute {
        /// Duration in ns, at most [`MAX_TIME`](super::MAX_TIME).
        ns: u64,
    },
}

/// The operations of a rank, each with its dependencies; the three lists have the same length. What
/// neither waits for the other may happen at the same time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// The operations, numbered from 0.
    pub operations: Vec<Operation>,
    /// For every operation those of the same rank that must have ended before it starts.
    pub requires: Vec<Vec<u32>>,
    /// For every operation those of the same rank that must have started before it starts.
    pub starts_after: Vec<Vec<u32>>,
}

impl Rank {
    /// Appends an operation that starts when those in `requires` have ended; returns its number.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::workload::{Operation, Rank};
    /// let mut rank = Rank::default();
    /// let first = rank.push(Operation::Compute { ns: 5 }, vec![]);
    /// assert_eq!(rank.push(Operation::Compute { ns: 7 }, vec![first]), 1);
    /// ```
    pub fn push(&mut self, operation: Operation, requires: Vec<u32>) -> u32 {
        let number = index32(self.operations.len());
        self.operations.push(operation);
        self.requires.push(requires);
        self.starts_after.push(Vec::new());
        number
    }
}

/// An operation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The rank.
    pub rank: Host,
    /// Number of the operation in its rank.
    pub operation: u32,
}

/// Names of operations in messages.
pub(super) type Name<'n> = &'n dyn Fn(Place) -> String;

/// No operation has this number.
pub(super) const ALONE: u32 = u32::MAX;

/// The operations of all ranks, rank by rank.
pub(super) fn numbered(ranks: &[Rank]) -> impl Iterator<Item = (Place, Operation)> {
    ranks.iter().enumerate().flat_map(|(rank, of)| {
        let rank = host_number(rank);
        let place = move |at| Place { rank, operation: index32(at) };
        of.operations.iter().enumerate().map(move |(at, operation)| (place(at), *operation))
    })
}

/// Numbers of operations over all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbering {
    /// By rank: the number of its first operation.
    first: Vec<u32>,
    pub count: u32,
}

impl Numbering {
    /// Numbers the operations of all ranks, fewer than 2^32.
    pub fn of(ranks: &[Rank]) -> Self {
        let mut count = 0;
        let first = ranks.iter().map(|rank| {
            let first = index32(count);
            count += rank.operations.len();
            first
        });
        Self { first: first.collect(), count: index32(count) }
    }

    pub fn number(&self, Place { rank, operation }: Place) -> u32 {
        self.first[rank as usize] + operation
    }

    pub fn place(&self, number: u32) -> Place {
        // Ranks without operations share their first number with the next: the last one is meant.
        let rank = self.first.partition_point(|first| *first <= number) - 1;
        Place { rank: host_number(rank), operation: number - self.first[rank] }
    }
}
