//! Statements of \[OR\].

mod all_routings;
mod averages;
mod baseload;
mod corollary_1;
mod figure_10;
mod figure_9;
mod improvement;
mod inside_subft;
mod lemma_6;
mod lemma_8;
mod lemma_9;
mod lemmas_1_to_5;
mod lower_bounds;
mod optimum;
mod properties;
mod schemes;
mod sets;
mod spread;
mod theorem_1;
mod wsr;

use crate::theorem::prelude::*;

/// Every statement of this paper, in its order.
pub const STATEMENTS: &[Statement] = &[
    lower_bounds::PERF,
    properties::PROPERTY_1,
    properties::PROPERTY_2,
    properties::PROPERTY_3,
    properties::PROPERTY_4,
    properties::PROPERTY_5,
    baseload::KIND,
    baseload::SLIMMED,
    theorem_1::KIND,
    theorem_1::PER_HOP,
    corollary_1::KIND,
    lemmas_1_to_5::LEMMA_1,
    lemmas_1_to_5::LEMMA_2,
    lemmas_1_to_5::LEMMA_3,
    lemmas_1_to_5::LEMMA_4,
    lemmas_1_to_5::LEMMA_5,
    lemma_6::KIND,
    lower_bounds::LEMMA_7,
    lemma_8::KIND,
    lemma_8::BELOW,
    lemma_8::EXACT,
    lower_bounds::THEOREM_2,
    lower_bounds::THEOREM_2_FEW,
    all_routings::THEOREM_2,
    lower_bounds::THEOREM_3,
    optimum::THEOREM_3,
    lower_bounds::THEOREM_4,
    all_routings::THEOREM_4,
    optimum::THEOREM_4,
    lower_bounds::THEOREM_5,
    lower_bounds::THEOREM_5_STRONGER,
    optimum::THEOREM_5,
    lemma_9::KIND,
    spread::FROM,
    spread::TOWARDS,
    schemes::THEOREM_6,
    schemes::THEOREM_6_WIDE,
    figure_9::KIND,
    figure_9::MULTIPLIER,
    figure_9::SQUARE,
    schemes::GROUPS,
    schemes::RECTANGLES,
    schemes::THEOREM_7,
    figure_10::KIND,
    figure_10::CORRECTED,
    inside_subft::KIND,
    schemes::TABLE_1,
    schemes::TABLE_1_MOD_K,
    schemes::TABLE_1_HIGHER,
    wsr::SAME,
    spread::FULL,
    averages::UNIFORM,
    wsr::MIRRORED,
    wsr::DIFFERENT,
    averages::HOT_SPOTS,
    improvement::KIND,
];
