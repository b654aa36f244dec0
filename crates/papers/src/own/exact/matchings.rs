//! The throughput bound of Namyar et al. (SIGCOMM 2021): capacity over the longest permutation, in hops.

use super::cases::{Case, Quantity, Sends};
use crate::study::prelude::*;
use crate::theorem::hops;

pub(super) const HEADS: [&str; 7] = [
    "network",
    "each host sends",
    "capacity",
    "most hops of a permutation",
    "throughput at most",
    "best oblivious routing",
    "bound over it",
];

/// The row of a network on which the least hose load is `load`; none where hosts send different amounts.
pub(super) fn cells(case: &Case, load: &Rational) -> Result<Option<Vec<String>>> {
    let Quantity::Hose(sends) = case.quantity else { return Ok(None) };
    let topology = case.network.topology()?;
    let own = topology.host_capacity(0, true);
    let amount = match sends {
        Sends::Each(units) => Rational::from(units),
        Sends::Links if alike(&topology) => own,
        Sends::Links => return Ok(None),
    };
    let capacity = hops::capacity(&topology);
    let hops = hops::most_hops(&topology, &Progress::silent())?;
    let bound = capacity.checked_div(&(&amount * &Rational::from(hops)));
    let reached = Rational::ONE.checked_div(load);
    let (Some(bound), Some(reached)) = (bound, reached) else { return Ok(None) };
    let over = bound.checked_div(&reached).map_or_else(|| "-".to_string(), |over| over.to_string());
    let [network, _, _, sends] = case.names();
    let numbers = [capacity.to_string(), hops.to_string(), bound.to_string(), reached.to_string()];
    Ok(Some([network, sends].into_iter().chain(numbers).chain([over]).collect()))
}

/// Whether all hosts have the same capacity.
fn alike(topology: &Topology) -> bool {
    let own = topology.host_capacity(0, true);
    topology.host_numbers().all(|host| topology.host_capacity(host, true) == own)
}
