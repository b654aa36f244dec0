//! Every shortest path of a tree with an equal share: both `omrmn` and `ecmp`.
//!
//! Every node below the nearest common ancestors of a pair has all its parents as next hops,
//! and there is one way down from each ancestor. So a split that is even per hop gives each of
//! the w1⋯wL paths the share 1/(w1⋯wL), just like a split that is even per path. A link of step l
//! on these paths carries 1/(w1⋯wl), and the up links of a step have consecutive ids, as do the
//! down links: the uses are known without listing paths.

use super::pair_table::write_digits;
use super::{Routing, ShortestSplit, UseScratch, Visit};
use crate::rational::Rational;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, MAX_HEIGHT, Topology, Xgft};

/// The even split of a tree.
pub(super) struct EvenTree {
    spec: String,
    tree: Xgft,
    /// `share[l]` = 1/(w1⋯wl).
    share: Vec<Rational>,
}

impl EvenTree {
    /// The labels of a network whose shortest paths are exactly these. With parallel cables to its
    /// top switches, a tree has more: paths may lead down by a different cable than up.
    pub(super) fn labels(topology: &Topology) -> Option<&Xgft> {
        topology.tree().filter(|tree| tree.cables_to_top() == 1)
    }

    pub(super) fn new(spec: &Spec, tree: &Xgft) -> Self {
        let paths = (0..=tree.height()).map(|level| u64::from(tree.shortest_paths(level)));
        let share =
            paths.map(|paths| Rational::new(1, paths).expect("the denominator is not 0")).collect();
        Self { spec: spec.to_string(), tree: tree.clone(), share }
    }
}

impl Routing for EvenTree {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.tree.shortest_paths(self.tree.height()) == 1
    }

    fn shortest_split(&self, topology: &Topology) -> Option<ShortestSplit> {
        (topology.tree() == Some(&self.tree)).then_some(ShortestSplit::PerHop)
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let level = self.tree.nca_level(s, d);
        let mut up = [0; MAX_HEIGHT];
        let up = &mut up[..level];
        for ancestor in 0..self.tree.shortest_paths(level) {
            write_digits(&self.tree, ancestor, up);
            links.clear();
            self.tree.push_path(s, d, up, links);
            visit(&self.share[level], links);
        }
    }

    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        let links = &mut scratch.links;
        let mut step = |level: usize, end: Host, is_up: bool| {
            let width = self.tree.shortest_paths(level + 1);
            let (up, down) = self.tree.link_id(level, self.tree.subtree(end, level), 0, 0);
            let first = if is_up { up } else { down };
            links.clear();
            links.extend(first..first + width);
            visit(&self.share[level + 1], links);
        };
        let levels = 0..self.tree.nca_level(s, d);
        levels.clone().for_each(|level| step(level, s, true));
        levels.rev().for_each(|level| step(level, d, false));
    }

    fn uses_in_order(&self) -> bool {
        true
    }
}
