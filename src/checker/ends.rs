//! Links that are covered by their ends: by all sources of their pairs, or by all destinations.
//!
//! With the largest share of its pairs as its weight, every source covers its pairs alone, and so
//! does every destination. What the sources weigh together is counted source by source, what the
//! destinations weigh destination by destination: one number per link is all that has to be kept.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::certificate::{Claim, Quantity, WorstCaseCertificate};
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId};

use super::network::Network;
use super::routes::{Routes, Uses};
use super::{Refusal, sum};

/// Parts of the hosts that are counted separately.
const PARTS: usize = 16;

/// Verifies every claim for the links without a cover. O(N²·path length).
pub(super) fn check(
    network: &Network,
    routes: &Routes<'_>,
    certificate: &WorstCaseCertificate,
) -> Result<(), Refusal> {
    let mut open = vec![true; network.links.len()];
    for cover in &certificate.covers {
        open[cover.link as usize] = false;
    }
    let one_each = |claim: &&Claim| claim.quantity == Quantity::PermutationLoad;
    let (permutations, others): (Vec<&Claim>, Vec<&Claim>) =
        certificate.claims.iter().partition(one_each);
    if permutations.is_empty() || others.is_empty() || all_one(network)? {
        let claims: Vec<&Claim> = certificate.claims.iter().collect();
        return check_claims(network, routes, &open, &claims);
    }
    check_claims(network, routes, &open, &permutations)?;
    check_claims(network, routes, &open, &others)
}

/// Whether all hosts send and receive 1.
fn all_one(network: &Network) -> Result<bool, Refusal> {
    for host in network.host_numbers() {
        if *network.host_capacity(host)? != [Ratio::ONE; 2] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The same for claims under which a host sends and receives the same.
fn check_claims(
    network: &Network,
    routes: &Routes<'_>,
    open: &[bool],
    claims: &[&Claim],
) -> Result<(), Refusal> {
    let capacities = claims.iter().any(|claim| claim.quantity != Quantity::PermutationLoad);
    let walk = Walk { network, routes, capacities };
    let least = claims.iter().min_by_key(|claim| &claim.upper);
    let least = least.ok_or(Refusal::NoClaim)?;
    let sources = walk.weights(open, true)?;
    let is_above =
        |(link, weight): (usize, &Ratio)| open[link] && network.load(link, weight) > least.upper;
    let open: Vec<bool> = sources.iter().enumerate().map(is_above).collect();
    if !open.contains(&true) {
        return Ok(());
    }
    // Destinations are counted only where sources do not suffice.
    let destinations = walk.weights(&open, false)?;
    for (link, (sources, destinations)) in (0..).zip(sources.iter().zip(&destinations)) {
        if !open[link as usize] {
            continue;
        }
        let weight = network.load(link as usize, sources.min(destinations));
        if weight > least.upper {
            let (quantity, upper) = (least.quantity.name(), least.upper.clone());
            return Err(Refusal::EndsTooHeavy { quantity, link, weight, upper });
        }
    }
    Ok(())
}

/// A walk over all pairs, host by host of one side.
struct Walk<'a> {
    network: &'a Network,
    routes: &'a Routes<'a>,
    /// Whether a host weighs its capacity rather than 1.
    capacities: bool,
}

/// What was counted for some hosts.
struct Count {
    /// Distinct weights.
    weights: Numbered,
    /// Number of hosts of weight 1, by link.
    whole: Vec<u32>,
    /// Number of hosts of another weight.
    parts: HashMap<(LinkId, u32), u32>,
}

impl Walk<'_> {
    /// Per link, the sum over the hosts at one end of its pairs of the host's weight times the
    /// largest share of its pairs on the link; 0 for links that are not open.
    fn weights(&self, open: &[bool], sources: bool) -> Result<Vec<Ratio>, Refusal> {
        let hosts: Vec<Host> = self.network.host_numbers().collect();
        let parts: Vec<&[Host]> = hosts.chunks(hosts.len().div_ceil(PARTS).max(1)).collect();
        let count = |part: &[Host]| self.count(open, sources, part);
        // The refusal for the lowest host, however the threads were scheduled.
        let counts: Vec<Result<Count, Refusal>> = parts.into_par_iter().map(count).collect();
        let mut totals = vec![Ratio::ZERO; open.len()];
        for count in counts {
            let Count { weights, whole, parts } = count?;
            for (total, count) in totals.iter_mut().zip(&whole).filter(|(_, count)| **count > 0) {
                sum::add(total, &Ratio::from(u64::from(*count)))?;
            }
            let mut parts: Vec<_> = parts.into_iter().collect();
            parts.sort_unstable();
            for ((link, weight), count) in parts {
                let weight = &weights.known[weight as usize] * &Ratio::from(u64::from(count));
                sum::add(&mut totals[link as usize], &weight)?;
            }
        }
        Ok(totals)
    }

    fn count(&self, open: &[bool], sources: bool, hosts: &[Host]) -> Result<Count, Refusal> {
        let mut uses = Uses::default();
        let mut known = Known::new(open.len());
        let mut count =
            Count { weights: Numbered::new(), whole: vec![0; open.len()], parts: HashMap::new() };
        for host in hosts.iter().copied() {
            let mut take = |_: Host, uses: &Uses| {
                for link in uses.whole.iter().filter(|link| open[**link as usize]) {
                    known.raise_to_one(*link);
                }
                for (link, share) in uses.parts.iter().filter(|(link, _)| open[*link as usize]) {
                    known.raise(*link, share);
                }
                Ok(())
            };
            if sources {
                self.routes.uses_from(self.network, host, &mut uses, &mut take)?;
            } else {
                self.routes.uses_to(self.network, host, &mut uses, &mut take)?;
            }
            let capacity = match (self.capacities, sources) {
                (true, true) => self.network.host_capacity(host)?[0].clone(),
                (true, false) => self.network.host_capacity(host)?[1].clone(),
                (false, _) => Ratio::ONE,
            };
            known.add_to(&mut count, &capacity);
        }
        Ok(count)
    }
}

/// The largest share of one host's pairs on every link.
struct Known {
    /// Distinct shares.
    shares: Numbered,
    /// The number of the share, or [`NONE`].
    share: Vec<u32>,
    /// Links that have one.
    links: Vec<LinkId>,
}

const NONE: u32 = u32::MAX;

impl Known {
    fn new(links: usize) -> Self {
        Self { shares: Numbered::new(), share: vec![NONE; links], links: Vec::new() }
    }

    #[inline]
    fn raise(&mut self, link: LinkId, share: &Ratio) {
        let slot = &mut self.share[link as usize];
        if *slot == NONE {
            self.links.push(link);
        } else if self.shares.known[*slot as usize] >= *share {
            return;
        }
        *slot = self.shares.number(share);
    }

    /// The same for a share of 1, the most of a path that passes the link once.
    #[inline]
    fn raise_to_one(&mut self, link: LinkId) {
        if self.share[link as usize] != 0 {
            self.raise(link, &Ratio::ONE);
        }
    }

    /// Counts the host on all its links, and forgets it.
    fn add_to(&mut self, count: &mut Count, capacity: &Ratio) {
        let weight = |share: &Ratio| count.weights.number(&(share * capacity));
        let weights: Vec<u32> = self.shares.known.iter().map(weight).collect();
        for link in self.links.drain(..) {
            let share = std::mem::replace(&mut self.share[link as usize], NONE);
            match weights[share as usize] {
                0 => count.whole[link as usize] += 1,
                weight => *count.parts.entry((link, weight)).or_default() += 1,
            }
        }
    }
}

/// Rationals and their numbers, in order of first use; the first is 1.
struct Numbered {
    known: Vec<Ratio>,
    numbers: HashMap<Ratio, u32>,
}

impl Numbered {
    fn new() -> Self {
        Self { known: vec![Ratio::ONE], numbers: HashMap::from([(Ratio::ONE, 0)]) }
    }

    #[inline]
    fn number(&mut self, ratio: &Ratio) -> u32 {
        if self.known[0] == *ratio {
            return 0;
        }
        let next = self.known.len().try_into().expect("fewer rationals than 2^32 fit into memory");
        let number = *self.numbers.entry(ratio.clone()).or_insert(next);
        if number == next {
            self.known.push(ratio.clone());
        }
        number
    }
}
