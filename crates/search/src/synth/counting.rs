//! Lower bounds by counting: `crates/proof/src/checker/COUNTING.md` has the argument, the checker does the
//! counting.

use std::iter::once;
use std::path::Path;

use crate::certificate::{Quantity, Refutation};
use crate::checker::{
    NestedStar, RefutationClaim, Refuted, Star, Tree, check_refutation, most_covered_hosts,
};
use crate::prelude::*;

/// The refutation of single-path routings of this ratio by counting, if there is one: the trivial
/// refutation where one host weighs more, otherwise a count for the subtrees of one height, the
/// lowest that will do, or of two. `None` when `progress` ends the count, and on trees that are more than
/// their numbers: counting is about links of capacity 1 that are not parallel.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::certificate::{Quantity, Refutation};
/// use routebound::{progress::Progress, synth::counting, topology};
/// let tree = topology::generate("ft(18,2)")?;
/// let (tree, quiet) = (tree.tree().ok_or("no labels")?, Progress::silent());
/// let refuted = |ratio| counting::refutation(tree, Quantity::ObliviousRatio, ratio, &quiet);
/// assert_eq!(refuted(2), Some(Refutation::Count { height: 1 }));
/// assert_eq!(refuted(3), None); // `grid` reaches it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn refutation(
    tree: &Xgft,
    quantity: Quantity,
    ratio: u32,
    progress: &Progress,
) -> Option<Refutation> {
    let tree = &Tree::try_from(tree).ok()?;
    let mut promising = once(Refutation::Trivial).chain(promising(tree, quantity, ratio));
    promising.find(|refutation| holds(tree, quantity, ratio, refutation, progress).is_some())
}

/// The load that one pair puts on the links of its one path: a host can send w1 with optu 1, and no more
/// than 1 in a permutation.
#[must_use]
pub(super) fn one_pair(tree: &Xgft, quantity: Quantity) -> u32 {
    if quantity == Quantity::PermutationLoad { 1 } else { tree.parents(1) }
}

/// The least ratio that counting leaves open for single-path routings, with the count that refutes
/// the one below, as [`refutation`] finds it; when `progress` ends, as far as it got.
#[must_use]
pub fn least(tree: &Xgft, quantity: Quantity, progress: &Progress) -> (u32, Refutation) {
    let (ratio, refuted) = least_refuted(tree, quantity, progress);
    (ratio, refuted.map_or(Refutation::Trivial, |refuted| refuted.refutation().clone()))
}

/// The refutation below the least ratio, as the checker accepted it; `None` where no refutation is needed.
pub(super) fn least_refuted(
    tree: &Xgft,
    quantity: Quantity,
    progress: &Progress,
) -> (u32, Option<Refuted>) {
    let (mut ratio, mut evidence) = (one_pair(tree, quantity), None);
    let Ok(tree) = &Tree::try_from(tree) else { return (ratio, None) };
    // On the way up any count will do: the least work first.
    loop {
        let (promising, most) = (
            promising(tree, quantity, ratio).into_iter(),
            most_covered_hosts(tree, quantity, ratio),
        );
        let mut by_work = promising.sorted_by_key(|refutation| work(tree, most, refutation));
        let found = by_work.find_map(|found| holds(tree, quantity, ratio, &found, progress));
        let Some(found) = found else { break };
        (ratio, evidence) = (ratio + 1, Some(found));
    }
    let Some(evidence) = evidence else { return (ratio, None) };
    let before = ratio.saturating_sub(1);
    let lower = promising(tree, quantity, before).into_iter();
    let mut lower = lower.take_while(|refutation| refutation != evidence.refutation());
    let found = lower.find_map(|found| holds(tree, quantity, before, &found, progress));
    (ratio, Some(found.unwrap_or(evidence)))
}

/// A lower bound on the oblivious ratio of every routing with k different shortest paths of equal share
/// between hosts far apart (`crates/proof/src/checker/COUNTING.md`, Several paths), by the subtrees below the roots.
/// `None` where there are none, where there are fewer paths, and on trees that the argument is not
/// about: of full bisection, with one link per host. O(n).
///
/// # Errors
/// [`TooLarge`] where the pairs of a port cannot be counted.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{rational::Rational, synth::counting::least_with_paths, topology};
/// let tree = topology::generate("ft(16,2)")?;
/// let tree = tree.tree().ok_or("no labels")?;
/// // ⌈√(8k)⌉/k
/// assert_eq!(least_with_paths(tree, 1)?, Some(3.into()));
/// assert_eq!(least_with_paths(tree, 5)?, Rational::new(7, 5));
/// assert_eq!(least_with_paths(tree, 9)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn least_with_paths(tree: &Xgft, k: u32) -> Result<Option<Rational>, TooLarge> {
    let (height, ports) = (tree.height(), tree.shortest_paths(tree.height()));
    let Ok(tree) = &Tree::try_from(tree) else { return Ok(None) };
    let is_known = height > 1 && tree.full_bisection() && tree.parents(1) == 1;
    if !is_known || k == 0 || k > ports || tree.children(height) < 2 {
        return Ok(None);
    }
    let star = star(tree, height - 1);
    for most in 1..=star.hosts {
        if !star.is_too_small(ports.into(), most, k)? {
            return Ok(Rational::new(most.into(), k.into()));
        }
    }
    Ok(None)
}

/// The counts that may refute a ratio: of one height, the lowest first, then of two.
fn promising(tree: &Tree, quantity: Quantity, ratio: u32) -> Vec<Refutation> {
    let heights = 1..tree.height();
    let single = heights.clone().map(|height| Refutation::Count { height });
    let pairs = heights.array_combinations();
    let nested = pairs.map(|[low, high]| Refutation::Nested { low, high });
    let most = most_covered_hosts(tree, quantity, ratio);
    let is_open = |refutation: &Refutation| most == 0 || may_refute(tree, most, refutation);
    single.chain(nested).filter(is_open).collect()
}

/// The refutation, if the checker accepts it. A short count is not stopped.
fn holds(
    tree: &Tree,
    quantity: Quantity,
    ratio: u32,
    refutation: &Refutation,
    progress: &Progress,
) -> Option<Refuted> {
    let (silent, folder) = (Progress::silent(), Path::new(""));
    let is_short = work(tree, most_covered_hosts(tree, quantity, ratio), refutation) <= SHORT;
    let progress = if is_short { &silent } else { progress };
    let claim = RefutationClaim { tree, quantity, ratio, refutation, folder };
    check_refutation(claim, progress).ok()
}

/// Maximum additions of a short count.
const SHORT: u128 = 1 << 22;

/// Maximum additions of a count.
fn work(tree: &Tree, most: u32, refutation: &Refutation) -> u128 {
    match refutation {
        // Eight weights are counted.
        Refutation::Nested { low, high } => {
            nested_star(tree, *low, *high).work(most).saturating_mul(8)
        }
        Refutation::Trivial | Refutation::Count { .. } | Refutation::Lrat(_) => 0,
    }
}

/// The star of a port, for subtrees of this height.
fn star(tree: &Tree, height: usize) -> Star {
    let hosts = tree.subtree_hosts(height);
    Star { hosts, subtrees: tree.subtree_hosts(tree.height()) / hosts }
}

/// Like the star of single subtrees, in groups that are subtrees of a larger height.
fn nested_star(tree: &Tree, low: usize, high: usize) -> NestedStar {
    let (inner, outer) = (star(tree, low), star(tree, high));
    let joined = outer.hosts / inner.hosts;
    NestedStar { hosts: inner.hosts, joined, groups: outer.subtrees }
}

/// Whether covers of equal sizes everywhere already carry all pairs: then a count would refute
/// nothing and need not be done; nor is one that the checker would refuse for its size.
fn may_refute(tree: &Tree, most: u32, refutation: &Refutation) -> bool {
    is_hopeless(tree, most, refutation).is_ok_and(|is_hopeless| !is_hopeless)
}

fn is_hopeless(tree: &Tree, most: u32, refutation: &Refutation) -> Result<bool, TooLarge> {
    match *refutation {
        Refutation::Count { height } => {
            let ports = tree.shortest_paths(height + 1);
            Ok(!star(tree, height).is_too_small(ports.into(), most, 1)?)
        }
        Refutation::Nested { low, high } => {
            let (nested, outer) = (nested_star(tree, low, high), star(tree, high));
            let ports = tree.shortest_paths(low + 1);
            let seen = outer.hosts.min(nested.joined.saturating_mul(most));
            let above = Star { hosts: seen, ..outer }.most_pairs(most)?;
            let split = u128::from(tree.shortest_paths(high + 1) / ports);
            let carried = nested.most_equal_pairs(most, split * u128::from(above))?;
            Ok(u128::from(ports).saturating_mul(carried) >= nested.pairs())
        }
        Refutation::Trivial | Refutation::Lrat(_) => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;

    /// One ratio after the other, by the lowest height that will do.
    fn by_definition(tree: &Xgft, quantity: Quantity) -> (u32, Refutation) {
        let (mut ratio, mut evidence) = (1, Refutation::Trivial);
        while let Some(found) = refutation(tree, quantity, ratio, &Progress::silent()) {
            (ratio, evidence) = (ratio + 1, found);
        }
        (ratio, evidence)
    }

    #[test]
    fn the_order_of_counts_changes_nothing() {
        let mut nested = 0;
        for spec in [
            "eft2(4,2)",
            "ft(4,2)",
            "ft(10,2)",
            "ft(6,3)",
            "ft(4,4)",
            "ft(4,5)",
            "eft2(18,4)",
            "ftree(3,5,4)",
            "xgft(3;4,4,4;1,2,4)",
            "xgft(2;9,6;1,6)",
        ] {
            let topology = generate(spec).unwrap();
            let tree = topology.tree().unwrap();
            for quantity in [Quantity::ObliviousRatio, Quantity::PermutationLoad] {
                let found = least(tree, quantity, &Progress::silent());
                assert_eq!(found, by_definition(tree, quantity), "{spec} {quantity:?}");
                nested += usize::from(matches!(found.1, Refutation::Nested { .. }));
            }
        }
        assert!(nested > 0);
        let tree = generate("eft2(4,2)").unwrap();
        let trivial = (1, Refutation::Trivial);
        let ratio = Quantity::ObliviousRatio;
        assert_eq!(least(tree.tree().unwrap(), ratio, &Progress::silent()), trivial);
    }

    #[test]
    fn what_is_hopeless_refutes_nothing() {
        for spec in ["ft(4,4)", "ft(6,3)", "ft(8,2)"] {
            let topology = generate(spec).unwrap();
            let tree = &Tree::try_from(topology.tree().unwrap()).unwrap();
            for most in 1..=4 {
                for height in 1..tree.height() {
                    let count = Refutation::Count { height };
                    let load = Quantity::PermutationLoad;
                    let holds = holds(tree, load, most, &count, &Progress::silent()).is_some();
                    assert!(!holds || may_refute(tree, most, &count), "{spec} {most} {height}");
                }
            }
        }
    }

    /// Only short counts are done after a stop.
    #[test]
    fn a_stop_leaves_what_is_counted() {
        let stop = Stop::at(None);
        stop.request();
        let stopped = Progress::silent().stopped_by(stop);
        let large = generate("ft(10,4)").unwrap();
        let (found, _) = least(large.tree().unwrap(), Quantity::ObliviousRatio, &stopped);
        assert!((1..9).contains(&found), "{found}");
    }
}
