//! Why nothing can be said about jobs.

use crate::checker::Refusal;
use crate::embed::EmbedError;
use crate::limit::TooLarge;
use crate::progress::Stopped;
use crate::quote::quote;
use crate::worst_case::BadPermutationError;

/// An error from the analysis of jobs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobsError {
    /// Stopped before the end.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// A link cannot be analysed.
    #[error("{0}")]
    Link(BadPermutationError),
    /// A host is in two jobs, whose traffic is then not independent.
    #[error("host {host} is in jobs {} and {}: give jobs that share no host, or make one of the two",
        quote(&.jobs[0]), quote(&.jobs[1]))]
    Shared {
        /// The name of the host.
        host: String,
        /// The names of the jobs.
        jobs: [String; 2],
    },
    /// The network cannot be written out.
    #[error("{0}")]
    Embed(EmbedError),
    /// The checker refuses what was found: a defect of this program.
    #[error("the checker refuses the certificate of this analysis, which is a defect: {0}")]
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

impl From<EmbedError> for JobsError {
    fn from(error: EmbedError) -> Self {
        match error {
            EmbedError::Stopped(stopped) => stopped.into(),
            EmbedError::TooLarge(limit) => limit.into(),
        }
    }
}
