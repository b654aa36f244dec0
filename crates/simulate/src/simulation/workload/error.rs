//! Why there is no such workload: one variant per reason, with file and line.

use super::program_error::ProgramError;
use super::trace::TraceError;
use crate::import::traffic::TrafficFileError;
use crate::input::InputError;
use crate::limit::TooLarge;
use crate::quote::Quoted;
use crate::registry::UnknownName;
use crate::spec::SpecError;
use crate::topology::NoHost;

/// Why a workload cannot be read or generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum WorkloadError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error(
        "`{text}` is neither a collective ({collectives}) nor a trace ({traces}), nor a file that ends in .csv, .cm or .goal or begins as these do"
    )]
    Unrecognised { text: Quoted, collectives: String, traces: String },
    #[error("`{spec}` does not fit {hosts} hosts: {reason}")]
    DoesNotFit { spec: Quoted, hosts: usize, reason: String },
    #[error("{0}")]
    Input(InputError),
    #[error("{0}")]
    Text(Box<TrafficFileError>),
    #[error("{path}, line {line}: {problem}")]
    Content {
        /// The path as given.
        path: Box<str>,
        /// The line, from 1.
        line: u64,
        #[source]
        problem: Problem,
    },
    #[error("{path}, {error}")]
    File {
        /// The path as given.
        path: String,
        #[source]
        error: ProgramError,
    },
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error(transparent)]
    Program(#[from] ProgramError),
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

/// The problem of a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum Problem {
    #[error("found `{found}`, expected {expected}")]
    Syntax {
        /// The text found there, shortened.
        found: String,
        expected: &'static str,
    },
    #[error("column {column}: found `{found}`, expected {expected}")]
    Word {
        /// First byte in the line, from 1.
        column: usize,
        /// The rest of the line from there, shortened.
        found: String,
        expected: &'static str,
    },
    #[error("the file ends here, expected {expected}")]
    EndOfFile { expected: &'static str },
    #[error(transparent)]
    NoHost(#[from] NoHost),
    /// A number that is not a host's name, where hosts are called by numbers.
    #[error(
        "no host is called `{name}`, and numbers are names in this network, such as `{example}`: if the file counts \
         the hosts from 0, read it as trace(hosts=index):FILE"
    )]
    NotCalled { name: Quoted, example: Quoted },
    /// A message of a host to itself, where hosts are called by numbers.
    #[error(
        "host `{name}` sends to itself, where numbers are names: if the file counts the hosts from 0, read it as \
         trace(hosts=index):FILE"
    )]
    ToItself { name: Quoted },
    #[error(transparent)]
    Message(#[from] TraceError),
    #[error("the header has no column `{missing}`: expected {expected}")]
    NoColumn { missing: &'static str, expected: &'static str },
    #[error("the program has {ranks} ranks, but there are {hosts} hosts: use a larger network")]
    TooManyRanks { ranks: u64, hosts: usize },
    #[error("there is no rank {found}; ranks are numbered 0 to {last}")]
    NoRank { found: u64, last: u64 },
    #[error("rank {rank} is described a second time: give all its operations in one block")]
    RankTwice { rank: u64 },
    #[error(
        "the file ends here without rank {rank}: it is truncated, or add `rank {rank} {{` and `}}`"
    )]
    NoSuchBlock { rank: u64 },
    #[error("label `{label}` stands for another operation of this rank: choose another")]
    LabelTwice { label: Quoted },
    #[error("no operation of this rank has the label `{label}`")]
    NoLabel { label: Quoted },
    #[error("{what} cannot be simulated: {remedy}")]
    Unsupported { what: &'static str, remedy: &'static str },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}
