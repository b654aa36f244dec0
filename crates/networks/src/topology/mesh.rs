//! Meshes: k-ary n-dimensional arrays, tori without the cables from the last node of a line to the first (Dally and
//! Towles, Principles and Practices of Interconnection Networks, 2004, chapter 5).

use super::coordinates::Coordinates;
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "mesh",
    usage: "mesh(k,n), mesh(k1;k2;..)",
    about: "k^n hosts that forward, in lines of k in n dimensions, or k1 times k2 times ..; links of capacity 1",
    reference: "Dally and Towles, Principles and Practices of Interconnection Networks (2004)",
    examples: &["mesh(3,2)", "mesh(2;3)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    Coordinates::read(spec, false)?.build(spec)
}
