//! How badly can traffic hurt this routing on this network?
//!
//! Given a [`Topology`](topology::Topology) (a generated tree, an imported fabric, a network of
//! your own) and a [`Routing`](routing::Routing) (one of the literature, the forwarding tables of a
//! fabric, your own), routebound computes the exact worst case over **all** traffic, shows the
//! traffic that attains it, and writes a certificate that an independent checker accepts.
//!
//! ```
//! use routebound::prelude::*;
//!
//! let folder = "instances/fabrics/ft8x3/updn";
//! let dump = format!("{folder}/ibnetdiscover.out.gz");
//! let topology = import::topology(&dump, &ImportOptions::default())?;
//! let routing = routing::build(&format!("lft:{folder}/opensm-lfts.dump.gz"), &topology)?;
//! let instance = Instance::new(topology, routing)?;
//! let assessment = assess(&instance, Form::Embedded, &Progress::silent())?;
//! assert_eq!(assessment.oblivious_ratio.to_string(), "16 (proven)");
//!
//! let certificate = assessment.certificate.ok_or("too large to write")?.to_string();
//! let accepted = checker::check_text(&certificate)?;
//! assert_eq!(accepted[0].lower, Ratio::from(16));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to begin with
//!
//! | to find | call |
//! |---|---|
//! | the worst case of a routing, proven | [`assessment::assess`] |
//! | the same of a tree of any size, by digits | [`assessment::assess_product`] |
//! | optu, the optimal load of given traffic, proven | [`assessment::assess_optimum`] |
//! | the load of every link under given traffic | [`load::LinkLoads`] |
//! | bad traffic, quickly | [`adversary::build`], or an [`Adversary`](adversary::Adversary) of your own |
//! | the best single-path routing of a tree | [`synth`] |
//! | whether a certificate proves what it claims | [`checker::check_text`](generators::checker::check_text) |
//!
//! [`prelude`] has the names that such programs need; `examples/` in the sources has whole programs.
//! Everything that may take long takes a [`Progress`](progress::Progress), which stops it. Numbers
//! that are claimed are exact: [`Ratio`](ratio::Ratio)s, within [`Bounds`](bounds::Bounds) that say
//! what they rest on.
//!
//! # Features
//!
//! | feature | adds | needs |
//! |---|---|---|
//! | `cli` | the program `routebound`, its reports and studies | Rust |
//! | `highs` | `lp`: exact ratios of networks that are not trees, best multi-path routings | a C++ compiler, CMake, libclang |
//! | `sat` | `sat`: best single-path routings with refutations | a C++ compiler, libclang |
//! | `mpi` | the program as a job of many ranks; not on by default | an MPI library, libclang |
//!
//! All but the last are on by default; a library needs none of them:
//! `routebound = { version = "0.1", default-features = false }`.
//!
//! A [`Topology`](topology::Topology) is a digraph of [`petgraph`], which is re-exported in the version
//! in use.
//!
//! How the modules build on one another, and why, is in `src/ARCHITECTURE.md`, which the
//! documentation shows as the module `architecture`.

/// Map of the crate for those who change it.
#[cfg(doc)]
pub mod architecture {
    #![doc = include_str!("ARCHITECTURE.md")]
    use super::*;
}

#[doc(inline)]
pub use routebound_proof::{bounds, certificate, checker, input, limit, progress, quote, ratio};

#[doc(inline)]
pub use routebound_networks::{
    destination_sets, embed, export, failure, flow, generators, import, integer, matching,
    rearrange, registry, routing, sampling, spec, sums, topology, traffic,
};

#[doc(inline)]
pub use routebound_analysis::{
    assessment, distribution, fabric, jobs, load, optimum, product, regression, single_failures,
    symmetry, worst_case,
};

#[doc(inline)]
#[cfg(feature = "highs")]
pub use routebound_analysis::lp;

#[doc(inline)]
pub use routebound_search::{nonblocking, synth};

#[doc(inline)]
#[cfg(feature = "sat")]
pub use routebound_search::sat;

#[doc(inline)]
pub use routebound_simulate::{channels, simulation};

#[doc(inline)]
pub use routebound_papers::theorem;

#[doc(inline)]
#[cfg(feature = "cli")]
pub use routebound_papers::study;

/// Adversaries: of loads, and of simulators.
pub mod adversary {
    pub use routebound_search::adversary::*;
    pub use routebound_simulate::adversary::{delivery, pattern};
}

pub mod prelude;

#[cfg(feature = "cli")]
pub mod report;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

pub use petgraph;
