//! Statements of \[OR\].

mod all_routings;
mod averages;
mod baseload;
mod claims;
mod corollary_1;
mod figure_10;
mod figure_9;
mod improvement;
mod inside_subft;
mod lemma_1;
mod lemma_2;
mod lemma_3;
mod lemma_4;
mod lemma_5;
mod lemma_6;
mod lemma_7;
mod lemma_8;
mod lemma_9;
mod optimum;
mod perf;
mod property_1;
mod property_2;
mod property_3;
mod property_4;
mod property_5;
mod section_5a;
mod sets;
mod spread;
mod square;
mod table_1;
mod theorem_1;
mod theorem_2;
mod theorem_3;
mod theorem_4;
mod theorem_5;
mod theorem_6;
mod theorem_7;
mod wsr;

use crate::registry::Kind;
use crate::theorem::Statement;

/// In the order of the paper.
pub const KINDS: &[Kind<Statement>] = &[
    perf::KIND,
    property_1::KIND,
    property_2::KIND,
    property_3::KIND,
    property_4::KIND,
    property_5::KIND,
    baseload::KIND,
    baseload::SLIMMED,
    theorem_1::KIND,
    theorem_1::PER_HOP,
    corollary_1::KIND,
    lemma_1::KIND,
    lemma_2::KIND,
    lemma_3::KIND,
    lemma_4::KIND,
    lemma_5::KIND,
    lemma_6::KIND,
    lemma_7::KIND,
    lemma_8::KIND,
    lemma_8::BELOW,
    lemma_8::EXACT,
    theorem_2::KIND,
    theorem_2::FEW,
    all_routings::THEOREM_2,
    theorem_3::KIND,
    optimum::THEOREM_3,
    theorem_4::KIND,
    all_routings::THEOREM_4,
    optimum::THEOREM_4,
    theorem_5::KIND,
    theorem_5::STRONGER,
    optimum::THEOREM_5,
    lemma_9::KIND,
    spread::FROM,
    spread::TOWARDS,
    theorem_6::KIND,
    theorem_6::WIDE,
    figure_9::KIND,
    figure_9::MULTIPLIER,
    figure_9::SQUARE,
    section_5a::GROUPS,
    section_5a::RECTANGLES,
    theorem_7::KIND,
    figure_10::KIND,
    figure_10::CORRECTED,
    inside_subft::KIND,
    table_1::KIND,
    table_1::MOD_K,
    table_1::HIGHER,
    wsr::SAME,
    spread::FULL,
    averages::UNIFORM,
    wsr::MIRRORED,
    wsr::DIFFERENT,
    averages::HOT_SPOTS,
    improvement::KIND,
];
