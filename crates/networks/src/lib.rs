//! Networks, traffic, routings and failures of routebound, and what reads and writes them.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.
//!
//! Some modules are lower than their names suggest. [`matching`] and [`flow`] are here as a routing from a file of
//! paths (`far`) finds its worst case by a matching. [`import`] stands beside [`routing`] because forwarding tables are
//! an external format from which `lft` is built. [`embed`] and [`generators`] join networks to the checker, which knows
//! neither. [`sums`], [`rearrange`] and [`destination_sets`] are small and used by the analysis or the searches as well
//! as by the simulators, which so need not know each other.

#[doc(hidden)]
pub use routebound_proof::{advice, certificate, checker, input, limit, progress, quote, rational};

pub mod attack;
pub mod bounds;
pub mod destination_sets;
pub mod embed;
pub mod export;
pub mod failure;
pub mod flow;
pub mod generators;
pub mod import;
pub mod integer;
pub mod matching;
pub mod rearrange;
pub mod registry;
pub mod routing;
pub mod sampling;
pub mod spec;
pub mod sums;
pub mod topology;
pub mod traffic;
