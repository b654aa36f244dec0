//! What a search took: sizes and seconds.

use std::fs;
use std::time::Duration;

use crate::certificate::{self, Refutation};
use crate::study::StudyError;
use crate::synth::{Attempt, BestRouting, folder, proof_files};

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

/// The row for a search that took `time`, including the time of the checker.
pub(super) fn cells(found: &BestRouting, time: Duration) -> Result<Vec<String>, StudyError> {
    let topology = &found.best.topology;
    let tried: Vec<String> = found.attempts.iter().map(Attempt::outcome).collect();
    let largest = found.attempts.iter().max_by_key(|tried| tried.clauses);
    let (variables, clauses) = largest.map_or((0, 0), |tried| (tried.variables, tried.clauses));
    Ok(vec![
        topology.spec().to_uppercase(),
        topology.hosts().to_string(),
        topology.links().to_string(),
        found.bounds.to_string(),
        if tried.is_empty() { "-".to_string() } else { tried.join("; ") },
        variables.to_string(),
        clauses.to_string(),
        bytes(found)?.to_string(),
        format!("{:.3}", time.as_secs_f64()),
    ])
}

/// Size of the certificate, and of the formula and the LRAT proof that it names.
fn bytes(found: &BestRouting) -> Result<u64, StudyError> {
    let mut bytes = Vec::new();
    if let Some(whole) = &found.certificate {
        certificate::write(whole, &mut bytes)?;
    }
    let mut size = bytes.len() as u64;
    if let Refutation::Lrat(refuted) = &found.refutation {
        for name in &proof_files(refuted)[..2] {
            size += fs::metadata(folder(found).join(name))?.len();
        }
    }
    Ok(size)
}
