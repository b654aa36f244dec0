#![doc = include_str!("ARCHITECTURE.md")]

pub mod quote;

pub mod limit;

pub mod integer;

pub mod ratio;

pub mod spec;

pub mod registry;

pub mod progress;

pub mod input;

pub mod matching;

pub mod flow;

pub mod topology;

pub mod traffic;

pub mod import;

pub mod routing;

pub mod failure;

pub mod load;

pub mod channels;

pub mod optimum;

pub mod bounds;

pub mod certificate;

pub mod worst_case;

#[cfg(feature = "highs")]
pub mod lp;

pub mod adversary;

#[cfg(feature = "sat")]
pub mod sat;

pub mod checker;

pub mod assessment;

pub mod single_failures;

pub mod synth;

pub mod nonblocking;

pub mod theorem;

pub mod regression;

pub mod export;

pub mod report;

pub mod study;

pub mod cli;
