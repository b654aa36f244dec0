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

use std::path::PathBuf;

use crate::assessment::{Assess, Assessment, AssessmentError};
use crate::input::contents;
use crate::progress::Progress;
use crate::routing::{Instance, InstanceError};
use crate::shards::{ShardError, Units};
use crate::synth::SynthError;
use crate::synth::enumerate::EnumerateError;

pub use engine::{Claim, Job, Study, Tier, claims_list};

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

impl From<SynthError> for StudyError {
    fn from(error: SynthError) -> Self {
        Self::Synth(Box::new(error))
    }
}

/// Where the files of a study are, below `results`: those that redo a paper's tables, figures or wishes are in a
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

/// Why a study failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// An instance of the study cannot be built.
    #[error("{0}")]
    Instance(#[from] InstanceError),
    /// A network cannot be read.
    #[error("{0}")]
    Import(#[from] crate::import::ImportError),
    /// A routing cannot be built.
    #[error("{0}")]
    Routing(#[from] crate::routing::RoutingError),
    /// Traffic cannot be built.
    #[error("{0}")]
    Traffic(#[from] crate::traffic::TrafficError),
    /// An adversary failed.
    #[error("{0}")]
    Adversary(#[from] crate::adversary::AdversaryError),
    /// A figure cannot be drawn.
    #[error("{0}")]
    Plot(#[from] crate::report::plot::PlotError),
    /// An instance cannot be assessed.
    #[error("{0}")]
    Assessment(#[from] AssessmentError),
    /// A search failed.
    #[error("{0}")]
    Synth(Box<SynthError>),
    /// T(X) cannot be computed.
    #[cfg(feature = "highs")]
    #[error("{0}")]
    RootSet(#[from] crate::synth::RootSetFailure),
    /// Messages cannot be delivered.
    #[error("{0}")]
    Delivery(#[from] crate::simulation::delivery::DeliveryError),
    /// An algorithm cannot be built.
    #[error("{0}")]
    Algorithm(#[from] crate::simulation::delivery::algorithm::AlgorithmError),
    /// Messages cannot be drawn.
    #[error("{0}")]
    Messages(#[from] crate::simulation::delivery::sets::SetError),
    /// A bad set of messages cannot be found.
    #[error("{0}")]
    BadSet(#[from] crate::adversary::delivery::AttackError),
    /// Bad sets have whole load factors.
    #[error("`{messages}` of load factor {load_factor}: adversaries take whole numbers above 0")]
    NoWholeLoadFactor {
        /// The adversary.
        messages: String,
        /// What is asked for.
        load_factor: crate::rational::Rational,
    },
    /// A scheme that sees the pattern does not route it.
    #[error("{0}")]
    Pattern(#[from] crate::simulation::adaptive::PatternError),
    /// Messages are no trace.
    #[error("{0}")]
    Trace(#[from] crate::simulation::workload::TraceError),
    /// Messages are no program.
    #[error("{0}")]
    Program(#[from] crate::simulation::workload::ProgramError),
    /// A committed table is not one of this study.
    #[error("line {line} of the table: {what}")]
    Table {
        /// Its number, the heads being line 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Packets cannot be simulated.
    #[error("{0}")]
    Simulation(#[from] crate::simulation::packet::SimulationError),
    /// A trace cannot be drawn.
    #[error("{0}")]
    Workload(#[from] crate::simulation::workload::WorkloadError),
    /// A worst case is not found.
    #[error("{0}")]
    WorstCase(#[from] crate::worst_case::WorstCaseError),
    /// There is no such layout, or messages are not carried on it.
    #[error("{0}")]
    Layout(#[from] crate::simulation::layout::LayoutError),
    /// There is no such loss rule.
    #[error("{0}")]
    Unknown(#[from] crate::registry::UnknownName),
    /// A tree has no registers.
    #[error("{0}")]
    Registers(#[from] crate::simulation::registers::RegistersError),
    /// Routings cannot be counted.
    #[error("{0}")]
    Enumerate(#[from] EnumerateError),
    /// A table cannot be written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The parts of shards, or their inputs, do not fit together.
    #[error("{0}")]
    Distribution(#[from] ShardError),
    /// The work was stopped.
    #[error("{0}")]
    Stopped(#[from] crate::progress::Stopped),
}
