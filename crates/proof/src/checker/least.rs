//! Proof that no routing over the allowed paths is better: weighted traffic against links.
//!
//! With weights on traffic against links every pair has a price on every link, Σ weight·demand ÷
//! capacity. A routing pays at least the distance of every pair under its prices, and at most Σ
//! weight times its worst case. With automorphisms the same holds of the mean of all images of a
//! routing, which is no worse, and pays as if every price were the mean of its images.

use crate::certificate::{Claim, DualDemand, Least, Quantity};
use crate::limit::within;
use crate::rational::Rational;

use super::allowed::{Allowed, Prices};
use super::network::Network;
use super::routes::Routes;
use super::symmetry::Symmetry;
use super::{Accepted, Refusal, Result, flow, sum, witness};

/// Maximum SD pairs times links, or times nodes: some minutes.
const MAX_STEPS: u64 = 1 << 31;

/// Verifies a bound on all routings over the allowed paths. Its upper side is that of the claim on
/// this routing, which is one of them.
pub(super) fn check(
    network: &Network,
    (routes, symmetry): (&Routes<'_>, &Symmetry),
    least: &Least,
    claims: &[Claim],
) -> Result<Accepted> {
    let Least { quantity, lower, .. } = least;
    let name = Least::name(*quantity);
    let claim = claims.iter().find(|claim| claim.quantity == *quantity);
    let claim = claim.filter(|_| *quantity != Quantity::PermutationLoad);
    let claim = claim.ok_or(Refusal::LeastOfNothing(quantity.name()))?;
    if *lower > claim.upper {
        return Err(Refusal::EmptyClaim { quantity: name });
    }
    let steps = (network.hosts as u128).pow(2) * network.links.len().max(network.nodes) as u128;
    let what = "number of SD pairs times links or nodes";
    within(what, Some(steps), MAX_STEPS, "check a smaller instance")?;
    let allowed = Allowed::open(network, &least.among, routes)?;
    allowed.check_routing(network, routes)?;
    symmetry.check_allowed(network, &allowed)?;
    let accepted =
        Accepted { quantity: name.into(), lower: lower.clone(), upper: claim.upper.clone() };
    let is_any = *quantity == Quantity::ObliviousRatio && *lower <= Rational::ONE;
    if is_any && least.dual_demands.is_empty() {
        // A max load is never below optu.
        return Ok(accepted);
    }
    let prices = symmetry.mean(network, prices(network, least)?)?;
    let total = sum::total(least.dual_demands.iter().map(|(weight, _)| weight))?;
    let paid = allowed.paid(network, &prices)?;
    if paid < lower * &total || (total.is_zero() && !lower.is_zero()) {
        // A total weight of 0 proves nothing.
        let proven = paid.checked_div(&total).unwrap_or(Rational::ZERO);
        return Err(Refusal::LeastTooLow { quantity: name, proven, lower: lower.clone() });
    }
    Ok(accepted)
}

/// The price of every pair on every link, after verifying that the traffic is admissible.
fn prices(network: &Network, least: &Least) -> Result<Prices> {
    let mut prices = Prices::new();
    for (weight, DualDemand { link, demands, flow }) in &least.dual_demands {
        let record = network.links.get(*link as usize).ok_or(Refusal::AgainstNoLink(*link))?;
        match (least.quantity, flow) {
            (Quantity::HoseLoad, Some(_)) => return Err(Refusal::AgainstRouted(*link)),
            (Quantity::HoseLoad, None) => {
                flow::check_demands(network, demands)?;
                witness::check_hose(network, demands)?;
            }
            (_, None) => return Err(Refusal::AgainstUnrouted(*link)),
            (_, Some(flow)) => {
                let traffic = flow::traffic(network, demands, flow)?;
                flow::check_most(network, &traffic, &Rational::ONE)?;
            }
        }
        let unit =
            weight.checked_div(&record.capacity).expect("links without capacity are refused");
        for demand in demands {
            let of_pair = prices.entry((demand.s, demand.d)).or_default();
            let price = of_pair.entry(*link).or_insert(Rational::ZERO);
            sum::add(price, &(&unit * &demand.amount))?;
        }
    }
    Ok(prices)
}
