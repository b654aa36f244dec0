//! Hypercubes: 2^n nodes, of which those are neighbours whose numbers differ in one bit (Saad and Schultz, IEEE Trans.
//! Computers 37(7), 1988).

use super::coordinates::Coordinates;
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "hypercube",
    usage: "hypercube(n)",
    about: "binary n-cube: 2^n hosts that forward, neighbours where numbers differ in one bit; links of capacity 1",
    reference: "Saad and Schultz, IEEE Trans. Computers 37(7) (1988)",
    examples: &["hypercube(3)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let [n] = spec.positive_numbers()?;
    Coordinates::new(spec, 2, n, false)?.build(spec)
}
