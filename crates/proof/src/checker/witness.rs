//! The lower side: the witness can be routed with max load OPTU, and loads its link.

use std::collections::{BTreeMap, HashSet};

use crate::certificate::{Claim, Demand, Quantity, Witness};
use crate::rational::Rational;

use super::network::Network;
use super::routes::Routes;
use super::uses::Uses;
use super::{Refusal, Result, flow, sum};

/// Verifies that the flow of the witness exceeds OPTU on no link, and returns the load that the
/// routing puts on the witness link.
pub(super) fn check_optu(
    network: &Network,
    routes: &Routes<'_>,
    witness: &Witness,
) -> Result<Rational> {
    let link = witness.link;
    if link as usize >= network.links.len() {
        return Err(Refusal::NoWitnessLink(link));
    }
    let best = flow::traffic(network, &witness.demands, &witness.flow)?;
    flow::check_most(network, &best, &witness.optu)?;
    let (mut traffic, mut uses) = (Rational::ZERO, Uses::default());
    for demand in &flow::by_pair(network, &witness.demands)? {
        network.go_on()?;
        routes.uses(network, (demand.s, demand.d), &mut uses)?;
        sum::add(&mut traffic, &(&uses.share(link) * &demand.amount))?;
    }
    Ok(network.load(link as usize, &traffic))
}

/// Verifies the lower side of a claim, `load` being what the routing puts on the witness link.
pub(super) fn check_lower(
    network: &Network,
    witness: &Witness,
    claim: &Claim,
    load: &Rational,
) -> Result<()> {
    let mut needed = claim.lower.clone();
    match claim.quantity {
        Quantity::ObliviousRatio => needed = &needed * &witness.optu,
        Quantity::PermutationLoad => check_permutation(&witness.demands)?,
        Quantity::HoseLoad => check_hose(network, &witness.demands)?,
    }
    if *load < needed {
        let (quantity, load) = (claim.quantity.name(), load.clone());
        return Err(Refusal::WitnessTooLight { quantity, load, needed });
    }
    Ok(())
}

/// Verifies that no host sends or receives more than the capacity of its links.
pub(super) fn check_hose(network: &Network, demands: &[Demand]) -> Result<()> {
    let mut sums: BTreeMap<_, [Rational; 2]> = BTreeMap::new();
    for demand in demands {
        network.go_on()?;
        sum::add(&mut sums.entry(demand.s).or_default()[0], &demand.amount)?;
        sum::add(&mut sums.entry(demand.d).or_default()[1], &demand.amount)?;
    }
    for (host, [sent, received]) in &sums {
        let [out, inward] = network.host_capacity(*host)?;
        if sent > out || received > inward {
            return Err(Refusal::HoseExceeded(*host));
        }
    }
    Ok(())
}

/// Verifies that no host sends or receives twice, and no demand is above 1.
pub(super) fn check_permutation(demands: &[Demand]) -> Result<()> {
    let (mut sources, mut destinations) = (HashSet::new(), HashSet::new());
    for demand in demands {
        if !sources.insert(demand.s) || demand.amount > Rational::ONE {
            return Err(Refusal::NotNodeDisjoint(demand.s));
        }
        if !destinations.insert(demand.d) {
            return Err(Refusal::NotNodeDisjoint(demand.d));
        }
    }
    Ok(())
}
