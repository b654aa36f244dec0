//! Certificates about jobs, and what the checker says of them.

use std::path::Path;

use crate::bounds::{Bounds, Evidence};
use crate::certificate::{
    Certificate, JobGroup, JobsCertificate, NetworkForm, PathRecord, RoutingForm,
};
use crate::embed;
use crate::generators::checker::{self, Refusal};
use crate::progress::Progress;
use crate::routing::Instance;
use crate::topology::Host;

use super::JobsError;

/// An entry of a `next` record is about as long as this part of a listed path.
const ENTRIES_OF_A_PATH: usize = 8;

/// Bounds, and the certificate that the checker accepted for them.
pub(super) struct Checked {
    pub(super) bounds: Bounds,
    pub(super) certificate: Option<JobsCertificate>,
}

/// Has a certificate checked. Bounds that are too large to be certified remain claimed.
pub(super) fn checked(
    certificate: JobsCertificate,
    progress: &Progress,
) -> Result<Checked, JobsError> {
    let (lower, upper) = (certificate.lower.clone(), certificate.upper.clone());
    let certificate = Certificate::Jobs(certificate);
    let accepted = checker::check_until(&certificate, Path::new(""), progress);
    let evidence = match accepted {
        Ok(_) => Evidence::Proven,
        Err(Refusal::Stopped(stopped)) => return Err(stopped.into()),
        Err(Refusal::TooLarge(limit)) => {
            let evidence = Evidence::Claimed(format!("matchings, not certified: {limit}"));
            let bounds = Bounds { lower, upper, evidence };
            return Ok(Checked { bounds, certificate: None });
        }
        Err(refusal) => return Err(JobsError::Refused(refusal)),
    };
    let Certificate::Jobs(certificate) = certificate else {
        return Err(JobsError::Refused(Refusal::NoClaim));
    };
    Ok(Checked { bounds: Bounds { lower, upper, evidence }, certificate: Some(certificate) })
}

/// Network and routing for pairs within these groups: by their specs where these can rebuild them, else the
/// paths of these pairs, or next links where these are shorter.
pub(super) fn forms(
    instance: &Instance,
    groups: &[JobGroup],
    progress: &Progress,
) -> Result<(NetworkForm, RoutingForm), JobsError> {
    let Instance { topology, routing, .. } = instance;
    if topology.is_named_tree() && instance.is_by_spec() {
        let network = NetworkForm::Named(topology.spec().to_string());
        return Ok((network, RoutingForm::Named(routing.spec().to_string())));
    }
    let network = embed::network(topology);
    let rails = |group: &JobGroup| group.members.iter().map(Vec::len).max().unwrap_or(0);
    let pairs = groups.iter().map(|group| group.members.len().pow(2) * rails(group));
    let paths = pairs.sum::<usize>().saturating_mul(ENTRIES_OF_A_PATH);
    if routing.is_single_path() && paths > topology.nodes() * topology.hosts() {
        return Ok((network, embed::routing(instance, progress)?));
    }
    Ok((network, RoutingForm::Paths(paths_within(instance, groups, progress)?)))
}

/// The paths of all pairs that may send.
fn paths_within(
    instance: &Instance,
    groups: &[JobGroup],
    progress: &Progress,
) -> Result<Vec<PathRecord>, JobsError> {
    let (mut paths, mut scratch) = (Vec::new(), Vec::new());
    for group in groups {
        for (at, from) in group.members.iter().enumerate() {
            progress.check()?;
            let others = group.members.iter().enumerate().filter(|(other, _)| *other != at);
            for (s, d) in others.flat_map(|(_, to)| pairs(from, to)) {
                instance.routing.for_each_path(s, d, &mut scratch, &mut |share, links| {
                    let (share, links) = (share.clone(), links.to_vec());
                    paths.push(PathRecord { s, d, share, links });
                });
            }
        }
    }
    Ok(paths)
}

/// The SD pairs by which a member sends to another.
pub(super) fn pairs<'m>(
    from: &'m [Option<Host>],
    to: &'m [Option<Host>],
) -> impl Iterator<Item = (Host, Host)> + 'm {
    from.iter().zip(to).filter_map(|(s, d)| s.zip(*d))
}
