//! Errors of case files and of their cases.

use crate::assessment::{AssessmentError, OptimumError};
use crate::import::ImportError;
use crate::import::traffic::TrafficFileError;
use crate::limit::TooLarge;
use crate::progress::Stopped;
use crate::routing::RoutingError;

/// Why no cases could be read from a file or a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ReadError {
    #[error("{path}: cannot be read: {problem}")]
    Unreadable {
        /// The path as given.
        path: String,
        problem: String,
    },
    #[error("{path}: no file that ends in .toml is there: name a folder of case files, or a file")]
    NoFiles {
        /// The path as given.
        path: String,
    },
    #[error("{path}, line {line}: {problem}")]
    Content {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: usize,
        problem: String,
    },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

/// Why the values of a case could not be computed.
#[derive(Debug, thiserror::Error)]
#[error("{path}, line {line}: {problem}")]
pub struct CaseError {
    /// The file.
    pub path: String,
    /// The line where the case begins, from 1.
    pub line: usize,
    /// The reason.
    #[source]
    pub problem: Box<CaseProblem>,
}

/// An error in a case.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum CaseProblem {
    #[error(transparent)]
    Topology(#[from] ImportError),
    #[error(transparent)]
    Routing(#[from] RoutingError),
    #[error(transparent)]
    Traffic(#[from] TrafficFileError),
    #[error("{0}")]
    Assessment(#[from] AssessmentError),
    #[error(transparent)]
    Optimum(#[from] OptimumError),
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("none of its values is proven: write the case by hand, with another network")]
    NothingProven,
}

/// Why a case was not added.
#[derive(Debug, thiserror::Error)]
#[error("no case of {case} is added: {problem}")]
pub struct AddError {
    /// Topology, routing and traffic of the case.
    pub case: String,
    /// The reason.
    #[source]
    pub problem: Box<CaseProblem>,
}
