//! Traffic: demands of SD pairs.

mod demand;
mod permutation;

pub use demand::Demand;
pub use permutation::complete;
