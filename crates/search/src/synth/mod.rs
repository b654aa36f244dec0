//! The best single-path routing of a tree, or a proof that there is none better.
//!
//! The least oblivious ratio (or permutation load) over all single-path routings whose paths lead
//! up, then down, is approached from both sides. From below by counting ([`counting`]) and, where
//! that leaves a gap, by refuting the formula of the cover encoding (`sat::cover`). From
//! above by the routings of the papers ([`known`]), by descent over routings that follow digits of
//! the hosts, by offsets of switches and rectangle covers ([`rectangles`]) on two-level trees, by local
//! search over covers of links, and by models of the formula, rotation-invariant ones first. An integer program on the same model
//! (`lp::cover_model`) is a second opinion, without proof. Cheap steps are done and their results
//! kept before expensive ones begin; a stop, or a limit on the size of a formula, leaves the bounds
//! so far. Both sides are proven in one certificate: that of the best routing's worst case, with a
//! record that no other single-path routing is better. What is called proven is what the checker
//! accepted.
//!
//! On the smallest trees all routings are counted instead ([`enumerate`]). What k paths per pair with any shares reach
//! is a search of its own ([`shares`]).
//!
//! ```
//! # use routebound_search as routebound;
//! use routebound::{progress::Progress, synth::{Options, least_ratio}, topology};
//! let tree = topology::generate("ft(4,2)")?;
//! let best = least_ratio(&tree, &Options::default(), &Progress::silent())?;
//! assert_eq!(best.bounds.to_string(), "2 (proven)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attempts;
mod chosen;
pub mod counting;
mod cover;
mod digits;
pub mod enumerate;
#[cfg(feature = "sat")]
mod interruptible;
pub mod known;
mod local_search;
#[cfg(feature = "sat")]
mod parts;
mod product;
#[cfg(feature = "highs")]
mod program;
mod record;
pub mod rectangles;
#[cfg(feature = "highs")]
mod root_set;
mod search;
mod shape;
pub mod shares;
#[cfg(feature = "sat")]
mod solver;
mod walk;

#[cfg(feature = "sat")]
pub(crate) use interruptible::interruptible;

pub use record::{Answer, Attempt};
#[cfg(feature = "highs")]
pub use root_set::{RootCovers, RootSet, RootSetFailure, counted_root_set, root_covers};

use std::path::Path;

use crate::assessment::AssessmentError;
use crate::certificate::{Certificate, LratRefutation, Quantity, Refutation};
use crate::checker::Refusal;
use crate::prelude::*;
use crate::routing::RoutingError;
use crate::topology::{NoTree, TopologyError};

/// Maximum hosts of a tree whose best routing is searched for.
pub const MAX_HOSTS: u64 = 1 << 12;

/// Method of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Counting, then formulas for what that leaves open.
    #[default]
    All,
    /// Counting, the routings of the papers and rectangle covers: quick, for trees of any size.
    Count,
    /// Formulas alone, for a second proof.
    #[cfg(feature = "sat")]
    Formula,
    /// Integer programs alone, whose infeasibility results are claims.
    #[cfg(feature = "highs")]
    Program,
    /// Counting, the routings of the papers, and local search.
    Local,
}

/// Options of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Quantity to minimise: the oblivious ratio or the permutation load.
    pub quantity: Quantity,
    /// A ratio, if the only question is whether it is reached.
    pub ratio: Option<u32>,
    /// Method of the search.
    pub method: Method,
    /// Seed of the solver and of the local search.
    pub seed: u64,
    /// Name of the files of a formula and its proof, without `.cnf`, `.lrat` and `.drat`.
    pub stem: String,
}

impl Default for Options {
    fn default() -> Self {
        let stem = "single-path".to_string();
        let (quantity, method) = (Quantity::ObliviousRatio, Method::default());
        Self { quantity, ratio: None, method, seed: 0, stem }
    }
}

/// The least ratio of a tree's single-path routings.
pub struct OptimalAssessment {
    /// Bounds on it.
    pub bounds: Bounds,
    /// The best routing found, with its tree.
    pub best: Instance,
    /// Why there is none below the lower bound.
    pub refutation: Refutation,
    /// Proves the bounds. It names files in `files` when the refutation is a formula.
    pub certificate: Option<Certificate>,
    /// Folder of the formula and the proof, removed with this value.
    pub files: Option<tempfile::TempDir>,
    /// Attempts, in order.
    pub attempts: Vec<Attempt>,
    /// Why the bounds are wider than they might be, other than by a stop.
    pub notes: Vec<String>,
    /// Whether the question was answered; if not, the bounds are those so far.
    pub complete: bool,
}

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SynthError {
    #[error(
        "`{0}` is not a tree of the XGFT family ({families}): the search needs one",
        families = crate::topology::tree_families()
    )]
    NoTree(String),
    #[error("`{network}` is not a tree of the XGFT family, which the search needs: {reason}")]
    OtherNetwork {
        network: String,
        #[source]
        reason: NoTree,
    },
    #[error(
        "`{network}` is {shape} with parallel cables to its top switches: a path may lead down by \
         another cable than up, so it may have better routings than the tree, and what is proven \
         about those of the tree bounds nothing here; `ratio` and `optimal` accept such networks"
    )]
    Parallel { network: String, shape: String },
    #[error(
        "`{network}` is {shape} with links of capacity {capacities}, step by step from the hosts \
         up: the search counts hosts per link, which bounds loads where every link has capacity 1; \
         `ratio` and `optimal` accept such networks"
    )]
    Capacities { network: String, shape: String, capacities: String },
    #[error("with one bottom switch no pair needs a top switch: choose two or more")]
    OneSwitch,
    #[error(
        "`{network}` is not one of the trees on which {paths} paths per pair are searched for: those \
         of two levels of switches, all links of capacity 1, with as many top switches as hosts per \
         leaf switch and at least four and twice as many leaf switches, such as ft(m,2); elsewhere \
         assess paths of equal share with `ratio TOPOLOGY 'kpath(k={paths},choice=grid)'`"
    )]
    Shares { network: String, paths: u32 },
    #[error(transparent)]
    Topology(#[from] TopologyError),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Routing(#[from] RoutingError),
    #[error("{0}")]
    Assessment(#[from] AssessmentError),
    #[error("the least {0} of single-path routings cannot be searched for")]
    Quantity(&'static str),
    #[error("internal error: the checker refuses the result of the search: {0}; please report it")]
    Refused(#[from] Refusal),
    #[cfg(feature = "highs")]
    #[error(transparent)]
    Program(#[from] crate::lp::cover_model::CoverModelError),
    #[cfg(feature = "sat")]
    #[error(transparent)]
    Sat(#[from] crate::sat::SatError),
    #[error("cannot write the formula or its proof: {0}")]
    Io(#[from] std::io::Error),
}

impl SynthError {
    /// The limit that a method exceeded, if that is the reason.
    pub(crate) fn too_large(&self) -> Option<&TooLarge> {
        match self {
            Self::TooLarge(limit) | Self::Refused(Refusal::TooLarge(limit)) => Some(limit),
            #[cfg(feature = "highs")]
            Self::Program(crate::lp::cover_model::CoverModelError::TooLarge(limit)) => Some(limit),
            _ => None,
        }
    }
}

/// Searches for the least ratio of a tree's single-path routings whose paths lead up, then down.
///
/// Exponential time in general: give `progress` a time limit, after which the bounds are those so
/// far.
///
/// # Errors
/// [`SynthError`] when the topology is not a tree or is too large, or files cannot be written.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{progress::Progress, synth, topology};
/// let best = synth::least_ratio(
///     &topology::generate("ft(6,2)")?,
///     &synth::Options::default(),
///     &Progress::silent(),
/// )?;
/// assert_eq!(best.bounds.to_string(), "2 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn least_ratio(
    topology: &Topology,
    options: &Options,
    progress: &Progress,
) -> Result<OptimalAssessment, SynthError> {
    if options.quantity == Quantity::HoseLoad {
        return Err(SynthError::Quantity(options.quantity.name()));
    }
    let remedy = "choose a smaller tree";
    within("number of hosts", Some(topology.hosts() as u128), MAX_HOSTS, remedy)?;
    if topology.is_named_tree() {
        search::run(topology, options, progress)
    } else {
        shape::run(topology, options, progress)
    }
}

/// The folder of the files of a search, or the current one.
#[must_use]
pub fn folder(best: &OptimalAssessment) -> &Path {
    best.files.as_ref().map_or_else(|| Path::new(""), tempfile::TempDir::path)
}

/// Names of the files in [`folder`] for a refuted formula: the formula, the proof in LRAT, which
/// the certificate names, and the same proof in DRAT for other checkers.
#[must_use]
pub fn proof_files(refuted: &LratRefutation) -> [String; 3] {
    let drat = Path::new(&refuted.proof).with_extension("drat");
    [refuted.formula.clone(), refuted.proof.clone(), drat.to_string_lossy().into_owned()]
}
