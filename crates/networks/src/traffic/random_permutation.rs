//! A uniform random permutation.

use super::{Permutation, TrafficError, TrafficMatrix};
use crate::registry::Kind;
use crate::spec::{Seeded, Spec};

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "permutation",
    usage: "permutation(seed=1)",
    about: "a permutation drawn uniformly; a host that draws itself stays idle",
    reference: "[RO] III",
    examples: &["permutation", "permutation(seed=7)"],
    build: super::Pattern::permutation(build),
};

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let Seeded { seed } = spec.read()?;
    Permutation::random(hosts, seed, 0).to_matrix()
}
