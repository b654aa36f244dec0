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

use super::tree::{TreeRouting, UpDigits, labels};
use super::{Routing, RoutingError};
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, Topology, Xgft};

const USAGE: &str = "osrm3";

pub(super) const KIND: Kind<super::Build> = Kind {
    name: "osrm3",
    usage: USAGE,
    options: &[],
    about: "trees of height 3 with w1 = 1 and w2, w3 >= m1: W2 = M1(s), W3 = M1(d)",
    reference: "[OR] Fig 10",
    examples: &["osrm3"],
    build,
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    spec.arguments(0, &[], USAGE)?;
    let tree = labels(spec, topology)?;
    let refuse = |found: String| {
        let reason = format!("it needs height 3, w1 = 1, w2 >= m1 and w3 >= m1, but {found}");
        Err(RoutingError::does_not_fit(spec, topology, reason))
    };
    if tree.height() != 3 {
        return refuse(format!("the height is {}", tree.height()));
    }
    let (hosts, [w1, w2, w3]) = (tree.children(1), [1, 2, 3].map(|i| tree.parents(i)));
    if w1 != 1 || w2 < hosts || w3 < hosts {
        return refuse(format!("m1 = {hosts}, w1 = {w1}, w2 = {w2}, w3 = {w3}"));
    }
    let bound = hosts.max(tree.children(2));
    Ok(Box::new(TreeRouting::new(spec, tree, Osrm3 { bound, most: tree.ratio_by_hosts(bound) })))
}

struct Osrm3 {
    /// Most sources of an up link and most destinations of a down link.
    bound: u32,
    /// The oblivious ratio is at most this.
    most: Ratio,
}

impl UpDigits for Osrm3 {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let digits = [0, tree.digit(s, 1), tree.digit(d, 1)];
        up.copy_from_slice(&digits[..up.len()]);
    }

    fn notes(&self) -> Vec<String> {
        let Self { bound, most, .. } = self;
        if *most == u64::from(*bound).into() {
            return vec![format!("oblivious ratio at most max(m1,m2) = {bound}")];
        }
        vec![format!("at most max(m1,m2) = {bound} hosts per link: oblivious ratio at most {most}")]
    }
}
