//! Exact numbers, certificates of routebound, and the checker that must be trusted.
//!
//! A part of [routebound](https://docs.rs/routebound), whose documentation shows all parts as one library.

pub mod advice;
pub mod certificate;
pub mod checker;
#[cfg(feature = "analysis")]
pub mod input;
pub mod limit;
pub mod progress;
pub mod quote;
pub mod rational;
pub mod topology;
pub mod traffic;
