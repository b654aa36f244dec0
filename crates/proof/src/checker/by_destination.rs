//! Proof that no forwarding tables are better: the destinations that share the links of a node.

use crate::certificate::{ByDestination, Claim, Quantity, RoutingForm};
use crate::rational::Rational;
use crate::topology::{LinkId, NodeId};

use super::network::Network;
use super::{Accepted, Refusal};

/// Verifies a bound on the permutation load of all routings by destination. Its upper side is that of the claim on
/// this routing, which is one of them.
pub(super) fn check(
    network: &Network,
    routing: &RoutingForm,
    record: &ByDestination,
    claims: &[Claim],
) -> Result<Accepted, Refusal> {
    let ByDestination { lower, node } = record;
    let quantity = ByDestination::NAME;
    let claim = claims.iter().find(|claim| claim.quantity == Quantity::PermutationLoad);
    let claim = claim.ok_or(Refusal::ByDestinationOfNothing)?;
    if !matches!(routing, RoutingForm::Next(_)) {
        return Err(Refusal::ByDestinationOfPaths);
    }
    if *lower > claim.upper {
        return Err(Refusal::EmptyClaim { quantity });
    }
    if *node as usize >= network.nodes {
        return Err(Refusal::ByDestinationAtNoNode(*node));
    }
    let proven = proven(network, *node);
    if proven < *lower {
        return Err(Refusal::ByDestinationTooLow { proven, lower: lower.clone() });
    }
    Ok(Accepted { quantity, lower: lower.clone(), upper: claim.upper.clone() })
}

/// The load that the links of a node prove.
fn proven(network: &Network, node: NodeId) -> Rational {
    let leads_to = |link: &LinkId, end: NodeId| network.ends[*link as usize].1 == end;
    let is_below = |host: NodeId| {
        let links = &network.leaving[host as usize];
        host != node && !links.is_empty() && links.iter().all(|link| leads_to(link, node))
    };
    let mut near = vec![false; network.nodes];
    for host in network.host_numbers() {
        near[host as usize] = is_below(host);
    }
    let sources = near.iter().filter(|near| **near).count();
    let leaving = &network.leaving[node as usize];
    let leads_on = |link: &&LinkId| {
        let head = network.ends[**link as usize].1;
        head != node && !near[head as usize]
    };
    let on: Vec<LinkId> = leaving.iter().filter(leads_on).copied().collect();
    near[node as usize] = true;
    for link in &on {
        near[network.ends[*link as usize].1 as usize] = true;
    }
    let destinations = network.host_numbers().filter(|host| !near[*host as usize]).count();
    let widest = on.iter().map(|link| &network.links[*link as usize].capacity).max();
    // Without a link that leads on there are no routings to speak of.
    let Some(widest) = widest else { return Rational::ZERO };
    let pairs = sources.min(destinations.div_ceil(on.len()));
    Rational::from(pairs as u64).checked_div(widest).unwrap_or(Rational::ZERO)
}
