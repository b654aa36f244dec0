//! Adversaries of simulators: searches for patterns that routings which see the pattern, or delivery in cycles, serve
//! badly.

mod climb;
pub mod delivery;
pub mod pattern;
