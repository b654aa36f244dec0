//! Tables and figures of the papers, recomputed into `results/`.
//!
//! A study produces files and nothing else; the caller decides where they go. The same version
//! produces the same files, byte for byte, so a test can compare them with what is committed; only
//! times differ, in the column `seconds` of files called [`MEASURED`]. What studies have in common is in
//! the engine: an entry says what its rows, tables and pages are. There is one source file per
//! study, in `studies` of its paper, or in `own` where no paper prints it: to add one, add its file, its `mod` line
//! and its line in the slice there. [`papers`](crate::papers) has all.

pub mod deliveries;
pub(crate) mod engine;
pub(crate) mod fabrics;
pub(crate) mod prelude;

use std::path::PathBuf;

use crate::assessment::{Assess, Assessment, AssessmentError};
use crate::input::contents;
use crate::progress::{Interrupted, Progress};
use crate::routing::{Instance, InstanceError};
use crate::shards::{ShardError, Units};
use crate::synth::SynthError;
use crate::topology::TopologyError;

pub use engine::{Job, Study, Tier};

/// The assessment of an instance of a study, of this name in it.
pub(crate) fn assessed(
    instance: &Instance,
    name: &str,
    units: &Units,
    progress: &Progress,
) -> Result<Assessment, StudyError> {
    units.reads(&contents(), false)?;
    let units = units.within(name);
    Ok(Assess::new().units(&units).progress(progress).run(instance)?)
}

impl From<TopologyError> for StudyError {
    fn from(error: TopologyError) -> Self {
        Self::Instance(error.into())
    }
}

impl From<SynthError> for StudyError {
    fn from(error: SynthError) -> Self {
        Self::Synth(Box::new(error))
    }
}

#[cfg(feature = "highs")]
impl From<crate::assessment::OptimalAssessmentError> for StudyError {
    fn from(error: crate::assessment::OptimalAssessmentError) -> Self {
        crate::theorem::TheoremError::from(error).into()
    }
}

#[cfg(feature = "highs")]
impl From<crate::theorem::TheoremError> for StudyError {
    fn from(error: crate::theorem::TheoremError) -> Self {
        match error {
            crate::theorem::TheoremError::Stopped(stopped) => stopped.into(),
            other => Self::Direct(Box::new(other)),
        }
    }
}

/// The folder of the files of a study, below `results`: those that redo a paper's tables, figures or wishes are in a
/// folder of the paper.
///
/// ```
/// # use routebound_papers as routebound;
/// use routebound::study::folder;
/// assert_eq!(folder("gl-figure-4"), std::path::Path::new("gl/figure-4"));
/// assert_eq!(folder("all-routings"), std::path::Path::new("all-routings"));
/// ```
#[must_use]
pub fn folder(name: &str) -> PathBuf {
    match name.split_once('-') {
        Some((paper @ ("gl" | "go" | "nb" | "or" | "ro"), rest)) => [paper, rest].iter().collect(),
        _ => name.into(),
    }
}

/// Name of a file with sizes and, in its column `seconds`, times.
pub const MEASURED: &str = "seconds.csv";

/// A file of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFile {
    /// Path below the study's folder, `/` between folders.
    pub path: String,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// What a study finds, or why it failed.
pub(crate) type Result<T, E = StudyError> = std::result::Result<T, E>;

/// Why a study failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum StudyError {
    #[error(transparent)]
    Instance(#[from] InstanceError),
    #[error(transparent)]
    Import(#[from] crate::import::ImportError),
    #[error(transparent)]
    Routing(#[from] crate::routing::RoutingError),
    #[error(transparent)]
    Traffic(#[from] crate::traffic::TrafficError),
    #[error("{0}")]
    Adversary(#[from] crate::adversary::AdversaryError),
    #[error(transparent)]
    Plot(#[from] crate::report::plot::PlotError),
    #[error("{0}")]
    Assessment(#[from] AssessmentError),
    #[error("{0}")]
    Synth(Box<SynthError>),
    #[cfg(feature = "highs")]
    #[error(transparent)]
    RootSet(#[from] crate::synth::RootSetFailure),
    #[error(transparent)]
    Delivery(#[from] crate::simulation::delivery::DeliveryError),
    #[error(transparent)]
    Algorithm(#[from] crate::simulation::delivery::algorithm::AlgorithmError),
    #[error(transparent)]
    Messages(#[from] crate::simulation::delivery::sets::SetError),
    #[error(transparent)]
    BadSet(#[from] crate::adversary::delivery::AttackError),
    #[error("`{messages}` of load factor {load_factor}: adversaries take whole numbers above 0")]
    NoWholeLoadFactor { messages: String, load_factor: crate::rational::Rational },
    #[error(transparent)]
    Pattern(#[from] crate::simulation::adaptive::PatternError),
    #[error(transparent)]
    Trace(#[from] crate::simulation::workload::TraceError),
    #[error(transparent)]
    Program(#[from] crate::simulation::workload::ProgramError),
    #[error("line {line} of the table: {what}")]
    Table { line: usize, what: String },
    #[error(transparent)]
    Simulation(#[from] crate::simulation::packet::SimulationError),
    #[error(transparent)]
    Workload(#[from] crate::simulation::workload::WorkloadError),
    #[error(transparent)]
    WorstCase(#[from] crate::worst_case::WorstCaseError),
    #[error(transparent)]
    Failure(#[from] crate::failure::FailureError),
    #[error(transparent)]
    FailureSets(#[from] crate::failure_sets::FailureSetError),
    #[error(transparent)]
    Jobs(#[from] crate::jobs::JobsError),
    #[error(transparent)]
    Layout(#[from] crate::simulation::layout::LayoutError),
    #[error("{0}")]
    Unknown(#[from] crate::registry::UnknownName),
    #[error(transparent)]
    Registers(#[from] crate::simulation::registers::RegistersError),
    #[error("{0}")]
    Interrupted(#[from] Interrupted),
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Distribution(#[from] ShardError),
    #[error("{0}")]
    Stopped(#[from] crate::progress::Stopped),
    #[cfg(feature = "highs")]
    #[error("{0}")]
    Direct(Box<crate::theorem::TheoremError>),
}
