//! ROMM in two phases: every pair sends through every node of its minimal quadrant with the same share, to it and from it
//! in dimension order (Nesson and Johnsson, ROMM routing on mesh and torus networks, SPAA 1995; as ROMM in Towles and
//! Dally 2002).
//!
//! The minimal quadrant is the smallest box with the pair at two of its corners, which are among the intermediate nodes.
//! Halfway round a ring there is one on either side, and half of the traffic takes each. All paths are shortest ones.

use super::two_phase::{Rule, TwoPhase};
use crate::registry::Kind;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "romm",
    usage: "romm",
    about: "two phases on tori, meshes and hypercubes: through every node of the smallest box with the pair at two of its \
            corners with the same share, to it and from it in dimension order",
    reference: "Nesson and Johnsson, SPAA 1995",
    examples: &["romm"],
    build: super::Family {
        build: |spec, topology| TwoPhase::build(spec, topology, RULE),
        digits: super::Digits::None("it is for networks with coordinates, which are not trees"),
        defined: false,
    },
};

const RULE: Rule = Rule { reversed: false, is_minimal: true, erases_loops: false };
