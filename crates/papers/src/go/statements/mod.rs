//! Statements of \[GO\].

mod bit_reversal;
mod by_registers;
mod deterministic;
mod figure_1;
mod figure_3;
mod intervals;
mod same_last;
mod structure;
mod sub_intervals;
mod worst;

use crate::theorem::prelude::*;

/// Every statement of this paper, in its order.
pub const STATEMENTS: &[Statement] = &[
    structure::KIND,
    deterministic::NEAREST,
    by_registers::ADAPTIVE,
    figure_1::WALK,
    figure_1::CYCLIC,
    intervals::DESCENDING,
    intervals::ASCENDING,
    sub_intervals::UP,
    sub_intervals::DOWN,
    deterministic::COMPONENTS,
    figure_3::SWITCH,
    figure_3::STAGE,
    deterministic::ONE_ROOT,
    deterministic::BALANCE,
    by_registers::FLEXIBLE,
    by_registers::FLEXIBLE_ADAPTIVE,
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
