//! The residual graph of a flow: arcs in pairs, and what they can still take.

use crate::integer::index32;

/// Arcs in pairs: 2i forward, 2i + 1 its reverse, which can take back what flows.
#[derive(Clone, Debug)]
pub(super) struct Residual {
    head: Vec<u32>,
    capacity: Vec<u64>,
    leaving: Vec<Vec<u32>>,
}

impl Residual {
    pub(super) fn new(nodes: usize) -> Self {
        Self { head: Vec::new(), capacity: Vec::new(), leaving: vec![Vec::new(); nodes] }
    }

    /// Number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.leaving.len()
    }

    /// Adds a pair of arcs and returns its number.
    pub(super) fn add(&mut self, from: usize, to: usize, capacity: u64) -> usize {
        let arc = self.head.len();
        self.leaving[from].push(index32(arc));
        self.leaving[to].push(index32(arc + 1));
        self.head.extend([index32(to), index32(from)]);
        self.capacity.extend([capacity, 0]);
        arc / 2
    }

    /// Flow on a pair of arcs.
    pub(super) fn flow(&self, pair: usize) -> u64 {
        self.capacity[2 * pair + 1]
    }

    /// The arcs out of a node, of either direction, full or not.
    pub(super) fn leaving(&self, node: usize) -> &[u32] {
        &self.leaving[node]
    }

    pub(super) fn tail(&self, arc: u32) -> usize {
        self.head[arc as usize ^ 1] as usize
    }

    pub(super) fn head(&self, arc: u32) -> usize {
        self.head[arc as usize] as usize
    }

    /// Whether an arc can take more.
    pub(super) fn is_open(&self, arc: u32) -> bool {
        self.capacity[arc as usize] > 0
    }

    /// Pushes as much along a path of at least one arc as it can take, and returns the amount.
    pub(super) fn push(&mut self, path: &[u32]) -> u64 {
        let amount = path.iter().map(|arc| self.capacity[*arc as usize]).min();
        let amount = amount.expect("a path from the source to another node has an arc");
        for arc in path {
            self.capacity[*arc as usize] -= amount;
            self.capacity[*arc as usize ^ 1] += amount;
        }
        amount
    }
}
