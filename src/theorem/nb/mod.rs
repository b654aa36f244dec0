//! Statements of \[NB\], *On Nonblocking Folded-Clos Networks in Computer Communication
//! Environments* (Yuan, IPDPS 2011).

mod theorem_3;

use super::Statement;
use crate::registry::Kind;

/// In the order of the paper.
pub(super) const KINDS: &[Kind<Statement>] = &[theorem_3::KIND];
