//! \[RO\], *Oblivious Routing Schemes in Extended Generalized Fat Tree Networks*
//! (Rodriguez, Minkenberg, Beivide, Luijten, Labarta and Valero, CLUSTER 2009).

mod statements;
#[cfg(feature = "studies")]
pub mod studies;

pub use statements::STATEMENTS;
#[cfg(feature = "studies")]
pub use studies::KINDS as STUDIES;
