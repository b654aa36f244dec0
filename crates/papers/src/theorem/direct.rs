//! Worst cases of networks of any kind, for statements and studies of what is published about them.

#[cfg(feature = "highs")]
use std::time::Duration;

use super::TheoremError;
use super::bounded::Known;
use crate::assessment::Assess;
use crate::progress::Progress;
use crate::routing::{Instance, build};
use crate::topology::Topology;

/// The least worst case of all routings: over all traffic, scaled to optu 1, or over what hosts can send and receive
/// (`hose`).
#[cfg(feature = "highs")]
pub(crate) fn least(
    topology: Topology,
    hose: bool,
    progress: &Progress,
) -> Result<Known, TheoremError> {
    timed_least(topology, hose, progress).map(|(known, _)| known)
}

/// As [`least`], with the time in the solver of linear programs, added up over threads.
#[cfg(feature = "highs")]
pub(crate) fn timed_least(
    topology: Topology,
    hose: bool,
    progress: &Progress,
) -> Result<(Known, Duration), TheoremError> {
    use crate::assessment::{OptimalQuestion, assess_optimal};
    use crate::certificate::{Among, Quantity};
    use crate::lp::optimal::Options;

    let quantity = if hose { Quantity::HoseLoad } else { Quantity::ObliviousRatio };
    let options = Options { quantity, ..Options::default() };
    let (among, spec) = (Among::All, "table:best.csv".to_string());
    let question = OptimalQuestion { topology: topology.into(), options, among, spec };
    let found = assess_optimal(&question, &|_| progress.part(1.0), &mut |_| {})?;
    progress.check()?;
    let assessment = found.routing.assessment;
    Ok(((assessment.optimum, assessment.certificate.ok()), found.stats.solver))
}

/// The highest load of a link by a permutation.
pub(crate) fn permutation(
    topology: &Topology,
    routing: &str,
    progress: &Progress,
) -> Result<Known, TheoremError> {
    let routing = build(routing, topology).map_err(crate::routing::InstanceError::from)?;
    let instance = Instance::new(topology.clone(), routing)?;
    let found = Assess::new().progress(progress).run(&instance)?;
    progress.check()?;
    Ok((found.permutation_load, found.certificate.ok()))
}
