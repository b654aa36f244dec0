//! What is wrong with shards and their parts.

use crate::input::InputError;

/// Why work cannot be shared, resumed or merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DistributionError {
    /// Not of the form i/n.
    #[error("`{0}` is no shard: write 3/16 for the third of 16, at most 65536 of them")]
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
    /// A shard has no part.
    #[error("there is no part of shard {0}: run it again, into a file of its own")]
    Missing(String),
    /// A shard was stopped or lost before its end.
    #[error("{path}: shard {shard} is not finished: run it again with this part to resume it")]
    Unfinished {
        /// The file.
        path: String,
        /// The shard.
        shard: String,
    },
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
