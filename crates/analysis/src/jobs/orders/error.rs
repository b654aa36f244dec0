//! Why there is no order, or no load of one.

use crate::limit::TooLarge;
use crate::progress::Stopped;
use crate::quote::Quoted;
use crate::rational::Rational;

/// Why an order of ranks cannot be judged or searched for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum OrderError {
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error(
        "the shares, capacities and sizes of messages have no common unit of a size that can be searched with: use a \
         single-path routing, or judge given orders"
    )]
    Denominators,
    #[error("not an order of {nodes} nodes: {problem}")]
    NotAnOrder { nodes: usize, problem: String },
    #[error(
        "{what} is for {size} ranks, but the job has {nodes} nodes: there is one rank per node"
    )]
    OtherSize { what: &'static str, size: usize, nodes: usize },
    #[error(
        "a phase sends from rank {s} to rank {d}: both must be different ranks of the job's {nodes}"
    )]
    BadSend { s: u32, d: u32, nodes: usize },
    #[error(
        "nodes `{a}` and `{b}` have no rail in common, so one cannot send to the other: leave one of them out of the job"
    )]
    NoCommonRail { a: Quoted, b: Quoted },
    /// A search and exact arithmetic disagree: an internal error.
    #[error(
        "internal error: the search says that its order takes {claimed}, exact arithmetic {found}; please report it"
    )]
    Defect { claimed: Rational, found: Rational },
}
