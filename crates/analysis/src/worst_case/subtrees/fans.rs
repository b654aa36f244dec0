//! Paths through the top of a tree, by the numbers of the ancestors there.
//!
//! All paths from one subtree below the top to another have links of the same steps, and the links of a step out of one
//! smaller subtree have numbers one after another: which of them a pair takes follows from the number of its ancestor.
//! So no path is written down, and where all links of such a *fan* are settled, none of its pairs is looked at.

use super::{NOT_WANTED, State, Tile};
use crate::topology::{Host, LinkId};

/// The links of one step out of or into one subtree, which have numbers one after another.
struct Fan {
    first: usize,
    /// Whether one is wanted that was not settled before the tile.
    is_open: bool,
}

/// The links of one step of paths through the top of the tree, between two subtrees below it.
pub(super) struct Step {
    /// Number of hosts of a subtree below the step.
    hosts: usize,
    /// Number of ancestors at the top that a link leads to.
    ancestors: u32,
    /// By subtree.
    up: Vec<Fan>,
    down: Vec<Fan>,
}

impl Tile<'_, '_> {
    /// The steps of paths through the top of the tree.
    pub(super) fn steps(&self) -> Vec<Step> {
        let tree = self.subtrees.tree;
        let of_level = |level: usize| {
            let links = tree.shortest_paths(level + 1);
            let ancestors = tree.shortest_paths(tree.height()) / links;
            let hosts = tree.subtree_hosts(level) as usize;
            let fans = |number: u32, state: &State<'_>, way: fn((LinkId, LinkId)) -> LinkId| {
                let parts = self.subtrees.sides[number as usize].hosts.chunks(hosts);
                let first =
                    |part: &[Host]| way(tree.link_id(level, tree.subtree(part[0], level), 0, 0));
                parts.map(|part| self.fan(first(part), links, state)).collect()
            };
            let up = fans(self.up, self.rising, |(up, _)| up);
            let down = fans(self.down, self.falling, |(_, down)| down);
            Step { hosts, ancestors, up, down }
        };
        (0..tree.height()).map(of_level).collect()
    }

    /// Links one after another, of one step out of or into one subtree.
    fn fan(&self, first: LinkId, links: u32, state: &State<'_>) -> Fan {
        let first = first as usize;
        let mut places = self.subtrees.place[first..first + links as usize].iter();
        let is_open = |(_, slot): &(u32, u32)| *slot != NOT_WANTED && state.is_open(*slot as usize);
        Fan { first, is_open: places.any(is_open) }
    }

    /// Takes the paths of a source into account by the numbers of the ancestors through which they lead.
    pub(super) fn take_ancestors(&mut self, source: usize, ancestors: &[u32], steps: &[Step]) {
        let Self { subtrees, rising, falling, .. } = self;
        let slot = |fan: &Fan, step: &Step, ancestor: u32| {
            let port = if step.ancestors == 1 { ancestor } else { ancestor / step.ancestors };
            Some(subtrees.place[fan.first + port as usize].1).filter(|slot| *slot != NOT_WANTED)
        };
        for step in steps {
            let fan = &step.up[source / step.hosts];
            for (destination, ancestor) in ancestors.iter().enumerate().filter(|_| fan.is_open) {
                if let Some(slot) = slot(fan, step, *ancestor) {
                    rising.take(slot as usize, source, destination);
                }
            }
            let parts = (0..).step_by(step.hosts).zip(ancestors.chunks(step.hosts)).zip(&step.down);
            for ((first, ancestors), fan) in parts.filter(|(_, fan)| fan.is_open) {
                for (destination, ancestor) in (first..).zip(ancestors) {
                    if let Some(slot) = slot(fan, step, *ancestor) {
                        falling.take(slot as usize, destination, source);
                    }
                }
            }
        }
    }
}
