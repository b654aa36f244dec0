//! The worst case of paths whose rates the sender chooses, knowing the traffic.

use std::sync::Arc;

use super::checked::PROVING;
use super::{
    AssessmentError, LeastAssessment, NoCertificate, OptimalAssessment, OptimalAssessmentError,
    OptimalQuestion, ProvenRouting, assess_optimal,
};
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{
    AdaptiveRates, Among, Certificate, Least, Optimality, Quantity, WorstCaseCertificate,
};
use crate::embed;
use crate::generators::Made;
use crate::generators::checker::{Check, Refusal};
use crate::lp::optimal::adaptive::{AdaptiveQuestion, AdaptiveTraffic, adaptive};
use crate::lp::optimal::{Options, Paths, automorphisms};
use crate::progress::{Interrupted, Progress};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::symmetry::Symmetry;

/// Part of the time for the bound from above: the best shares that do not depend on the traffic.
const ABOVE: f64 = 0.6;

/// Part of the time left after that for the bound from below: the rest is for the check.
const BELOW: f64 = 0.7;

/// Why bounds are claimed.
const UNCHECKED: &str = "no certificate of both sides was checked";

/// Bounds on the worst case of the paths of a routing.
#[derive(Clone, Debug)]
pub struct AdaptiveAssessment {
    /// Where the sender chooses the shares, knowing the traffic.
    pub adaptive: Bounds,
    /// With the best shares that are the same for all traffic.
    pub fixed: Bounds,
    /// The traffic that attains the lower side of the first, if any was found.
    pub traffic: Option<AdaptiveTraffic>,
    /// Proves both sides of the first; or why nothing does.
    pub certificate: Result<Certificate, NoCertificate>,
    /// Whether the bounds are proven and meet, or both searches ran to completion. They may then differ nevertheless.
    pub complete: bool,
    /// Why something is not known or not proven, other than by a stop.
    pub notes: Vec<String>,
}

/// Bounds the oblivious ratio of the paths of a routing, where the sender chooses their shares, knowing the traffic.
/// From above by the best shares that are the same for all traffic, from below by traffic and lengths of links; `keep`
/// gets what is known on the way. `begin` returns a progress of the run for work on the named units.
///
/// # Errors
/// [`OptimalAssessmentError`] when the network or its paths are too many, a solver fails or the checker refuses, and
/// when the work is stopped before anything is known.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::assessment::assess_adaptive;
/// use routebound::{progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(4,2)", "dmodk")?;
/// let found = assess_adaptive(&instance, &|_| Progress::silent(), &mut |_| {})?;
/// assert_eq!(found.adaptive.to_string(), "2 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess_adaptive(
    instance: &Instance,
    begin: &dyn Fn(&str) -> Progress,
    keep: &mut dyn FnMut(&AdaptiveAssessment),
) -> Result<AdaptiveAssessment, OptimalAssessmentError> {
    let topology = instance.topology();
    let routing = instance.routing();
    let among = embed::among(topology, routing, &begin("paths"));
    let among = among.map_err(|error| match error {
        Interrupted::TooLarge(limit) => OptimalAssessmentError::Search(limit.into()),
        Interrupted::Stopped(stopped) => stopped.into(),
    })?;
    let paths = Paths::Of(routing);
    let options = Options { paths, ..Options::default() };
    let spec = "table:-".to_string();
    let question = OptimalQuestion {
        topology: Arc::clone(&instance.topology),
        options,
        among: among.clone(),
        spec,
    };
    let above = |label: &str| begin(label).with_part_of_time(ABOVE);
    let best = assess_optimal(&question, &above, &mut |known| keep(&from_above(known)))?;
    let OptimalAssessment { routing: fixed, complete, .. } = best;
    let mut known = from_above(&fixed);
    keep(&known);
    let progress = begin("starts");
    let below = progress.part(BELOW);
    let images = automorphisms(topology, paths, &below).map_err(OptimalAssessmentError::Search)?;
    let symmetry = Symmetry::generated_by(&images);
    let search = AdaptiveQuestion {
        topology,
        routing,
        against: against(&fixed),
        symmetry: symmetry.as_ref(),
        enough: &known.adaptive.upper.clone(),
    };
    let mut on_the_way = known.clone();
    let (traffic, is_whole) = adaptive(&search, &below, &mut |found| {
        on_the_way.raise(found);
        keep(&on_the_way);
    })?;
    let Some(traffic) = traffic else { return Ok(known) };
    known.raise(&traffic);
    prove(&mut known, &fixed, (traffic, among), &progress)?;
    // No shares that are the same for all traffic are better than the best for each.
    known.fixed.lower = known.fixed.lower.clone().max(known.adaptive.lower.clone());
    let is_known = known.certificate.is_ok() && known.adaptive.exact().is_some();
    known.complete = is_known || (complete && is_whole);
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

/// What follows from shares that are the same for all traffic.
fn from_above(fixed: &ProvenRouting) -> AdaptiveAssessment {
    let LeastAssessment { optimum, routing, notes, .. } = &fixed.assessment;
    // A max load is never below optu.
    let lower = Rational::ONE.min(routing.upper.clone());
    let evidence = Evidence::Claimed(UNCHECKED.into());
    AdaptiveAssessment {
        adaptive: Bounds { lower, upper: routing.upper.clone(), evidence },
        fixed: optimum.clone(),
        traffic: None,
        certificate: Err(NoCertificate::Unfinished),
        complete: false,
        notes: notes.clone(),
    }
}

impl AdaptiveAssessment {
    /// Takes traffic into account.
    fn raise(&mut self, found: &AdaptiveTraffic) {
        self.adaptive.lower = found.lower.clone().max(self.adaptive.lower.clone());
        self.traffic = Some(found.clone());
    }
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
    let AdaptiveTraffic { lower, demands, flow, lengths } = traffic;
    let (quantity, flow) = (Quantity::ObliviousRatio, Some(flow));
    let bound = AdaptiveRates { quantity, lower, among, demands, flow, lengths };
    let optimality = Some(Optimality::AdaptiveRates(bound));
    let certificate = Certificate::WorstCase(WorstCaseCertificate { optimality, ..own });
    let late = progress.afterwards(PROVING);
    match Check::new(&Made::of(&fixed.instance)).progress(&late).run(&certificate) {
        Ok(accepted) => {
            let name = AdaptiveRates::name(quantity);
            if let Some(found) = accepted.into_iter().find(|found| found.quantity == name) {
                let lower = found.lower.max(known.adaptive.lower.clone());
                let evidence = Evidence::Proven;
                known.adaptive = Bounds { lower, upper: found.upper, evidence };
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
