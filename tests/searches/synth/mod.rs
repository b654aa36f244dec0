//! The best single-path routings: encoding, counting, proofs, and the numbers they give.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

mod acceptance;
mod counting;
mod encoding;
mod order;
mod parts;
#[cfg(feature = "highs")]
mod program;
mod proofs;
mod searches;

use routebound::topology::{Xgft, generate};

fn tree(spec: &str) -> Xgft {
    generate(spec).unwrap().tree().unwrap().clone()
}
