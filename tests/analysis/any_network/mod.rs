//! The exact worst case and the best oblivious routing of networks of any shape.
#![cfg(feature = "highs")]
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

mod graphs;
mod one_programme;
mod optimal;
#[path = "../../../benches/common/one_programme.rs"]
mod programme;
mod ratios;
mod slimmed;
mod symmetry;
mod torus;
