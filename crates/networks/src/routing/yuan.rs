//! The nonblocking routing of \[NB\] Theorem 3, and of the recursive networks of \[NB\] IV.A.
//!
//! With at least n² top switches over n hosts per leaf, every pair of a source index and a
//! destination index has its own: OSRM2 with groups of one host. In `nbclos` and other trees of
//! more levels, each top switch is a network in turn, whose hosts are the switches below it: the
//! indices of a pair there are its next digits, and W_{l+1} = M_l(s)·m_l + M_l(d).
//!
//! The up-digits W1..W_{l+1} of a link of step l+1 then determine M1..M_l of both hosts. The rest of
//! the source follows from the node that a link up leaves, the rest of the destination from the
//! node that a link down enters. So an up link carries one source, a down link one destination:
//! no permutation causes contention, and the oblivious ratio is 1.

use super::digits::{DigitRules, Digits};
use super::osrm2::{by_both, group_rule, notes};
use super::tree::{TreeRouting, UpDigits, labels};
use super::{Routing, RoutingError};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, Topology, TreeShape, Xgft};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "yuan",
    usage: "yuan",
    about: "trees with w1 = 1 and w_{l+1} >= m_l^2: W_{l+1} = M_l(s)*m_l + M_l(d), nonblocking",
    reference: "[NB] Theorem 3, IV.A",
    examples: &["yuan"],
    build: super::Family { build, digits: Digits::Rules(rules), defined: true },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let tree = labels(spec, topology)?;
    let shape = tree.tree_shape();
    if let Some(reason) = wrong_levels(&shape).or_else(|| too_few(&shape)) {
        return Err(RoutingError::does_not_fit(spec, topology, reason));
    }
    Ok(Box::new(TreeRouting::new(spec, tree, OwnPorts { most: tree.ratio_by_hosts(1) })))
}

fn rules(spec: &Spec, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    let unfit = |reason| RoutingError::unfit(spec, shape.spec(), reason);
    if let Some(reason) = wrong_levels(shape) {
        return Err(unfit(reason));
    }
    if shape.height() > 2 {
        let reason = "above two levels, two digits of both hosts decide a port at several steps";
        let none = || RoutingError::NoDigitRules { routing: spec.to_string(), reason };
        return Err(too_few(shape).map_or_else(none, unfit));
    }
    by_both(spec, shape, || match too_few(shape) {
        None => Ok(group_rule(shape.children(1), 1, 1)),
        Some(reason) => Err(unfit(reason)),
    })
}

/// Why a tree has no leaf switches of its own under others.
fn wrong_levels(tree: &TreeShape) -> Option<String> {
    let fits = tree.height() > 1 && tree.parents(1) == 1;
    let found = || format!("this one has height {} and w1 = {}", tree.height(), tree.parents(1));
    (!fits).then(|| format!("it needs a tree of height 2 or more with w1 = 1, {}", found()))
}

/// At which step a tree has too few ports up.
fn too_few(tree: &TreeShape) -> Option<String> {
    (1..tree.height()).find_map(|l| {
        let (n, w) = (u64::from(tree.children(l)), u64::from(tree.parents(l + 1)));
        let step = l + 1;
        (w < n * n)
            .then(|| format!("it needs w{step} >= m{l}^2 = {}, this tree has w{step} = {w}", n * n))
    })
}

/// W_{l+1} = M_l(s)·m_l + M_l(d).
struct OwnPorts {
    /// The oblivious ratio is at most this.
    most: Rational,
}

impl UpDigits for OwnPorts {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        up.fill(0);
        for (port, level) in up.iter_mut().skip(1).zip(1..) {
            *port = tree.digit(s, level) * tree.children(level) + tree.digit(d, level);
        }
    }

    fn notes(&self) -> Vec<String> {
        notes(1, 1, &self.most)
    }
}
