//! Statements of \[NB\], *On Nonblocking Folded-Clos Networks in Computer Communication
//! Environments* (Yuan, IPDPS 2011).
//!
//! Section V, local adaptive routing (Lemmas 3 to 5, Theorems 4 and 5), is here as far as it is
//! arithmetic.

mod adaptive_tops;
mod constructed;
mod counting;
mod least_tops;
mod lemma_1;
mod lemma_2;
mod lemma_6;
mod levels;
mod multi_path;
mod nonblocking;
mod property_1;
mod recurrence;
mod table_1;
mod theorem_1;
mod theorem_2;
mod theorem_3;

use super::Statement;
use crate::registry::Kind;

/// In the order of the paper.
pub(super) const KINDS: &[Kind<Statement>] = &[
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
    multi_path::KIND,
    multi_path::NONBLOCKING,
    multi_path::LOAD,
    adaptive_tops::KIND,
    lemma_6::KIND,
    lemma_6::EXPONENT,
    recurrence::KIND,
    recurrence::EXPONENT,
];
