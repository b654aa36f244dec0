//! Searches: adversaries, best single-path routings, and the statements they are tested against.

#[path = "../common/collection.rs"]
mod collection;
#[path = "../common/eventually.rs"]
mod eventually;
#[cfg(unix)]
#[path = "../common/stopped.rs"]
mod stopped;

mod adversaries;
#[cfg(feature = "sat")]
mod synth;
mod theorems;

/// How soon a run ends after its stop, where other tests run beside it.
#[cfg(unix)]
const ENDS_WITHIN: std::time::Duration = stopped::HANGS;
