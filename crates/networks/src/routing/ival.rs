//! IVAL, Valiant's routing improved: the second phase takes the dimensions in reverse order, and loops are left out
//! (Towles, Dally and Boyd, Throughput-centric routing algorithm design, SPAA 2003).
//!
//! Both phases then move along the last dimension at the intermediate node, so that many paths turn back there. Where a
//! path comes to a node that it has visited, all that it did in between is left out, at once, from the source on. So no
//! link has more load than with `valiant` in that order, and paths are shorter.

use super::two_phase::{Rule, TwoPhase};
use crate::registry::Kind;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "ival",
    usage: "ival",
    about: "valiant with the dimensions of the second phase in reverse order and all loops left out",
    reference: "Towles, Dally and Boyd, SPAA 2003",
    examples: &["ival"],
    build: super::Family {
        build: |spec, topology| TwoPhase::build(spec, topology, RULE),
        digits: super::Digits::None("it is for networks with coordinates, which are not trees"),
        defined: false,
    },
};

const RULE: Rule = Rule { reversed: true, is_minimal: false, erases_loops: true };
