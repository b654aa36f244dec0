//! Certificates of optimal loads: a routing of the traffic, and link lengths.

use std::collections::BTreeMap;

use crate::certificate::{Demand, OPTU, OptimumCertificate};
use crate::limit::within;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

use super::network::Network;
use super::shortest::ShortestPaths;
use super::{Accepted, Refusal, Result, flow, sum};

/// Longest link: sums along a path of at most 2^22 nodes stay below 2^63.
const MAX_LENGTH: u64 = 1 << 41;

pub(super) fn check(network: &Network, certificate: &OptimumCertificate) -> Result<Vec<Accepted>> {
    let OptimumCertificate { lower, upper, demands, .. } = certificate;
    if lower > upper {
        return Err(Refusal::EmptyClaim { quantity: OPTU });
    }
    let traffic = flow::traffic(network, demands, &certificate.flow)?;
    flow::check_most(network, &traffic, upper)?;
    let lengths = lengths(network, &certificate.lengths)?;
    let volume = volume(network, &lengths)?;
    let needed = lower * &volume;
    let passed = passed(network, demands, (&lengths, &needed))?;
    if passed < needed || volume.is_zero() {
        // Lengths of 0 alone prove nothing.
        let proven = passed.checked_div(&volume).unwrap_or(Rational::ZERO);
        return Err(Refusal::LengthsTooShort { proven, lower: lower.clone() });
    }
    Ok(vec![Accepted { quantity: OPTU.into(), lower: lower.clone(), upper: upper.clone() }])
}

/// The length of every link.
pub(super) fn lengths(network: &Network, given: &[(LinkId, u64)]) -> Result<Vec<u64>> {
    let mut lengths = vec![None; network.links.len()];
    for (link, length) in given {
        within("length of a link", Some((*length).into()), MAX_LENGTH, "scale the lengths down")?;
        match lengths.get_mut(*link as usize) {
            Some(slot @ None) => *slot = Some(*length),
            _ => return Err(Refusal::BadLength(*link)),
        }
    }
    Ok(lengths.into_iter().map(Option::unwrap_or_default).collect())
}

/// Σ capacity·length.
pub(super) fn volume(network: &Network, lengths: &[u64]) -> Result<Rational> {
    let mut volume = Rational::ZERO;
    for (link, length) in network.links.iter().zip(lengths) {
        if *length > 0 {
            sum::add(&mut volume, &(&link.capacity * &Rational::from(*length)))?;
        }
    }
    Ok(volume)
}

/// Σ demand·distance, or as much of it as is needed. That every demand has a path is known.
fn passed(
    network: &Network,
    demands: &[Demand],
    (lengths, needed): (&[u64], &Rational),
) -> Result<Rational> {
    let mut by_source: BTreeMap<Host, Vec<&Demand>> = BTreeMap::new();
    for demand in demands {
        by_source.entry(demand.s).or_default().push(demand);
    }
    let (mut total, mut search) = (Rational::ZERO, ShortestPaths::<u64>::new(network));
    let mut sources = by_source.into_iter();
    while let Some((s, demands)) = sources.next().filter(|_| total < *needed) {
        network.go_on()?;
        let last = if let [demand] = demands[..] { Some(demand.d) } else { None };
        search.search(network, s, last, |link, reach| Some(reach + lengths[link as usize]));
        for demand in demands {
            let d = demand.d;
            let distance = *search.to(d).ok_or(Refusal::Unroutable { s, d })?;
            sum::add(&mut total, &(&demand.amount * &Rational::from(distance)))?;
        }
    }
    Ok(total)
}
