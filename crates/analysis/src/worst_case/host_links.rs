//! Links that join a host to its only neighbour: their worst case is known without a search.
//!
//! All traffic on such a link is the host's, so the host is its cover. The bound is attained if the
//! other hosts together can receive, or send, that much: where hosts differ, this need not be so.

use itertools::Itertools;

use super::{LinkBound, host_capacities};
use crate::certificate::{Cover, Quantity};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, Topology, Xgft};
use crate::traffic::Demand;

/// The most that every host sends and receives.
fn limits(topology: &Topology, quantity: Quantity) -> Vec<[Rational; 2]> {
    match quantity {
        Quantity::PermutationLoad => vec![[Rational::ONE; 2]; topology.hosts()],
        Quantity::ObliviousRatio | Quantity::HoseLoad => host_capacities(topology),
    }
}

/// The bounds of these links where there is traffic that attains them; the other links have none.
/// O(links + hosts).
pub(super) fn host_links(topology: &Topology, quantity: Quantity) -> Vec<Option<LinkBound>> {
    let mut bounds = vec![None; topology.links()];
    if quantity == Quantity::ObliviousRatio && !topology.tree().is_none_or(reaches_a_neighbour) {
        return bounds;
    }
    let limits = limits(topology, quantity);
    let total = [0, 1].map(|way| limits.iter().map(|limit| &limit[way]).sum::<Rational>());
    for (host, limit) in (0..).zip(&limits) {
        let links = only_links(topology, host);
        for (way, link) in links.into_iter().enumerate() {
            // All hosts but this one, at the other end.
            let others = total[1 - way].checked_sub(&limit[1 - way]);
            if let Some(link) = link.filter(|_| others.is_some_and(|others| others >= limit[way])) {
                bounds[link as usize] = Some(bound(topology, host, way, link, &limit[way]));
            }
        }
    }
    bounds
}

/// Whether a host of a tree can send all that its links carry to another host with optu 1: one on
/// the same leaf switch, or one across cuts that are wide enough.
fn reaches_a_neighbour(tree: &Xgft) -> bool {
    let host = tree.cut(0);
    tree.children(1) > 1 || tree.cuts().iter().all(|cut| *cut >= host)
}

/// The link out of a host and the link into it, each where it is the only one; neither where the
/// host has several neighbours, since it may then forward traffic.
fn only_links(topology: &Topology, host: Host) -> [Option<LinkId>; 2] {
    let tails = topology.links_to(host).filter_map(|link| Some(topology.ends(link)?.0));
    let heads = topology.links_from(host).filter_map(|link| Some(topology.ends(link)?.1));
    if !tails.chain(heads).all_equal() {
        return [None; 2];
    }
    [topology.links_from(host).exactly_one().ok(), topology.links_to(host).exactly_one().ok()]
}

fn bound(topology: &Topology, host: Host, way: usize, link: LinkId, limit: &Rational) -> LinkBound {
    let whole = vec![(host, Rational::ONE)];
    let (sources, destinations) = if way == 0 { (whole, Vec::new()) } else { (Vec::new(), whole) };
    let cover = Box::new(Cover { link, sources, destinations, ..Cover::default() });
    LinkBound { load: topology.load_of(link, limit), attained: true, cover }
}

/// Traffic that attains one of these bounds: with the nearest host that can take it all, otherwise
/// with as many hosts as needed.
pub(super) fn attaining(topology: &Topology, quantity: Quantity, bound: &LinkBound) -> Vec<Demand> {
    let Cover { sources, destinations, .. } = &*bound.cover;
    let (hosts, way) = if sources.is_empty() { (destinations, 1) } else { (sources, 0) };
    let Some((host, _)) = hosts.first() else { return Vec::new() };
    let limits = limits(topology, quantity);
    let mut left = limits[*host as usize][way].clone();
    let mut others = topology.host_numbers().filter(|other| other != host).collect_vec();
    if let Some(tree) = topology.tree() {
        others.sort_by_key(|other| tree.nca_level(*host, *other));
    }
    let takes = |other: &Host| &limits[*other as usize][1 - way];
    if let Some(one) = others.iter().copied().find(|other| *takes(other) >= left) {
        others = vec![one];
    }
    let mut demands = Vec::new();
    for other in others {
        let amount = takes(&other).min(&left).clone();
        let Some(rest) = left.checked_sub(&amount) else { break };
        left = rest;
        if !amount.is_zero() {
            let (s, d) = if way == 0 { (*host, other) } else { (other, *host) };
            demands.push(Demand { s, d, amount });
        }
    }
    demands
}
