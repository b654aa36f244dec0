//! Statements of \[GO\].

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

use crate::registry::Kind;
use crate::routing::Routing;
use crate::theorem::{Statement, is_kind};

/// In the order of the paper.
pub const KINDS: &[Kind<Statement>] = &[
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

fn is_deterministic(routing: &dyn Routing) -> bool {
    is_kind(routing, "dmodk")
}
