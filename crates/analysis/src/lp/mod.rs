//! Linear programs, and the optu of any traffic on any network computed with them.
//!
//! A solver's answer is floats and an unproven claim. [`optu`] takes two things from it: link
//! prices and a flow. Prices become integer lengths, and flows a routing in exact amounts
//! ([`crate::optimum`]); the bounds are computed from these alone, so a wrong answer can make
//! them wide, never wrong.
//!
//! The same holds for the oblivious ratio of general networks ([`worst_demand`]) and the best routing ([`optimal`]).
//! Every answer is judged where it enters: by `OptuBounds::confirm` for `arc_flow.rs` and `columns.rs`,
//! `worst_demand/exact.rs` for `packing.rs`, `optimal/exact.rs` for `master.rs`; `optimal/adaptive.rs` judges its own.
//! Integer programs give a routing, which is assessed, or pairs, which are measured; their bounds remain claims.
//! `tests/structure/fuzz/solvers.rs` gives wrong answers to the first two.

pub mod arc_flow;
mod backend;
mod columns;
pub mod cover_model;
mod float;
mod growth;
mod interruptible;
mod linear;
pub mod optimal;
pub mod program;
pub mod root_set;
pub mod worst_demand;

use std::time::Instant;

use crate::limit::TooLarge;
use crate::optimum::optu::{OptuBounds, OptuStats};
use crate::optimum::problem::{OptuError, Problem};
use crate::progress::Progress;
use crate::topology::Topology;
use crate::traffic::Demand;
pub use interruptible::interruptible;
use program::{SolveError, Solver};

/// The formulation of the linear program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Column generation, by source.
    #[default]
    Columns,
    /// A single linear program over the links.
    ArcFlow,
}

/// Options for the computation of optu.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Formulation.
    pub method: Method,
    /// Algorithm, for [`Method::ArcFlow`].
    pub solver: Solver,
    /// Relative gap, in floats, at which [`Method::Columns`] ends; the exact gap is usually
    /// smaller, since prices and amounts that look like fractions are taken as such.
    pub gap: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::default(), solver: Solver::default(), gap: 1e-12 }
    }
}

/// An error from [`optu`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum LpError {
    #[error(transparent)]
    Traffic(#[from] OptuError),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Bounds on the optu of `demands` by linear programming, exact and each with its evidence.
///
/// When `progress` is cancelled or its deadline passes, they are the bounds found so far.
///
/// # Errors
/// [`LpError`] when a demand has no path, the numbers or the linear program are too large, or the
/// solver fails.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{lp, progress::Progress, rational::Rational, topology, traffic::Demand};
/// let tree = topology::generate("ft(4,2)")?;
/// let shift: Vec<_> = (0..8).map(|s| Demand { s, d: (s + 4) % 8, amount: Rational::ONE }).collect();
/// let bounds = lp::optu(&tree, &shift, &lp::Options::default(), &Progress::silent())?;
/// assert_eq!((bounds.lower, bounds.upper), (Rational::ONE, Rational::ONE));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn optu(
    topology: &Topology,
    demands: &[Demand],
    options: &Options,
    progress: &Progress,
) -> Result<OptuBounds, LpError> {
    let begun = Instant::now();
    let problem = Problem::new(topology, demands)?;
    let (found, stats): (_, OptuStats) = match options.method {
        Method::Columns => columns::solve(&problem, options, progress)?,
        Method::ArcFlow => arc_flow::solve(&problem, options, progress)?,
    };
    Ok(OptuBounds::confirm(&problem, &found, stats, begun)?)
}
