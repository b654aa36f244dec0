//! Why there is no certificate.

use crate::limit::TooLarge;
use crate::optimum::classes::host_paths::HostPathsError;

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoCertificate {
    /// It is beyond a limit of the format or of the checker, or so is what it would hold.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The work was stopped before it was checked, or some link was not solved.
    #[error("the work ended before its proof")]
    Unfinished,
    /// What was found is claimed, as nobody asked to have it proven.
    #[error("no proof was asked for")]
    NotAsked,
}

impl NoCertificate {
    /// The limit, where one is exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<&TooLarge> {
        match self {
            Self::TooLarge(limit) => Some(limit),
            _ => None,
        }
    }
}

impl From<&HostPathsError> for NoCertificate {
    fn from(error: &HostPathsError) -> Self {
        match error {
            HostPathsError::TooLarge(limit) => Self::TooLarge(limit.clone()),
            HostPathsError::Stopped(_) => Self::Unfinished,
        }
    }
}
