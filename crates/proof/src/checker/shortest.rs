//! Distances over links by Dijkstra's algorithm, for any number type of the lengths.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::topology::{LinkId, NodeId};

use super::network::Network;

/// Distances from one node, with the buffers of the search, which are reused between searches.
pub(super) struct ShortestPaths<T> {
    /// For every node that is reached.
    distance: Vec<Option<T>>,
    reached: Vec<NodeId>,
    queue: BinaryHeap<Reverse<(T, NodeId)>>,
}

impl<T: Clone + Ord + Default> ShortestPaths<T> {
    pub(super) fn new(network: &Network) -> Self {
        let distance = vec![None; network.nodes];
        Self { distance, reached: Vec::new(), queue: BinaryHeap::new() }
    }

    /// Finds the distances from a node, or until `last` is reached. `behind(link, reach)` is the
    /// distance of the end of a link whose beginning is at distance `reach`, and no less; `None`
    /// when the link is closed. Takes time proportional to what is reached, not to all nodes.
    pub(super) fn search(
        &mut self,
        network: &Network,
        from: NodeId,
        last: Option<NodeId>,
        behind: impl Fn(LinkId, &T) -> Option<T>,
    ) {
        self.queue.clear();
        for node in self.reached.drain(..) {
            self.distance[node as usize] = None;
        }
        self.queue.push(Reverse((T::default(), from)));
        while let Some(Reverse((reach, node))) = self.queue.pop() {
            if self.distance[node as usize].is_some() {
                continue;
            }
            self.distance[node as usize] = Some(reach.clone());
            self.reached.push(node);
            if last == Some(node) {
                return;
            }
            for link in &network.leaving[node as usize] {
                let head = network.links[*link as usize].to;
                if self.distance[head as usize].is_none()
                    && let Some(reach) = behind(*link, &reach)
                {
                    self.queue.push(Reverse((reach, head)));
                }
            }
        }
    }

    /// The distance to a node; `None` where no open links lead.
    pub(super) fn to(&self, node: NodeId) -> Option<&T> {
        self.distance[node as usize].as_ref()
    }
}
