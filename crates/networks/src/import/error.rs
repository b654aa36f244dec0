//! Why a network or forwarding tables cannot be imported.

use super::Problem;
use crate::input::InputError;
use crate::limit::TooLarge;
use crate::topology::TopologyError;

/// Why importing a network or forwarding tables failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Input(InputError),
    /// No importer recognises the content.
    #[error("{path}: not a known format: {found}; known: {known}")]
    UnknownFormat {
        /// The path as given.
        path: String,
        /// What the file holds instead.
        found: String,
        /// The known formats.
        known: String,
    },
    /// A line is wrong.
    #[error("{path}, line {line}: {problem}")]
    Content {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: Problem,
    },
    /// Something at a position in a line is wrong.
    #[error("{path}, line {line}, column {column}: {problem}")]
    Place {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: u64,
        /// The byte within the line, from 1.
        column: usize,
        /// What is wrong there.
        problem: Problem,
    },
    /// Links of shared capacity are requested, but all links are directed.
    #[error(
        "{network}: every link is directed, so no two directions share a capacity: read it without shared capacities"
    )]
    NothingShared {
        /// The path or spec as given.
        network: String,
    },
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The network, or the one that a spec describes, violates an invariant.
    #[error("{0}")]
    Topology(#[from] TopologyError),
}

impl ImportError {
    /// Whether a forwarding table is damaged but the rest of it can be read: its entries contradict each
    /// other, or its last line is missing.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        let (Self::Content { problem, .. } | Self::Place { problem, .. }) = self else {
            return false;
        };
        matches!(problem, Problem::ConflictingEntries { .. } | Problem::UnendedTable { .. })
    }
}

impl From<InputError> for ImportError {
    fn from(error: InputError) -> Self {
        match error {
            InputError::TooLarge(error) => error.into(),
            other => Self::Input(other),
        }
    }
}
