//! The statements and studies of the papers on oblivious routing that routebound checks.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.
//!
//! Tables and plots (`report`) are here, as the studies draw them.

#[doc(hidden)]
pub use routebound_proof::{bounds, certificate, checker, input, limit, progress, quote, ratio};

#[doc(hidden)]
pub use routebound_networks::{
    destination_sets, embed, export, failure, flow, generators, import, integer, matching,
    rearrange, registry, routing, sampling, spec, sums, topology, traffic,
};

#[doc(hidden)]
pub use routebound_analysis::{
    assessment, distribution, fabric, jobs, load, optimum, product, regression, single_failures,
    symmetry, worst_case,
};

#[doc(hidden)]
pub use routebound_search::{nonblocking, synth};

#[doc(hidden)]
pub use routebound_simulate::{channels, simulation};

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

#[cfg(feature = "studies")]
pub mod report;
#[cfg(feature = "studies")]
pub mod study;
pub mod theorem;
