//! The permutation ratio of trees: the maximum max load ÷ optu over permutations.
//!
//! Let c_k be the capacity of the links out of a subtree of height k, and g the greatest common
//! divisor of all c_k. Extreme traffic for the oblivious ratio comes in units of g. Where a host
//! has c_0 = g, as on all trees of equal links, it is g times a permutation, possibly partial, and
//! both ratios are the same. Where c_0 is more, a host may send to several.
//!
//! Fix optu ≤ u. A permutation satisfies this when out(T), in(T) ≤ ⌊u·c_k⌋ for every subtree T of
//! height k ≥ 1, since both are integers, and 1 ≤ u·c_0. The most load on a link is then the flow
//! of the oblivious ratio with capacity 1 at the hosts and ⌊u·c_k⌋ elsewhere. Only u = j/c_k
//! with 1/c_0 ≤ u ≤ 1/g need be tried: optu takes no other values, and for u > 1/g the fraction
//! 1/(g·u) of the traffic stays within c_k/g, an integer, so that whole pairs load the link at
//! least as much for their optu of at most 1/g.

use std::collections::BTreeSet;

use super::{Method, WorstCaseError, analyse_with, laminar};
use crate::certificate::Quantity;
use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::shards::Units;
use crate::topology::Xgft;

/// Maximum number of values of optu to try.
const MAX_VALUES: usize = 64;

/// Bounds on the maximum of max load ÷ optu over permutations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermutationRatio {
    /// Some permutation has at least this ratio.
    pub lower: Rational,
    /// Whether none has a larger one.
    pub is_exact: bool,
    /// The limit because of which it is not known exactly, if that is the reason.
    pub limit: Option<TooLarge>,
}

impl PermutationRatio {
    /// A max load is never below optu, whatever the permutation.
    fn trivial() -> Self {
        Self { lower: Rational::ONE, is_exact: false, limit: None }
    }
}

/// The maximum max load ÷ optu over permutations, exact on trees of the XGFT family, with one
/// analysis for each relevant value of optu. On other networks, or where a path is not a shortest
/// one, there are more than 64 values or the work is stopped, it is a lower bound: the best of the
/// values that were tried.
///
/// # Errors
/// [`WorstCaseError`] when the network is too large.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, rational::Rational, routing::Instance, worst_case};
/// // Hosts with two links, of which D-mod-k uses the first: load 1 where 1/2 would do.
/// let instance = Instance::named("xgft(2;2,2;2,2)", "dmodk")?;
/// let found = worst_case::permutation_ratio(&instance, &Progress::silent())?;
/// assert_eq!((found.lower, found.is_exact), (Rational::from(2), true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(clippy::missing_panics_doc, reason = "the values of optu are not 0")]
pub fn permutation_ratio(
    instance: &Instance,
    progress: &Progress,
) -> Result<PermutationRatio, WorstCaseError> {
    let mut found = PermutationRatio::trivial();
    let Some(tree) = instance.topology.tree() else { return Ok(found) };
    let Some(values) = optu_values(tree, MAX_VALUES) else {
        return Ok(PermutationRatio { limit: Some(too_many_values()), ..found });
    };
    for scale in values {
        let solver = laminar::Solver::at_scale(&instance.topology, tree, &scale)?;
        let quantity = Quantity::PermutationLoad;
        let (method, units) = (Method::Laminar, Units::default());
        let worst = analyse_with(instance, quantity, None, method, &solver, &units, progress)?;
        if solver.fell_back() {
            return Ok(found);
        }
        let ratio = worst.lower().checked_div(&scale).expect("optu of a pair is not 0");
        found.lower = found.lower.max(ratio);
        // A stop may come between the bounds of all links and the traffic of the worst one.
        if !worst.is_complete() || worst.upper().as_ref() != Some(worst.lower()) {
            return Ok(found);
        }
    }
    Ok(PermutationRatio { is_exact: true, ..found })
}

fn too_many_values() -> TooLarge {
    TooLarge {
        what: "number of values of optu to try".into(),
        size: format!("more than {MAX_VALUES}"),
        limit: MAX_VALUES as u64,
        remedy: "use capacities in the ratio of small integers".into(),
    }
}

/// The values j/c_k in [1/c_0, 1/g], ascending, unless they are more than `most`.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{topology, worst_case::optu_values};
/// let tree = topology::generate("xgft(2;2,3;2,1)")?;
/// let values = optu_values(tree.tree().ok_or("no labels")?, 64).ok_or("many")?;
/// assert_eq!(values.into_iter().map(|u| u.to_string()).collect::<Vec<_>>(), ["1/2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn optu_values(tree: &Xgft, most: usize) -> Option<BTreeSet<Rational>> {
    let (units, unit) = tree.cuts_in_units()?;
    let host = *units.first()?;
    let mut values = BTreeSet::new();
    // In units of 1/g: j/units between 1/host and 1.
    for units in units {
        let least = units.div_ceil(host);
        if units - least >= most as u64 {
            return None;
        }
        values.extend((least..=units).filter_map(|j| Rational::new(j, units)?.checked_div(&unit)));
    }
    (values.len() <= most).then_some(values)
}
