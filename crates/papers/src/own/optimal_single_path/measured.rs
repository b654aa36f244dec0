//! What a search took: sizes and seconds.

use super::searched::Searched;
use crate::own::proven::Proven;
use crate::topology::Topology;

pub(super) const HEADS: [&str; 9] = [
    "tree",
    "hosts",
    "links",
    "optimum",
    "tried",
    "variables",
    "clauses",
    "bytes of certificate and proof",
    "seconds",
];

/// The row for a search, with its time, which includes that of the checker.
pub(super) fn cells(topology: &Topology, found: &Searched) -> Vec<String> {
    let tried = if found.tried.is_empty() { "-".to_string() } else { found.tried.join("; ") };
    vec![
        topology.spec().to_uppercase(),
        topology.hosts().to_string(),
        topology.links().to_string(),
        found.bounds(),
        tried,
        found.variables.to_string(),
        found.clauses.to_string(),
        found.proven.as_ref().map_or(0, Proven::bytes).to_string(),
        format!("{:.3}", found.seconds),
    ]
}
