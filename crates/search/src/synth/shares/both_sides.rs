//! One certificate for both sides of the least ratio.

use crate::certificate::{Certificate, FewPaths, Optimality, WorstCaseCertificate};
use crate::generators::Named;
use crate::generators::checker::{Accepted, Check, Refusal};
use crate::prelude::*;
use crate::synth::SynthError;

/// The certificate of a routing with the bound on all with as few paths, accepted by the checker, and what it proves of
/// the least value; `None` where the certificate of the routing is not about links one by one, or the time ends.
///
/// # Errors
/// [`SynthError`] when the checker refuses it.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::certificate::{FewPaths, Quantity};
/// use routebound::{assessment::assess, progress::Progress, routing::Instance, synth::shares::certify};
/// let found = assess(&Instance::named("ft(16,2)", "kpath(k=2,choice=grid)")?)?;
/// let bound = FewPaths { quantity: Quantity::ObliviousRatio, lower: 2.into(), paths: 2 };
/// let both = certify(found.certificate.as_ref().ok(), bound, &Progress::silent())?;
/// assert_eq!(both.ok_or("not about links")?.0.to_string(), "2 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify(
    own: Option<&Certificate>,
    bound: FewPaths,
    progress: &Progress,
) -> Result<Option<(Bounds, Certificate)>, SynthError> {
    let Some(Certificate::WorstCase(own)) = own.filter(|_| !progress.cancelled()) else {
        return Ok(None);
    };
    if !own.classes.is_empty() {
        return Ok(None);
    }
    let name = FewPaths::name(bound.quantity, bound.paths);
    let optimality = Some(Optimality::FewPaths(bound));
    let whole = Certificate::WorstCase(WorstCaseCertificate { optimality, ..own.clone() });
    let accepted = match Check::new(&Named).progress(progress).run(&whole) {
        Err(Refusal::Stopped(_) | Refusal::TooLarge(_)) => return Ok(None),
        accepted => accepted?,
    };
    let found = accepted.into_iter().find(|found| found.quantity == name);
    Ok(found.map(|Accepted { lower, upper, .. }| {
        (Bounds { lower, upper, evidence: Evidence::Proven }, whole)
    }))
}
