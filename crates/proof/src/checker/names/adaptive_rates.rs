//! Proof that some traffic loads given paths heavily whatever their shares: lengths of links.
//!
//! A unit of traffic passes links of at least the distance of its pair over the given paths, and with max load 1 all
//! links together carry at most Σ capacity·length.

use crate::certificate::{AdaptiveRates, Among, Claim, Quantity};
use crate::limit::within;
use crate::quote::quote;
use crate::rational::Rational;

use super::allowed::Allowed;
use super::network::Network;
use super::routes::Routes;
use super::{Accepted, Refusal, all_paths, flow, optimum, witness};

/// Maximum SD pairs times links, or times nodes: some minutes.
const MAX_STEPS: u64 = 1 << 31;

/// Why a bound on paths whose shares depend on the traffic is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadAdaptiveRates {
    #[error("the `adaptive-rates` record is about {0}, which is not claimed")]
    OfNothing(&'static str),
    #[error(
        "the `adaptive-rates` record has LOWER {lower}, but the claim has only {upper}",
        lower = quote(.lower), upper = quote(.upper)
    )]
    AboveUpper { lower: Rational, upper: Rational },
    #[error("the traffic of the `adaptive-rates` record needs a `route`: it has to be routable")]
    Unrouted,
    #[error("the traffic of the `adaptive-rates` record has a `route`, but only hosts limit it")]
    Routed,
    #[error(
        "traffic and lengths prove a value ≥ {proven} only, the certificate says {lower}",
        proven = quote(.proven), lower = quote(.lower)
    )]
    TooLow { proven: Rational, lower: Rational },
}

/// Verifies a bound on the worst traffic of given paths, whose shares are the best for it. Its upper side is that of
/// the claim on this routing, which has some of these paths, and the same shares for all traffic; where no path without
/// loops is missing, it is optu. O(N²·paths).
pub(in crate::checker) fn check(
    network: &Network,
    routes: &Routes<'_>,
    record: &AdaptiveRates,
    claims: &[Claim],
) -> Result<Accepted, Refusal> {
    let AdaptiveRates { quantity, lower, .. } = record;
    let name = AdaptiveRates::name(*quantity);
    let claim = claims.iter().find(|claim| claim.quantity == *quantity);
    let claim = claim.ok_or(BadAdaptiveRates::OfNothing(quantity.name()))?;
    let (lower, mut upper) = (lower.clone(), claim.upper.clone());
    if lower > upper {
        return Err(BadAdaptiveRates::AboveUpper { lower, upper }.into());
    }
    // The routing's own paths need not be compared with others: only pairs with a demand are looked at.
    let is_own = record.among == Among::Own;
    let hosts = network.hosts as u128;
    let pairs = if is_own { record.demands.len() as u128 } else { hosts * hosts };
    let steps = pairs * network.links.len().max(network.nodes) as u128;
    let what = if is_own {
        "number of demands times links or nodes"
    } else {
        "number of SD pairs times links or nodes"
    };
    within(what, Some(steps), MAX_STEPS, "check a smaller instance")?;
    let allowed = Allowed::open(network, &record.among, routes)?;
    allowed.check_routing(network, routes)?;
    check_traffic(network, record)?;
    let lengths = optimum::lengths(network, &record.lengths)?;
    let volume = optimum::volume(network, &lengths)?;
    let demands = flow::by_pair(network, &record.demands)?;
    let passed = allowed.carried(network, &demands, &lengths)?;
    let is_ratio = *quantity == Quantity::ObliviousRatio;
    // No max load is below optu, so that up to 1 there is nothing to prove.
    let is_due = !is_ratio || lower > Rational::ONE;
    if volume.is_zero() || (is_due && passed < &lower * &volume) {
        // Lengths of 0 alone prove nothing.
        let proven = passed.checked_div(&volume).unwrap_or(Rational::ZERO);
        return Err(BadAdaptiveRates::TooLow { proven, lower }.into());
    }
    if is_ratio && upper > Rational::ONE && all_paths::are_all(network, &allowed)? {
        upper = Rational::ONE;
    }
    Ok(Accepted { quantity: name.into(), lower, upper })
}

/// Verifies that the traffic is among that which the quantity is about.
fn check_traffic(network: &Network, record: &AdaptiveRates) -> Result<(), Refusal> {
    let AdaptiveRates { quantity, demands, flow, .. } = record;
    match (quantity, flow) {
        (Quantity::ObliviousRatio, Some(flow)) => {
            let traffic = flow::traffic(network, demands, flow)?;
            flow::check_most(network, &traffic, &Rational::ONE)
        }
        (Quantity::ObliviousRatio, None) => Err(BadAdaptiveRates::Unrouted.into()),
        (_, Some(_)) => Err(BadAdaptiveRates::Routed.into()),
        (Quantity::HoseLoad, None) => {
            flow::check_demands(network, demands)?;
            witness::check_hose(network, demands)
        }
        (Quantity::PermutationLoad, None) => {
            flow::check_demands(network, demands)?;
            witness::check_permutation(demands)
        }
    }
}
