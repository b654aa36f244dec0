//! The statements and studies of the papers on oblivious routing that routebound checks.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.
//!
//! Each paper is a folder, whose `mod.rs` names it, with its statements beside its studies. [`theorem`] and `study`
//! say what these are and know no paper; [`papers`] knows all. Tables and plots (`report`) are here, as the studies
//! draw them.

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
pub use routebound_search::{nonblocking, synth};

#[doc(hidden)]
pub use routebound_simulate::{channel_tree, simulation};

#[doc(hidden)]
#[cfg(feature = "highs")]
pub use routebound_analysis::lp;

#[doc(hidden)]
#[cfg(feature = "sat")]
pub use routebound_search::sat;

/// Adversaries: of loads, and of simulators.
pub mod adversary {
    pub use routebound_search::adversary::*;
    pub use routebound_simulate::adversary::{delivery, pattern};
}

pub mod gl;
pub mod go;
pub mod nb;
pub mod or;
#[cfg(feature = "studies")]
pub mod own;
pub mod papers;
#[cfg(feature = "studies")]
pub mod report;
pub mod ro;
#[cfg(feature = "studies")]
pub mod study;
pub mod theorem;
