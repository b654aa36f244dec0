//! OSRM2 (\[OR\] Fig 9) on every two-level tree.
//!
//! The n hosts of every leaf switch form groups of a as sources and groups of b as
//! destinations; each pair of groups has its own top switch. An up link then carries at most a
//! sources, a down link at most b destinations, so the oblivious ratio is at most max(a,b)
//! (\[OR\] Lemma 9).
//!
//! In most trees where √n is not an integer, the paper's groups need more than w top switches.
//! Here a and b minimise max(a,b) subject to ⌈n/a⌉·⌈n/b⌉ ≤ w. Both may be X = max(a,b), so X
//! is the least number with ⌈n/X⌉² ≤ w, which is ⌈n/⌊√w⌋⌉. Among the pairs that reach X, b = X
//! and a is least: there are at least as many groups of sources as of destinations, as in the
//! paper, and top switches that a larger a would leave idle are used. With w = n a square this is
//! the paper's scheme.

use super::digits::{DigitRule, DigitRules, Digits, both, within_pairs};
use super::tree::{TreeRouting, UpDigits, labels};
use super::{Routing, RoutingError};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, Topology, TreeShape, Xgft};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "osrm2",
    usage: "osrm2",
    about: "two-level trees: a top switch per pair of a source group and a destination group",
    reference: "[OR] Fig 9",
    examples: &["osrm2"],
    build: super::Family { build, digits: Digits::Rules(rules), defined: true },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let tree = two_level(spec, topology)?;
    let (a, b) = group_sizes(tree.children(1), tree.parents(2));
    Ok(Box::new(TreeRouting::new(spec, tree, Groups::new(tree, a, b))))
}

/// The labels of a tree of height 2 with w1 = 1.
///
/// # Errors
/// [`RoutingError::DoesNotFit`] for any other topology.
pub(super) fn two_level<'t>(spec: &Spec, topology: &'t Topology) -> Result<&'t Xgft, RoutingError> {
    let tree = labels(spec, topology)?;
    match misfit(&tree.tree_shape()) {
        None => Ok(tree),
        Some(reason) => Err(RoutingError::does_not_fit(spec, topology, reason)),
    }
}

/// The reason why a tree is not of height 2 with w1 = 1, if any.
fn misfit(tree: &TreeShape) -> Option<String> {
    let fits = tree.height() == 2 && tree.parents(1) == 1;
    let found = || format!("this one has height {} and w1 = {}", tree.height(), tree.parents(1));
    (!fits).then(|| format!("it needs a tree of height 2 with w1 = 1, {}", found()))
}

/// The rules of a routing of two-level trees by the first digits of both hosts; `rule` gives that
/// of step 2, with the notes of the routing, once the size of its table is known to be within the
/// limit.
pub(super) fn by_both(
    spec: &Spec,
    shape: &TreeShape,
    rule: impl FnOnce() -> Result<(DigitRule, Vec<String>), RoutingError>,
) -> Result<DigitRules, RoutingError> {
    if let Some(reason) = misfit(shape) {
        return Err(RoutingError::unfit(spec, shape.spec(), reason));
    }
    within_pairs(shape.children(1))?;
    let (rule, notes) = rule()?;
    Ok(DigitRules::new(vec![DigitRule::Zero, rule]).with_notes(notes))
}

fn rules(spec: &Spec, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    by_both(spec, shape, || {
        let n = shape.children(1);
        let (a, b) = group_sizes(n, shape.parents(2));
        Ok(group_rule(n, a, b))
    })
}

/// W2 = ⌊M1(s)/a⌋·⌈n/b⌉ + ⌊M1(d)/b⌋, with notes for links of capacity 1.
pub(super) fn group_rule(n: u32, a: u32, b: u32) -> (DigitRule, Vec<String>) {
    let columns = n.div_ceil(b);
    let rule = both(n, |s, d| s / a * columns + d / b);
    (rule, notes(a, b, &u64::from(a.max(b)).into()))
}

/// The oblivious ratio is at most `most`.
pub(super) fn notes(a: u32, b: u32, most: &Rational) -> Vec<String> {
    vec![format!(
        "groups of at most {a} sources and {b} destinations: oblivious ratio at most {most}"
    )]
}

/// Group sizes (a,b) for n hosts per leaf and w top switches.
fn group_sizes(n: u32, w: u32) -> (u32, u32) {
    let b = n.div_ceil(w.isqrt());
    (n.div_ceil(w / n.div_ceil(b)), b)
}

/// W2 = ⌊M1(s)/a⌋·⌈n/b⌉ + ⌊M1(d)/b⌋.
struct Groups {
    a: u32,
    b: u32,
    /// ⌊M1/a⌋·⌈n/b⌉ of every host.
    row: Vec<u32>,
    /// ⌊M1/b⌋ of every host.
    column: Vec<u32>,
    /// The oblivious ratio is at most this.
    most: Rational,
}

impl Groups {
    /// Groups of `a` sources and `b` destinations on a two-level tree.
    fn new(tree: &Xgft, a: u32, b: u32) -> Self {
        let columns = tree.children(1).div_ceil(b);
        let digits = || tree.host_numbers().map(|host| tree.digit(host, 1));
        let row = digits().map(|digit| digit / a * columns).collect();
        let column = digits().map(|digit| digit / b).collect();
        Self { a, b, row, column, most: tree.ratio_by_hosts(a.max(b)) }
    }
}

impl UpDigits for Groups {
    fn up_digits(&self, _tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        up.fill(0);
        if let Some(root) = up.get_mut(1) {
            *root = self.row[s as usize] + self.column[d as usize];
        }
    }

    fn notes(&self) -> Vec<String> {
        notes(self.a, self.b, &self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_sizes_are_least() {
        for (n, w) in (1..=20_u32).flat_map(|n| (1..=40_u32).map(move |w| (n, w))) {
            let fits = |a: u32, b: u32| n.div_ceil(a) * n.div_ceil(b) <= w;
            let sizes = (1..=n).flat_map(|a| (1..=n).map(move |b| (a, b)));
            let least = sizes.filter(|(a, b)| fits(*a, *b)).map(|(a, b)| a.max(b)).min();
            let (a, b) = group_sizes(n, w);
            assert!(fits(a, b) && a <= b, "n = {n}, w = {w}: {a}, {b}");
            assert_eq!(Some(a.max(b)), least, "n = {n}, w = {w}");
        }
    }

    #[test]
    fn groups_of_the_paper() {
        for (n, sizes) in [(4, (2, 2)), (9, (3, 3)), (16, (4, 4)), (6, (2, 3)), (12, (3, 4))] {
            assert_eq!(group_sizes(n, n), sizes);
        }
    }
}
