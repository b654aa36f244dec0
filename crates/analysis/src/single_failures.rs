//! The worst single failure: every cable between switches removed in turn.

use std::sync::Arc;

use rayon::prelude::*;

use crate::advice::{Advice, Remedy};
use crate::assessment::{Assess, Assessment, AssessmentError};
use crate::bounds::{Bounds, Evidence};
use crate::failure::{Cable, FailureError, between_switches, fail};
use crate::limit::{TooLarge, within};
use crate::progress::Progress;
use crate::routing::Routing;
use crate::topology::Topology;

/// Maximum cables × host pairs: FT(10,3) has half as many.
const MAX_WORK: u64 = 1 << 26;

/// Effects of single failures on an instance.
#[derive(Clone, Debug)]
pub struct SingleFailures {
    /// Number of cables removed in turn.
    pub cables: usize,
    /// Cables without which pairs have no path, with the reason.
    pub breaking: Vec<(String, String)>,
    /// The worst oblivious ratio over the other failures; `None` when there is none.
    pub oblivious_ratio: Option<Worst>,
    /// The worst permutation load over the other failures.
    pub permutation_load: Option<Worst>,
    /// Whether the work ran to completion.
    pub complete: bool,
}

/// A quantity at its worst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// Bounds on the maximum value.
    pub bounds: Bounds,
    /// The cable whose failure has the maximum lower bound; ties go to the maximum upper bound,
    /// then to the first cable.
    pub cable: String,
}

/// Why assessing single failures failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SingleFailureError {
    #[error(transparent)]
    Failure(#[from] FailureError),
    #[error("{0}")]
    Assessment(#[from] AssessmentError),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

/// Steps of the progress of [`single_failures`].
///
/// # Errors
/// [`TooLarge`] when cables × host pairs are above the limit.
pub fn single_failure_steps(topology: &Topology) -> Result<u64, TooLarge> {
    let (cables, hosts) = (between_switches(topology).len() as u64, topology.hosts() as u64);
    let words = "choose a smaller network, or choose individual failures";
    let remedy = Advice::new(words, &[Remedy::ChooseFailures]);
    within(
        "cables × host pairs",
        Some(u128::from(cables) * u128::from(hosts).pow(2)),
        MAX_WORK,
        remedy,
    )?;
    Ok(2 * cables * hosts)
}

/// Assesses what remains of the instance without each of its cables between switches, with failures
/// in parallel. The result does not depend on threads.
///
/// # Errors
/// [`SingleFailureError`] when the network is too large or a case is not covered.
///
/// ```
/// # use routebound_analysis as routebound;
/// use std::sync::Arc;
/// use routebound::{single_failures::single_failures, progress::Progress, routing, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let routing = Arc::from(routing::build("dmodk", &tree)?);
/// let failures = single_failures(&tree, &routing, &Progress::silent())?;
/// assert_eq!((failures.cables, failures.breaking.len()), (8, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn single_failures(
    topology: &Topology,
    routing: &Arc<dyn Routing>,
    progress: &Progress,
) -> Result<SingleFailures, SingleFailureError> {
    single_failure_steps(topology)?;
    let cables = between_switches(topology);
    let work = cables.par_iter();
    let cases: Vec<Case> =
        work.map(|cable| case(topology, routing, cable, progress)).collect::<Result<_, _>>()?;
    let names = cables.iter().map(|cable| cable.name(topology));
    let mut found = SingleFailures {
        cables: cables.len(),
        breaking: Vec::new(),
        oblivious_ratio: None,
        permutation_load: None,
        complete: !progress.cancelled(),
    };
    for (cable, case) in names.zip(cases) {
        match case {
            Case::Stopped => found.complete = false,
            Case::Breaking(reason) => found.breaking.push((cable, reason)),
            Case::Assessed(assessment) => {
                found.complete &= assessment.complete;
                add(&mut found.oblivious_ratio, &assessment.oblivious_ratio, &cable);
                add(&mut found.permutation_load, &assessment.permutation_load, &cable);
            }
        }
    }
    Ok(found)
}

/// The outcome of a failure.
enum Case {
    Stopped,
    Breaking(String),
    Assessed(Box<Assessment>),
}

fn case(
    topology: &Topology,
    routing: &Arc<dyn Routing>,
    cable: &Cable,
    progress: &Progress,
) -> Result<Case, SingleFailureError> {
    if progress.cancelled() {
        return Ok(Case::Stopped);
    }
    let cable = std::slice::from_ref(cable);
    let instance = match fail(topology, Arc::clone(routing), cable) {
        Ok(instance) => instance,
        Err(reason @ (FailureError::Disconnected { .. } | FailureError::Broken { .. })) => {
            return Ok(Case::Breaking(reason.to_string()));
        }
        Err(error) => return Err(error.into()),
    };
    match Assess::new().embedded().progress(progress).run(&instance) {
        Ok(assessment) => Ok(Case::Assessed(Box::new(assessment))),
        Err(AssessmentError::Interrupted(_)) if progress.cancelled() => Ok(Case::Stopped),
        Err(error) => Err(error.into()),
    }
}

/// Merges the bounds of one more failure into the worst.
fn add(worst: &mut Option<Worst>, bounds: &Bounds, cable: &str) {
    let Some(worst) = worst else {
        *worst = Some(Worst { bounds: bounds.clone(), cable: cable.to_string() });
        return;
    };
    let known = &mut worst.bounds;
    let larger = bounds.lower > known.lower;
    if larger || bounds.lower == known.lower && bounds.upper > known.upper {
        worst.cable = cable.to_string();
    }
    known.lower = known.lower.clone().max(bounds.lower.clone());
    known.upper = known.upper.clone().max(bounds.upper.clone());
    if known.evidence == Evidence::Proven {
        known.evidence = bounds.evidence.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;

    #[test]
    fn the_worst_takes_the_greatest_of_both_sides() {
        let bounds = |lower, upper, evidence| Bounds {
            lower: Rational::from(lower),
            upper: Rational::from(upper),
            evidence,
        };
        let claimed = Evidence::Claimed("x".into());
        let mut worst = None;
        add(&mut worst, &bounds(2, 5, Evidence::Proven), "a");
        add(&mut worst, &bounds(3, 4, claimed.clone()), "b");
        add(&mut worst, &bounds(3, 4, Evidence::Proven), "c");
        let expected = Worst { bounds: bounds(3, 5, claimed), cable: "b".into() };
        assert_eq!(worst, Some(expected));
    }
}
