//! The program as its users meet it: files that are read, verbs, outputs, stops, the README and the book.

#![expect(clippy::too_many_lines, reason = "tables of cases are long")]

#[cfg(unix)]
use std::time::Duration;

#[path = "../common/collection.rs"]
mod collection;
#[path = "../common/eventually.rs"]
mod eventually;
#[path = "../common/parallel.rs"]
mod parallel;
#[path = "../common/program.rs"]
mod program;
#[cfg(unix)]
#[path = "../common/resealed.rs"]
mod resealed;
#[cfg(unix)]
#[path = "../common/stopped.rs"]
mod stopped;
#[cfg(unix)]
#[expect(dead_code, reason = "one function of it is for checkers")]
#[path = "../../crates/proof/tests/check/transcript.rs"]
mod transcript;

mod adaptive;
mod border;
mod cli;
mod command_lines;
mod deliver;
mod exports;
mod fabrics;
mod files;
mod generate;
mod html;
mod inputs;
#[cfg(unix)]
mod json;
mod link_lists;
mod names;
mod networks;
mod nonblocking;
mod output;
mod overwriting;
mod pages;
mod parts;
mod parts_stopped;
mod product;
mod shapes;
mod shards;
mod shared_programs;
mod sim;
mod stopping;
mod stopping_synth;
mod suites;
mod traffic_files;
mod traffic_kinds;
mod traffic_read;

/// How soon a run ends after its stop, where other tests run beside it.
#[cfg(unix)]
const ENDS_WITHIN: Duration = stopped::HANGS;
