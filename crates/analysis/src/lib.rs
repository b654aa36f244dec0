//! The exact analysis of routebound: loads, optimal loads, worst cases, assessments.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.

#[doc(hidden)]
pub use routebound_networks::*;

pub mod assessment;
pub mod by_digits;
pub mod cases;
pub mod fabric;
pub mod failure_sets;
pub mod jobs;
pub mod load;
#[cfg(feature = "highs")]
pub mod lp;
pub mod optimum;
pub mod shards;
pub mod single_failures;
pub mod symmetry;
pub mod worst_case;
