//! Outside formats.

pub mod traffic;
