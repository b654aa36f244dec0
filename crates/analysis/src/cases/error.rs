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
pub enum ReadError {
    /// A system error.
    #[error("{path}: cannot be read: {problem}")]
    Unreadable {
        /// The path as given.
        path: String,
        /// What failed.
        problem: String,
    },
    /// A folder without cases.
    #[error("{path}: no file that ends in .toml is there: name a folder of case files, or a file")]
    NoFiles {
        /// The path as given.
        path: String,
    },
    /// The file's content is invalid.
    #[error("{path}, line {line}: {problem}")]
    Content {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong, what is accepted, and the remedy.
        problem: String,
    },
    /// Larger than a limit.
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

/// What is wrong with a case.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaseProblem {
    /// The network.
    #[error("{0}")]
    Topology(#[from] ImportError),
    /// The routing.
    #[error("{0}")]
    Routing(#[from] RoutingError),
    /// The traffic.
    #[error("{0}")]
    Traffic(#[from] TrafficFileError),
    /// The analysis.
    #[error("{0}")]
    Assessment(#[from] AssessmentError),
    /// The optimal load.
    #[error("{0}")]
    Optimum(#[from] OptimumError),
    /// The work was stopped.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// Bounds that differ, or that have no certificate.
    #[error("none of its values is proven: write the case by hand, with another network")]
    NothingProven,
}

/// Why a case was not added.
#[derive(Debug, thiserror::Error)]
#[error("no case of {case} is added: {problem}")]
pub struct AddError {
    /// What the case is about.
    pub case: String,
    /// The reason.
    #[source]
    pub problem: Box<CaseProblem>,
}
