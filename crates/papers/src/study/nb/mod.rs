//! The evaluation of \[NB\].

mod table_1;

use super::engine::Study;
use crate::registry::Kind;

/// Every study of this paper.
pub(super) const KINDS: &[Kind<Study>] = &[table_1::KIND];
