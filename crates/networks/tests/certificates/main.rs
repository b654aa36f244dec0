//! Certificates that name their networks and routings, and the formulas and proofs beside them: what is accepted and what
//! is refused, for every possible reason, and that the second checker agrees. What needs no names is tested in
//! `crates/proof/tests/certificates`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

mod committed;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../../proof/tests/certificates/fate.rs"]
mod fate;
mod few_paths;
mod files;
mod lexical;
mod limits;
mod names;
mod product;
mod refusals;
mod refutations;
mod second;
mod single_path;
mod strings;

use routebound_networks::certificate::Certificate;
use routebound_networks::generators::Named;

const GENERATORS: Named = Named;

/// What an analysis writes of an instance, which `tests/certificates/examples.rs` of `routebound` compares.
fn example(topology: &str, routing: &str) -> Certificate {
    let head = format!("routebound-certificate 1\ntopology {topology}\nrouting {routing}\n");
    let mut all = include_str!("examples.txt").split_inclusive("\nend\n");
    all.find(|text| text.starts_with(&head)).unwrap().parse().unwrap()
}
