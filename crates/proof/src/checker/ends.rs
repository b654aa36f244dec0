//! Links that are covered by their ends: by all sources of their pairs, or by all destinations.
//!
//! With the largest share of its pairs as its weight, every source covers its pairs alone, and so
//! does every destination. What the sources weigh together is counted source by source, in the walk
//! that verifies the paths; what the destinations weigh, destination by destination, and only where
//! the sources weigh too much. One number per link is all that must be kept.

use std::num::NonZeroU32;

use crate::certificate::{Claim, Quantity, WorstCaseCertificate};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

use super::classes::Classes;
use super::known::{Count, Known};
use super::network::Network;
use super::routes::Routes;
use super::uses::Uses;
use super::{Refusal, Result, parallel};

/// Parts of the hosts that are counted separately.
const PARTS: usize = 16;

/// Counts of pairs, in parts that are counted separately.
pub(super) fn parts<T>(all: &[T]) -> impl Iterator<Item = &[T]> {
    all.chunks(all.len().div_ceil(PARTS).max(1))
}

/// Which links are weighed by their ends, and how.
pub(super) struct Weighing<'a> {
    pub(super) network: &'a Network,
    classes: &'a Classes,
    /// Links to be weighed: at first those without a cover, or none where every link needs one;
    /// then those whose sources weigh too much.
    pub(super) open_links: Vec<LinkId>,
    /// Per link, one more than its place among these.
    pub(super) slot: Vec<Option<NonZeroU32>>,
    /// Claims under which hosts weigh the same, of which only the smallest matters.
    pub(super) ways: Vec<Way<'a>>,
}

/// A way to weigh hosts, and the smallest claim under it.
pub(super) struct Way<'a> {
    least: &'a Claim,
    /// Whether a host weighs its capacity rather than 1.
    by_capacity: bool,
}

impl<'a> Weighing<'a> {
    pub(super) fn of(
        (network, classes): (&'a Network, &'a Classes),
        (certificate, elsewhere): (&'a WorstCaseCertificate, &[bool]),
    ) -> Result<Self> {
        let open = elsewhere.iter().map(|elsewhere| certificate.by_ends && !elsewhere);
        let mut open: Vec<bool> = open.collect();
        for cover in &certificate.covers {
            open[cover.link as usize] = false;
        }
        let mut ways = Vec::new();
        if certificate.by_ends {
            let is_one_each = |claim: &&Claim| claim.quantity == Quantity::PermutationLoad;
            let all_one = all_one(network)?;
            for one_each in [true, false] {
                let claims = certificate.claims.iter();
                let claims = claims.filter(|claim| all_one || is_one_each(claim) == one_each);
                if let Some(least) = claims.min_by_key(|claim| &claim.upper)
                    && !(all_one && one_each)
                {
                    ways.push(Way { least, by_capacity: !one_each });
                }
            }
        }
        let (open_links, slot) = places(|link| open[link], network.links.len());
        Ok(Self { network, classes, open_links, slot, ways })
    }

    /// An empty scale.
    pub(super) fn scale(&self) -> Scale<'_> {
        let count = |_| Count::new(self.slot.len());
        let counts = self.ways.iter().map(count).collect();
        Scale { weighing: self, known: Known::new(&self.slot), uses: Uses::default(), counts }
    }

    /// The sums of all parts, of which there is at least one, in every way, by link; or the refusal
    /// of the first part that has one.
    pub(super) fn totals(
        parts: impl IntoIterator<Item = Result<Vec<Count>>>,
    ) -> Result<Vec<Vec<Rational>>> {
        let mut counted: Option<Vec<Count>> = None;
        for counts in parts {
            let counts = counts?;
            match &mut counted {
                None => counted = Some(counts),
                Some(counted) => counted.iter_mut().zip(counts).for_each(|(a, b)| a.take(b)),
            }
        }
        counted.unwrap_or_default().into_iter().map(Count::totals).collect()
    }

    /// Verifies the claims for all links without a cover, of which `sources` weigh as stated.
    /// O(N²·path length) where sources do not suffice.
    pub(super) fn check(mut self, routes: &Routes<'_>, sources: &[Vec<Rational>]) -> Result<()> {
        let are_above = |link: usize| {
            let mut ways = self.ways.iter().zip(sources);
            ways.any(|(way, sources)| way.exceeded(self.network, link, &sources[link]).is_some())
        };
        let is_open = |link: usize| self.slot[link].is_some() && are_above(link);
        let (open_links, slot) = places(is_open, self.slot.len());
        if open_links.is_empty() {
            return Ok(());
        }
        (self.open_links, self.slot) = (open_links, slot);
        let destinations = self.destinations(routes)?;
        for (way, (sources, destinations)) in
            self.ways.iter().zip(sources.iter().zip(&destinations))
        {
            for link in self.open_links.iter().copied() {
                let at = link as usize;
                let weight = (&sources[at]).min(&destinations[at]);
                if let Some(weight) = way.exceeded(self.network, at, weight) {
                    let (quantity, upper) = (way.least.quantity.name(), way.least.upper.clone());
                    return Err(Refusal::EndsTooHeavy { quantity, link, weight, upper });
                }
            }
        }
        Ok(())
    }

    /// What the destinations of the open links weigh, in every way, by link.
    fn destinations(&self, routes: &Routes<'_>) -> Result<Vec<Vec<Rational>>> {
        let hosts = self.classes.representatives();
        let parts: Vec<&[Host]> = parts(hosts).collect();
        let counts = parallel::map(&parts, |part| {
            let mut scale = self.scale();
            #[cfg(feature = "fast")]
            if routes.is_single_path() {
                scale.weigh_blocks(routes, hosts, part)?;
                return Ok(scale.counts);
            }
            part.iter().try_for_each(|d| scale.weigh_destination(routes, *d))?;
            Ok(scale.counts)
        });
        Self::totals(counts)
    }
}

impl Way<'_> {
    /// The load that the weight of a link's ends allows, where that is above the claim.
    pub(super) fn exceeded(
        &self,
        network: &Network,
        link: usize,
        weight: &Rational,
    ) -> Option<Rational> {
        let load = network.load(link, weight);
        (load > self.least.upper).then_some(load)
    }
}

/// The open links, and for every link one more than its place among these.
fn places(is_open: impl Fn(usize) -> bool, links: usize) -> (Vec<LinkId>, Vec<Option<NonZeroU32>>) {
    let (mut open, mut slot) = (Vec::new(), vec![None; links]);
    for (link, slot) in (0..).zip(&mut slot) {
        if is_open(link as usize) {
            open.push(link);
            *slot = u32::try_from(open.len()).ok().and_then(NonZeroU32::new);
        }
    }
    (open, slot)
}

/// Whether all hosts send and receive 1.
fn all_one(network: &Network) -> Result<bool> {
    for host in network.host_numbers() {
        if *network.host_capacity(host)? != [Rational::ONE; 2] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What some hosts weigh.
pub(super) struct Scale<'a> {
    pub(super) weighing: &'a Weighing<'a>,
    /// The host that is being weighed.
    pub(super) known: Known,
    /// The pair that is looked at, and the shares to which `known` refers.
    pub(super) uses: Uses,
    /// In every way.
    pub(super) counts: Vec<Count>,
}

impl Scale<'_> {
    /// Weighs the host whose pairs were seen, and forgets them.
    pub(super) fn weigh(&mut self, host: Host, is_source: bool) -> Result<()> {
        let Weighing { network, classes, .. } = self.weighing;
        for (way, count) in self.weighing.ways.iter().zip(&mut self.counts) {
            let capacity = way.weight(network, host, is_source)?;
            let hosts = |link| classes.counted(network, link, (host, is_source));
            self.known.add_to(count, &capacity, &self.uses.shares, hosts);
        }
        self.known.clear();
        self.uses.forget_shares();
        Ok(())
    }

    /// Weighs a destination.
    fn weigh_destination(&mut self, routes: &Routes<'_>, d: Host) -> Result<()> {
        let (known, weighing) = (&mut self.known, self.weighing);
        routes.uses_to(weighing.network, weighing.classes, d, &mut self.uses, |uses| {
            uses.whole.iter().for_each(|link| known.raise_to_one(*link, &uses.shares));
            known.raise_parts(&uses.parts, &uses.shares);
            Ok(())
        })?;
        self.weigh(d, false)
    }
}

impl Way<'_> {
    /// What a host weighs.
    pub(super) fn weight(
        &self,
        network: &Network,
        host: Host,
        is_source: bool,
    ) -> Result<Rational> {
        if !self.by_capacity {
            return Ok(Rational::ONE);
        }
        let [out, into] = network.host_capacity(host)?;
        Ok(if is_source { out.clone() } else { into.clone() })
    }
}
