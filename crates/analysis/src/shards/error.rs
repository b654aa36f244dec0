//! What is wrong with shards and their parts.

use super::Shard;
use crate::input::InputError;
use crate::quote::quote;

/// Why work cannot be shared, resumed or merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// Not of the form i/n.
    #[error("`{0}` is not a shard: write 3/16 for the third of 16, at most 65536 of them")]
    Shard(String),
    /// A part cannot be read.
    #[error("{0}")]
    Input(#[from] InputError),
    /// A part cannot be written.
    #[error("{path}: cannot be written: {problem}")]
    Unwritable {
        /// The file.
        path: String,
        /// What failed.
        problem: String,
    },
    /// Two processes write one part.
    #[error("{0}: another process is writing this part: give every shard a file of its own")]
    InUse(String),
    /// The file does not begin as a part does.
    #[error("{path}: is not a part of this version: {problem}")]
    NoPart {
        /// The file.
        path: String,
        /// What is wrong with its first line.
        problem: String,
    },
    /// A line that cannot be read.
    #[error("{path}: line {line} is damaged: remove the file and run its shard again")]
    Line {
        /// The file.
        path: String,
        /// Counted from 1.
        line: usize,
    },
    /// The part is that of another command.
    #[error("{path}: is a part of `{found}`, not of `{expected}`: name another file")]
    Command {
        /// The file.
        path: String,
        /// The command that it belongs to.
        found: String,
        /// The command that was expected.
        expected: String,
    },
    /// Some shards have no part, or one that was stopped or lost before its end.
    #[error("{}", incomplete(missing.as_deref(), unfinished.as_deref()))]
    Incomplete {
        /// The shards that have none.
        missing: Option<String>,
        /// The shards that are not finished, with their files.
        unfinished: Option<String>,
    },
    /// The process that wrote a part ended within its first line.
    #[error("{0}: ends within its first line: run its shard again with this part")]
    Torn(String),
    /// An input is not what it was for a shard.
    #[error(
        "{input} has changed since shard {shard} was made: make all parts again from the same files"
    )]
    Changed {
        /// The input.
        input: String,
        /// The shard.
        shard: String,
    },
    /// An input that cannot be read again.
    #[error("stdin cannot be an input of shards, which all read it again: name a file")]
    Stdin,
    /// Two parts give different results for a unit.
    #[error("{path}: unit {unit} of `{stage}` differs from that of another part: one is damaged")]
    Differ {
        /// The file.
        path: String,
        /// The stage of the work.
        stage: String,
        /// The unit.
        unit: u64,
    },
    /// No file was given.
    #[error("no parts were given")]
    NoParts,
    /// A result that its unit cannot have.
    #[error(
        "unit {unit} of `{stage}` in a part cannot have the result {found}: remove the part and \
         run its shard again"
    )]
    Result {
        /// The stage of the work.
        stage: String,
        /// The unit.
        unit: u64,
        /// What the part says.
        found: String,
    },
}

impl ShardError {
    pub(super) fn changed(input: &str, shard: Shard) -> Self {
        Self::Changed { input: quote(input), shard: shard.to_string() }
    }
}

fn incomplete(missing: Option<&str>, unfinished: Option<&str>) -> String {
    let missing = missing.map(|shards| {
        format!("there is no part of shard {shards}: run it again, into a file of its own")
    });
    let unfinished = unfinished.map(|shards| {
        format!("shard {shards} is not finished: run it again with this part to resume it")
    });
    missing.into_iter().chain(unfinished).collect::<Vec<_>>().join("; ")
}
