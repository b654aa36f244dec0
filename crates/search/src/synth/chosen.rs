//! Routings that a search has found, as instances. They are called `table:STEM.csv`, after the file
//! that they are written to.

use crate::prelude::*;
use crate::routing::tree::{TreeRouting, UpDigits};
use crate::routing::{Routing, RoutingError};

use super::rectangles::Rectangle;
use super::{Options, SynthError};

/// A path for every pair, by its up-digits, at index s·N + d; surplus digits are ignored.
struct Listed {
    hosts: usize,
    digits: Vec<Vec<u32>>,
}

impl UpDigits for Listed {
    fn up_digits(&self, _tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let digits = &self.digits[s as usize * self.hosts + d as usize];
        up.copy_from_slice(&digits[..up.len()]);
    }
}

/// The routing by the up-digits of every pair.
pub(super) fn listed(
    topology: &Topology,
    tree: &Xgft,
    digits: Vec<Vec<u32>>,
    options: &Options,
) -> Result<Instance, SynthError> {
    instance(topology, tree, Listed { hosts: tree.hosts(), digits }, options)
}

/// The routing by a rule.
pub(super) fn instance(
    topology: &Topology,
    tree: &Xgft,
    rule: impl UpDigits + 'static,
    options: &Options,
) -> Result<Instance, SynthError> {
    let spec = Spec::parse(&format!("table:{}.csv", options.stem)).map_err(RoutingError::from)?;
    let routing: Box<dyn Routing> = Box::new(TreeRouting::new(&spec, tree, rule));
    Ok(Instance::trusted(topology.clone(), routing))
}

/// The routing of a two-level tree in which top switch t takes the pairs with source index in A_t
/// and destination index in B_t.
pub(super) struct ByRectangles(pub(super) Vec<Rectangle>);

impl UpDigits for ByRectangles {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let (row, column) = (tree.digit(s, 1), tree.digit(d, 1));
        let has = |(a, b): &Rectangle| a >> row & 1 == 1 && b >> column & 1 == 1;
        up.fill(0);
        if let [_, top] = up {
            *top = index32(self.0.iter().position(has).expect("the rectangles cover the grid"));
        }
    }
}

/// The routing of a two-level tree with w1 = 1 in which groups of `group` sources of a switch have
/// ports of their own to each of the r − 1 other switches, by how much farther that is: the port of the
/// k-th group to the switch that is i places on, cyclically, is (i − 1)·⌈n/group⌉ + k.
///
/// A link up carries pairs of the sources of one group. So does a link down, since its number tells
/// from which switch they come. So ftree(n,m,r) has a routing of permutation load X for every m ≥
/// (r−1)·⌈n/X⌉: with few switches that is less than \[NB\] Theorem 3 takes.
pub(super) struct ByOffset {
    pub(super) group: u32,
}

impl ByOffset {
    /// How many ports that takes; `None` on other trees.
    pub(super) fn ports(&self, tree: &Xgft) -> Option<u64> {
        let is_fit = tree.height() == 2 && tree.parents(1) == 1;
        let groups = u64::from(tree.children(1).div_ceil(self.group));
        is_fit.then(|| u64::from(tree.children(2) - 1) * groups)
    }
}

impl UpDigits for ByOffset {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let switches = tree.children(2);
        let groups = tree.children(1).div_ceil(self.group);
        up.fill(0);
        if let [_, top] = up {
            let offset = (tree.digit(d, 2) + switches - tree.digit(s, 2)) % switches;
            *top = (offset - 1) * groups + tree.digit(s, 1) / self.group;
        }
    }
}

/// The routing through the first ports: used where any will do.
#[cfg(any(feature = "sat", feature = "highs"))]
pub(super) struct FirstPorts;

#[cfg(any(feature = "sat", feature = "highs"))]
impl UpDigits for FirstPorts {
    fn up_digits(&self, _tree: &Xgft, _s: Host, _d: Host, up: &mut [u32]) {
        up.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::assess;

    #[test]
    fn offsets_reach_what_they_promise() {
        for (spec, group, ports) in [
            ("ftree(4,12,4)", 1, Some(12)),
            ("ftree(4,6,4)", 2, Some(6)),
            ("ftree(5,4,3)", 3, Some(4)),
            ("ftree(3,3,2)", 1, Some(3)),
            ("xgft(2;3,2;2,3)", 1, None),
            ("ft(4,3)", 1, None),
        ] {
            let topology = generate(spec).unwrap();
            let (tree, rule) = (topology.tree().unwrap(), ByOffset { group });
            assert_eq!(rule.ports(tree), ports, "{spec}");
            if ports.is_some() {
                let found = instance(&topology, tree, rule, &Options::default()).unwrap();
                let found = assess(&found).unwrap();
                let expected = format!("{group} (proven)");
                assert_eq!(found.permutation_load.to_string(), expected, "{spec}");
            }
        }
    }
}
