#![doc = include_str!("ARCHITECTURE.md")]

pub mod input;
pub mod limit;
pub mod progress;
pub mod quote;
pub mod ratio;
pub mod registry;
pub mod spec;

pub mod flow;
pub mod matching;

pub mod topology;

pub mod traffic;

pub mod import;

pub mod routing;

pub mod failure;

pub mod load;
pub mod optimum;

pub mod bounds;
pub mod certificate;

pub mod worst_case;

#[cfg(feature = "highs")]
pub mod lp;

#[cfg(feature = "sat")]
pub mod sat;

pub mod adversary;

pub mod checker;

pub mod assessment;

pub mod synth;

pub mod theorem;

pub mod regression;

pub mod report;

pub mod study;

pub mod cli;
