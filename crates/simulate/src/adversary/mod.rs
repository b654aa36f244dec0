//! Adversaries of simulators: searches for patterns that routings which see the pattern, or delivery in cycles, serve
//! badly.

pub mod delivery;
pub mod pattern;
