#![doc = include_str!("ARCHITECTURE.md")]

pub mod limit;
pub mod progress;
pub mod ratio;
pub mod registry;
pub mod spec;

pub mod topology;

pub mod import;

pub mod routing;

pub mod report;

pub mod cli;
