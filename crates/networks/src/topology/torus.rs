//! Tori: k-ary n-cubes (Dally, IEEE Trans. Computers 39(6), 1990), also with sizes that differ.
//!
//! A ring of two nodes is one cable, so that the 2-ary n-cube is the hypercube.

use super::coordinates::Coordinates;
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "torus",
    usage: "torus(k,n), torus(k1;k2;..)",
    about: "k-ary n-cube: k^n hosts that forward, in rings of k in n dimensions, or k1 times k2 times ..; links of \
            capacity 1",
    reference: "Dally, IEEE Trans. Computers 39(6) (1990)",
    examples: &["torus(5)", "torus(3,2)", "torus(4;3)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    Coordinates::read(spec, true)?.build(spec)
}
