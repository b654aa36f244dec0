//! Proof that no forwarding tables are better: the destinations that share the links that leave some nodes.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::{ByDestination, Claim, Quantity, RoutingForm};
use crate::rational::Rational;
use crate::topology::{LinkId, NodeId};

use super::network::Network;
use super::{Accepted, Refusal, Result};

/// Verifies a bound on the permutation load of all routings by destination. Its upper side is that of the claim on
/// this routing, which is one of them.
pub(super) fn check(
    network: &Network,
    routing: &RoutingForm,
    record: &ByDestination,
    claims: &[Claim],
) -> Result<Accepted> {
    let ByDestination { lower, nodes } = record;
    let quantity = ByDestination::NAME;
    let claim = claims.iter().find(|claim| claim.quantity == Quantity::PermutationLoad);
    let claim = claim.ok_or(Refusal::ByDestinationOfNothing)?;
    if !matches!(routing, RoutingForm::Next(_)) {
        return Err(Refusal::ByDestinationOfPaths);
    }
    if *lower > claim.upper {
        return Err(Refusal::EmptyClaim { quantity });
    }
    if let Some(node) = nodes.iter().find(|node| **node as usize >= network.nodes) {
        return Err(Refusal::ByDestinationAtNoNode(*node));
    }
    let proven = proven(network, nodes);
    if proven < *lower {
        return Err(Refusal::ByDestinationTooLow { proven, lower: lower.clone() });
    }
    Ok(Accepted { quantity: quantity.into(), lower: lower.clone(), upper: claim.upper.clone() })
}

/// The load that the links that leave some nodes prove.
fn proven(network: &Network, nodes: &[NodeId]) -> Rational {
    let head = |link: &LinkId| network.ends[*link as usize].1;
    // Behind each of the nodes, the hosts that send by it alone.
    let mut behind: BTreeMap<NodeId, usize> = nodes.iter().map(|node| (*node, 0)).collect();
    let mut near = vec![false; network.nodes];
    for node in nodes {
        near[*node as usize] = true;
    }
    for host in network.host_numbers() {
        let links = &network.leaving[host as usize];
        let is_only = |node: &NodeId| links.iter().all(|link| head(link) == *node);
        let node = links.first().map(head).filter(is_only).filter(|_| !near[host as usize]);
        if let Some(hosts) = node.and_then(|node| behind.get_mut(&node)) {
            *hosts += 1;
            near[host as usize] = true;
        }
    }
    let leaving = behind.keys().flat_map(|node| &network.leaving[*node as usize]);
    let on: Vec<LinkId> = leaving.filter(|link| !near[head(link) as usize]).copied().collect();
    let exits: BTreeSet<NodeId> = on.iter().map(|link| network.ends[*link as usize].0).collect();
    for link in &on {
        near[head(link) as usize] = true;
    }
    let destinations = network.host_numbers().filter(|host| !near[*host as usize]).count();
    let widest = on.iter().map(|link| &network.links[*link as usize].capacity).max();
    // Without a link that leads on there are no routings to speak of.
    let Some(widest) = widest else { return Rational::ZERO };
    let mut groups: Vec<usize> = behind.into_values().filter(|hosts| *hosts > 0).collect();
    groups.sort_unstable();
    let sources: usize = groups[..groups.len().div_ceil(exits.len())].iter().sum();
    let pairs = sources.min(destinations.div_ceil(on.len()));
    Rational::from(pairs as u64).checked_div(widest).unwrap_or(Rational::ZERO)
}
