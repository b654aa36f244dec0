//! \[OR\], *Oblivious Routing in Fat-Tree Based System Area Networks with Uncertain
//! Traffic Demands* (Yuan, Nienaber, Duan and Melhem, IEEE/ACM Trans. Networking 2009).

mod statements;
#[cfg(feature = "studies")]
mod studies;
mod table_1;

pub use statements::STATEMENTS;
#[cfg(feature = "studies")]
pub use studies::KINDS as STUDIES;
