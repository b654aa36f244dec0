//! The worst case of paths whose rates the sender chooses, knowing the traffic.

use std::sync::Arc;

use super::adaptive_bounds::{ABOVE, AdaptiveAssessment, from_above};
use super::adaptive_sets::assess_permutations;
use super::checked::PROVING;
use super::optimal::assess_optimal_unless;
use super::{
    AssessmentError, LeastAssessment, OptimalAssessment, OptimalAssessmentError, OptimalQuestion,
    ProvenRouting,
};
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{
    AdaptiveRates, Among, Certificate, Least, Optimality, Quantity, WorstCaseCertificate,
};
use crate::embed;
use crate::generators::Made;
use crate::generators::checker::{Check, Refusal};
use crate::lp::optimal::adaptive::{AdaptiveQuestion, AdaptiveTraffic, adaptive};
use crate::lp::optimal::{OptimalError, Options, Paths, automorphisms, check_size};
use crate::progress::{Interrupted, Progress};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::symmetry::Symmetry;

/// Part of the time left after [`ABOVE`] for the bound from below: the rest is for the check.
const BELOW: f64 = 0.7;

/// Bounds the oblivious ratio of the paths of a routing, or another quantity, where the sender chooses their shares,
/// knowing the traffic. From above by the best shares that are the same for all traffic, from below by traffic and
/// lengths of links; `keep` gets what is known on the way. `begin` returns a progress of the run for work on the named
/// units.
///
/// Nothing is searched where both sides follow from the shares of the routing itself: every pair has one path, or all
/// its paths without loops, or the worst traffic of the routing has no other way. Against permutations, sets of links
/// come first, and are all that there is on networks too large for linear programs.
///
/// # Errors
/// [`OptimalAssessmentError`] when the network or its paths are too many, a solver fails or the checker refuses, and
/// when the work is stopped before anything is known.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::assessment::assess_adaptive;
/// use routebound::{certificate::Quantity, progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(4,2)", "dmodk")?;
/// let quantity = Quantity::ObliviousRatio;
/// let found = assess_adaptive(&instance, quantity, &|_| Progress::silent(), &mut |_| {})?;
/// assert_eq!(found.adaptive.to_string(), "2 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess_adaptive(
    instance: &Instance,
    quantity: Quantity,
    begin: &dyn Fn(&str) -> Progress,
    keep: &mut dyn FnMut(&AdaptiveAssessment),
) -> Result<AdaptiveAssessment, OptimalAssessmentError> {
    if quantity != Quantity::PermutationLoad {
        return by_programs(instance, quantity, None, begin, keep);
    }
    let mut known = assess_permutations(instance, begin, keep)?;
    let is_large = matches!(check_size(instance.topology()), Err(OptimalError::TooLarge(_)));
    if is_large || known.complete && known.adaptive.exact().is_some() {
        return Ok(known);
    }
    let traffic = known.traffic.clone();
    let is_better = |found: &AdaptiveAssessment| {
        known.certificate.is_err()
            || (found.certificate.is_ok() && found.adaptive.upper <= known.adaptive.upper)
    };
    let mut keep_better = |found: &AdaptiveAssessment| {
        if is_better(found) {
            keep(found);
        }
    };
    match by_programs(instance, quantity, traffic, begin, &mut keep_better) {
        Ok(found) if is_better(&found) => Ok(found),
        Ok(_) => Ok(AdaptiveAssessment { complete: false, ..known }),
        Err(OptimalAssessmentError::Search(error)) if known.certificate.is_ok() => {
            known.notes.push(error.to_string());
            Ok(AdaptiveAssessment { complete: false, ..known })
        }
        Err(error) => Err(error),
    }
}

/// Bounds from linear programs, from below at least by the given traffic.
fn by_programs(
    instance: &Instance,
    quantity: Quantity,
    by_sets: Option<AdaptiveTraffic>,
    begin: &dyn Fn(&str) -> Progress,
    keep: &mut dyn FnMut(&AdaptiveAssessment),
) -> Result<AdaptiveAssessment, OptimalAssessmentError> {
    let (topology, routing) = (instance.topology(), instance.routing());
    let among = embed::among(topology, routing, &begin("paths"));
    let among = among.map_err(|error| match error {
        Interrupted::TooLarge(limit) => OptimalAssessmentError::Search(limit.into()),
        Interrupted::Stopped(stopped) => stopped.into(),
    })?;
    let paths = Paths::Of(routing);
    let options = Options { paths, quantity, ..Options::default() };
    let spec = "table:-".to_string();
    let question = OptimalQuestion {
        topology: Arc::clone(&instance.topology),
        options,
        among: among.clone(),
        spec,
    };
    let mut first: Option<AdaptiveAssessment> = None;
    let mut settle = |fixed: &ProvenRouting| {
        let known = by_witness(instance, (quantity, fixed), &among, &begin("links"))?;
        Ok::<_, OptimalAssessmentError>(first.insert(known).complete)
    };
    let mut of_search = |known: &ProvenRouting| keep(&above(quantity, known));
    let best = assess_optimal_unless(&question, ABOVE, begin, &mut of_search, &mut settle)?;
    if let Some(settled) = first.take_if(|first| first.complete) {
        return Ok(settled);
    }
    let of_link = first.as_ref().and_then(|first| first.traffic.clone());
    let traffic = by_sets.into_iter().chain(of_link).max_by(|a, b| a.lower.cmp(&b.lower));
    let found = by_search(instance, (quantity, best), (traffic, among), begin, keep)?;
    Ok(match first {
        // What is proven is not replaced by a claim.
        Some(first) if found.certificate.is_err() && first.certificate.is_ok() => {
            AdaptiveAssessment { fixed: found.fixed, ..first }
        }
        _ => found,
    })
}

/// What follows from the proof of the shares of the routing itself; complete where that is all there is to know.
fn by_witness(
    instance: &Instance,
    (quantity, fixed): (Quantity, &ProvenRouting),
    among: &Among,
    progress: &Progress,
) -> Result<AdaptiveAssessment, OptimalAssessmentError> {
    let mut known = above(quantity, fixed);
    let Ok(Certificate::WorstCase(own)) = &fixed.assessment.certificate else { return Ok(known) };
    let (topology, routing) = (instance.topology(), instance.routing());
    let traffic = AdaptiveTraffic::of_witness(topology, routing, (quantity, &own.witness));
    if let Some(traffic) = traffic {
        known.raise(&traffic);
        prove(&mut known, fixed, (traffic, among.clone()), progress)?;
    }
    Ok(known)
}

/// What the best shares that are the same for all traffic prove, and traffic that is known or searched for.
fn by_search(
    instance: &Instance,
    (quantity, best): (Quantity, OptimalAssessment),
    (first, among): (Option<AdaptiveTraffic>, Among),
    begin: &dyn Fn(&str) -> Progress,
    keep: &mut dyn FnMut(&AdaptiveAssessment),
) -> Result<AdaptiveAssessment, OptimalAssessmentError> {
    let (topology, routing) = (instance.topology(), instance.routing());
    let OptimalAssessment { routing: fixed, complete, .. } = best;
    let mut known = above(quantity, &fixed);
    if let Some(traffic) = &first {
        known.raise(traffic);
    }
    keep(&known);
    let progress = begin("starts");
    let below = progress.part(BELOW);
    let images = automorphisms(topology, Paths::Of(routing), &below);
    let symmetry = Symmetry::generated_by(&images.map_err(OptimalAssessmentError::Search)?);
    let search = AdaptiveQuestion {
        topology,
        routing,
        quantity,
        against: against(&fixed),
        symmetry: symmetry.as_ref(),
        enough: &known.adaptive.upper.clone(),
    };
    let mut on_the_way = known.clone();
    let (traffic, is_whole) = adaptive(&search, &below, &mut |found| {
        on_the_way.raise(found);
        keep(&on_the_way);
    })?;
    let both = first.into_iter().chain(traffic);
    let Some(traffic) = both.max_by(|a, b| a.lower.cmp(&b.lower)) else { return Ok(known) };
    known.raise(&traffic);
    prove(&mut known, &fixed, (traffic, among), &progress)?;
    known.complete |= complete && is_whole;
    Ok(known)
}

/// The weighted traffic that bounds all shares which are the same for all traffic.
fn against(fixed: &ProvenRouting) -> &[(Rational, crate::bounds::DualDemand)] {
    let Ok(Certificate::WorstCase(certificate)) = &fixed.assessment.certificate else { return &[] };
    match &certificate.optimality {
        Some(Optimality::OverPaths(Least { dual_demands, .. })) => dual_demands,
        _ => &[],
    }
}

/// What follows from the best shares that are the same for all traffic.
fn above(quantity: Quantity, fixed: &ProvenRouting) -> AdaptiveAssessment {
    let LeastAssessment { optimum, routing, notes, .. } = &fixed.assessment;
    let (fixed, notes) = (optimum.clone(), notes.clone());
    AdaptiveAssessment { fixed, notes, ..from_above(quantity, routing) }
}

/// Adds the traffic to the certificate of the routing with fixed shares, and has that checked.
fn prove(
    known: &mut AdaptiveAssessment,
    fixed: &ProvenRouting,
    (traffic, among): (AdaptiveTraffic, Among),
    progress: &Progress,
) -> Result<(), OptimalAssessmentError> {
    let own = match &fixed.assessment.certificate {
        Ok(Certificate::WorstCase(own)) => own.clone(),
        Ok(_) => return Ok(()),
        Err(why) => {
            known.certificate = Err(why.clone());
            return Ok(());
        }
    };
    let AdaptiveTraffic { demands, flow, lengths, .. } = traffic;
    // A ratio is at least 1, which is not for traffic to prove.
    let (quantity, lower) = (known.quantity, known.adaptive.lower.clone());
    let bound = AdaptiveRates { quantity, lower, among, demands, flow, lengths };
    let optimality = Some(Optimality::AdaptiveRates(bound));
    let certificate = Certificate::WorstCase(WorstCaseCertificate { optimality, ..own });
    let late = progress.afterwards(PROVING);
    match Check::new(&Made::of(&fixed.instance)).progress(&late).run(&certificate) {
        Ok(accepted) => {
            let name = AdaptiveRates::name(quantity);
            if let Some(found) = accepted.into_iter().find(|found| found.quantity == name) {
                let evidence = Evidence::Proven;
                known.adaptive = Bounds { lower: found.lower, upper: found.upper, evidence };
                known.complete = known.adaptive.exact().is_some();
                // No shares that are the same for all traffic are better than the best for each.
                let least = known.adaptive.lower.clone();
                known.fixed.lower = known.fixed.lower.clone().max(least);
            }
            known.certificate = Ok(certificate);
        }
        Err(Refusal::Stopped(_)) => {}
        Err(Refusal::TooLarge(limit)) => {
            known.notes.push(limit.to_string());
            known.certificate = Err(limit.into());
        }
        Err(refusal) => return Err(AssessmentError::from(refusal).into()),
    }
    Ok(())
}
