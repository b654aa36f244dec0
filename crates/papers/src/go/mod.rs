//! \[GO\], *Deterministic versus Adaptive Routing in Fat-Trees* (Gómez, Gilabert,
//! Gómez, López and Duato, IPDPS Workshops 2007). Its deterministic routing is D-mod-k on k-ary
//! n-trees.

mod statements;
#[cfg(feature = "studies")]
pub mod studies;

pub use statements::STATEMENTS;
#[cfg(feature = "studies")]
pub use studies::KINDS as STUDIES;
