//! Adversaries, best routings and nonblocking networks of routebound, by search and by SAT.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.

#[doc(hidden)]
pub use routebound_proof::{advice, certificate, checker, input, limit, progress, quote, rational};

#[doc(hidden)]
pub use routebound_networks::{
    attack, bounds, destination_sets, embed, export, failure, flow, generators, import, integer,
    matching, rearrange, registry, routing, sampling, spec, sums, topology, traffic,
};

#[doc(hidden)]
pub use routebound_analysis::{
    assessment, by_digits, cases, fabric, jobs, load, optimum, shards, single_failures, symmetry,
    worst_case,
};

#[doc(hidden)]
#[cfg(feature = "highs")]
pub use routebound_analysis::lp;

pub mod adversary;
pub mod nonblocking;
#[cfg(feature = "sat")]
pub mod sat;
pub mod synth;
