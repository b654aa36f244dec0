//! ECMP: at every node the traffic is divided evenly over the next hops of shortest paths, as done
//! by switches that know only their neighbours (RFC 2992).
//!
//! The shares of a path multiply hop by hop. On trees of the XGFT family all shortest paths
//! get the same share, so this equals `omrmn` there; on irregular networks it does not.
//!
//! Where links have weights, paths are shortest by these, as with OSPF and IS-IS; the option `weights`
//! chooses ([`super::lengths`]). Certificates hold the paths then, since nothing of them follows from
//! the name.

use super::digits::{DigitRules, Digits};
use super::even::EvenTree;
use super::lengths::{Lengths, OPTION};
use super::shortest::{ShortestPaths, ShortestSplit};
use super::weighted::WeightedPaths;
use super::{Routing, RoutingError};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Topology, TreeShape};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "ecmp",
    usage: "ecmp, ecmp(weights=file|hops|inverse-capacity)",
    about: "split evenly over the next hops of shortest paths, hop by hop; shortest by the link weights \
            of the file where it has some, otherwise by hops",
    reference: "RFC 2992",
    examples: &["ecmp"],
    build: super::Family { build, digits: Digits::Rules(rules), defined: true },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let Lengths { spec, by_link } = Lengths::read(spec, topology)?;
    Ok(match (by_link, EvenTree::labels(topology)) {
        (Some(lengths), _) => Box::new(WeightedPaths::new(&spec, topology, &lengths)?),
        (None, Some(tree)) => Box::new(EvenTree::new(&spec, tree)),
        (None, None) => Box::new(ShortestPaths::new(&spec, topology, ShortestSplit::PerHop)?),
    })
}

fn rules(spec: &Spec, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    if spec.option(OPTION).is_some() {
        let reason = "they are those of `ecmp`, which counts hops where links have no weights";
        return Err(RoutingError::NoDigitRules { routing: spec.to_string(), reason });
    }
    Ok(DigitRules::even(shape))
}
