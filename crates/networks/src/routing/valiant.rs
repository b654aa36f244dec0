//! Valiant's routing in two phases: every pair sends through every node of the network with the same share, to it and
//! from it in dimension order (Valiant and Brebner, Universal schemes for parallel communication, STOC 1981; as VAL in
//! Towles and Dally 2002).
//!
//! The two hosts of the pair are among the intermediate nodes: then one of the phases is empty. A path may pass a node
//! twice, and loads every link that it passes. Each phase spreads a permutation as uniform traffic, pairs of a host and
//! itself included, so that no link has more than twice the load of uniform traffic: half of the capacity of the
//! network, whatever the permutation.

use super::two_phase::{Rule, TwoPhase};
use crate::registry::Kind;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "valiant",
    usage: "valiant",
    about: "two phases on tori, meshes and hypercubes: through every node with the same share, to it and from it in \
            dimension order; paths may pass a node twice",
    reference: "Valiant and Brebner, STOC 1981",
    examples: &["valiant"],
    build: super::Family {
        build: |spec, topology| TwoPhase::build(spec, topology, RULE),
        digits: super::Digits::None("it is for networks with coordinates, which are not trees"),
        defined: false,
    },
};

const RULE: Rule = Rule { reversed: false, is_minimal: false, erases_loops: false };
