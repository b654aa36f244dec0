//! Searches: adversaries, best single-path routings, and the statements they are tested against.

#[path = "../common/collection.rs"]
mod collection;
#[path = "../common/eventually.rs"]
mod eventually;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../common/program.rs"]
mod program;
#[cfg(unix)]
#[path = "../common/stopped.rs"]
mod stopped;
#[path = "../common/trees.rs"]
mod trees;

mod adversaries;
#[cfg(feature = "sat")]
mod synth;
mod theorems;

/// How soon a run ends after its stop, where other tests run beside it.
#[cfg(unix)]
const ENDS_WITHIN: std::time::Duration = stopped::HANGS;
