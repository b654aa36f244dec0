//! Where the traffic of a source enters and leaves the blocks of a network.

use super::blocks::{BlockId, Blocks};
use super::problem::Group;
use super::shortest::{Adjacency, Tree};
use crate::topology::NodeId;

/// Traffic of one source that passes a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// The block.
    pub block: BlockId,
    /// Where it enters it, or begins.
    pub enters: NodeId,
    /// Where it leaves it, or ends.
    pub leaves: NodeId,
    /// Amount of the traffic, in units.
    pub units: u128,
}

/// Finds the blocks that the traffic of a source passes; its arrays are reused.
pub struct Walk {
    tree: Tree,
    ones: Vec<u64>,
    /// Where the traffic enters the last block on its way to a node.
    entry: Vec<NodeId>,
    units: Vec<u128>,
}

impl Walk {
    /// A walk over a network.
    #[must_use]
    pub fn new(network: &Adjacency) -> Self {
        Self {
            tree: Tree::default(),
            ones: vec![1; network.links()],
            entry: vec![0; network.nodes()],
            units: vec![0; network.nodes()],
        }
    }

    /// Crossings of the traffic of `group` in every block. O(links · log nodes).
    pub fn crossings(
        &mut self,
        network: &Adjacency,
        blocks: &Blocks,
        group: &Group,
        mut on: impl FnMut(Crossing),
    ) {
        self.tree.search(network, group.source, &self.ones);
        for node in self.tree.order() {
            let Some(link) = self.tree.parent(*node) else { continue };
            let tail = network.ends(link).0;
            let before = self.tree.parent(tail).map(|link| blocks.of(link));
            let within = before == Some(blocks.of(link));
            self.entry[*node as usize] = if within { self.entry[tail as usize] } else { tail };
        }
        for (d, units) in &group.sinks {
            self.units[*d as usize] = *units;
        }
        for node in self.tree.order().iter().rev() {
            let units = std::mem::take(&mut self.units[*node as usize]);
            if let Some(link) = self.tree.parent(*node).filter(|_| units > 0) {
                let enters = self.entry[*node as usize];
                on(Crossing { block: blocks.of(link), enters, leaves: *node, units });
                self.units[enters as usize] += units;
            }
        }
    }
}
