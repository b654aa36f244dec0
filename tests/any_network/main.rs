//! The exact worst case and the best oblivious routing of networks of any shape.
#![cfg(feature = "highs")]
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

mod graphs;
mod optimal;
mod ratios;
mod slimmed;
