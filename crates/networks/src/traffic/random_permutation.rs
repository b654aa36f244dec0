//! A uniform random permutation.

use super::{Permutation, TrafficError, TrafficMatrix};
use crate::registry::Kind;
use crate::spec::Spec;

const USAGE: &str = "permutation(seed=1)";

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "permutation",
    usage: USAGE,
    options: &["seed"],
    about: "a permutation drawn uniformly; a host that draws itself stays idle",
    reference: "[RO] III",
    examples: &["permutation", "permutation(seed=7)"],
    build: super::Pattern::permutation(build),
};

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    spec.arguments(0, &["seed"], USAGE)?;
    Permutation::random(hosts, spec.seed(USAGE)?, 0).to_matrix()
}
