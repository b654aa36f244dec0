//! What is wrong with a table of paths.

use crate::limit::TooLarge;
use crate::rational::Rational;

/// Maximum number of bits of the common denominator of a pair's shares: sums must stay cheap.
pub(super) const MAX_BITS: usize = 4096;

/// A defect of a table of paths.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum TableProblem {
    #[error(
        "the header is `{0}`, expected `source,destination,share,links`, with `nodes` after or in place of `links`"
    )]
    Header(String),
    #[error("{column} is `{found}`, expected {expected}")]
    Field {
        column: &'static str,
        /// What was found there, shortened.
        found: String,
        expected: String,
    },
    #[error("{found} columns, expected {}: {}", .expected.len(), .expected.join(","))]
    Columns { found: usize, expected: Vec<&'static str> },
    #[error(
        "{} from `{from}` to `{to}`{}",
        if *.links == 0 { "no link leads".to_string() } else { format!("{} links lead", .links) },
        if *.links == 0 { "" } else { ": name the one that is meant in a column `links`" }
    )]
    Hop { from: String, to: String, links: usize },
    #[error("the links lead through {0}, which is not what the column `nodes` says")]
    OtherNodes(String),
    #[error("the path does not lead from host {source_host} to host {destination}: {problem}")]
    Path { source_host: String, destination: String, problem: String },
    #[error(
        "the shares of the paths from host {source_host} to host {destination} have a common denominator of more than {MAX_BITS} bits: round them"
    )]
    Denominator { source_host: String, destination: String },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("the shares of the paths from host {source_host} to host {destination} sum to {sum}, not to 1{}",
        if *.sum == Rational::ZERO { ": the pair has no row" } else { "" })]
    Shares { source_host: String, destination: String, sum: Rational },
}
