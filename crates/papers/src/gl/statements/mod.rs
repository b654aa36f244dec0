//! Statements of \[GL\].
//!
//! Of Lemma 7 only the arithmetic in its proof is here, Theorem 8 by experiment besides; of Theorem 10, whose
//! proof is a sketch, only the load factors and delivery cycles of networks that are laid out as their
//! processors are numbered, and load factors of some with decomposition trees.

mod area;
mod area_layout;
mod binomial;
mod congestion_bound;
mod congestion_constant;
mod congestion_lglg;
mod cuts;
mod decomposed;
mod delay;
mod figure_4;
mod greedy_lambda;
mod greedy_upward;
mod greedy_worst;
mod interleaved;
mod lemma_1;
mod lemma_2;
mod lemma_3;
mod lemma_4;
mod lemma_5;
mod lemma_5_sampled;
mod lemma_6;
mod lemma_7;
mod lemma_7_mended;
mod lemma_7_steps;
mod logarithm;
mod mesh_of_trees;
mod messages;
mod observed;
mod one_cycle;
mod perimeter;
mod pin_bound;
mod prelude;
mod root_capacity;
mod scripted;
mod theorem_10;
mod theorem_10_decomposed;
mod theorem_10_time;
mod theorem_10_volume;
mod theorem_11;
mod theorem_8;
mod theorem_8_two;
mod theorem_9;
mod theorem_9_full;
mod theorem_9_mended;
mod theorem_9_random;
mod trees;
mod uncongested;
mod valiant;
mod wire;
mod wire_delivery;
mod wire_time;

use crate::theorem::prelude::*;

/// Every statement of this paper, in its order.
pub const STATEMENTS: &[Statement] = &[
    pin_bound::KIND,
    valiant::KIND,
    one_cycle::KIND,
    lemma_1::KIND,
    root_capacity::KIND,
    area::AREA,
    area::VOLUME,
    perimeter::KIND,
    lemma_2::KIND,
    lemma_3::KIND,
    lemma_4::KIND,
    lemma_5::KIND,
    lemma_5_sampled::KIND,
    congestion_bound::KIND,
    congestion_constant::KIND,
    congestion_lglg::KIND,
    lemma_6::KIND,
    lemma_7::KIND,
    lemma_7_mended::KIND,
    lemma_7_steps::KIND,
    figure_4::KIND,
    theorem_8::KIND,
    theorem_8_two::KIND,
    interleaved::KIND,
    uncongested::KIND,
    greedy_lambda::DOUBLE,
    greedy_lambda::CONSTANT,
    theorem_9::KIND,
    theorem_9::SHARPENED,
    theorem_9_full::KIND,
    theorem_9_mended::KIND,
    theorem_9_random::KIND,
    greedy_upward::KIND,
    greedy_upward::DROP,
    theorem_10::KIND,
    theorem_10::CYCLES,
    theorem_10_decomposed::KIND,
    theorem_10_decomposed::ROOT,
    theorem_10_volume::KIND,
    theorem_10_time::KIND,
    theorem_11::KIND,
    mesh_of_trees::KIND,
    wire::KIND,
    wire_delivery::KIND,
    wire_time::KIND,
    greedy_worst::KIND,
];
