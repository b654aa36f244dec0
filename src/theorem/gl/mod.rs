//! Statements of \[GL\], *Randomized Routing on Fat-Trees* (Greenberg and Leiserson, 1985).
//!
//! Lemmas 6 and 7 and Theorems 8, 9 and 11 speak of delivery cycles and are not here.

mod binomial;
mod congestion_bound;
mod congestion_constant;
mod cuts;
mod lemma_1;
mod lemma_3;
mod lemma_5;
mod lemma_5_sampled;
mod messages;
mod trees;

use super::Statement;
use crate::registry::Kind;

/// In the order of the paper.
pub(super) const KINDS: &[Kind<Statement>] = &[
    lemma_1::KIND,
    lemma_3::KIND,
    lemma_5::KIND,
    lemma_5_sampled::KIND,
    congestion_bound::KIND,
    congestion_constant::KIND,
];
