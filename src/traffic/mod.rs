//! Traffic: demands of SD pairs, and paths that carry them.

mod demand;
mod path_record;
mod permutation;

pub use demand::Demand;
pub use path_record::PathRecord;
pub use permutation::complete;
