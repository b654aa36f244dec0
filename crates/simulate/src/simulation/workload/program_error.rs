//! Why something is no program: one variant per reason, with the operations by name.

use crate::limit::TooLarge;
use crate::topology::Host;

/// Why operations of ranks are no [`Program`](super::Program).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// A program of nobody.
    #[error("a program has at least 1 rank, here is none")]
    NoRanks,
    /// Lists of different lengths.
    #[error(
        "rank {rank} needs one list of dependencies of either kind for every operation, empty ones where there are none"
    )]
    Lists {
        /// The rank.
        rank: Host,
    },
    /// A message to or from a rank that there is not.
    #[error("{operation}: there is no rank {found}; ranks are numbered 0 to {last}", last = .ranks - 1)]
    NoRank {
        /// The operation.
        operation: String,
        /// The number of the rank.
        found: Host,
        /// Number of ranks.
        ranks: usize,
    },
    /// A message of a rank to itself.
    #[error("{operation}: a rank sends to itself: remove both the send and the receive")]
    ToItself {
        /// The operation.
        operation: String,
    },
    /// A message without content.
    #[error("{operation}: a message of 0 bytes: give one that only synchronises 1 byte")]
    NoBytes {
        /// The operation.
        operation: String,
    },
    /// A dependency on an operation that there is not.
    #[error("{operation}: it depends on operation {found}, which its rank does not have")]
    NoOperation {
        /// The operation.
        operation: String,
        /// Number of the other one.
        found: u32,
    },
    /// Dependencies within a rank that go round in a circle.
    #[error("these operations of a rank wait for each other, {cycle}: remove a dependency")]
    Cycle {
        /// The operations, each waiting for the next.
        cycle: String,
    },
    /// A send that nobody receives.
    #[error(
        "{send}: rank {to} does not receive this message: add a receive from rank {from} with tag {tag} there"
    )]
    NoReceive {
        /// The send.
        send: String,
        /// Its rank.
        from: Host,
        /// The rank that should receive.
        to: Host,
        /// Its tag.
        tag: u32,
    },
    /// A receive of what nobody sends.
    #[error(
        "{receive}: rank {from} does not send this message: add a send to rank {to} with tag {tag} there"
    )]
    NoSend {
        /// The receive.
        receive: String,
        /// The rank that should send.
        from: Host,
        /// Its rank.
        to: Host,
        /// Its tag.
        tag: u32,
    },
    /// A send and a receive of different sizes.
    #[error(
        "{send} sends {sent} bytes, {receive} receives {received} of that message: make both the same"
    )]
    Sizes {
        /// The send.
        send: String,
        /// Its bytes.
        sent: u64,
        /// The receive.
        receive: String,
        /// Its bytes.
        received: u64,
    },
    /// Ranks that wait for each other's messages.
    #[error(
        "the program never ends, {cycle}: let one of the sends start before the receive that it waits for has ended"
    )]
    Deadlock {
        /// The operations, each waiting for the next.
        cycle: String,
    },
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}
