//! Adversaries against the exact analysis, against each other, and as processes.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

mod acceptance;
mod bounds;
mod claim;
mod exhaustive;
mod networks;
mod processes;
mod statistics;
mod stopping;

use routebound::adversary::{self, Arena, Finding};
use routebound::progress::Progress;
use routebound::routing::Instance;

/// What an adversary finds on an instance.
fn attack(instance: &Instance, spec: &str) -> Finding {
    let arena = Arena::new(instance, &Progress::silent()).unwrap();
    adversary::build(spec).unwrap().attack(&arena, &Progress::silent()).unwrap()
}
