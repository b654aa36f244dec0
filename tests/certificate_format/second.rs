//! A second checker.
