//! Statements of \[GL\], *Randomized Routing on Fat-Trees* (Greenberg and Leiserson, 1985).
//!
//! Theorems 9 and 11 are about algorithms that need many delivery cycles, and are not here; of Lemmas 2
//! and 7 and Theorem 8, only the arithmetic in their proofs is.

mod binomial;
mod congestion_bound;
mod congestion_constant;
mod congestion_lglg;
mod cuts;
mod figure_4;
mod lemma_1;
mod lemma_3;
mod lemma_4;
mod lemma_5;
mod lemma_5_sampled;
mod lemma_6;
mod lemma_7;
mod lemma_7_mended;
mod lemma_7_steps;
mod logarithm;
mod messages;
mod one_cycle;
mod perimeter;
mod root_capacity;
mod theorem_8_two;
mod trees;
mod uncongested;
mod wire;

use super::Statement;
use crate::registry::Kind;

/// In the order of the paper.
pub(super) const KINDS: &[Kind<Statement>] = &[
    one_cycle::KIND,
    lemma_1::KIND,
    root_capacity::KIND,
    perimeter::KIND,
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
    theorem_8_two::KIND,
    uncongested::KIND,
    wire::KIND,
];
