//! What an assessment says about permutations, from what it knows about all traffic.

use itertools::Itertools as _;

use super::AssessmentError;
use crate::bounds::{Bounds, Evidence, Witness};
use crate::certificate::{Certificate, Demand, Quantity};
use crate::progress::Progress;
use crate::routing::Instance;
use crate::topology::Host;
use crate::worst_case;

/// A certificate of several claims without those that are not about permutations; `None` when no
/// claim is left.
pub(super) fn only_permutations(certificate: Certificate) -> Option<Certificate> {
    let Certificate::WorstCase(mut certificate) = certificate else { return None };
    certificate.claims.retain(|claim| claim.quantity == Quantity::PermutationLoad);
    (!certificate.claims.is_empty()).then_some(Certificate::WorstCase(certificate))
}

/// Bounds on the permutation ratio. It is at most the oblivious ratio, and where that is attained
/// by a permutation they are the same: a ratio does not change with the scale of the traffic.
/// Otherwise there is a separate method for trees.
pub(super) fn permutation_ratio(
    instance: &Instance,
    ratio: &Bounds,
    witness: &Witness,
    progress: &Progress,
) -> Result<Bounds, AssessmentError> {
    if is_permutation(witness) {
        return Ok(ratio.clone());
    }
    let found = worst_case::permutation_ratio(instance, progress)?;
    let lower = found.lower;
    let (upper, evidence) = match found.limit {
        _ if found.is_exact => (lower.clone(), "maximum flows at every scale of optu".to_string()),
        None => (ratio.upper.clone(), "at most the oblivious ratio".to_string()),
        Some(limit) => (ratio.upper.clone(), format!("at most the oblivious ratio: {limit}")),
    };
    Ok(Bounds { lower, upper, evidence: Evidence::Claimed(evidence) })
}

/// Whether every host has at most one demand to send and one to receive, all of the same amount.
fn is_permutation(witness: &Witness) -> bool {
    let demands = &witness.demands;
    let distinct = |end: fn(&Demand) -> Host| demands.iter().map(end).all_unique();
    distinct(|demand| demand.s)
        && distinct(|demand| demand.d)
        && demands.iter().map(|demand| &demand.amount).all_equal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::assess;

    /// On a slimmed tree the two quantities have a certificate each; elsewhere one has both.
    #[test]
    fn no_certificate_is_left_without_a_claim() {
        let certificate = |tree: &str| {
            let instance = Instance::named(tree, "dmodk").unwrap();
            assess(&instance).unwrap().certificate.unwrap()
        };
        assert!(only_permutations(certificate("xgft(2;4,2;1,2)")).is_none());
        let Some(Certificate::WorstCase(left)) = only_permutations(certificate("ft(4,2)")) else {
            panic!("the claim on permutations is gone");
        };
        assert_eq!(left.claims.len(), 1);
        assert_eq!(left.claims[0].quantity, Quantity::PermutationLoad);
    }
}
