//! Why there is no such workload: one variant per reason, with file and line.

use super::program_error::ProgramError;
use super::trace::TraceError;
use crate::import::traffic::TrafficFileError;
use crate::input::InputError;
use crate::limit::TooLarge;
use crate::quote::quote;
use crate::registry::UnknownName;
use crate::spec::SpecError;
use crate::topology::NoHost;

/// Why a workload cannot be read or generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkloadError {
    /// The spec is malformed or its options do not fit.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// No collective or trace of that name.
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    /// Neither a name nor a file whose format shows.
    #[error(
        "`{text}` is neither a collective ({collectives}) nor a trace ({traces}), nor a file that ends in .csv or .goal or begins as these do", text = quote(.text)
    )]
    Unrecognised {
        /// The text.
        text: String,
        /// Names of the collectives.
        collectives: String,
        /// Names of the traces.
        traces: String,
    },
    /// It needs another number of hosts.
    #[error("`{spec}` does not fit {hosts} hosts: {reason}", spec = quote(.spec))]
    DoesNotFit {
        /// The spec.
        spec: String,
        /// Number of hosts.
        hosts: usize,
        /// What it needs.
        reason: String,
    },
    /// The file cannot be opened or read.
    #[error("{0}")]
    Input(InputError),
    /// A line of the file is no text, or too long.
    #[error("{0}")]
    Text(Box<TrafficFileError>),
    /// A line is wrong.
    #[error("{path}, line {line}: {problem}")]
    Content {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        #[source]
        problem: Problem,
    },
    /// Lines that do not fit together.
    #[error("{path}, {error}")]
    File {
        /// The path as given.
        path: String,
        /// What is wrong, and in which lines.
        #[source]
        error: ProgramError,
    },
    /// A trace that cannot be.
    #[error("{0}")]
    Trace(#[from] TraceError),
    /// A program that cannot be.
    #[error("{0}")]
    Program(#[from] ProgramError),
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

impl From<InputError> for WorkloadError {
    fn from(error: InputError) -> Self {
        match error {
            InputError::TooLarge(error) => error.into(),
            other => Self::Input(other),
        }
    }
}

impl From<TrafficFileError> for WorkloadError {
    fn from(error: TrafficFileError) -> Self {
        match error {
            TrafficFileError::Input(error) => error.into(),
            TrafficFileError::TooLarge(error) => error.into(),
            other => Self::Text(Box::new(other)),
        }
    }
}

/// What is wrong with a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Something other than what the format expects here.
    #[error("found `{found}`, expected {expected}")]
    Syntax {
        /// The text found there, shortened.
        found: String,
        /// What the format expects here.
        expected: &'static str,
    },
    /// The same at a place in the line.
    #[error("column {column}: found `{found}`, expected {expected}")]
    Word {
        /// First byte in the line, from 1.
        column: usize,
        /// The rest of the line from there, shortened.
        found: String,
        /// What the format expects here.
        expected: &'static str,
    },
    /// The file ends too early.
    #[error("the file ends here, expected {expected}")]
    EndOfFile {
        /// What is missing.
        expected: &'static str,
    },
    /// A host that there is not.
    #[error("{0}")]
    NoHost(#[from] NoHost),
    /// A number that is no host's name, where hosts are called by numbers.
    #[error(
        "no host is called `{name}`, and numbers are names in this network, such as `{example}`: if the file counts \
         the hosts from 0, read it as trace(hosts=index):FILE", name = quote(.name), example = quote(.example)
    )]
    NotCalled {
        /// The number.
        name: String,
        /// A name that is a number.
        example: String,
    },
    /// A message that does not fit the trace.
    #[error("{0}")]
    Message(#[from] TraceError),
    /// A header without a column.
    #[error("the header has no column `{missing}`: expected {expected}")]
    NoColumn {
        /// The column.
        missing: &'static str,
        /// The header.
        expected: &'static str,
    },
    /// More ranks than hosts.
    #[error("the program has {ranks} ranks, but there are {hosts} hosts: use a larger network")]
    TooManyRanks {
        /// Number of ranks.
        ranks: u64,
        /// Number of hosts.
        hosts: usize,
    },
    /// A rank number that is too large.
    #[error("there is no rank {found}; ranks are numbered 0 to {last}")]
    NoRank {
        /// The number.
        found: u64,
        /// The largest number.
        last: u64,
    },
    /// A rank that the file describes twice.
    #[error("rank {rank} is described a second time: give all its operations in one block")]
    RankTwice {
        /// The rank.
        rank: u64,
    },
    /// A rank that the file does not describe.
    #[error(
        "the file ends here without rank {rank}: it is cut off, or add `rank {rank} {{` and `}}`"
    )]
    NoSuchBlock {
        /// The rank.
        rank: u64,
    },
    /// A label that two operations of a rank have.
    #[error("label `{label}` stands for another operation of this rank: choose another", label = quote(.label))]
    LabelTwice {
        /// The label.
        label: String,
    },
    /// A label that no operation of the rank has.
    #[error("no operation of this rank has the label `{label}`", label = quote(.label))]
    NoLabel {
        /// The label.
        label: String,
    },
    /// A part of the format that cannot be simulated.
    #[error("{what} cannot be simulated: {remedy}")]
    Unsupported {
        /// What it is.
        what: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}
