//! The promise of one second: every verb ends that soon after its time limit, Ctrl-C or SIGTERM, with what it knows.
//!
//! Its runs are those of `stopping` and `stopping_synth` of the test `command_line`, one at a time. `more_time` is
//! about another promise, that more time is never worse. Cargo runs test binaries one after the other, so nothing
//! else is at work beside them. Part of `make test-full` only: on a busy machine they fail.

#![cfg(unix)]

use std::time::Duration;

#[cfg(feature = "highs")]
mod more_time;
#[path = "../common/parallel.rs"]
mod parallel;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../common/program.rs"]
mod program;
#[path = "../common/stopped.rs"]
mod stopped;
#[path = "../command_line/stopping.rs"]
mod stopping;
#[path = "../command_line/stopping_synth.rs"]
mod stopping_synth;

/// How soon a run ends after its stop.
const ENDS_WITHIN: Duration = Duration::from_secs(1);
