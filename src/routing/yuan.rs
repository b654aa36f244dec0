//! The nonblocking routing of \[NB\] Theorem 3.
//!
//! With at least n² top switches over n hosts per leaf, every pair of a source index and a
//! destination index has its own: OSRM2 with groups of one host. An up link carries one source,
//! a down link one destination, so no permutation causes contention and the oblivious ratio
//! is 1.

use super::digits::{DigitRules, Digits};
use super::osrm2::{Groups, by_both, group_rule, two_level};
use super::tree::TreeRouting;
use super::{Routing, RoutingError};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Topology, TreeShape};

const USAGE: &str = "yuan";

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "yuan",
    usage: USAGE,
    options: &[],
    about: "two-level trees with w2 >= m1^2: W2 = M1(s)*m1 + M1(d), nonblocking",
    reference: "[NB] Theorem 3",
    examples: &["yuan"],
    build: super::Family { build, digits: Digits::Rules(rules) },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    spec.arguments(0, &[], USAGE)?;
    let tree = two_level(spec, topology)?;
    if let Some(reason) = too_few(&tree.tree_shape()) {
        return Err(RoutingError::does_not_fit(spec, topology, reason));
    }
    Ok(Box::new(TreeRouting::new(spec, tree, Groups::new(tree, 1, 1))))
}

fn rules(spec: &Spec, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    by_both((spec, USAGE), shape, || match too_few(shape) {
        None => Ok(group_rule(shape.children(1), (1, 1))),
        Some(reason) => Err(RoutingError::unfit(spec, shape.spec(), reason)),
    })
}

/// How many top switches a two-level tree lacks.
fn too_few(tree: &TreeShape) -> Option<String> {
    let (n, w) = (u64::from(tree.children(1)), u64::from(tree.parents(2)));
    (w < n * n).then(|| format!("it needs m1^2 = {} top switches, this tree has {w}", n * n))
}
