//! One file per verb: its arguments and what it prints.

mod attack;
mod check;
mod compare;
mod deliver;
mod embed;
mod fabric;
mod generate;
mod improve;
mod list;
mod load;
mod merge;
mod nonblocking;
#[cfg(feature = "highs")]
mod optimal;
mod optu;
mod prelude;
mod ratio;
mod regress;
mod route;
mod sim;
mod study;
mod synth;
mod topo;
mod traffic;
mod verify;

use crate::cli::Verb;

/// Every verb, in the order of the help. Examples are arguments separated by single spaces.
pub const VERBS: &[Verb] = &[
    fabric::VERB,
    compare::VERB,
    topo::VERB,
    route::VERB,
    traffic::VERB,
    load::VERB,
    optu::VERB,
    ratio::VERB,
    attack::VERB,
    #[cfg(feature = "highs")]
    optimal::VERB,
    synth::VERB,
    improve::VERB,
    nonblocking::VERB,
    deliver::VERB,
    sim::VERB,
    verify::VERB,
    check::VERB,
    embed::VERB,
    regress::VERB,
    study::VERB,
    merge::VERB,
    list::VERB,
    generate::VERB,
];
