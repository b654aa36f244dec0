//! The upper side of certificates about jobs: covers of links by members.

use crate::certificate::{Cover, JobsCertificate};
use crate::rational::Rational;
use crate::topology::LinkId;

use super::super::network::Network;
use super::super::routes::Routes;
use super::super::weights::{misplaced, weight};
use super::super::{Refusal, Result, sum};
use super::bad::BadJobs;
use super::members::{Bundle, Members};

/// The covers, by link, and which links count.
pub(super) struct JobCovers<'c> {
    by_link: Vec<Option<&'c Cover>>,
    /// Whether a link is looked at.
    counts: Vec<bool>,
}

impl<'c> JobCovers<'c> {
    /// Verifies that covers name members in order and are light enough.
    pub(super) fn open(
        network: &Network,
        members: &Members<'_>,
        routes: &Routes<'_>,
        certificate: &'c JobsCertificate,
    ) -> Result<Self> {
        let counts = counted(network, members, routes, certificate)?;
        let mut by_link: Vec<Option<&Cover>> = vec![None; network.links.len()];
        for cover in &certificate.covers {
            let link = cover.link;
            match by_link.get_mut(link as usize) {
                Some(slot @ None) => *slot = Some(cover),
                _ => return Err(Refusal::BadCover(link)),
            }
            check_members(cover, members.count())?;
            check_weight(network, cover, certificate)?;
        }
        Ok(Self { by_link, counts })
    }

    /// Whether the claim is about this link.
    pub(super) fn looks_at(&self, link: LinkId) -> bool {
        self.counts.get(link as usize).is_some_and(|counts| *counts)
    }

    /// Verifies that the covers cover all pairs of members on all links that count.
    pub(super) fn check(
        &self,
        network: &Network,
        members: &Members<'_>,
        routes: &Routes<'_>,
    ) -> Result<()> {
        let mut bundle = Bundle::default();
        members.each_pair(network, |(from, to)| {
            members.fill(network, routes, (from, to), &mut bundle)?;
            for (link, sent) in &bundle.links {
                if self.looks_at(*link) && !self.covers(*link, (from, to), sent)? {
                    let [from, to] = [from, to].map(number);
                    let load = sent.clone();
                    return Err(BadJobs::Uncovered { link: *link, from, to, load }.into());
                }
            }
            Ok(())
        })
    }

    /// Whether the weights of two members on a link are at least what it carries of what they send.
    fn covers(&self, link: LinkId, (from, to): (usize, usize), sent: &Rational) -> Result<bool> {
        let Some(cover) = self.by_link[link as usize] else { return Ok(sent.is_zero()) };
        let sender = weight(&cover.sources, number(from));
        let receiver = weight(&cover.destinations, number(to));
        let enough = |weight: Option<&Rational>| weight.is_some_and(|weight| weight >= sent);
        if enough(sender) || enough(receiver) {
            return Ok(true);
        }
        let both = sum::total(sender.into_iter().chain(receiver))?;
        Ok(both >= *sent)
    }
}

/// Which links count: all, or those that pairs of the groups in question use.
fn counted(
    network: &Network,
    members: &Members<'_>,
    routes: &Routes<'_>,
    certificate: &JobsCertificate,
) -> Result<Vec<bool>> {
    let used_by = &certificate.used_by;
    if used_by.is_empty() {
        return Ok(vec![true; network.links.len()]);
    }
    let mut counts = vec![false; network.links.len()];
    let mut bundle = Bundle::default();
    for (at, group) in used_by.iter().enumerate() {
        let known = members.of_group(*group as usize).filter(|_| !used_by[..at].contains(group));
        let of_group = known.ok_or(BadJobs::UsedBy(*group))?;
        for from in of_group.clone() {
            network.go_on()?;
            for to in of_group.clone().filter(|to| *to != from) {
                members.fill(network, routes, (from, to), &mut bundle)?;
                bundle.links.iter().for_each(|(link, _)| counts[*link as usize] = true);
            }
        }
    }
    Ok(counts)
}

/// Verifies that both sides name members, in ascending order, and that there is nothing else.
fn check_members(cover: &Cover, members: usize) -> Result<()> {
    let mut sides = [&cover.sources, &cover.destinations].into_iter();
    let sound = sides.all(|side| misplaced(side, members).is_none());
    if !sound || cover.has_cuts() || !cover.lengths.is_empty() {
        return Err(BadJobs::Cover(cover.link).into());
    }
    Ok(())
}

/// Verifies that a cover proves the upper side: every member sends, and receives, at most 1.
fn check_weight(network: &Network, cover: &Cover, certificate: &JobsCertificate) -> Result<()> {
    let weights = cover.sources.iter().chain(&cover.destinations).map(|(_, weight)| weight);
    let weight = network.load(cover.link as usize, &sum::total(weights)?);
    if weight > certificate.upper {
        let (quantity, upper) = (certificate.quantity.name(), certificate.upper.clone());
        return Err(Refusal::CoverTooHeavy { quantity, link: cover.link, weight, upper });
    }
    Ok(())
}

/// Members are counted in 32 bits: a certificate has no more hosts.
fn number(member: usize) -> u32 {
    u32::try_from(member).unwrap_or(u32::MAX)
}
