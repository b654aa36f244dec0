//! The error of work that only a stop or a limit ends.

use super::Stopped;
use crate::limit::TooLarge;

/// Why work ended without its result: it was stopped, or would exceed a limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum Interrupted {
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}
