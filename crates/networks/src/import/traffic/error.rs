//! Why traffic cannot be read: one variant per reason, with file, line and column.

use crate::advice::Advice;
use crate::input::InputError;
use crate::limit::TooLarge;
use crate::quote::Quoted;
use crate::rational::RationalError;
use crate::spec::SpecError;
use crate::topology::NoHost;
use crate::traffic::TrafficError;

/// What reading a part of a traffic file gives, or why it fails.
pub(super) type Result<T, E = TrafficFileError> = std::result::Result<T, E>;

/// Why reading traffic from a file or a spec failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum TrafficFileError {
    #[error("{0}")]
    Input(InputError),
    #[error(
        "{path}: not a known traffic format: {found}{known}; name one with file(format=NAME):PATH"
    )]
    UnknownFormat {
        /// The path as given.
        path: String,
        found: String,
        known: String,
    },
    #[error("{path}, line {line}, column {column}: {problem}")]
    Content {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: u64,
        /// The byte within the line, from 1.
        column: usize,
        #[source]
        problem: Problem,
    },
    #[error("{path}: {problem}")]
    Whole {
        /// The path as given.
        path: String,
        #[source]
        problem: Problem,
    },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
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

/// A problem with a file of traffic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum Problem {
    /// Zero bytes or invalid UTF-8.
    #[error("binary data or invalid UTF-8: expected a text file")]
    NotText,
    #[error("bad amount: {0}")]
    Number(#[from] RationalError),
    /// A fraction where the format announced integers.
    #[error("`{found}` is not an integer, but the first line announces integers")]
    NotInteger { found: Quoted },
    #[error("found `{found}`, expected {expected}")]
    Syntax {
        /// The text found there, shortened.
        found: Quoted,
        expected: &'static str,
    },
    #[error("not well-formed XML: {problem}; the file is damaged or truncated")]
    Malformed { problem: Quoted },
    #[error("this row has {found} numbers, the first one has {wanted}")]
    Ragged { found: usize, wanted: usize },
    #[error(
        "the matrix is not square: {rows} rows, {columns} columns; a traffic matrix has a row and a column for every host; a list of demands is read as file(format=pairs):PATH"
    )]
    NotSquare { rows: u64, columns: u64 },
    #[error(
        "{count} matrices of {hosts} hosts, one per line: choose one with file(index=0):PATH, the last is {last}", last = .count - 1
    )]
    SeveralMatrices { count: usize, hosts: usize },
    #[error("there is no matrix {index}: the file has {count}, numbered from 0")]
    NoSuchMatrix { index: usize, count: usize },
    #[error("index {found} is out of range: {low} to {high}")]
    OutOfRange { found: u64, low: u64, high: u64 },
    #[error("the traffic is among {found} hosts, the network has {hosts}: use a larger network")]
    TooManyHosts { found: u64, hosts: usize },
    #[error(
        "the matrix is among {found} hosts, the network has {hosts}, `{first}` to `{last}`: say where they are, \
         the first {found} by file(place=linear):PATH, or random ones by file(place=random,seed=1):PATH"
    )]
    SmallerThanNetwork { found: usize, hosts: usize, first: Quoted, last: Quoted },
    #[error("this may be {readings}: say which is meant")]
    SeveralReadings { readings: String },
    /// A number that is not a host's name, where hosts are called by numbers.
    #[error(
        "no host is called `{name}`, and numbers are names in this network, such as `{example}`: if the file counts \
         the hosts from 0 to {last}, read it as file(hosts=index):PATH"
    )]
    NotCalled { name: Quoted, example: Quoted, last: usize },
    /// A demand of a host to itself, where hosts are called by numbers.
    #[error(
        "a demand of host `{name}` to itself, where numbers are names: if it is meant, read the file as \
         file(hosts=names):PATH; if it counts the hosts from 0 to {last}, as file(hosts=index):PATH"
    )]
    ToItself { name: Quoted, last: usize },
    #[error(transparent)]
    NoHost(#[from] NoHost),
    #[error(
        "there is no host `{name}`: if the nodes of the file are the hosts of the network in the same order, \
         read it as file(hosts=index):PATH"
    )]
    NoSuchNode {
        /// The name, shortened.
        name: Quoted,
    },
    #[error(
        "{problem}; its extension says that the format is {format}: name another with file(format=NAME):PATH"
    )]
    ByExtension { problem: Box<Problem>, format: &'static str },
    #[error("there is no host `{name}`: give its number, 0 to {last}, or a name in the network")]
    UnknownHost {
        /// The name, shortened.
        name: Quoted,
        last: usize,
    },
    #[error("node `{name}` is in the file twice")]
    DuplicateNode { name: Quoted },
    #[error("{announced} entries are announced, but {found} are there: the file is damaged")]
    Count { announced: u64, found: u64 },
    #[error("`{found}` cannot be read as traffic: {remedy}")]
    Unsupported {
        found: Quoted,
        #[source]
        remedy: Advice,
    },
    #[error("the file ends here, expected {expected}")]
    EndOfFile { expected: &'static str },
}

impl TrafficFileError {
    /// This error for a file whose format is only said by its extension, where that may be wrong.
    pub(super) fn by_extension(self, format: &'static str) -> Self {
        let other = |problem| Problem::ByExtension { problem: Box::new(problem), format };
        match self {
            Self::Content { path, line, column, problem } if problem.is_of_format() => {
                Self::Content { path, line, column, problem: other(problem) }
            }
            Self::Whole { path, problem } if problem.is_of_format() => {
                Self::Whole { path, problem: other(problem) }
            }
            error => error,
        }
    }
}

impl Problem {
    /// Whether another format may be what is meant.
    fn is_of_format(&self) -> bool {
        matches!(
            self,
            Self::Number(_)
                | Self::Syntax { .. }
                | Self::Malformed { .. }
                | Self::Ragged { .. }
                | Self::NotSquare { .. }
        )
    }

    /// The problem that `found` is not what the format expects there.
    #[must_use]
    pub fn syntax(found: &str, expected: &'static str) -> Self {
        Self::Syntax { found: found.into(), expected }
    }
}
