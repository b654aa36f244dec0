//! Why there is no certificate.

use crate::limit::TooLarge;
use crate::progress::Interrupted;

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum NoCertificate {
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("the work ended before its proof")]
    Unfinished,
    #[error("no proof was asked for")]
    NotAsked,
    #[error("certificates have a path for every SD pair, and a failure leaves some without one")]
    LostPairs,
    #[error("no certificate can state this repair of the paths that failures break")]
    OtherRepair,
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

impl From<&Interrupted> for NoCertificate {
    fn from(error: &Interrupted) -> Self {
        match error {
            Interrupted::TooLarge(limit) => Self::TooLarge(limit.clone()),
            Interrupted::Stopped(_) => Self::Unfinished,
        }
    }
}
