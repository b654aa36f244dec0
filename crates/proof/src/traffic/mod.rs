//! Demands and paths as certificates list them.

mod demand;
mod path_record;

pub use demand::Demand;
pub use path_record::PathRecord;
