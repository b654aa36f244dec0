//! OSRM3 (\[OR\] Fig 10): W2 = M1(s), W3 = M1(d).
//!
//! The path of (s,d) between two subtrees of height 2 passes through top switch (s2,d2) in the
//! paper's notation, and so comes down to the leaf switch ((d0,d1),2) of the destination; the
//! printed ((d0,s1),2) is a slip. Within a subtree of height 2 the paper goes up by W2 = M1(s) too.
//!
//! An up link of step 2 carries one source and one of step 3 at most m2 (those with the same M1 in
//! a subtree of height 2); a down link of step 3 leads to at most m2 destinations and one of
//! step 2 to at most m1. On FT(m,3) all of these are at most m/2, the least of any single-path
//! routing (\[OR\] Theorem 4).

use super::digits::{DigitRule, DigitRules, Digits, ports};
use super::tree::{TreeRouting, UpDigits, labels};
use super::{Routing, RoutingError};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, Topology, TreeShape, Xgft};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "osrm3",
    usage: "osrm3",
    about: "trees of height 3 with w1 = 1 and w2, w3 >= m1: W2 = M1(s), W3 = M1(d)",
    reference: "[OR] Fig 10",
    examples: &["osrm3"],
    build: super::Family { build, digits: Digits::Rules(rules), defined: true },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let tree = labels(spec, topology)?;
    if let Some(reason) = misfit(&tree.tree_shape()) {
        return Err(RoutingError::does_not_fit(spec, topology, reason));
    }
    let bound = tree.children(1).max(tree.children(2));
    Ok(Box::new(TreeRouting::new(spec, tree, Osrm3 { bound, most: tree.ratio_by_hosts(bound) })))
}

fn rules(spec: &Spec, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    if let Some(reason) = misfit(shape) {
        return Err(RoutingError::unfit(spec, shape.spec(), reason));
    }
    let rules = DigitRules::above_zero(shape, |step| {
        let (digit, ports) = (1, ports(shape.children(1), |digit| digit)?);
        Ok(if step == 2 {
            DigitRule::Source { digit, ports }
        } else {
            DigitRule::Destination { digit, ports }
        })
    })?;
    let bound = shape.children(1).max(shape.children(2));
    Ok(rules.with_notes(notes(bound, &u64::from(bound).into())))
}

/// A link has at most `bound` hosts at one end, and the oblivious ratio is at most `most`.
fn notes(bound: u32, most: &Rational) -> Vec<String> {
    if *most == u64::from(bound).into() {
        return vec![format!("oblivious ratio at most max(m1,m2) = {bound}")];
    }
    vec![format!("at most max(m1,m2) = {bound} hosts per link: oblivious ratio at most {most}")]
}

/// The reason why a tree does not fit, if any.
fn misfit(tree: &TreeShape) -> Option<String> {
    let refuse = |found: String| {
        Some(format!("it needs height 3, w1 = 1, w2 >= m1 and w3 >= m1, but {found}"))
    };
    if tree.height() != 3 {
        return refuse(format!("the height is {}", tree.height()));
    }
    let (hosts, [w1, w2, w3]) = (tree.children(1), [1, 2, 3].map(|i| tree.parents(i)));
    if w1 != 1 || w2 < hosts || w3 < hosts {
        return refuse(format!("m1 = {hosts}, w1 = {w1}, w2 = {w2}, w3 = {w3}"));
    }
    None
}

struct Osrm3 {
    /// Maximum number of sources of an up link, and of destinations of a down link.
    bound: u32,
    /// The oblivious ratio is at most this.
    most: Rational,
}

impl UpDigits for Osrm3 {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let digits = [0, tree.digit(s, 1), tree.digit(d, 1)];
        up.copy_from_slice(&digits[..up.len()]);
    }

    fn notes(&self) -> Vec<String> {
        notes(self.bound, &self.most)
    }
}
