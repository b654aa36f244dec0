//! Statements of \[RO\].
//!
//! The networks that the paper names have 256 hosts; statements about them are few and cheap, and
//! examine them regardless of the size of a run.

mod cg;
mod concentration;
mod equation_1;
mod heuristic;
mod hops;
mod inverse;
mod inverse_patterns;
mod kary;
mod labels;
mod neighbourhoods;
mod random;
mod rearrangeable;
mod relabelling;
mod rnca;
pub(super) mod roots;
mod roots_random;
mod seeds;
mod slimmed;
mod static_routing;
mod table_1;
mod unbalanced;
mod unions;
mod wrf;

use crate::theorem::prelude::*;

/// Every statement of this paper, in its order.
pub const STATEMENTS: &[Statement] = &[
    rearrangeable::KARY,
    rearrangeable::WIDE,
    kary::KIND,
    equation_1::KIND,
    table_1::COUNTS,
    table_1::INTERVALS,
    labels::KIND,
    slimmed::KIND,
    static_routing::KIND,
    hops::KIND,
    concentration::KIND,
    wrf::KIND,
    wrf::NCAS,
    wrf::OPTIMAL,
    random::WORSE,
    random::BETTER,
    cg::PHASES,
    cg::CONTENTION,
    cg::EQUATION_2,
    cg::CORRECTED,
    inverse::PATHS,
    inverse::PERMUTATIONS,
    inverse_patterns::KIND,
    inverse_patterns::SYMMETRIC,
    unions::KIND,
    heuristic::KIND,
    roots::UNEVEN,
    roots::NUMBERS,
    roots::CORRECTED,
    roots_random::KIND,
    relabelling::KIND,
    relabelling::PRINTED,
    neighbourhoods::KIND,
    unbalanced::KIND,
    rnca::RANDOM,
    rnca::CLOSE,
    rnca::PATHOLOGICAL,
    rnca::GAP,
];
