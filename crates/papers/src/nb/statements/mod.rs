//! Statements of \[NB\].

mod adaptive_tops;
mod bottoms;
mod connections;
mod constructed;
mod counting;
mod least_tops;
mod lemma_1;
mod lemma_2;
mod lemma_3;
mod lemma_4;
mod lemma_6;
mod levels;
mod multi_path;
mod nonblocking;
mod property_1;
mod recurrence;
pub(super) mod table_1;
mod theorem_1;
mod theorem_2;
mod theorem_3;
mod theorem_4;
mod theorem_5;

use crate::theorem::prelude::*;

/// Every statement of this paper, in its order.
pub const STATEMENTS: &[Statement] = &[
    connections::STRICTLY,
    connections::WIDE_SENSE,
    property_1::KIND,
    lemma_1::KIND,
    lemma_2::KIND,
    lemma_2::EXACT,
    theorem_1::KIND,
    theorem_1::SHARPER,
    theorem_2::KIND,
    theorem_2::ALL,
    least_tops::KIND,
    theorem_3::KIND,
    levels::TWO,
    table_1::KIND,
    levels::THREE,
    levels::CORRECTED,
    levels::ORDER,
    levels::RECURSIVE,
    bottoms::KIND,
    multi_path::KIND,
    multi_path::NONBLOCKING,
    multi_path::LOAD,
    lemma_3::KIND,
    lemma_4::DIFF,
    lemma_4::SETS,
    theorem_4::KIND,
    adaptive_tops::KIND,
    lemma_6::KIND,
    lemma_6::EXPONENT,
    recurrence::KIND,
    recurrence::EXPONENT,
    theorem_5::KIND,
    theorem_5::EXPONENT,
    theorem_5::TIGHT,
];
