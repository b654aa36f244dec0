//! Outside formats.
