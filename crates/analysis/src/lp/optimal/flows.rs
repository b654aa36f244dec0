//! The flow of a pair that symmetries take to itself.

use std::collections::BTreeMap;

use super::orbits::Shares;
use crate::optimum::shortest::Adjacency;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId, link_number};

/// The share of a pair on every link that carries any.
type Flow = BTreeMap<LinkId, Rational>;

/// Paths of a pair whose shares on links are the means, over the links of every orbit, of those of the given
/// paths, less what goes in cycles. Every link on a path is the last of some cycle or path that is taken off, so there are at
/// most as many paths as links.
pub(super) fn without_cycles(
    network: &Adjacency,
    (s, d): (Host, Host),
    orbit: &dyn Fn(LinkId) -> usize,
    shares: &Shares,
) -> Shares {
    let mut orbits: BTreeMap<usize, Vec<LinkId>> = BTreeMap::new();
    for link in 0..link_number(network.links()) {
        orbits.entry(orbit(link)).or_default().push(link);
    }
    let mean = |paths: &[(Rational, Vec<LinkId>)]| {
        let mut sums: BTreeMap<usize, Rational> = BTreeMap::new();
        for (share, links) in paths {
            for link in links {
                *sums.entry(orbit(*link)).or_insert(Rational::ZERO) += share;
            }
        }
        let mut flow = Flow::new();
        for (orbit, sum) in sums {
            let each = sum.checked_div(&Rational::from(orbits[&orbit].len() as u64));
            let each = each.expect("an orbit of a link has a link");
            flow.extend(orbits[&orbit].iter().map(|link| (*link, each.clone())));
        }
        flow
    };
    let mut flow = mean(shares);
    while let Some(cycle) = cycle(network, &flow) {
        take(&mut flow, &mean(&[(Rational::ONE, cycle)]));
    }
    let mut paths = Shares::new();
    while let Some(links) = path(network, &flow, (s, d)) {
        let along = links.iter().map(|link| (*link, Rational::ONE)).collect();
        paths.push((take(&mut flow, &along), links));
    }
    paths
}

/// Takes as much of a part off a flow as it has; returns how much.
fn take(flow: &mut Flow, part: &Flow) -> Rational {
    let most = part.iter().filter_map(|(link, unit)| flow.get(link)?.checked_div(unit)).min();
    let most = most.unwrap_or(Rational::ZERO);
    for (link, unit) in part {
        if let Some(left) = flow.get_mut(link) {
            *left = left.checked_sub(&(&most * unit)).unwrap_or(Rational::ZERO);
        }
    }
    flow.retain(|_, left| !left.is_zero());
    most
}

/// A path from `s` to `d` over links with flow, which has no cycles.
fn path(network: &Adjacency, flow: &Flow, (s, d): (Host, Host)) -> Option<Vec<LinkId>> {
    let (mut at, mut links) = (s, Vec::new());
    while at != d {
        let (head, link) = network.out(at).iter().find(|(_, link)| flow.contains_key(link))?;
        links.push(*link);
        at = *head;
    }
    Some(links)
}

/// The links of some cycle of a flow.
fn cycle(network: &Adjacency, flow: &Flow) -> Option<Vec<LinkId>> {
    let mut is_done = vec![false; network.nodes()];
    for start in flow.keys().map(|link| network.ends(*link).0) {
        // The links from `start` on, and for every node the place of the link that leaves it.
        let (mut links, mut place): (Vec<LinkId>, BTreeMap<NodeId, usize>) = Default::default();
        let mut at = start;
        loop {
            place.insert(at, links.len());
            let open = |(head, link): &&(NodeId, LinkId)| {
                flow.contains_key(link) && !is_done[*head as usize]
            };
            if let Some((head, link)) = network.out(at).iter().find(open) {
                links.push(*link);
                at = *head;
                if let Some(first) = place.get(&at) {
                    return Some(links.split_off(*first));
                }
                continue;
            }
            is_done[at as usize] = true;
            place.remove(&at);
            let Some(last) = links.pop() else { break };
            at = network.ends(last).0;
        }
    }
    None
}
