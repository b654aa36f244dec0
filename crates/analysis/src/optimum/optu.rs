//! Bounds on optu with evidence that can be checked: link lengths and a routing.

use std::time::Instant;

use super::lengths::best_lengths;
use super::paths::Support;
use super::problem::Problem;
use crate::limit::TooLarge;
use crate::rational::Rational;
use crate::topology::LinkId;
use crate::traffic::PathRecord;

/// A solver's result, in floats. None of it is trusted.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Per source, the traffic on links.
    pub flows: Vec<Vec<(LinkId, f64)>>,
    /// Price of every link for one unit of traffic, ≥ 0, up to a common factor.
    pub prices: Vec<f64>,
}

/// Figures of the computation of the bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptuStats {
    /// The method.
    pub method: &'static str,
    /// Rows of the last linear program; 0 when none was needed.
    pub rows: usize,
    /// Columns of the linear program.
    pub columns: usize,
    /// Coefficients of the linear program.
    pub nonzeros: usize,
    /// Rounds of pricing, or phases.
    pub rounds: u64,
    /// Iterations of the LP solver.
    pub iterations: u64,
    /// Total seconds.
    pub seconds: f64,
    /// Whether the work was stopped before its goal.
    pub stopped: bool,
}

/// Exact bounds on optu, each with its evidence.
#[derive(Clone, Debug)]
pub struct OptuBounds {
    /// The bound that `lengths` prove; see [`super::lengths`].
    pub lower: Rational,
    /// Max load of `paths`.
    pub upper: Rational,
    /// Integer length of every link.
    pub lengths: Vec<u64>,
    /// A routing of the traffic: the shares of every pair with a demand sum to 1.
    pub paths: Vec<PathRecord>,
    /// Figures of their computation.
    pub stats: OptuStats,
}

impl OptuBounds {
    /// The bounds that follow from `found`, in exact arithmetic.
    ///
    /// # Errors
    /// [`TooLarge`] when the routing has too many paths.
    pub fn confirm(
        problem: &Problem<'_>,
        found: &Found,
        mut stats: OptuStats,
        begun: Instant,
    ) -> Result<Self, TooLarge> {
        // The first rounding of the prices is usually exact, and then the bounds meet.
        let (mut lower, mut lengths) = best_lengths(problem, &found.prices, &Rational::ZERO);
        let support = Support::new(problem, &found.flows, &lengths)?;
        let routing = support.best_routing(&lower);
        let upper = routing.max_load.clone();
        if lower < upper {
            (lower, lengths) = best_lengths(problem, &found.prices, &upper);
        }
        let paths = support.records(&routing);
        stats.seconds = begun.elapsed().as_secs_f64();
        Ok(Self { lower, upper, lengths, paths, stats })
    }

    /// (upper − lower) ÷ upper, for display; 0 when they are equal.
    #[must_use]
    pub fn gap(&self) -> f64 {
        match self.lower.checked_div(&self.upper) {
            Some(part) if part < Rational::ONE => 1.0 - part.to_f64(),
            _ => 0.0,
        }
    }
}
