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

use routebound::adversary::{self, AttackContext, Finding};
use routebound::progress::Progress;
use routebound::routing::Instance;

/// What an adversary finds on an instance.
fn attack(instance: &Instance, spec: &str) -> Finding {
    let context = AttackContext::new(instance, &Progress::silent()).unwrap();
    adversary::build(spec).unwrap().attack(&context, &Progress::silent()).unwrap()
}
