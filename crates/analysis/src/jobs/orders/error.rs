//! Why there is no order, or no load of one.

use crate::limit::TooLarge;
use crate::progress::Stopped;
use crate::quote::quote;
use crate::rational::Rational;

/// Why an order of ranks cannot be judged or searched for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// Stopped before there was any result.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// Shares, capacities or sizes that are not integers in a common unit.
    #[error(
        "the shares, capacities and sizes of messages have no common unit of a size that can be searched with: use a \
         single-path routing, or judge given orders"
    )]
    Denominators,
    /// A list of nodes in which one is missing, repeated or unknown.
    #[error("not an order of {nodes} nodes: {problem}")]
    NotAnOrder {
        /// Number of nodes.
        nodes: usize,
        /// What is wrong.
        problem: String,
    },
    /// Orders, collectives and jobs of different sizes.
    #[error(
        "{what} is for {size} ranks, but the job has {nodes} nodes: there is one rank per node"
    )]
    OtherSize {
        /// What does not fit.
        what: &'static str,
        /// Number of ranks that it is for.
        size: usize,
        /// Number of nodes of the job.
        nodes: usize,
    },
    /// A phase with a send that no job can make.
    #[error(
        "a phase sends from rank {s} to rank {d}: both have to be different ranks of the job's {nodes}"
    )]
    BadSend {
        /// Source.
        s: u32,
        /// Destination.
        d: u32,
        /// Number of nodes of the job.
        nodes: usize,
    },
    /// Two nodes that cannot send to each other.
    #[error(
        "nodes `{a}` and `{b}` have no rail in common, so one cannot send to the other: leave one of them out of the job",
        a = quote(.a), b = quote(.b)
    )]
    NoCommonRail {
        /// A node.
        a: String,
        /// Another one.
        b: String,
    },
    /// A search and exact arithmetic disagree: a defect in this program.
    #[error(
        "the search says that its order takes {claimed}, exact arithmetic {found}, which is a defect of the search"
    )]
    Defect {
        /// What the search claims.
        claimed: Rational,
        /// What it is.
        found: Rational,
    },
}
