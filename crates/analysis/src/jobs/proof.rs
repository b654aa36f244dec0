//! Certificates about jobs, and what the checker says of them.

use crate::bounds::{Bounds, Evidence};
use crate::certificate::{
    Budget, Certificate, JobGroup, JobsCertificate, Listed, NetworkForm, RoutingForm,
};
use crate::embed;
use crate::generators::Named;
use crate::generators::checker::{Check, Refusal};
use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::routing::Instance;

use super::JobsError;

/// Bounds, and the certificate that the checker accepted for them.
pub(super) struct Checked {
    pub(super) bounds: Bounds,
    pub(super) certificate: Result<JobsCertificate, TooLarge>,
}

/// Has a certificate checked. Bounds that are too large to be certified remain claimed.
pub(super) fn checked(
    certificate: JobsCertificate,
    progress: &Progress,
) -> Result<Checked, JobsError> {
    let (lower, upper) = (certificate.lower.clone(), certificate.upper.clone());
    let certificate = Certificate::Jobs(certificate);
    let accepted = Check::new(&Named).progress(progress).run(&certificate);
    let evidence = match accepted {
        Ok(_) => Evidence::Proven,
        Err(Refusal::Stopped(stopped)) => return Err(stopped.into()),
        Err(Refusal::TooLarge(limit)) => {
            let evidence = Evidence::Claimed(format!("matchings, not certified: {limit}"));
            let bounds = Bounds { lower, upper, evidence };
            return Ok(Checked { bounds, certificate: Err(limit) });
        }
        Err(refusal) => return Err(JobsError::Refused(refusal)),
    };
    let Certificate::Jobs(certificate) = certificate else {
        return Err(JobsError::Refused(Refusal::NoClaim));
    };
    Ok(Checked { bounds: Bounds { lower, upper, evidence }, certificate: Ok(certificate) })
}

/// Network and routing for pairs within these groups: by their specs where these can rebuild them, else written out.
/// Whether that is too much for a certificate, the checker says.
pub(super) fn forms(
    instance: &Instance,
    groups: &[JobGroup],
    progress: &Progress,
) -> Result<(NetworkForm, RoutingForm), JobsError> {
    let Instance { topology, routing, .. } = instance;
    if instance.is_named() {
        let network = NetworkForm::Named(topology.spec().to_string());
        return Ok((network, RoutingForm::Named(routing.spec().to_string())));
    }
    let budget = [Listed::Paths, Listed::PathLinks];
    let budget = budget.into_iter().fold(Budget::default(), |all, what| all.with(what, u64::MAX));
    let routing = embed::routing_within(instance, groups, budget, progress)?;
    Ok((embed::network(topology), routing))
}
