//! The independent certificate checker.
//!
//! It uses no code of the analysis: it recomputes from the instance which SD pairs every link
//! carries, splits the witness traffic over shortest paths by its own search, and compares exact
//! rationals. What it verifies is stated in [`crate::certificate`].
//!
//! # What must be trusted
//!
//! A certificate that is accepted proves its claims if this crate is right: rationals, limits, messages and files, the
//! records and the reader of certificates, and the checker. It uses no other crate of this project, and of others dashu
//! (integers and rationals) and thiserror (`cargo tree -p routebound-proof --no-default-features`). Features add to
//! that:
//!
//! | feature | adds | with |
//! |---|---|---|
//! | `names` | named instances; bounds on all single-path or local adaptive routings, which are about named trees, with formulas and proofs in files, and on all with few paths per pair, by a theorem about trees; bounds on paths whose rates depend on the traffic; sets of failures; product forms; a short cut for trees: `names/ancestors.rs` | |
//! | `write` | writing certificates, and measuring what is written | |
//! | `fast` | work on all processors, which only `parallel.rs` does; short cuts for tables: `groups.rs`, `blocks.rs` | rayon |
//! | `analysis` | what analyses need beside the checker: inputs, progress, more arithmetic | flate2 |
//! | `serde` | JSON | serde |
//!
//! The program `routebound-check`, built without any, checks with [`check`] what is written out, and these lines
//! of code are all that its claims rest on, beside the two crates and the standard library:
//!
//! ```sh
//! cargo build --release -p routebound-proof --bin routebound-check --no-default-features
//! tr ' ' '\n' < target/release/routebound-check.d | grep 'rs$' |
//!   xargs awk '/^#\[cfg\(test/ {nextfile} !/^ *($|\/\/)/ {n++} END {print n}'
//! ```
//!
//! An instance that is written out needs nothing else; what writes it out, `embed`, is not a part of it. For a named
//! instance the caller hands over [`Generators`], which say what names mean, as `generators::Named` does for those of
//! `crates/networks`; with [`NoNames`] the checker refuses all. From a name it gets links, paths and the m and w of a
//! tree, and verifies them as those of a written instance: that they exist, join their pair, and have shares that sum
//! to 1. What must be trusted is that they are the ones that the name means. In a product certificate that is the
//! numbers m and w of the tree and, for every step, which digit decides the port, with a table of ports: no node or
//! link is generated. Routings from files are refused.
//!
//! The checker is independent of the analysis in what it computes. It has its own shortest-path searches, SD pairs,
//! loads, cuts, distances, encodings of formulas and LRAT steps, and it calls no solver, matching, flow or search. It
//! is not independent in four things:
//!
//! - both use [`Rational`](crate::rational::Rational), the records of a certificate and, for named instances, the
//!   generators: a mistake there is common to both;
//! - bounds by counting are computed here only, and `synth` calls [`Star`] and [`check_refutation`], so there the check
//!   does not repeat the search by other means;
//! - after `ratio` and the like the certificate goes to the checker as records, without being written and read, and what
//!   its names mean as the network and routing that were made of them before: only `check` reads the text, and makes
//!   both again;
//! - both are by the same authors and in one program. `tests/second_checker`, in Python and written from the text of
//!   the format alone, shares none of this, and both must agree.
//!
//! # A new claim
//!
//! First comes `crates/proof/src/certificate/FORMAT.md`: grammar, meaning, what proves either side, limits. Then
//! [`Quantity`](crate::certificate::Quantity), and for a new record `read.rs`, `write.rs`, `write/fits.rs` and `budget.rs`
//! of `certificate`; the checker; `tests/second_checker`; `tests/certificates` here, of `crates/networks` for what takes names,
//! and of the project for what analyses write; `tests/structure/fuzz/certificates.rs`; the matches in `worst_case`; and what
//! writes it, in `assessment`. A quantity without witness and covers is another
//! kind of [`Certificate`], as product forms are.

mod accepted;
mod allowed;
#[cfg(feature = "fast")]
mod blocks;
mod by_destination;
mod classes;
mod cover;
mod cut;
mod distance;
mod ends;
mod even_split;
mod flow;
#[cfg(feature = "fast")]
mod groups;
mod jobs;
mod known;
mod least;
#[cfg(feature = "names")]
mod names;
mod network;
mod optimum;
mod parallel;
mod refusal;
mod routes;
mod shortest;
mod split;
mod sum;
mod symmetry;
mod tables;
mod uses;
mod walk;
mod weights;
mod witness;

pub use accepted::Accepted;
pub use classes::BadSplit;
pub use jobs::BadJobs;
#[cfg(feature = "names")]
pub use names::*;
pub use refusal::Refusal;
pub use symmetry::BadAutomorphism;

use crate::certificate::{Certificate, Claim, Optimality, WorstCaseCertificate};
use classes::Classes;
use cut::Cuts;
use network::Network;
use refusal::Result;
use routes::Routes;
use symmetry::Symmetry;

/// Maximum hosts of an instance that is checked.
pub const MAX_HOSTS: u64 = 1 << 16;

/// Checks a certificate that names nothing and returns the claims that it proves.
///
/// # Errors
/// [`Refusal`], the first reason found not to trust it.
///
/// O(N²·path length + size of the certificate).
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::certificate;
/// use routebound::checker;
/// let text = "routebound-certificate 1
/// hosts 2
/// nodes 3
/// link 0 2 1
/// link 1 2 1
/// link 2 0 1
/// link 2 1 1
/// path 0 1 1 0 3
/// path 1 0 1 1 2
/// claim oblivious-ratio 1 1
/// witness 0 1
/// demand 0 1 1
/// route even
/// cover 0 s 0
/// cover 1 s 1
/// cover 2 d 0
/// cover 3 d 1
/// end
/// ";
/// let accepted = checker::check(&certificate::read(text.as_bytes())?)?;
/// assert_eq!(accepted[0].upper.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(certificate: &Certificate) -> Result<Vec<Accepted>, Refusal> {
    check_on(&Network::open(certificate.network())?, certificate)
}

/// Checks a certificate about this network.
fn check_on(network: &Network, certificate: &Certificate) -> Result<Vec<Accepted>> {
    match certificate {
        Certificate::WorstCase(certificate) => check_worst_case(network, certificate),
        Certificate::Optimum(certificate) => optimum::check(network, certificate),
        #[cfg(feature = "names")]
        Certificate::Product(_) => Err(BadTree::NoProductForm.into()),
        #[cfg(feature = "names")]
        Certificate::Local(_) => Err(BadScheme::Network.into()),
        Certificate::Jobs(certificate) => jobs::check(network, certificate),
        #[cfg(feature = "names")]
        Certificate::Failures(certificate) => check_failures(network, certificate),
    }
}

/// Verifies that something is claimed, each quantity once, with bounds in order.
fn check_claims(claims: &[Claim]) -> Result<()> {
    if claims.is_empty() {
        return Err(Refusal::NoClaim);
    }
    for (at, claim) in claims.iter().enumerate() {
        let quantity = claim.quantity.name();
        if claim.lower > claim.upper {
            return Err(Refusal::EmptyClaim { quantity });
        }
        if claims[..at].iter().any(|other| other.quantity == claim.quantity) {
            return Err(Refusal::RepeatedClaim { quantity });
        }
    }
    Ok(())
}

fn check_worst_case(
    network: &Network,
    certificate: &WorstCaseCertificate,
) -> Result<Vec<Accepted>> {
    check_claims(&certificate.claims)?;
    let routes = Routes::open(network, &certificate.routing)?;
    let classes = Classes::open(network, certificate)?;
    let load = witness::check_optu(network, &routes, &certificate.witness)?;
    for claim in &certificate.claims {
        witness::check_lower(network, &certificate.witness, claim, &load)?;
    }
    let cuts = Cuts::open(network, &certificate.cuts)?;
    classes.check_cuts(network, &cuts)?;
    let symmetry = Symmetry::open(network, &certificate.automorphisms)?;
    let mut elsewhere = symmetry.covered_elsewhere(&certificate.covers);
    classes.add_links(network, &mut elsewhere);
    let covers = cover::Covers::index(network, (&cuts, &classes), (certificate, &elsewhere))?;
    for claim in &certificate.claims {
        cover::check_weight(network, (&cuts, &classes), &certificate.covers, claim)?;
    }
    let weighing = ends::Weighing::of((network, &classes), (certificate, &elsewhere))?;
    let sources = covers.check_pairs(network, &routes, &weighing)?;
    weighing.check(&routes, &sources)?;
    symmetry.check_routing(network, &routes)?;
    let mut all: Vec<Accepted> = certificate.claims.iter().map(Accepted::claim).collect();
    let claims = &certificate.claims;
    all.extend(match &certificate.optimality {
        None => None,
        Some(Optimality::OverPaths(least)) => {
            Some(least::check(network, (&routes, &symmetry), least, claims)?)
        }
        Some(Optimality::ByDestination(bound)) => {
            Some(by_destination::check(network, &certificate.routing, bound, claims)?)
        }
        #[cfg(feature = "names")]
        Some(bound) => check_bound(network, &routes, bound, claims)?,
    });
    Ok(all)
}
