//! Why something is not a program: one variant per reason, with the operations by name.

use crate::limit::TooLarge;
use crate::topology::Host;

/// Why operations of ranks are no [`Program`](super::Program).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ProgramError {
    #[error("the program has no ranks: describe at least one")]
    NoRanks,
    #[error(
        "rank {rank} needs one list of dependencies of either kind for every operation, empty ones where there are none"
    )]
    Lists { rank: Host },
    #[error("{operation}: there is no rank {found}; ranks are numbered 0 to {last}", last = .ranks - 1)]
    NoRank { operation: String, found: Host, ranks: usize },
    #[error("{operation}: a rank sends to itself: remove both the send and the receive")]
    ToItself { operation: String },
    #[error("{operation}: a message of 0 bytes: give one that only synchronises 1 byte")]
    NoBytes { operation: String },
    #[error("{operation}: it depends on operation {found}, which its rank does not have")]
    NoOperation { operation: String, found: u32 },
    #[error("these operations of a rank wait for each other, {cycle}: remove a dependency")]
    Cycle { cycle: String },
    #[error(
        "{send}: rank {to} does not receive this message: add a receive from rank {from} with tag {tag} there"
    )]
    NoReceive { send: String, from: Host, to: Host, tag: u32 },
    #[error(
        "{receive}: rank {from} does not send this message: add a send to rank {to} with tag {tag} there"
    )]
    NoSend { receive: String, from: Host, to: Host, tag: u32 },
    #[error(
        "{send} sends {sent} bytes, {receive} receives {received} of that message: make both the same"
    )]
    Sizes {
        send: String,
        /// Bytes that are sent.
        sent: u64,
        receive: String,
        /// Bytes that are received.
        received: u64,
    },
    #[error(
        "the program never ends, {cycle}: let one of the sends start before the receive that it waits for has ended"
    )]
    Deadlock { cycle: String },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}
