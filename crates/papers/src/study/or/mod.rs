//! The evaluation of \[OR\]: Tables I to III and Figures 11 to 15.

mod average;
mod definitions;
mod figures;
mod table_1;
mod tables_2_3;

use super::engine::Study;
use crate::registry::Kind;

/// Every study of this paper.
pub(super) const KINDS: &[Kind<Study>] =
    &[table_1::KIND, tables_2_3::KIND, definitions::KIND, figures::KIND];
