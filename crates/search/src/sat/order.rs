//! Symmetry breaking: switches, hosts and subtrees that can be exchanged are kept in one order, as
//! described under "Order" in `ENCODING.md`: of all routings that differ only by exchanges, the
//! first satisfies the formula.

use super::Formula;
use super::cover::{CoverProblem, Pair};
use crate::topology::Host;

impl CoverProblem {
    /// The number of ports of a step that can be exchanged with each other: those above the same
    /// switch, or all at `first_step`.
    fn exchangeable(&self, step: usize) -> u32 {
        if step == self.first_step {
            self.tree.shortest_paths(step)
        } else {
            self.tree.parents(step)
        }
    }

    /// Adds the clauses by which ports come into use one after the other.
    pub(super) fn add_port_order(&self, pairs: &[Pair], formula: &mut Formula) {
        let height = self.tree.height();
        let through_root = pairs.iter().filter(|pair| pair.level == height);
        let ordered: Vec<&Pair> = through_root.take(self.ordered).collect();
        for (place, pair) in ordered.iter().enumerate() {
            for step in self.first_step..=height {
                let width = self.exchangeable(step);
                let ports = 0..self.tree.shortest_paths(step);
                for port in ports.filter(|port| port % width != 0) {
                    let used = -self.choice(pair, step, port);
                    let before = &ordered[..place];
                    let before = before.iter().map(|pair| self.choice(pair, step, port - 1));
                    formula.add(std::iter::once(used).chain(before));
                }
            }
        }
    }

    /// Adds the clauses by which the hosts of a leaf, and the subtrees of a larger one, have
    /// ascending ports.
    pub(super) fn add_host_order(&self, pairs: &[Pair], formula: &mut Formula) {
        let height = self.tree.height();
        if self.ordered == 0 || self.tree.children(height) < 2 {
            return;
        }
        for level in 1..=height {
            let (size, child) =
                (self.tree.subtree_hosts(level), self.tree.subtree_hosts(level - 1));
            for start in self.tree.host_numbers().step_by(size as usize) {
                // The whole first subtree below the roots keeps its place.
                let from = if level == height { 2 } else { 1 };
                for second in (from..self.tree.children(level)).map(|j| start + j * child) {
                    let hosts = [second - child, second];
                    let [a, b] = hosts.map(|host| place(pairs, self.compared(host)));
                    self.add_ascending(&pairs[a], &pairs[b], formula);
                }
            }
        }
    }

    /// The first pair of the list that changes when the subtree beginning with `host`, which does
    /// not contain host 0, is exchanged for another.
    fn compared(&self, host: Host) -> (Host, Host) {
        let first_outside = self.tree.subtree_hosts(self.tree.height() - 1);
        if host < first_outside { (host, first_outside) } else { (0, host) }
    }

    /// Requires that the port of pair `a` at the roots is not above that of pair `b`.
    fn add_ascending(&self, a: &Pair, b: &Pair, formula: &mut Formula) {
        let height = self.tree.height();
        for port in 1..self.tree.shortest_paths(height) {
            let high = -self.choice(a, height, port);
            for low in 0..port {
                formula.add([high, -self.choice(b, height, low)]);
            }
        }
    }
}

/// The index of a pair among those of the formula.
fn place(pairs: &[Pair], wanted: (Host, Host)) -> usize {
    pairs.partition_point(|pair| (pair.s, pair.d) < wanted)
}
