//! The evaluation of \[NB\].

#[cfg(feature = "sat")]
mod table_1;

use crate::registry::Kind;
use crate::study::engine::Study;

/// Every study of this paper.
pub const KINDS: &[Kind<Study>] = &[
    #[cfg(feature = "sat")]
    table_1::KIND,
];
