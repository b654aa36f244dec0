//! The linear programmes of links, which processes may share.

use super::approach::{before_programmes, symmetry};
use super::{Approach, AssessmentError};
use crate::certificate::Quantity;
use crate::distribution::Units;
#[cfg(feature = "highs")]
pub(super) use crate::lp::worst_demand::{close as closed, is_shared};
use crate::progress::Progress;
use crate::routing::Instance;
#[cfg(not(feature = "highs"))]
use crate::topology::Topology;
use crate::worst_case::{self, analyse_by_class};
#[cfg(not(feature = "highs"))]
use crate::worst_case::{Proof, WorstCase};

/// Does the linear programmes of a shard. Which links need one, and above which bound, follows from the
/// analysis of all links, which every shard therefore makes where networks are within the limits of
/// programmes. Trees hardly ever need any: there they are left to the merge.
pub(super) fn share_programmes(
    instance: &Instance,
    approach: Approach,
    units: &Units,
    progress: &Progress,
) -> Result<(), AssessmentError> {
    if !is_shared(&instance.topology) || progress.cancelled() || units.have_failed() {
        return Ok(());
    }
    let classes = symmetry(instance, approach, progress);
    let quantity = (Quantity::ObliviousRatio, classes.as_ref());
    let mut worst = analyse_by_class(instance, quantity, &Units::default(), progress)?;
    let proof = worst_case::prove(instance, &worst);
    let proof = worst_case::rerouted(&instance.topology, &worst, proof, progress);
    if proof.bounds.exact().is_none() && worst.is_covered() {
        before_programmes(instance, approach, &mut worst, progress);
        // The results are in the part.
        let _ = closed(instance, &mut worst, proof, units, progress);
    }
    Ok(())
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
