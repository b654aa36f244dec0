//! Statements of \[OR\], *Oblivious Routing in Fat-Tree Based System Area Networks with Uncertain
//! Traffic Demands* (Yuan, Nienaber, Duan and Melhem, IEEE/ACM Trans. Networking 2009).

mod lemma_1;
mod lemma_2;
mod lemma_3;
mod lemma_4;
mod lemma_5;
mod property_1;
mod property_2;
mod property_3;
mod property_4;
mod property_5;
mod sets;
mod theorem_1;
mod theorem_3;

use super::Statement;
use crate::registry::Kind;

/// In the order of the paper.
pub(super) const KINDS: &[Kind<Statement>] = &[
    property_1::KIND,
    property_2::KIND,
    property_3::KIND,
    property_4::KIND,
    property_5::KIND,
    theorem_1::KIND,
    lemma_1::KIND,
    lemma_2::KIND,
    lemma_3::KIND,
    lemma_4::KIND,
    lemma_5::KIND,
    theorem_3::KIND,
];
