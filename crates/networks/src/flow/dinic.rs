//! Dinic's algorithm with 64-bit capacities (Soviet Math. Dokl. 11, 1970).

use super::residual::Residual;
use crate::integer::index32;
use crate::progress::{Progress, Stopped};

/// A flow network under construction, and its flow.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{flow::FlowNetwork, progress::Progress};
/// let mut network = FlowNetwork::new(4);
/// let arc = network.add_arc(0, 1, 3);
/// network.add_arc(1, 3, 2);
/// network.add_arc(0, 2, 1);
/// network.add_arc(2, 3, 5);
/// assert_eq!(network.maximise(0, 3, &Progress::silent()), Ok(3));
/// assert_eq!(network.flow(arc), 2);
/// assert_eq!(network.source_side(0), [true, true, false, false]);
/// ```
#[derive(Clone, Debug)]
pub struct FlowNetwork {
    residual: Residual,
    level: Vec<u32>,
    cursor: Vec<usize>,
}

const UNSEEN: u32 = u32::MAX;

impl FlowNetwork {
    /// A network of `nodes` nodes without arcs.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self { residual: Residual::new(nodes), level: vec![UNSEEN; nodes], cursor: vec![0; nodes] }
    }

    /// Adds an arc and returns its number. The capacities out of the source must sum to less
    /// than 2^64.
    pub fn add_arc(&mut self, from: usize, to: usize, capacity: u64) -> usize {
        self.residual.add(from, to, capacity)
    }

    /// Flow on an arc.
    #[must_use]
    pub fn flow(&self, arc: usize) -> u64 {
        self.residual.flow(arc)
    }

    /// Finds a maximum flow and returns its value. O(V²·E). `progress` is checked at every path.
    ///
    /// # Errors
    /// [`Stopped`] when it was cancelled.
    ///
    /// # Panics
    /// When the source is the sink: there is no maximum flow.
    pub fn maximise(
        &mut self,
        source: usize,
        sink: usize,
        progress: &Progress,
    ) -> Result<u64, Stopped> {
        assert_ne!(source, sink, "the source and the sink of a flow differ");
        let mut total = 0;
        while self.layer(source, sink) {
            self.cursor.fill(0);
            loop {
                progress.check()?;
                let pushed = self.augment(source, sink);
                if pushed == 0 {
                    break;
                }
                total += pushed;
            }
        }
        Ok(total)
    }

    /// After [`Self::maximise`]: the nodes on the source's side of a minimum cut.
    #[must_use]
    pub fn source_side(&mut self, source: usize) -> Vec<bool> {
        self.layer(source, usize::MAX);
        self.level.iter().map(|level| *level != UNSEEN).collect()
    }

    fn layer(&mut self, source: usize, sink: usize) -> bool {
        self.level.fill(UNSEEN);
        self.level[source] = 0;
        let mut queue = vec![index32(source)];
        let mut at = 0;
        while at < queue.len() {
            let node = queue[at] as usize;
            at += 1;
            for arc in self.residual.leaving(node) {
                let to = self.residual.head(*arc);
                if self.residual.is_open(*arc) && self.level[to] == UNSEEN {
                    self.level[to] = self.level[node] + 1;
                    queue.push(index32(to));
                }
            }
        }
        self.level.get(sink).is_some_and(|level| *level != UNSEEN)
    }

    /// Pushes flow along one path of the level graph; returns the amount, or 0 if there is no path.
    fn augment(&mut self, source: usize, sink: usize) -> u64 {
        let mut path: Vec<u32> = Vec::new();
        let mut node = source;
        loop {
            if node == sink {
                return self.residual.push(&path);
            }
            if let Some(arc) = self.next_arc(node) {
                path.push(arc);
                node = self.residual.head(arc);
            } else {
                // Dead end: no other path of this phase passes through this node, and the cursor
                // before it moves on.
                self.level[node] = UNSEEN;
                let Some(arc) = path.pop() else { return 0 };
                node = self.residual.tail(arc);
            }
        }
    }

    fn next_arc(&mut self, node: usize) -> Option<u32> {
        while let Some(arc) = self.residual.leaving(node).get(self.cursor[node]) {
            let to = self.residual.head(*arc);
            if self.residual.is_open(*arc)
                && self.level[node].checked_add(1) == Some(self.level[to])
            {
                return Some(*arc);
            }
            self.cursor[node] += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn flow_is_taken_back() {
        // Nodes s, a, d, t, b, e, f. The first path, s a d t, must give a d up again, for
        // s b d t and s a e f t.
        let mut network = FlowNetwork::new(7);
        let ends = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 2), (1, 5), (5, 6), (6, 3)];
        let arcs = ends.map(|(from, to)| network.add_arc(from, to, 1));
        assert_eq!(network.maximise(0, 3, &Progress::silent()).unwrap(), 2);
        assert_eq!(arcs.map(|arc| network.flow(arc)), [1, 0, 1, 1, 1, 1, 1, 1]);
    }

    proptest! {
        /// The max flow equals the min cut found by enumeration, and flow is conserved.
        #[test]
        fn flow_equals_the_least_cut(
            arcs in prop::collection::vec((0usize..6, 0usize..6, 0u64..5), 0..16)
        ) {
            let mut network = FlowNetwork::new(6);
            for (from, to, capacity) in &arcs {
                network.add_arc(*from, *to, *capacity);
            }
            let value = network.maximise(0, 5, &Progress::silent()).unwrap();
            let cut = |side: u32| -> u64 {
                let crosses = |a: &&(usize, usize, u64)| side >> a.0 & 1 == 1 && side >> a.1 & 1 == 0;
                arcs.iter().filter(crosses).map(|arc| arc.2).sum()
            };
            let least = (0..64u32).filter(|side| side & 1 == 1 && side >> 5 == 0).map(cut).min();
            prop_assert_eq!(Some(value), least);
            let side = network.source_side(0);
            let mask = (0..6).filter(|node| side[*node]).fold(0, |mask, node| mask | 1 << node);
            prop_assert_eq!(cut(mask), value);
            for node in 1..5 {
                let sum = |end: &dyn Fn(&(usize, usize, u64)) -> usize| -> u64 {
                    arcs.iter().enumerate().filter(|(_, a)| end(a) == node).map(|(i, _)| network.flow(i)).sum()
                };
                prop_assert_eq!(sum(&|a| a.0), sum(&|a| a.1));
            }
        }
    }
}
