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
//! let assessment = Assess::new().embedded().run(&instance)?;
//! assert_eq!(assessment.oblivious_ratio.to_string(), "16 (proven)");
//!
//! let certificate = assessment.certificate?.to_string();
//! let accepted = checker::check_text(&certificate)?;
//! assert_eq!(accepted[0].lower, Rational::from(16));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to begin with
//!
//! | to find | call |
//! |---|---|
//! | the worst case of a routing, proven | [`assessment::assess`] |
//! | the same of a tree of any size, by digits | [`assessment::assess_by_digits`] |
//! | optu, the optimal load of given traffic, proven | [`assessment::assess_optimum`] |
//! | the load of every link under given traffic | [`load::LinkLoads`] |
//! | bad traffic, quickly | [`adversary::build`], or an [`Adversary`](adversary::Adversary) of your own |
//! | the best single-path routing of a tree | [`synth`] |
//! | better forwarding tables of a fabric | [`improve`] |
//! | whether a certificate proves what it claims | [`checker::check_text`] |
//!
//! [`prelude`] has the names that such programs need; `examples/` in the sources has whole programs.
//! Everything that may take long takes a [`Progress`](progress::Progress), which stops it. Numbers
//! that are claimed are exact: [`Rational`](rational::Rational)s, within [`Bounds`](bounds::Bounds) that say
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
//! What such programs need is shown; the other modules, which the program and the tests use, are public
//! but hidden. How all build on one another, and why, is in `src/ARCHITECTURE.md`, which the documentation
//! shows as the module `architecture`.

/// Map of the crate for those who change it.
#[cfg(doc)]
pub mod architecture {
    #![doc = include_str!("ARCHITECTURE.md")]
    use super::*;
}

#[doc(hidden)]
pub use routebound_proof::{advice, input, limit, quote};
#[doc(inline)]
pub use routebound_proof::{certificate, progress, rational};

#[doc(hidden)]
pub use routebound_networks::{
    attack, destination_sets, embed, export, failure, flow, generators, integer, matching,
    rearrange, registry, sampling, spec, sums,
};
#[doc(inline)]
pub use routebound_networks::{bounds, generators::checker, import, routing, topology, traffic};

#[doc(hidden)]
#[cfg(feature = "highs")]
pub use routebound_analysis::lp;
#[doc(inline)]
pub use routebound_analysis::{assessment, by_digits, load};
#[doc(hidden)]
pub use routebound_analysis::{
    cases, fabric, failure_sets, jobs, optimum, shards, single_failures, symmetry, worst_case,
};

#[doc(hidden)]
pub use routebound_search::nonblocking;
#[doc(hidden)]
#[cfg(feature = "sat")]
pub use routebound_search::sat;
#[doc(inline)]
pub use routebound_search::{improve, synth};

#[doc(hidden)]
pub use routebound_simulate::{channel_tree, simulation};

#[doc(hidden)]
pub use routebound_papers::papers;

/// Statements of the papers: [what they are](routebound_papers::theorem), and [all of them](papers).
#[doc(hidden)]
pub mod theorem {
    #[doc(inline)]
    pub use routebound_papers::papers::{
        Attacks, Empirical, PublishedBound, STATEMENTS as KINDS, Side, Standing, empirically,
        is_bound, published,
    };
    #[doc(inline)]
    pub use routebound_papers::theorem::*;
}

/// Studies, tables and figures of the papers: [what they are](routebound_papers::study), and [all of them](papers).
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod study {
    #[doc(inline)]
    pub use routebound_papers::papers::STUDIES as KINDS;
    #[doc(inline)]
    pub use routebound_papers::study::*;
}

/// Adversaries: of loads, and of simulators.
///
/// ```
/// use routebound::prelude::*;
/// let instance = Instance::named("ft(8,3)", "dmodk")?;
/// let context = AttackContext::new(&instance, &Progress::silent())?;
/// let finding = adversary::build("climb(seed=1)")?.attack(&context, &Progress::silent())?;
/// // This tree and routing have ratio 7, so no traffic is worse.
/// assert_eq!(finding.worst.lower, 7.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod adversary {
    pub use routebound_search::adversary::*;
    pub use routebound_simulate::adversary::{delivery, pattern};
}

pub mod prelude;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod report;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

pub use petgraph;
