//! OMRMN: every shortest path of an SD pair with an equal share (\[OR\] III).
//!
//! On trees this routes any traffic with the least possible max load (\[OR\] Theorem 1 for full
//! bisection; every cut of a slimmed tree is used evenly). It is defined on every network.

use super::digits::{DigitRules, Digits};
use super::even::EvenTree;
use super::shortest::{ShortestPaths, ShortestSplit};
use super::{Routing, RoutingError};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::Topology;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "omrmn",
    usage: "omrmn",
    about: "all shortest paths of a pair with equal shares",
    reference: "[OR] III",
    examples: &["omrmn"],
    build: super::Family {
        build,
        digits: Digits::Rules(|_, shape| Ok(DigitRules::even(shape))),
        defined: true,
    },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    Ok(match EvenTree::labels(topology) {
        Some(tree) => Box::new(EvenTree::new(spec, tree)),
        None => Box::new(ShortestPaths::new(spec, topology, ShortestSplit::PerPath)?),
    })
}
