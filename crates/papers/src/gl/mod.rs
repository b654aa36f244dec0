//! \[GL\], *Randomized Routing on Fat-Trees* (Greenberg and Leiserson, 1985).

mod statements;
#[cfg(feature = "studies")]
mod studies;

pub use statements::STATEMENTS;
#[cfg(feature = "studies")]
pub use studies::KINDS as STUDIES;
