//! Adversaries, best routings and nonblocking networks of routebound, by search and by SAT.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.

#[doc(hidden)]
pub use routebound_analysis::*;

pub mod adversary;
pub mod improve;
pub mod nonblocking;
mod prelude;
#[cfg(feature = "sat")]
pub mod sat;
pub mod synth;
