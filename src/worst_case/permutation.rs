//! The permutation ratio of trees: the greatest max load ÷ optu over permutations.
//!
//! Extreme traffic for the oblivious ratio is integral. Where a host has one link (w1 = 1) it is
//! therefore a permutation itself, partial perhaps, and both ratios are the same. With w1 > 1 a
//! host may send w1 units before its links limit optu, but only one in a permutation.
//!
//! Fix optu ≤ u. A permutation keeps to it when out(T), in(T) ≤ ⌊u·c_k⌋ for every subtree T of
//! height k ≥ 1, since both are integers, and 1 ≤ u·w1. The most load on a link is then the flow
//! of the oblivious ratio with capacity 1 at the hosts and ⌊u·c_k⌋ elsewhere. Only u = j/c_k
//! with 1/w1 ≤ u ≤ 1 need be tried: optu takes no other values below 1, and for u > 1 a fraction
//! 1/u of the traffic, made integral, loads the link at least 1/u as much with optu ≤ 1.

use std::collections::BTreeSet;

use super::{Method, WorstCaseError, analyse_with, laminar};
use crate::certificate::Quantity;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::routing::Instance;
use crate::topology::Xgft;

/// The greatest max load ÷ optu over permutations; `None` when the network is no tree of the
/// XGFT family, a path is no shortest one, or the work was stopped. One analysis for each value
/// that optu takes in [1/w1, 1].
///
/// # Errors
/// [`WorstCaseError`] when the network is too large.
///
/// ```
/// use routebound::{progress::Progress, ratio::Ratio, routing::Instance, worst_case};
/// // Hosts with two links, of which D-mod-k uses the first: load 1 where 1/2 would do.
/// let instance = Instance::named("xgft(2;2,2;2,2)", "dmodk")?;
/// let ratio = worst_case::permutation_ratio(&instance, &Progress::silent())?;
/// assert_eq!(ratio, Some(Ratio::from(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn permutation_ratio(
    instance: &Instance,
    progress: &Progress,
) -> Result<Option<Ratio>, WorstCaseError> {
    let Some(tree) = instance.topology.tree() else { return Ok(None) };
    let mut best = Ratio::ZERO;
    for scale in scales(tree) {
        let solver = laminar::Solver::at_scale(&instance.topology, tree, &scale);
        let worst =
            analyse_with(instance, Quantity::ObliviousRatio, Method::Laminar, &solver, progress)?;
        if !worst.is_complete() || solver.fell_back() {
            return Ok(None);
        }
        let ratio = worst.lower().checked_div(&scale).unwrap_or(Ratio::ZERO);
        best = best.max(ratio);
    }
    Ok(Some(best))
}

/// The values j/c_k in [1/w1, 1].
fn scales(tree: &Xgft) -> BTreeSet<Ratio> {
    let least = Ratio::new(1, tree.parents(1).into()).unwrap_or(Ratio::ONE);
    let mut scales = BTreeSet::from([least.clone()]);
    for height in 0..tree.height() {
        let capacity = u64::from(tree.shortest_paths(height + 1));
        scales.extend((1..=capacity).filter_map(|j| Ratio::new(j, capacity)));
    }
    scales.into_iter().filter(|scale| *scale >= least).collect()
}
