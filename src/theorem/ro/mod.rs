//! Statements of \[RO\], *Oblivious Routing Schemes in Extended Generalized Fat Tree Networks*
//! (Rodriguez, Minkenberg, Beivide, Luijten, Labarta and Valero, CLUSTER 2009).
//!
//! The networks that the paper names have 256 hosts; statements about them are few and cheap, and
//! examine them whatever the size of a run.

mod cg;
mod equation_1;
mod hops;
mod inverse;
mod inverse_patterns;
mod relabelling;
mod roots;
mod roots_mod;
mod roots_random;
mod slimmed;
mod table_1;
mod unions;
mod wrf;

use super::Statement;
use crate::registry::Kind;

/// In the order of the paper.
pub(super) const KINDS: &[Kind<Statement>] = &[
    equation_1::KIND,
    table_1::COUNTS,
    table_1::INTERVALS,
    slimmed::KIND,
    hops::KIND,
    wrf::KIND,
    cg::CONTENTION,
    cg::EQUATION_2,
    inverse::PATHS,
    inverse::PERMUTATIONS,
    inverse_patterns::KIND,
    unions::KIND,
    roots_mod::UNEVEN,
    roots_mod::NUMBERS,
    roots_random::KIND,
    relabelling::KIND,
];
