//! Routings and lower bounds out of the master's floats, in exact arithmetic.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::lp::float::{float, rounded};
use crate::lp::worst_demand::exact::factors;
use crate::optimum::nice::common_factor;
use crate::optimum::shortest::Adjacency;
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, NodeId, Topology};
use crate::traffic::{Demand, PathRecord};

/// Shares below this are none.
const NOISE: f64 = 1e-9;

/// Largest common denominator of a pair's shares that is looked for.
const MOST_FACTOR: u64 = 1 << 20;

/// Denominator of shares that look like no fractions.
const DYADIC: u64 = 1 << 30;

/// Traffic that is known to be routable with max load 1, against a link.
#[derive(Clone, Debug)]
pub struct Against {
    /// The link.
    pub link: LinkId,
    /// The traffic.
    pub demands: Vec<Demand>,
}

/// Shares of one pair that sum to 1, near to `values`: fractions with a small common
/// denominator where they look like it, else multiples of 2^−30.
fn shares(values: &[f64]) -> Vec<Ratio> {
    let factor = common_factor(values.iter().copied(), MOST_FACTOR, |_| 1e-6);
    let exact = |factor: u64| {
        let parts = values.iter().map(|value| rounded(value * float(factor)));
        parts.collect::<Vec<u64>>()
    };
    let nice = factor.map(|factor| (factor, exact(factor)));
    let nice = nice.filter(|(factor, parts)| parts.iter().sum::<u64>() == *factor);
    let (factor, mut parts) = nice.unwrap_or_else(|| (DYADIC, exact(DYADIC)));
    let total: u64 = parts.iter().sum();
    if let Some(largest) = parts.iter_mut().max() {
        *largest = (*largest + factor).saturating_sub(total);
    }
    parts.into_iter().map(|part| Ratio::new(part, factor).unwrap_or(Ratio::ZERO)).collect()
}

/// The routing in which path p of `paths` has about the share `values[p]`.
#[must_use]
pub fn routing(
    pairs: &[(Host, Host)],
    paths: &[(usize, Vec<LinkId>)],
    values: &[f64],
) -> Vec<PathRecord> {
    let mut of_pair: Vec<Vec<usize>> = vec![Vec::new(); pairs.len()];
    for (path, ((pair, _), value)) in paths.iter().zip(values).enumerate() {
        if *value > NOISE {
            of_pair[*pair].push(path);
        }
    }
    let mut records = Vec::new();
    for (&(s, d), own) in pairs.iter().zip(of_pair) {
        let floats: Vec<f64> = own.iter().map(|path| values[*path]).collect();
        for (path, share) in own.into_iter().zip(shares(&floats)) {
            if !share.is_zero() {
                records.push(PathRecord { s, d, share, links: paths[path].1.clone() });
            }
        }
    }
    records
}

/// The routing of exact shares.
#[must_use]
pub fn listed(
    pairs: &[(Host, Host)],
    paths: &[(usize, Vec<LinkId>)],
    shares: &[Ratio],
) -> Vec<PathRecord> {
    let used = paths.iter().zip(shares).filter(|(_, share)| !share.is_zero());
    let record = |((pair, links), share): (&(usize, Vec<LinkId>), &Ratio)| {
        let (s, d) = pairs[*pair];
        PathRecord { s, d, share: share.clone(), links: links.clone() }
    };
    used.map(record).collect()
}

/// No routing has a smaller worst case than this: with weights on traffic against links, Σ weight·
/// load is at least Σ over pairs of their distance, and at most the worst case times Σ weight.
/// The best of the given weights is taken.
#[must_use]
pub fn lower_bound(
    (topology, network): (&Topology, &Adjacency),
    pairs: &[(Host, Host)],
    allowed: Option<&[Vec<bool>]>,
    cuts: &[Against],
    candidates: &[Vec<Ratio>],
) -> Ratio {
    let bounds = candidates.iter().filter_map(|weights| {
        let total: Ratio = weights.iter().sum();
        // Per pair, the links that cost something.
        let mut prices: Vec<Vec<(LinkId, Ratio)>> = vec![Vec::new(); pairs.len()];
        for (cut, weight) in cuts.iter().zip(weights).filter(|(_, weight)| !weight.is_zero()) {
            let part = weight.checked_div(&topology.link(cut.link).capacity)?;
            for demand in &cut.demands {
                let pair = pairs.binary_search(&(demand.s, demand.d)).ok()?;
                prices[pair].push((cut.link, &part * &demand.amount));
            }
        }
        let distances: Vec<Ratio> = (0..pairs.len())
            .into_par_iter()
            .map(|pair| {
                let allowed = allowed.map(|allowed| allowed[pair].as_slice());
                distance(network, pairs[pair], allowed, &prices[pair])
            })
            .collect();
        distances.iter().sum::<Ratio>().checked_div(&total)
    });
    bounds.max().unwrap_or(Ratio::ZERO)
}

/// Weights as they are, rounded in several ways.
#[must_use]
pub fn roundings(weights: &[f64]) -> Vec<Vec<Ratio>> {
    let round =
        |factor: f64| weights.iter().map(|weight| Ratio::from(rounded(weight * factor))).collect();
    factors(weights).into_iter().map(round).collect()
}

/// Distance of a pair where links have the given prices, those not named 0. Dijkstra.
fn distance(
    network: &Adjacency,
    (s, d): (Host, Host),
    allowed: Option<&[bool]>,
    prices: &[(LinkId, Ratio)],
) -> Ratio {
    if prices.is_empty() {
        return Ratio::ZERO;
    }
    let mut price = vec![Ratio::ZERO; network.links()];
    for (link, part) in prices {
        price[*link as usize] += part;
    }
    let mut done = vec![false; network.nodes()];
    let mut queue: BinaryHeap<Reverse<(Ratio, NodeId)>> = BinaryHeap::new();
    queue.push(Reverse((Ratio::ZERO, s)));
    while let Some(Reverse((reach, node))) = queue.pop() {
        if node == d {
            return reach;
        }
        if std::mem::replace(&mut done[node as usize], true) {
            continue;
        }
        for (head, link) in network.out(node) {
            let open = allowed.is_none_or(|allowed| allowed[*link as usize]);
            if open && !done[*head as usize] {
                queue.push(Reverse((&reach + &price[*link as usize], *head)));
            }
        }
    }
    Ratio::ZERO
}
