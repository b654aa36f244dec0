//! One file per verb: its arguments and what it prints.

mod attack;
mod check;
mod compare;
mod deliver;
mod embed;
mod fabric;
mod list;
mod load;
mod merge;
mod nonblocking;
#[cfg(feature = "highs")]
mod optimal;
mod optu;
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
use crate::registry::Kind;

/// Every verb, in the order of the help. Examples are arguments separated by single spaces.
pub const VERBS: &[Kind<Verb>] = &[
    fabric::KIND,
    compare::KIND,
    topo::KIND,
    route::KIND,
    traffic::KIND,
    load::KIND,
    optu::KIND,
    ratio::KIND,
    attack::KIND,
    #[cfg(feature = "highs")]
    optimal::KIND,
    synth::KIND,
    nonblocking::KIND,
    deliver::KIND,
    sim::KIND,
    verify::KIND,
    check::KIND,
    embed::KIND,
    regress::KIND,
    study::KIND,
    merge::KIND,
    list::KIND,
];
