//! What is wrong with shards and their parts.

use super::Shard;
use crate::input::InputError;
use crate::quote::quote;

/// Why work cannot be shared, resumed or merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ShardError {
    #[error("`{0}` is not a shard: write 3/16 for the third of 16, at most 65536 of them")]
    Shard(String),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{path}: cannot be written: {problem}")]
    Unwritable { path: String, problem: String },
    #[error("{0}: another process is writing this part: give every shard a file of its own")]
    InUse(String),
    #[error("{path}: is not a part of this version: {problem}")]
    NoPart { path: String, problem: String },
    #[error("{path}: line {line} is damaged: remove the file and run its shard again")]
    Line {
        path: String,
        /// Counted from 1.
        line: usize,
    },
    #[error("{path}: is a part of `{found}`, not of `{expected}`: name another file")]
    Command { path: String, found: String, expected: String },
    #[error("{}", incomplete(missing.as_deref(), unfinished.as_deref()))]
    Incomplete { missing: Option<String>, unfinished: Option<String> },
    #[error("{0}: ends within its first line: run its shard again with this part")]
    Torn(String),
    #[error(
        "{input} has changed since shard {shard} was made: make all parts again from the same files"
    )]
    Changed { input: String, shard: String },
    #[error("stdin cannot be an input of shards, which all read it again: name a file")]
    Stdin,
    #[error("{path}: unit {unit} of `{stage}` differs from that of another part: one is damaged")]
    Differ { path: String, stage: String, unit: u64 },
    /// No file was given.
    #[error("no parts were given")]
    NoParts,
    #[error(
        "unit {unit} of `{stage}` in a part cannot have the result {found}: remove the part and \
         run its shard again"
    )]
    Result { stage: String, unit: u64, found: String },
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
