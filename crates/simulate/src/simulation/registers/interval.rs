//! Cyclic intervals, and adaptive routing with them (\[GO\] 3.1, Figure 2).

use super::{KaryTree, PortRegisters, Registers, RegistersError, Row, Scheme, Switch, all_bits};
use crate::topology::Topology;

/// The addresses from FI to LI, both included; with FI above LI those from FI on and those up to LI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// FI.
    pub first: u32,
    /// LI.
    pub last: u32,
}

impl Interval {
    /// Whether an address is in it.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::registers::Interval;
    /// let cyclic = Interval { first: 6, last: 1 };
    /// assert_eq!([5, 6, 7, 0, 1, 2].map(|d| cyclic.contains(d)), [false, true, true, true, true, false]);
    /// ```
    #[must_use]
    pub fn contains(self, address: u32) -> bool {
        let (from, to) = (self.first <= address, address <= self.last);
        if self.is_cyclic() { from || to } else { from && to }
    }

    /// Whether it continues from 0.
    #[must_use]
    pub fn is_cyclic(self) -> bool {
        self.first > self.last
    }
}

/// IR: every ascending link of a switch is eligible for all destinations that are not below it.
/// O(ports).
///
/// # Errors
/// [`RegistersError`] where the network is not a k-ary n-tree or too large.
pub fn adaptive(topology: &Topology) -> Result<Registers, RegistersError> {
    let tree = KaryTree::of(topology)?;
    let mask = all_bits(tree.power(tree.stages()));
    Registers::of(tree, Scheme::Interval, |switch| {
        let port = |(label, link)| {
            let interval = if label < tree.arity() {
                descending(tree, switch, label)
            } else {
                ascending(tree, switch)
            };
            PortRegisters { label, link, rows: vec![Row { interval, mask }], restrictions: 0 }
        };
        Ok(ports(tree, switch).map(port).collect())
    })
}

/// The links that leave a switch, with their labels.
pub(super) fn ports(
    tree: KaryTree<'_>,
    switch: Switch,
) -> impl Iterator<Item = (u32, crate::topology::LinkId)> {
    tree.link_labels(switch).filter_map(move |label| Some((label, tree.link(switch, label)?)))
}

/// The nodes with p_i = o_{i−1} for i > s and p_s the label: from <o_{n−2},…,o_s,L,0,…,0> to
/// <o_{n−2},…,o_s,L,k−1,…,k−1>.
pub(super) fn descending(tree: KaryTree<'_>, switch: Switch, label: u32) -> Interval {
    let below = tree.power(switch.stage);
    let first = switch.place / below * below * tree.arity() + label * below;
    Interval { first, last: first + (below - 1) }
}

/// FI = (LI of link k−1 + 1) mod k^n, LI = (FI of link 0 − 1 + k^n) mod k^n.
fn ascending(tree: KaryTree<'_>, switch: Switch) -> Interval {
    let nodes = tree.power(tree.stages());
    let last_down = descending(tree, switch, tree.arity() - 1).last;
    let first_down = descending(tree, switch, 0).first;
    Interval { first: (last_down + 1) % nodes, last: (first_down + (nodes - 1)) % nodes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    /// Some ascending interval of Figure 1's tree wraps around, as the text says, and some do not.
    #[test]
    fn some_intervals_are_cyclic() {
        let registers = adaptive(&generate("kary(2,4)").unwrap()).unwrap();
        let of =
            |switch: usize, port: usize| registers.switches[switch].ports[port].rows[0].interval;
        assert_eq!(of(0, 2), Interval { first: 2, last: 15 });
        assert_eq!(of(1, 2), Interval { first: 4, last: 1 });
        assert_eq!(of(1, 3), of(1, 2), "the same for all ascending links");
        assert_eq!(of(7, 2), Interval { first: 0, last: 13 });
        // <2,001> is above nodes 0 to 7.
        assert_eq!(of(17, 1), Interval { first: 4, last: 7 });
        assert_eq!(of(17, 2), Interval { first: 8, last: 15 });
        // The last stage has no ascending links.
        assert_eq!(registers.switches[24].ports.len(), 2);
        assert_eq!(of(31, 1), Interval { first: 8, last: 15 });
    }
}
