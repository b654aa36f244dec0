//! The evaluation of \[OR\]: Tables I to III and Figures 11 to 15.

mod average;
mod averages;
mod definitions;
mod figures;
mod table_1;
mod tables_2_3;

use crate::study::prelude::*;

/// Every study of this paper.
pub const KINDS: &[Kind<Study>] =
    &[table_1::KIND, tables_2_3::KIND, definitions::KIND, averages::KIND, figures::KIND];
