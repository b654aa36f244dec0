//! Traffic that statements about any traffic matrix are tested on.

use rand::Rng;

use super::{Scope, TheoremError};
use crate::rational::Rational;
use crate::sampling::Streams;
use crate::topology::sd_pairs;
use crate::traffic::{self, Demand, TrafficError};

/// Patterns of the papers, by their specs; those that are not defined for a number of hosts are
/// left out.
const PATTERNS: &[&str] = &[
    "uniform",
    "shift(1)",
    "ring",
    "hypercube",
    "bintree",
    "bitrev",
    "permutation(seed=1)",
    "random(p=0.5,seed=1)",
    "clustered(size=2,seed=1)",
];

/// Patterns, and `random` matrices with amounts up to 9 on about a third of the pairs, each with
/// its name.
pub(crate) fn matrices(
    scope: &Scope,
    hosts: usize,
    random: u64,
) -> Result<Vec<(String, Vec<Demand>)>, TheoremError> {
    let mut matrices = Vec::new();
    for spec in PATTERNS {
        match traffic::generate(spec, hosts) {
            Ok(matrix) => matrices.push(((*spec).to_string(), matrix.demands().to_vec())),
            Err(TrafficError::DoesNotFit { .. } | TrafficError::Spec(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    for index in 0..random {
        matrices.push((format!("matrix {index}"), weighted(hosts, scope.seed, index)));
    }
    matrices.retain(|(_, demands)| !demands.is_empty());
    Ok(matrices)
}

/// Matrix number `index` for a seed.
fn weighted(hosts: usize, seed: u64, index: u64) -> Vec<Demand> {
    let mut generator = Streams::new(seed).at(index);
    let mut demands = Vec::new();
    for (s, d) in sd_pairs(hosts) {
        if generator.next_u32().is_multiple_of(3) {
            let amount = Rational::from(u64::from(1 + generator.next_u32() % 9));
            demands.push(Demand { s, d, amount });
        }
    }
    demands
}
