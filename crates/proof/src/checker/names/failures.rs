//! Proof that no set of failures makes permutations load a link more than stated.
//!
//! Covers of the whole network also cover the pairs that no failure breaks. A repaired pair may be above its weights on
//! a link: raised by the largest such excess of every source, or of every destination, the weights cover it as well.
//! Those that one failure breaks may be so covered by their sources, and those of the other by their destinations.
//! That settles nearly all sets; others have covers of their own.
//!
//! What a set of two breaks is put together from what each does alone: a pair that one breaks keeps its new path where
//! the other one breaks neither that nor the old one, since fewer paths are left of which it is still the next, or
//! among the shortest.

mod alone;
mod bad;
mod covers;
mod left;
mod limits;
mod new_uses;
mod own;
mod sets;
mod whole;

pub use bad::BadFailures;

use std::collections::HashMap;

use crate::certificate::{Cover, FAILURE_LOAD, FailuresCertificate};
use crate::rational::Rational;

use super::{Accepted, Refusal, Result};
use super::{flow, known, network, parallel, routes, split, sum, symmetry, uses, weights, witness};
use alone::Alone;
use left::Left;
use network::Network;
use routes::Routes;
use sets::Sets;
use symmetry::Symmetry;
use whole::Whole;

/// Number of sets that are verified one after another.
const SETS: usize = 64;

/// Verifies a certificate about sets of failures. O(N²·path length) and, for every set that is looked at, the broken
/// pairs that two failures have in common.
pub(in crate::checker) fn check(
    network: &Network,
    certificate: &FailuresCertificate,
) -> Result<Vec<Accepted>> {
    let FailuresCertificate { lower, upper, .. } = certificate;
    if lower > upper {
        return Err(Refusal::EmptyClaim { quantity: FAILURE_LOAD });
    }
    let sets = Sets::open(network, certificate)?;
    let routes = Routes::open(network, &certificate.routing)?;
    let symmetry = Symmetry::open(network, &certificate.automorphisms)?;
    let first = sets.first_of_classes(network, &symmetry, certificate)?;
    let whole = Whole::open(network, &routes, certificate)?;
    symmetry.check_routing(network, &routes)?;
    check_lower(&whole, certificate)?;
    let needed = sets.needed(&whole, &first)?;
    let own = sets.own_covers(&needed, certificate)?;
    let alone = Alone::of_all(&whole, &sets, &needed)?;
    check_sets(&whole, &sets, (&needed, &alone), &own)?;
    Ok(vec![Accepted { quantity: FAILURE_LOAD.into(), lower: lower.clone(), upper: upper.clone() }])
}

/// Verifies that the permutation loads its link as stated in its set.
fn check_lower(whole: &Whole<'_>, certificate: &FailuresCertificate) -> Result<()> {
    let FailuresCertificate { loaded, set, demands, lower, .. } = certificate;
    let network = whole.network;
    let mut left = Left::of(network)?;
    left.remove(network, &whole.gone(set));
    if *loaded as usize >= network.links.len() || left.is_gone(*loaded) {
        return Err(BadFailures::Loaded(*loaded).into());
    }
    flow::check_demands(network, demands)?;
    witness::check_permutation(demands)?;
    let is_cut = left.cut_off(network)?;
    let (mut traffic, mut links) = (Rational::ZERO, Vec::new());
    for demand in demands {
        network.go_on()?;
        let pair = (demand.s, demand.d);
        whole.uses_in(&mut left, pair, &mut links)?;
        if links.is_empty() || is_cut[pair.0 as usize] || is_cut[pair.1 as usize] {
            return Err(BadFailures::Silent { s: pair.0, d: pair.1 }.into());
        }
        if let Some((_, share)) = links.iter().find(|(link, _)| link == loaded) {
            sum::add(&mut traffic, &(left.share(*share) * &demand.amount))?;
        }
    }
    let load = network.load(*loaded as usize, &traffic);
    if load < *lower {
        let (quantity, needed) = (FAILURE_LOAD, lower.clone());
        return Err(Refusal::WitnessTooLight { quantity, load, needed });
    }
    Ok(())
}

/// Verifies the upper side in all sets for which no other one stands.
fn check_sets(
    whole: &Whole<'_>,
    sets: &Sets<'_>,
    (needed, alone): (&[bool], &[Option<Alone>]),
    own: &HashMap<usize, &[Cover]>,
) -> Result<()> {
    let all: Vec<usize> = (1..sets.count()).filter(|place| needed[*place]).collect();
    let parts: Vec<&[usize]> = all.chunks(SETS).collect();
    let state = || Left::of(whole.network);
    let checked = parallel::map_with(&parts, state, |left, part| {
        let left = left.as_mut().map_err(|refusal| refusal.clone())?;
        for place in *part {
            whole.network.go_on()?;
            let set = sets.at(*place);
            match own.get(place) {
                Some(covers) => own::check(whole, left, (&set, covers), alone)?,
                None => alone::check(whole, left, (&set, alone))?,
            }
        }
        Ok(())
    });
    // The refusal for the first set.
    checked.into_iter().collect()
}
