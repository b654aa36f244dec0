//! \[NB\], *On Nonblocking Folded-Clos Networks in Computer Communication
//! Environments* (Yuan, IPDPS 2011).

mod statements;
#[cfg(feature = "studies")]
mod studies;

pub use statements::STATEMENTS;
#[cfg(feature = "studies")]
pub use studies::KINDS as STUDIES;
