//! The exact one: the analysis of `ratio` as an adversary.
//!
//! A maximum matching, flow or linear programme per link instead of a search, so it also knows
//! that nothing is worse.

use super::arena::Arena;
use super::{Adversary, AdversaryError, Finding};
use crate::bounds::Evidence;
use crate::certificate::Quantity;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::spec::Spec;
use crate::worst_case::{self, Proof, WorstCase};

const USAGE: &str = "matching";

pub(super) const KIND: Kind<super::Build> = Kind {
    name: "matching",
    usage: USAGE,
    about: "the exact worst case of every link, by the method of `ratio`",
    reference: "Towles and Dally, SPAA 2002",
    examples: &["matching"],
    build,
};

struct Matching;

fn build(spec: &Spec) -> Result<Box<dyn Adversary>, AdversaryError> {
    spec.arguments(0, &[], USAGE)?;
    Ok(Box::new(Matching))
}

impl Adversary for Matching {
    fn spec(&self) -> &'static str {
        "matching"
    }

    fn attack(&self, arena: &Arena<'_>, progress: &Progress) -> Result<Finding, AdversaryError> {
        let instance = arena.instance;
        let mut worst = worst_case::analyse(instance, Quantity::ObliviousRatio, progress)?;
        let proof = worst_case::prove(&instance.topology, &worst);
        let proof = closed(instance, &mut worst, proof, progress);
        let stopped = !worst.is_complete() && progress.cancelled();
        let evidence = Evidence::Claimed(worst.method.name().to_string());
        let witness = proof.witness;
        let lower = proof.bounds.lower;
        let load = &lower * &witness.optu;
        let evaluations = instance.topology.links() as u64;
        let mut finding = Finding::empty(self.spec(), evidence);
        if lower > Ratio::ZERO {
            finding.curve.push((evaluations, lower.clone()));
        }
        let upper = worst.is_covered().then_some(proof.bounds.upper);
        let witness = Some(witness).filter(|witness| !witness.demands.is_empty());
        Ok(Finding { witness, load, lower, upper, evaluations, stopped, ..finding })
    }
}

/// Where baseload leaves a gap, a linear programme per link closes it.
#[cfg(feature = "highs")]
fn closed(instance: &Instance, worst: &mut WorstCase, proof: Proof, progress: &Progress) -> Proof {
    if proof.bounds.exact().is_some() || !worst.is_covered() || progress.cancelled() {
        return proof;
    }
    match crate::lp::worst_demand::refine(instance, worst, &proof, progress) {
        Ok((refined, _)) => refined,
        // Too large for it: the bounds stay apart, as the finding shows.
        Err(_) => proof,
    }
}

#[cfg(not(feature = "highs"))]
fn closed(_: &Instance, _: &mut WorstCase, proof: Proof, _: &Progress) -> Proof {
    proof
}
