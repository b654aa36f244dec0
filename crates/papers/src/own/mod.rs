//! Studies of what no paper prints.

mod adversaries;
mod all_routings;
#[cfg(feature = "highs")]
mod exact;
mod failures;
mod limited_multipath;
#[cfg(feature = "sat")]
mod local_adaptive;
mod nonblocking_adaptive;
#[cfg(feature = "sat")]
mod nonblocking_switches;
#[cfg(feature = "sat")]
mod optimal_single_path;
#[cfg(feature = "highs")]
mod path_sets;
mod placement;
#[cfg(feature = "sat")]
mod proven;
mod registers;
#[cfg(feature = "highs")]
mod root_pairs;
mod static_dynamic;

use crate::study::prelude::*;

/// Every one of these studies.
pub const STUDIES: &[Kind<Study>] = &[
    adversaries::KIND,
    all_routings::KIND,
    #[cfg(feature = "highs")]
    exact::KIND,
    failures::KIND,
    limited_multipath::KIND,
    #[cfg(feature = "sat")]
    local_adaptive::KIND,
    nonblocking_adaptive::KIND,
    #[cfg(feature = "sat")]
    nonblocking_switches::KIND,
    #[cfg(feature = "sat")]
    optimal_single_path::KIND,
    #[cfg(feature = "highs")]
    path_sets::KIND,
    placement::KIND,
    registers::KIND,
    #[cfg(feature = "highs")]
    root_pairs::KIND,
    static_dynamic::KIND,
];
