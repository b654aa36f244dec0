//! Certificates about jobs: traffic inside groups of members, of which each may have several adapters.

mod bad;
mod covers;
mod members;

pub use bad::BadJobs;

use crate::certificate::{JobQuantity, JobsCertificate};
use crate::rational::Rational;

use super::network::Network;
use super::routes::Routes;
use super::{Accepted, Refusal, Result};
use covers::JobCovers;
use members::{Bundle, Members};

/// Checks a certificate about jobs. O(pairs of members · rails · path length · log).
pub(super) fn check(network: &Network, certificate: &JobsCertificate) -> Result<Vec<Accepted>> {
    let JobsCertificate { quantity, lower, upper, .. } = certificate;
    let name = quantity.name();
    if lower > upper {
        return Err(Refusal::EmptyClaim { quantity: name });
    }
    let members = Members::open(network, certificate)?;
    let is_least = *quantity == JobQuantity::LeastRing;
    if let Some(group) =
        certificate.used_by.first().filter(|_| *quantity != JobQuantity::Permutation)
    {
        return Err(BadJobs::UsedBy(*group).into());
    }
    if certificate.loaded.is_some() == is_least || is_least && !certificate.covers.is_empty() {
        return Err(BadJobs::Records(name).into());
    }
    let routes = Routes::open(network, &certificate.routing)?;
    let next = members.next_of(&certificate.sends)?;
    if *quantity != JobQuantity::Permutation {
        members.check_rings(&next)?;
    }
    let loads = members.loads(network, &routes, &next)?;
    if is_least {
        check_least_rings(network, &members, &routes, &loads, certificate)?;
    } else {
        let covers = JobCovers::open(network, &members, &routes, certificate)?;
        check_loaded(network, &covers, &loads, certificate)?;
        covers.check(network, &members, &routes)?;
    }
    Ok(vec![Accepted { quantity: name.into(), lower: lower.clone(), upper: upper.clone() }])
}

/// Verifies that the traffic loads its link enough.
fn check_loaded(
    network: &Network,
    covers: &JobCovers<'_>,
    loads: &[Rational],
    certificate: &JobsCertificate,
) -> Result<()> {
    let quantity = certificate.quantity.name();
    let link = certificate.loaded.ok_or(BadJobs::Records(quantity))?;
    let traffic = loads.get(link as usize).filter(|_| covers.looks_at(link));
    let load = network.load(link as usize, traffic.ok_or(BadJobs::Loaded(link))?);
    if load < certificate.lower {
        let needed = certificate.lower.clone();
        return Err(Refusal::WitnessTooLight { quantity, load, needed });
    }
    Ok(())
}

/// Verifies both sides of a claim on the least load of rings: what the given ones load, and what a member
/// that sends, or receives, loads in all of them.
fn check_least_rings(
    network: &Network,
    members: &Members<'_>,
    routes: &Routes<'_>,
    loads: &[Rational],
    certificate: &JobsCertificate,
) -> Result<()> {
    let upper = &certificate.upper;
    for (link, traffic) in (0..).zip(loads) {
        let load = network.load(link as usize, traffic);
        if load > *upper {
            return Err(BadJobs::RingTooHeavy { link, load, upper: upper.clone() }.into());
        }
    }
    let count = members.count();
    let mut least: [Vec<Option<Rational>>; 2] = [vec![None; count], vec![None; count]];
    let mut bundle = Bundle::default();
    members.each_pair(network, |(from, to)| {
        members.fill(network, routes, (from, to), &mut bundle)?;
        let loads = bundle.links.iter().map(|(link, sent)| network.load(*link as usize, sent));
        let most = loads.max().unwrap_or(Rational::ZERO);
        for (side, member) in least.iter_mut().zip([from, to]) {
            let known = &mut side[member];
            if known.as_ref().is_none_or(|known| most < *known) {
                *known = Some(most.clone());
            }
        }
        Ok(())
    })?;
    let proven = least.into_iter().flatten().flatten().max().unwrap_or(Rational::ZERO);
    if proven < certificate.lower {
        return Err(BadJobs::RingTooLight { proven, lower: certificate.lower.clone() }.into());
    }
    Ok(())
}
