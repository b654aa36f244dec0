//! Assessing a best routing: its worst case, and that no other routing is better.

use std::time::Duration;

use super::{AssessmentError, Checked, Form, closed};
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{Certificate, Least, Quantity};
use crate::distribution::Units;
#[cfg(feature = "highs")]
use crate::lp::worst_demand::{Known, tighten};
use crate::progress::Progress;
use crate::routing::Instance;
use crate::worst_case::{self, Proof, WorstCase, analyse};

/// How good any routing can be, and how good this one is.
#[derive(Clone, Debug)]
pub struct LeastAssessment {
    /// Bounds on the least worst case of all routings over the allowed paths.
    pub optimum: Bounds,
    /// Bounds on the worst case of this one.
    pub routing: Bounds,
    /// Proves both; `None` when the work was stopped first.
    pub certificate: Option<Certificate>,
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
/// use routebound::assessment::assess_least;
/// use routebound::bounds::{DualDemand, Flow};
/// use routebound::certificate::{Among, Least, Quantity};
/// use routebound::{progress::Progress, ratio::Ratio, routing::Instance, traffic::Demand};
/// let instance = Instance::named("ftree(1,1,2)", "dmodk")?;
/// // Host 0 sends 1 to host 1, over its only link.
/// let demands = vec![Demand { s: 0, d: 1, amount: Ratio::ONE }];
/// let dual_demands = vec![(Ratio::ONE, DualDemand { link: 0, demands, flow: Some(Flow::Even) })];
/// let (quantity, lower) = (Quantity::ObliviousRatio, Ratio::ONE);
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
    assess(instance, least, &|_, proof| proof, progress)
}

/// The same for a routing about which a search already knows a lot: where a stop leaves no time for
/// the linear programmes of all links, the search's own prices and traffic replace them.
///
/// # Errors
/// As [`assess_least`].
#[cfg(feature = "highs")]
pub fn assess_least_knowing(
    instance: &Instance,
    least: Least,
    known: Known<'_>,
    progress: &Progress,
) -> Result<LeastAssessment, AssessmentError> {
    let late = progress.afterwards(TIGHTENING);
    let better = |worst: &mut WorstCase, proof| tighten(instance, worst, proof, known, &late);
    assess(instance, least, &better, progress)
}

/// Times after a stop for matchings, and for turning what is already known into covers.
const MATCHING: Duration = Duration::from_millis(200);
#[cfg(feature = "highs")]
const TIGHTENING: Duration = Duration::from_millis(300);

/// `better` improves on a proof that leaves a gap.
fn assess(
    instance: &Instance,
    least: Least,
    better: &dyn Fn(&mut WorstCase, Proof) -> Proof,
    progress: &Progress,
) -> Result<LeastAssessment, AssessmentError> {
    let quantity = least.quantity;
    let mut worst = analyse(instance, quantity, &progress.afterwards(MATCHING))?;
    let mut proof = worst_case::prove(instance, &worst);
    if quantity == Quantity::ObliviousRatio {
        proof = closed(instance, &mut worst, proof, &Units::default(), progress).0;
        if proof.bounds.exact().is_none() && worst.is_covered() {
            proof = better(&mut worst, proof);
        }
    }
    let known = least.lower.clone();
    let checked = Checked::of(instance, &proof, Some(least), Form::Embedded, progress)?;
    let routing = checked.own();
    let optimum = checked.known(Least::name(quantity)).unwrap_or_else(|| {
        let evidence = Evidence::Claimed("no certificate of both sides was checked".into());
        Bounds { lower: known, upper: routing.upper.clone(), evidence }
    });
    let unsolved = worst.unsolved.as_ref().map(ToString::to_string);
    let limit = checked.limit.as_ref().map(ToString::to_string);
    let notes = unsolved.into_iter().chain(limit).collect();
    Ok(LeastAssessment { optimum, routing, certificate: checked.certificate, notes })
}
