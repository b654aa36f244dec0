//! The exact adversary: the analysis of `ratio`.
//!
//! A maximum matching, flow or linear program per link instead of a search, so it also proves
//! that nothing is worse.

use super::context::AttackContext;
use super::{AdversaryError, Attacked, Finding, Oblivious, Ratio};
use crate::attack::{Adversary, Built};
use crate::bounds::Witness;
use crate::certificate::Quantity;
use crate::load::LinkLoads;
#[cfg(feature = "highs")]
use crate::lp::worst_demand::{close as closed, is_shared};
use crate::prelude::*;
#[cfg(not(feature = "highs"))]
use crate::shards::Units;
#[cfg(not(feature = "highs"))]
use crate::worst_case::WorstCase;
use crate::worst_case::{self, Analyse, Proof, Scope};

pub(super) const KIND: Kind<super::Method> = Kind {
    name: "matching",
    usage: "matching",
    about: "the exact worst case of every link, by the method of `ratio`",
    reference: "Towles and Dally, SPAA 2002",
    examples: &["matching"],
    build: super::Method {
        build: |spec| Ok(Built::new(spec, Matching)),
        work: super::Work::Analyses,
    },
};

struct Matching;

impl Adversary<Oblivious> for Matching {
    fn attack(&self, spec: &str, context: &AttackContext<'_>, progress: &Progress) -> Attacked {
        let (instance, units) = (context.instance, context.units.within(spec));
        let analyse =
            Analyse::of(Quantity::ObliviousRatio).scope(Scope::WorstLink).progress(progress);
        let mut worst = analyse.units(&units).run(instance)?;
        let method = worst.method.name().to_string();
        // A shard has no traffic, and claims nothing.
        let nothing = Finding::nothing(spec, Evidence::Claimed(method));
        if units.part().is_some() {
            if !is_shared(&instance.topology) {
                return Ok(nothing);
            }
            // Its programs begin with what is known of all links.
            worst = analyse.run(instance)?;
        }
        let proof = worst_case::prove(instance, &worst);
        let (proof, note) = closed(instance, &mut worst, proof, &units, progress);
        if units.part().is_some() {
            return Ok(nothing);
        }
        if units.are_shared() && worst.is_covered() {
            measured(context, &proof, progress)?;
        }
        let stopped = !worst.is_complete() && progress.cancelled();
        let evidence = Evidence::Claimed(worst.method.name().to_string());
        let witness = proof.witness;
        let lower = proof.bounds.lower;
        let load = &lower * &witness.optu;
        let evaluations = instance.topology.links() as u64;
        let mut finding = Finding::nothing(spec, evidence);
        finding.notes.extend(note);
        let is_some = lower > Rational::ZERO;
        let curve = is_some.then(|| (evaluations, lower.clone())).into_iter().collect();
        let upper = worst.is_covered().then_some(proof.bounds.upper);
        let witness = Some(witness).filter(|witness| !witness.demands.is_empty());
        let worst = Ratio { witness, load, lower, upper, curve, statistics: None };
        Ok(Finding { worst, evaluations, stopped, ..finding })
    }
}

/// What was taken from parts no checker sees here: the traffic has to prove what is claimed.
fn measured(
    context: &AttackContext<'_>,
    proof: &Proof,
    progress: &Progress,
) -> Result<(), AdversaryError> {
    let (Witness { link, demands, optu, .. }, claimed) = (&proof.witness, &proof.bounds.lower);
    let loads = LinkLoads::of(context.topology(), context.routing(), demands, progress)?;
    let lower = loads.load(*link).checked_div(optu).unwrap_or_default();
    Ratio { lower, ..Ratio::default() }.check("matching", claimed)
}

#[cfg(not(feature = "highs"))]
fn is_shared(_: &Topology) -> bool {
    false
}

/// Without linear programs, a gap left by baseload remains.
#[cfg(not(feature = "highs"))]
fn closed(
    _: &Instance,
    _: &mut WorstCase,
    proof: Proof,
    _: &Units,
    _: &Progress,
) -> (Proof, Option<String>) {
    (proof, None)
}
