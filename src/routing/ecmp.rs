//! ECMP: at every node the traffic is divided evenly over the next hops of shortest paths, as done
//! by switches that know only their neighbours (RFC 2992).
//!
//! The shares of a path multiply hop by hop. On trees of the XGFT family all shortest paths
//! get the same share, so this equals `omrmn` there; on irregular networks it does not.

use super::digits::{DigitRules, Digits};
use super::even::EvenTree;
use super::shortest::{ShortestPaths, Split};
use super::{Routing, RoutingError};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Topology, TreeShape};

const USAGE: &str = "ecmp";

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "ecmp",
    usage: USAGE,
    options: &[],
    about: "split evenly over the next hops of shortest paths, hop by hop",
    reference: "RFC 2992",
    examples: &["ecmp"],
    build: super::Family { build, digits: Digits::Rules(rules) },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    spec.arguments(0, &[], USAGE)?;
    Ok(match EvenTree::labels(topology) {
        Some(tree) => Box::new(EvenTree::new(spec, tree)),
        None => Box::new(ShortestPaths::new(spec, topology, Split::PerHop)?),
    })
}

fn rules(spec: &Spec, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    spec.arguments(0, &[], USAGE)?;
    Ok(DigitRules::even(shape))
}
