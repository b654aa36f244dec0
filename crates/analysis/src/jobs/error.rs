//! Why nothing can be said about jobs.

use crate::checker::Refusal;
use crate::limit::TooLarge;
use crate::progress::{Interrupted, Stopped};
use crate::quote::quote;
use crate::worst_case::BadPermutationError;

/// An error from the analysis of jobs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum JobsError {
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Link(BadPermutationError),
    #[error("host {host} is in jobs {} and {}: give jobs that share no host, or make one of the two",
        quote(&.jobs[0]), quote(&.jobs[1]))]
    Shared { host: String, jobs: [String; 2] },
    #[error(
        "internal error: the checker refuses the certificate of this analysis: {0}; please report it"
    )]
    Refused(Refusal),
}

impl From<BadPermutationError> for JobsError {
    fn from(error: BadPermutationError) -> Self {
        match error {
            BadPermutationError::Stopped(stopped) => stopped.into(),
            error => Self::Link(error),
        }
    }
}

impl From<Interrupted> for JobsError {
    fn from(error: Interrupted) -> Self {
        match error {
            Interrupted::Stopped(stopped) => stopped.into(),
            Interrupted::TooLarge(limit) => limit.into(),
        }
    }
}
