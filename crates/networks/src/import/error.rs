//! Why a network or forwarding tables cannot be imported.

use super::Problem;
use crate::advice::{Advice, Remedy};
use crate::input::InputError;
use crate::limit::TooLarge;
use crate::topology::{PlanesError, TopologyError};

/// What reading a part of a file gives, or why it fails.
pub(in crate::import) type Result<T, E = ImportError> = std::result::Result<T, E>;

/// Why importing a network or forwarding tables failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ImportError {
    #[error("{0}")]
    Input(InputError),
    #[error("{path}: not a known format: {found}{known}")]
    UnknownFormat {
        /// The path as given.
        path: String,
        found: String,
        /// The formats that are known, or nearest; empty where `found` names what it is.
        known: String,
    },
    #[error("{path}, line {line}: {problem}")]
    Content {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: u64,
        #[source]
        problem: Problem,
    },
    #[error("{path}, line {line}, column {column}: {problem}")]
    Place {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: u64,
        /// The byte within the line, from 1.
        column: usize,
        #[source]
        problem: Problem,
    },
    #[error("{network}: every link is directed, so no two directions share a capacity: {advice}")]
    NothingShared {
        /// The path or spec as given.
        network: String,
        #[source]
        advice: Advice,
    },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Topology(#[from] TopologyError),
    #[error("{network}: {problem}")]
    Planes {
        /// The text as given.
        network: Box<str>,
        #[source]
        problem: Box<PlanesError>,
    },
}

impl ImportError {
    pub(super) fn nothing_shared(network: impl Into<String>) -> Self {
        let advice = Advice::new("read it without shared capacities", &[Remedy::OwnCapacities]);
        Self::NothingShared { network: network.into(), advice }
    }

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
