//! Simulators of routebound: channel trees, adaptive schemes, delivery cycles, packets, workloads.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.
//!
//! [`adversary`] is here too: its searches for bad traffic run simulators, and those for loads (`crates/search`) need
//! none.

#[doc(hidden)]
pub use routebound_networks::*;

pub mod adversary;
pub mod channel_tree;
mod prelude;
pub mod simulation;
