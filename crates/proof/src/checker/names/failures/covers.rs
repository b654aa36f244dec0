//! Covers of links, and what repaired pairs add to them.

use std::collections::HashMap;

use crate::certificate::Cover;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

use super::network::Network;
use super::weights::{misplaced, weight};
use super::{Refusal, Result, sum};

/// A pair of hosts.
pub(super) type Pair = (Host, Host);

/// A pair with its share on a link in a set.
pub(super) type PairShare<'s> = (Pair, &'s Rational);

/// Verifies that the link of a cover exists, and that it names hosts alone, in order.
pub(super) fn check_hosts(network: &Network, cover: &Cover) -> Result<()> {
    let link: LinkId = cover.link;
    if link as usize >= network.links.len() {
        return Err(Refusal::BadCover(link));
    }
    if cover.has_cuts() {
        return Err(Refusal::CutOfHosts(link));
    }
    if !cover.lengths.is_empty() {
        return Err(Refusal::LengthOfHosts(link));
    }
    for side in [&cover.sources, &cover.destinations] {
        if let Some(host) = misplaced(side, network.hosts) {
            return Err(Refusal::BadCoverHost { link, host });
        }
    }
    Ok(())
}

/// Whether the weights of a pair are at least its share.
pub(super) fn covers(cover: &Cover, (s, d): Pair, share: &Rational) -> Result<bool> {
    let [source, destination] = [weight(&cover.sources, s), weight(&cover.destinations, d)];
    let mut alone = [source, destination].into_iter().flatten();
    if share.is_zero() || alone.any(|weight| weight >= share) {
        return Ok(true);
    }
    match source.zip(destination) {
        Some((source, destination)) => Ok(sum::total([source, destination])? >= *share),
        None => Ok(false),
    }
}

/// What pairs raise a cover by: the sum of the largest excess of every source, or of every destination.
pub(super) fn raise(cover: &Cover, pairs: &[PairShare<'_>]) -> Result<Rational> {
    let mut ends: [HashMap<Host, Rational>; 2] = Default::default();
    for ((s, d), share) in pairs {
        let excess = excess(cover, (*s, *d), share)?;
        if excess.is_zero() {
            continue;
        }
        for (largest, host) in ends.iter_mut().zip([*s, *d]) {
            let known = largest.entry(host).or_default();
            if excess > *known {
                known.clone_from(&excess);
            }
        }
    }
    let [sources, destinations] = ends;
    Ok(sum::total(sources.values())?.min(sum::total(destinations.values())?))
}

/// By how much a share is above the weights of its pair.
fn excess(cover: &Cover, (s, d): Pair, share: &Rational) -> Result<Rational> {
    let weights = [weight(&cover.sources, s), weight(&cover.destinations, d)];
    let total = match weights {
        [Some(s), Some(d)] => sum::total([s, d])?,
        [one, other] => one.or(other).cloned().unwrap_or_default(),
    };
    Ok(share.checked_sub(&total).unwrap_or_default())
}
