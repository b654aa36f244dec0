//! Statements of \[GO\], *Deterministic versus Adaptive Routing in Fat-Trees* (Gómez, Gilabert,
//! Gómez, López and Duato, IPDPS Workshops 2007). Its deterministic routing is D-mod-k on k-ary
//! n-trees.

mod balance;
mod bit_reversal;
mod by_registers;
mod components;
mod figure_1;
mod figure_3;
mod intervals;
mod nearest;
mod one_root;
mod same_last;
mod structure;
mod worst;

use super::{Statement, is_kind};
use crate::integer::index32;
use crate::registry::Kind;
use crate::routing::Routing;
use crate::topology::Topology;

/// In the order of the paper.
pub(super) const KINDS: &[Kind<Statement>] = &[
    structure::KIND,
    nearest::KIND,
    by_registers::ADAPTIVE,
    figure_1::WALK,
    figure_1::CYCLIC,
    intervals::DESCENDING,
    intervals::ASCENDING,
    components::KIND,
    figure_3::SWITCH,
    figure_3::STAGE,
    one_root::KIND,
    balance::KIND,
    by_registers::FLEXIBLE,
    figure_3::MASKS,
    figure_3::PREFERENCE,
    by_registers::OTHER_ARITY,
    same_last::LINKS,
    same_last::BANDWIDTH,
    same_last::BECAUSE,
    same_last::CAUSE,
    worst::LAST_COMPONENT,
    worst::EXACT,
    bit_reversal::KIND,
    bit_reversal::LOAD,
];

/// (k,n) of a k-ary n-tree, whatever its spec.
pub(super) fn kary(topology: &Topology) -> Option<(u32, u32)> {
    let tree = topology.plain_tree()?;
    let (k, n) = (tree.children(1), tree.height());
    let level = |l| tree.children(l) == k && tree.parents(l) == if l == 1 { 1 } else { k };
    (k > 1 && (1..=n).all(level)).then_some((k, index32(n)))
}

fn is_deterministic(routing: &dyn Routing) -> bool {
    is_kind(routing, "dmodk")
}
