//! The exact worst case and the best oblivious routing of networks of any shape.
#![cfg(feature = "highs")]
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

mod alike;
mod direct;
mod graphs;
mod one_program;
mod optimal;
#[path = "../../../benches/common/one_program.rs"]
mod program;
mod ratios;
mod slimmed;
mod symmetry;
mod torus;
