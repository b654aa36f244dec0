//! The evaluation of \[NB\].

#[cfg(feature = "sat")]
mod table_1;

use crate::study::prelude::*;

/// Every study of this paper.
pub const KINDS: &[Kind<Study>] = &[
    #[cfg(feature = "sat")]
    table_1::KIND,
];
