//! Why traffic cannot be read: one variant a reason, with file, line and column.

use crate::input::InputError;
use crate::limit::TooLarge;
use crate::quote::quote;
use crate::ratio::RatioError;
use crate::spec::SpecError;
use crate::topology::NoHost;
use crate::traffic::TrafficError;

/// Why there is no traffic from a file or a spec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrafficFileError {
    /// It cannot be opened or read.
    #[error("{0}")]
    Input(InputError),
    /// No reader recognises the content.
    #[error("{path}: no known format of traffic: {found}; known: {known}")]
    UnknownFormat {
        /// The path as given.
        path: String,
        /// What the file holds instead.
        found: String,
        /// The known formats.
        known: String,
    },
    /// A place in the file is wrong.
    #[error("{path}, line {line}, column {column}: {problem}")]
    Content {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: u64,
        /// The byte of the line, from 1.
        column: usize,
        /// What is wrong.
        problem: Problem,
    },
    /// The file as a whole does not fit what was asked for.
    #[error("{path}: {problem}")]
    Whole {
        /// The path as given.
        path: String,
        /// What does not fit.
        problem: Problem,
    },
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The options of `file(..):PATH` do not fit.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// A pattern cannot be made, or the demands are no traffic matrix.
    #[error("{0}")]
    Traffic(#[from] TrafficError),
}

impl From<InputError> for TrafficFileError {
    fn from(error: InputError) -> Self {
        match error {
            InputError::TooLarge(error) => error.into(),
            other => Self::Input(other),
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Zero bytes or invalid UTF-8.
    #[error("binary data or invalid UTF-8: a text file is wanted")]
    NotText,
    /// No amount of traffic.
    #[error("bad amount: {0}")]
    Number(#[from] RatioError),
    /// A fraction where the format announced integers.
    #[error("`{found}` is no integer, which the first line announces", found = quote(.found))]
    NotInteger {
        /// The number.
        found: String,
    },
    /// Something else than the format has here.
    #[error("found `{found}`, expected {expected}", found = quote(.found))]
    Syntax {
        /// What stands there, shortened.
        found: String,
        /// What the format has here.
        expected: &'static str,
    },
    /// What its parser cannot make sense of.
    #[error("no well-formed XML: {problem}; the file is damaged or truncated", problem = quote(.problem))]
    Malformed {
        /// What its parser says.
        problem: String,
    },
    /// A row of another length than the first.
    #[error("this row has {found} numbers, the first one has {wanted}")]
    Ragged {
        /// Numbers of the row.
        found: usize,
        /// Numbers of the first row.
        wanted: usize,
    },
    /// A matrix with different numbers of rows and columns.
    #[error(
        "the matrix is not square: {rows} rows, {columns} columns; a traffic matrix has a row and a column for every host"
    )]
    NotSquare {
        /// Number of rows.
        rows: u64,
        /// Number of columns.
        columns: u64,
    },
    /// Several matrices, one a line, and none chosen.
    #[error(
        "{count} matrices of {hosts} hosts, one a line: choose one with file(index=0):PATH, the last is {last}", last = .count - 1
    )]
    SeveralMatrices {
        /// How many.
        count: usize,
        /// Hosts of each.
        hosts: usize,
    },
    /// A chosen matrix that is not there.
    #[error("there is no matrix {index}: the file has {count}, numbered from 0")]
    NoSuchMatrix {
        /// The number asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// An index outside the announced or known range.
    #[error("index {found} is out of range: {low} to {high}")]
    OutOfRange {
        /// The index.
        found: u64,
        /// Least index.
        low: u64,
        /// Greatest index.
        high: u64,
    },
    /// More hosts than the network has.
    #[error("the traffic is among {found} hosts, the network has {hosts}: use a larger network")]
    TooManyHosts {
        /// Hosts of the file.
        found: u64,
        /// Hosts of the network.
        hosts: usize,
    },
    /// A number or name of no host.
    #[error("{0}")]
    NoHost(#[from] NoHost),
    /// A host name that is not known.
    #[error("there is no host `{name}`: give its number, 0 to {last}, or a name of the network", name = quote(.name))]
    UnknownHost {
        /// The name, shortened.
        name: String,
        /// The greatest host number.
        last: usize,
    },
    /// Two nodes of one name.
    #[error("node `{name}` stands twice in the file", name = quote(.name))]
    DuplicateNode {
        /// The name.
        name: String,
    },
    /// Fewer or more entries than announced.
    #[error("{announced} entries are announced, but {found} are there: the file is damaged")]
    Count {
        /// Entries announced.
        announced: u64,
        /// Entries found, possibly more.
        found: u64,
    },
    /// A kind of the format that holds no traffic.
    #[error("`{found}` is no traffic: {remedy}", found = quote(.found))]
    Unsupported {
        /// What stands there.
        found: String,
        /// What is accepted.
        remedy: &'static str,
    },
    /// The file ends too early.
    #[error("the file ends here, expected {expected}")]
    EndOfFile {
        /// What is missing.
        expected: &'static str,
    },
}

impl Problem {
    /// The problem that `found` is not what the format has there.
    #[must_use]
    pub fn syntax(found: &str, expected: &'static str) -> Self {
        Self::Syntax { found: quote(found), expected }
    }
}
