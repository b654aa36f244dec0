//! Sizes of the covers of links, by ratio.

use crate::certificate::Quantity;
use crate::topology::Xgft;

/// Number of hosts of a cover that suffices for a ratio; `None` where no host is allowed. In
/// slimmed trees there can be better covers, by subtrees.
pub(super) fn enough_hosts(tree: &Xgft, quantity: Quantity, ratio: u32) -> Option<u32> {
    let weight = if quantity == Quantity::PermutationLoad { 1 } else { tree.parents(1) };
    Some(ratio / weight).filter(|most| *most > 0)
}

/// Maximum hosts of a cover that a ratio allows; `None` where whole subtrees can cover too, or
/// where no host can.
#[cfg(any(feature = "sat", feature = "highs"))]
pub(super) fn most_hosts(tree: &Xgft, quantity: Quantity, ratio: u32) -> Option<u32> {
    let subtrees = (2..=tree.height()).any(|step| tree.shortest_paths(step) <= ratio);
    let hosts_alone = quantity == Quantity::PermutationLoad || tree.full_bisection() || !subtrees;
    enough_hosts(tree, quantity, ratio).filter(|_| hosts_alone)
}

/// Least step whose links can need more hosts: the links up from smaller subtrees are covered by
/// all hosts of the subtree. `None` when none can.
pub(super) fn first_step(tree: &Xgft, most: u32) -> Option<usize> {
    (1..=tree.height()).find(|step| tree.subtree_hosts(step - 1) > most)
}
