//! The statements and studies of the papers on oblivious routing that routebound checks.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.
//!
//! Each paper is a folder, whose `mod.rs` names it, with its statements beside its studies. [`theorem`] and `study`
//! say what these are and know no paper; [`papers`] knows all. Tables and plots (`report`) are here, as the studies
//! draw them.

#[doc(hidden)]
pub use routebound_search::*;
#[doc(hidden)]
pub use routebound_simulate::*;

/// Adversaries: of loads, and of simulators.
pub mod adversary {
    pub use routebound_search::adversary::*;
    pub use routebound_simulate::adversary::{delivery, pattern};
}

pub mod gl;
pub mod go;
pub mod lit;
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
