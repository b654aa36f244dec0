//! Assessing a best routing: its worst case, and that no other routing is better.

use std::sync::Arc;
use std::time::Duration;

use super::approach::Form;
use super::{AssessmentError, Checked, NoCertificate, closed};
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{Certificate, Least, Optimality, Quantity};
use crate::progress::Progress;
use crate::routing::Instance;
use crate::shards::Units;
use crate::symmetry::Symmetry;
use crate::worst_case::{self, Analyse, Proof, Scope, WorstCase};

/// Bounds on the best routing, and on the one that was found.
#[derive(Clone, Debug)]
pub struct LeastAssessment {
    /// Bounds on the least worst case of all routings over the allowed paths.
    pub optimum: Bounds,
    /// Bounds on the worst case of this one.
    pub routing: Bounds,
    /// Proves both; or why nothing does.
    pub certificate: Result<Certificate, NoCertificate>,
    /// Why something is not known or not proven, other than by a stop.
    pub notes: Vec<String>,
}

/// Analyses an instance, adds the evidence that no routing is better to the proof of its worst
/// case, and has both checked.
///
/// # Errors
/// [`AssessmentError`] when the case is not covered or the checker refuses.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::assessment::assess_least;
/// use routebound::bounds::{DualDemand, RoutedTraffic};
/// use routebound::certificate::{Among, Least, Quantity};
/// use routebound::{progress::Progress, rational::Rational, routing::Instance, traffic::Demand};
/// let instance = Instance::named("ftree(1,1,2)", "dmodk")?;
/// // Host 0 sends 1 to host 1, over its only link.
/// let demands = vec![Demand { s: 0, d: 1, amount: Rational::ONE }];
/// let dual_demands = vec![(Rational::ONE, DualDemand { link: 0, demands, flow: Some(RoutedTraffic::Even) })];
/// let (quantity, lower) = (Quantity::ObliviousRatio, Rational::ONE);
/// let least = Least { quantity, lower, among: Among::All, dual_demands };
/// let assessment = assess_least(&instance, least, &Progress::silent())?;
/// assert_eq!(assessment.optimum.to_string(), "1 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess_least(
    instance: &Instance,
    least: Least,
    progress: &Progress,
) -> Result<LeastAssessment, AssessmentError> {
    let proved = proved(instance, least.quantity, None, &Effort::default(), progress)?;
    concluded(instance, &proved, least, progress)
}

/// Time after a stop for matchings.
const MATCHING: Duration = Duration::from_millis(200);

/// Part of the time left that linear programs may take: the rest is for the check.
const PROGRAMS: f64 = 0.5;

/// Improves on a worst case by what is known about the routing, and proves the result.
type Improve<'i> = dyn Fn(&Instance, &mut WorstCase, Proof) -> Proof + 'i;

/// The effort to close a gap that matchings leave.
#[derive(Clone, Copy)]
pub(super) struct Effort<'e> {
    /// What is known about the routing, if anything is.
    pub(super) known: Option<&'e Improve<'e>>,
    /// Whether linear programs come before that, after it, or not at all.
    pub(super) programs: Programs,
}

/// When linear programs are solved.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "highs"), expect(dead_code, reason = "only searches know about routings"))]
pub(super) enum Programs {
    /// Before what is known, which then is for gaps that a stop leaves.
    First,
    /// After it, where that leaves a gap.
    Last,
    /// Not at all: there is little time.
    None,
}

impl Default for Effort<'_> {
    fn default() -> Self {
        Self { known: None, programs: Programs::First }
    }
}

/// The proof of a routing's worst case, not yet checked.
#[derive(Clone, Debug)]
pub(super) struct Proved {
    proof: Proof,
    /// Why a link was not solved although nothing was stopped.
    pub(super) unsolved: Option<String>,
    /// Whether a stop left its gap open.
    pub(super) cut: bool,
}

/// Proves the worst case of a routing, which respects the automorphisms of `symmetry`, with some effort.
pub(super) fn proved(
    instance: &Instance,
    quantity: Quantity,
    symmetry: Option<&Arc<Symmetry>>,
    effort: &Effort<'_>,
    progress: &Progress,
) -> Result<Proved, AssessmentError> {
    let late = progress.afterwards(MATCHING);
    let scope = symmetry.map_or(Scope::EveryLink, Scope::LowestLinks);
    let mut worst = Analyse::of(quantity).scope(scope).progress(&late).run(instance)?;
    // A bound for all routings is about hosts one by one.
    worst.by_hosts();
    if let Some(symmetry) = symmetry {
        worst.adopt(symmetry);
    }
    let mut proof = worst_case::prove(instance, &worst);
    let mut cut = false;
    if quantity == Quantity::ObliviousRatio {
        let mut solve = |worst: &mut WorstCase, proof| {
            let part = progress.part(PROGRAMS);
            let proof = closed(instance, worst, proof, &Units::default(), &part).0;
            cut = part.cancelled();
            proof
        };
        if effort.programs == Programs::First {
            proof = solve(&mut worst, proof);
        }
        if let Some(known) = effort.known
            && proof.bounds.exact().is_none()
            && worst.is_covered()
        {
            proof = known(instance, &mut worst, proof);
        }
        if effort.programs == Programs::Last {
            proof = solve(&mut worst, proof);
        }
    }
    cut &= proof.bounds.exact().is_none();
    Ok(Proved { proof, cut, unsolved: worst.unsolved.as_ref().map(ToString::to_string) })
}

/// Adds the evidence that no routing is better to the proof of a routing's worst case, and has both checked.
pub(super) fn concluded(
    instance: &Instance,
    proved: &Proved,
    least: Least,
    progress: &Progress,
) -> Result<LeastAssessment, AssessmentError> {
    let (quantity, known) = (least.quantity, least.lower.clone());
    // No record says how good routings can be against permutations: the upper side is that of this one.
    let least = Some(least).filter(|_| quantity != Quantity::PermutationLoad);
    let is_both = least.is_some();
    let least = least.map(Optimality::OverPaths);
    let checked = Checked::of(instance, &proved.proof, least, Form::Embedded, progress)?;
    let routing = checked.own();
    let optimum = checked.known(Least::name(quantity)).unwrap_or_else(|| {
        let unchecked = Evidence::Claimed("no certificate of both sides was checked".into());
        let evidence = if is_both { unchecked } else { routing.evidence.clone() };
        Bounds { lower: known, upper: routing.upper.clone(), evidence }
    });
    let limit = checked.limit().as_ref().map(ToString::to_string);
    let notes = proved.unsolved.iter().cloned().chain(limit).collect();
    Ok(LeastAssessment { optimum, routing, certificate: checked.certificate, notes })
}
