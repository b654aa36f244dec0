//! Statements of papers that are known by their abstracts.

mod clos;
mod minimal;
#[cfg(feature = "highs")]
mod ratios;
#[cfg(feature = "highs")]
mod throughput;
mod tori;
#[cfg(feature = "highs")]
mod tori_best;

use crate::theorem::prelude::*;

/// Every statement of these papers, paper by paper.
pub const STATEMENTS: &[Statement] = &[
    #[cfg(feature = "highs")]
    ratios::RINGS,
    #[cfg(feature = "highs")]
    ratios::CLIQUES,
    tori::DIMENSION_ORDER,
    tori::ROMM,
    tori::VALIANT,
    tori::IVAL,
    #[cfg(feature = "highs")]
    tori_best::OPTIMAL,
    #[cfg(feature = "highs")]
    tori_best::LOCALITY,
    tori::OVERESTIMATED,
    tori::BALANCE,
    #[cfg(feature = "highs")]
    tori_best::DENSE,
    clos::SOME,
    clos::ANY,
    clos::MULTIRATE,
    #[cfg(feature = "highs")]
    throughput::KIND,
    #[cfg(feature = "highs")]
    throughput::EXPANDERS,
    minimal::KIND,
];
