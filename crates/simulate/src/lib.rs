//! Simulators of routebound: channel trees, adaptive schemes, delivery cycles, packets, workloads.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.
//!
//! [`adversary`] is here too: its searches for bad traffic run simulators, and those for loads (`crates/search`) need
//! none.

#[doc(hidden)]
pub use routebound_proof::{advice, certificate, checker, input, limit, progress, quote, rational};

#[doc(hidden)]
pub use routebound_networks::{
    attack, bounds, destination_sets, embed, export, failure, flow, generators, import, integer,
    matching, rearrange, registry, routing, sampling, spec, sums, topology, traffic,
};

pub mod adversary;
pub mod channel_tree;
pub mod simulation;
