//! Statements of \[NB\], *On Nonblocking Folded-Clos Networks in Computer Communication
//! Environments* (Yuan, IPDPS 2011).

mod least_tops;
mod lemma_1;
mod lemma_2;
mod lemma_6;
mod multi_path;
mod nonblocking;
mod property_1;
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
    table_1::KIND,
    table_1::THREE_LEVELS,
    multi_path::KIND,
    multi_path::LOAD,
    lemma_6::KIND,
];
