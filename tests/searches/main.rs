//! Searches: adversaries, best single-path routings, and the statements they are tested against.

#[path = "../common/collection.rs"]
mod collection;

mod adversaries;
#[cfg(feature = "sat")]
mod synth;
mod theorems;
