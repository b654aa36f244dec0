//! The linear programs of links, which processes may share.

use std::sync::Arc;

use super::AssessmentError;
use super::approach::{Approach, SEARCHING, scope, symmetry};
use crate::certificate::Quantity;
use crate::load::HostClasses;
#[cfg(feature = "highs")]
pub(super) use crate::lp::worst_demand::{close as closed, is_shared};
use crate::progress::Progress;
use crate::routing::Instance;
use crate::shards::Units;
use crate::symmetry::Symmetry;
use crate::topology::Topology;
#[cfg(not(feature = "highs"))]
use crate::worst_case::Proof;
use crate::worst_case::{self, Analyse, WorstCase};

/// Does the linear programs of a shard. Which links need one, and above which bound, follows from the
/// analysis of all links, which every shard therefore makes where networks are within the limits of
/// linear programs. Trees hardly ever need any: there they are left to the merge.
pub(super) fn share_programs(
    instance: &Instance,
    approach: Approach,
    units: &Units,
    progress: &Progress,
) -> Result<(), AssessmentError> {
    if !is_shared(&instance.topology) || progress.cancelled() || units.have_failed() {
        return Ok(());
    }
    let classes = symmetry(instance, approach, progress);
    let analyse = Analyse::of(Quantity::ObliviousRatio).scope(scope(approach, classes.as_ref()));
    let mut worst = analyse.progress(progress).run(instance)?;
    let proof = worst_case::prove(instance, &worst);
    let proof = worst_case::rerouted(&instance.topology, &worst, proof, progress);
    let proof = worst_case::under_cuts(instance, &mut worst, &proof, progress).unwrap_or(proof);
    if proof.bounds.exact().is_none() && worst.is_covered() {
        before_programs(instance, approach, &mut worst, progress);
        // The results are in the part.
        let _ = closed(instance, &mut worst, proof, units, progress);
    }
    Ok(())
}

/// Finds the classes of links before every link gets a linear program, unless they are known.
pub(super) fn before_programs(
    instance: &Instance,
    approach: Approach,
    worst: &mut WorstCase,
    progress: &Progress,
) -> Option<Arc<Symmetry>> {
    let is_new = instance.topology.tree().is_some()
        || instance.routing.is_single_path()
        || HostClasses::of(instance).is_some();
    let is_wanted = approach.by_class && is_new && are_for(&instance.topology, worst);
    if !is_wanted || progress.cancelled() {
        return None;
    }
    let symmetry = Arc::new(Symmetry::of(instance, &progress.part(SEARCHING))?);
    worst.adopt(&symmetry);
    Some(symmetry)
}

/// Whether linear programs are to refine this worst case.
pub(super) fn are_for(topology: &Topology, worst: &WorstCase) -> bool {
    #[cfg(feature = "highs")]
    return crate::lp::worst_demand::check_worst_case(topology, worst).is_ok();
    #[cfg(not(feature = "highs"))]
    {
        let _ = (topology, worst);
        false
    }
}

#[cfg(not(feature = "highs"))]
fn is_shared(_: &Topology) -> bool {
    false
}

#[cfg(not(feature = "highs"))]
pub(super) fn closed(
    _: &Instance,
    worst: &mut WorstCase,
    proof: Proof,
    _: &Units,
    progress: &Progress,
) -> (Proof, Option<String>) {
    if proof.bounds.exact().is_some() || !worst.is_covered() || progress.cancelled() {
        return (proof, None);
    }
    let note = "this build has no linear programming (feature `highs`), which might close the gap";
    (proof, Some(note.to_string()))
}
