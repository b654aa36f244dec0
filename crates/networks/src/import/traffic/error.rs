//! Why traffic cannot be read: one variant per reason, with file, line and column.

use crate::input::InputError;
use crate::limit::TooLarge;
use crate::quote::quote;
use crate::rational::RationalError;
use crate::spec::SpecError;
use crate::topology::NoHost;
use crate::traffic::TrafficError;

/// Why reading traffic from a file or a spec failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrafficFileError {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Input(InputError),
    /// No reader recognises the content.
    #[error(
        "{path}: not a known traffic format: {found}; known: {known}; name one with file(format=NAME):PATH"
    )]
    UnknownFormat {
        /// The path as given.
        path: String,
        /// What the file holds instead.
        found: String,
        /// The known formats.
        known: String,
    },
    /// Something at a position in the file is wrong.
    #[error("{path}, line {line}, column {column}: {problem}")]
    Content {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: u64,
        /// The byte within the line, from 1.
        column: usize,
        /// What is wrong.
        problem: Problem,
    },
    /// The file as a whole does not fit the request.
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
    /// The options of `file(..):PATH` are invalid.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// A pattern cannot be generated, or the demands are not a traffic matrix.
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
#[non_exhaustive]
pub enum Problem {
    /// Zero bytes or invalid UTF-8.
    #[error("binary data or invalid UTF-8: expected a text file")]
    NotText,
    /// Not an amount of traffic.
    #[error("bad amount: {0}")]
    Number(#[from] RationalError),
    /// A fraction where the format announced integers.
    #[error("`{found}` is not an integer, but the first line announces integers", found = quote(.found))]
    NotInteger {
        /// The number.
        found: String,
    },
    /// Something other than what the format expects here.
    #[error("found `{found}`, expected {expected}", found = quote(.found))]
    Syntax {
        /// The text found there, shortened.
        found: String,
        /// What the format expects here.
        expected: &'static str,
    },
    /// Something that the parser cannot make sense of.
    #[error("not well-formed XML: {problem}; the file is damaged or truncated", problem = quote(.problem))]
    Malformed {
        /// What the parser says.
        problem: String,
    },
    /// A row whose length differs from that of the first.
    #[error("this row has {found} numbers, the first one has {wanted}")]
    Ragged {
        /// Numbers of the row.
        found: usize,
        /// Numbers of the first row.
        wanted: usize,
    },
    /// A matrix with different numbers of rows and columns.
    #[error(
        "the matrix is not square: {rows} rows, {columns} columns; a traffic matrix has a row and a column for every host; a list of demands is read as file(format=pairs):PATH"
    )]
    NotSquare {
        /// Number of rows.
        rows: u64,
        /// Number of columns.
        columns: u64,
    },
    /// Several matrices, one per line, and none chosen.
    #[error(
        "{count} matrices of {hosts} hosts, one per line: choose one with file(index=0):PATH, the last is {last}", last = .count - 1
    )]
    SeveralMatrices {
        /// How many.
        count: usize,
        /// Hosts of each.
        hosts: usize,
    },
    /// The chosen matrix does not exist.
    #[error("there is no matrix {index}: the file has {count}, numbered from 0")]
    NoSuchMatrix {
        /// The requested number.
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
    /// A matrix that does not say on which hosts of a network it is.
    #[error(
        "the matrix is among {found} hosts, the network has {hosts}, `{first}` to `{last}`: say where they are, \
         the first {found} by file(place=linear):PATH, or random ones by file(place=random,seed=1):PATH",
        first = quote(.first), last = quote(.last)
    )]
    SmallerThanNetwork {
        /// Hosts of the file.
        found: usize,
        /// Hosts of the network.
        hosts: usize,
        /// Its first host.
        first: String,
        /// Its last host.
        last: String,
    },
    /// Numbers that may be a matrix or a list.
    #[error("this may be {readings}: say which is meant")]
    SeveralReadings {
        /// What it may be, each with the option that says so.
        readings: String,
    },
    /// A number that is no host's name, where hosts are called by numbers.
    #[error(
        "no host is called `{name}`, and numbers are names in this network, such as `{example}`: if the file counts \
         the hosts from 0 to {last}, read it as file(hosts=index):PATH", name = quote(.name), example = quote(.example)
    )]
    NotCalled {
        /// The number.
        name: String,
        /// A name that is a number.
        example: String,
        /// The greatest index.
        last: usize,
    },
    /// A demand of a host to itself, where hosts are called by numbers.
    #[error(
        "a demand of host `{name}` to itself, where numbers are names: if it is meant, read the file as \
         file(hosts=names):PATH; if it counts the hosts from 0 to {last}, as file(hosts=index):PATH", name = quote(.name)
    )]
    ToItself {
        /// The name.
        name: String,
        /// The greatest index.
        last: usize,
    },
    /// A number or name that belongs to no host.
    #[error("{0}")]
    NoHost(#[from] NoHost),
    /// A node that no host of the network is called by.
    #[error(
        "there is no host `{name}`: if the nodes of the file are the hosts of the network in the same order, \
         read it as file(hosts=index):PATH", name = quote(.name)
    )]
    NoSuchNode {
        /// The name, shortened.
        name: String,
    },
    /// A file that is not in the format that its extension alone says.
    #[error(
        "{problem}; its extension says that the format is {format}: name another with file(format=NAME):PATH"
    )]
    ByExtension {
        /// What does not fit.
        problem: Box<Problem>,
        /// Name of the format.
        format: &'static str,
    },
    /// An unknown host name.
    #[error("there is no host `{name}`: give its number, 0 to {last}, or a name in the network", name = quote(.name))]
    UnknownHost {
        /// The name, shortened.
        name: String,
        /// The greatest host number.
        last: usize,
    },
    /// Two nodes with the same name.
    #[error("node `{name}` is in the file twice", name = quote(.name))]
    DuplicateNode {
        /// The name.
        name: String,
    },
    /// Fewer or more entries than announced.
    #[error("{announced} entries are announced, but {found} are there: the file is damaged")]
    Count {
        /// Number of entries announced.
        announced: u64,
        /// Number of entries found; there may be more.
        found: u64,
    },
    /// A part or variant of the format that cannot be read as traffic.
    #[error("`{found}` cannot be read as traffic: {remedy}", found = quote(.found))]
    Unsupported {
        /// The text found there.
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

impl TrafficFileError {
    /// The same of a file whose format is only said by its extension, where that may be wrong.
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
        Self::Syntax { found: quote(found), expected }
    }
}
