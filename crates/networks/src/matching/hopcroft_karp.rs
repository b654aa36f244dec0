//! Hopcroft–Karp maximum matching with its König cover (SIAM J. Comput. 2(4), 1973).

use std::ops::Range;

use crate::integer::index32;
use crate::progress::{Progress, Stopped};

/// The mate of an unmatched vertex.
pub const NONE: u32 = u32::MAX;

/// A bipartite graph in compressed form: the edges of left vertex `u` are
/// `targets[offsets[u]..offsets[u + 1]]`, right vertices `0..right`.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// One entry more than there are left vertices; the first is 0.
    pub offsets: Vec<u32>,
    /// Right ends of the edges.
    pub targets: Vec<u32>,
    /// Number of right vertices.
    pub right: usize,
}

impl Graph {
    /// Number of left vertices.
    #[must_use]
    pub fn left(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    fn left_vertices(&self) -> Range<u32> {
        0..index32(self.left())
    }

    fn edges(&self, u: u32) -> Range<usize> {
        self.offsets[u as usize] as usize..self.offsets[u as usize + 1] as usize
    }
}

/// A matching and the search state that found it; reuse it to save allocations.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// Mate of every left vertex, or [`NONE`].
    pub left: Vec<u32>,
    /// Mate of every right vertex, or [`NONE`].
    pub right: Vec<u32>,
    /// Number of matched pairs.
    pub size: usize,
    distance: Vec<u32>,
    cursor: Vec<u32>,
    stack: Vec<u32>,
    reached: Vec<bool>,
}

impl Matching {
    /// Computes a maximum matching of `graph`. O(E·√V).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::matching::{Graph, Matching};
    /// let graph = Graph { offsets: vec![0, 2, 3], targets: vec![0, 1, 0], right: 2 };
    /// let mut matching = Matching::default();
    /// matching.maximise(&graph);
    /// assert_eq!(matching.size, 2);
    /// let (left, right) = matching.cover(&graph);
    /// assert_eq!(left.len() + right.len(), 2);
    /// ```
    pub fn maximise(&mut self, graph: &Graph) {
        // Silent work is never stopped.
        let _ = self.maximise_until(graph, &Progress::silent());
    }

    /// Extends the matching to a maximum one as [`Self::maximise`] does, checking `progress` once per phase, O(E).
    ///
    /// # Errors
    /// [`Stopped`]; the matching is then valid, but perhaps not maximum.
    pub fn maximise_until(&mut self, graph: &Graph, progress: &Progress) -> Result<(), Stopped> {
        self.match_greedily(graph);
        let bound = graph.left().min(graph.right);
        while self.size < bound && self.layer(graph) {
            progress.check()?;
            for root in graph.left_vertices() {
                if self.left[root as usize] == NONE && self.augment(graph, root) {
                    self.size += 1;
                }
            }
        }
        Ok(())
    }

    fn match_greedily(&mut self, graph: &Graph) {
        self.left.clear();
        self.left.resize(graph.left(), NONE);
        self.right.clear();
        self.right.resize(graph.right, NONE);
        self.size = 0;
        for u in graph.left_vertices() {
            let free =
                graph.targets[graph.edges(u)].iter().find(|v| self.right[**v as usize] == NONE);
            if let Some(v) = free {
                self.left[u as usize] = *v;
                self.right[*v as usize] = u;
                self.size += 1;
            }
        }
    }

    /// Computes the distances from the free left vertices along alternating paths; returns whether
    /// a free right vertex was reached.
    fn layer(&mut self, graph: &Graph) -> bool {
        self.distance.clear();
        self.distance.resize(graph.left(), NONE);
        self.stack.clear();
        for (u, _) in graph.left_vertices().zip(&self.left).filter(|(_, mate)| **mate == NONE) {
            self.distance[u as usize] = 0;
            self.stack.push(u);
        }
        let (mut head, mut found) = (0, false);
        while head < self.stack.len() {
            let u = self.stack[head];
            head += 1;
            for v in &graph.targets[graph.edges(u)] {
                let next = self.right[*v as usize];
                if next == NONE {
                    found = true;
                } else if self.distance[next as usize] == NONE {
                    self.distance[next as usize] = self.distance[u as usize] + 1;
                    self.stack.push(next);
                }
            }
        }
        self.cursor.clear();
        self.cursor.extend_from_slice(&graph.offsets[..graph.left()]);
        found
    }

    /// Augments along one path from `root` through the layers, depth first without recursion;
    /// returns whether there was one.
    fn augment(&mut self, graph: &Graph, root: u32) -> bool {
        self.stack.clear();
        self.stack.push(root);
        while let Some(&u) = self.stack.last() {
            let end = graph.offsets[u as usize + 1];
            let at = self.cursor[u as usize];
            if at == end {
                self.distance[u as usize] = NONE;
                self.stack.pop();
                continue;
            }
            self.cursor[u as usize] += 1;
            let next = self.right[graph.targets[at as usize] as usize];
            if next == NONE {
                self.flip(graph);
                return true;
            }
            if self.distance[next as usize] == self.distance[u as usize].saturating_add(1) {
                self.stack.push(next);
            }
        }
        false
    }

    /// Matches every vertex on the stack along the edge that its cursor has just passed.
    fn flip(&mut self, graph: &Graph) {
        while let Some(u) = self.stack.pop() {
            let v = graph.targets[self.cursor[u as usize] as usize - 1];
            self.left[u as usize] = v;
            self.right[v as usize] = u;
            // The vertex is done for this phase: no second path may pass through it.
            self.distance[u as usize] = NONE;
        }
    }

    /// The König cover of a maximum matching: left and right vertices, as many as the
    /// matching has pairs, such that every edge has an end among them. O(E).
    pub fn cover(&mut self, graph: &Graph) -> (Vec<u32>, Vec<u32>) {
        self.layer(graph);
        self.reached.clear();
        self.reached.resize(graph.right, false);
        for u in graph.left_vertices().filter(|u| self.distance[*u as usize] != NONE) {
            for v in &graph.targets[graph.edges(u)] {
                self.reached[*v as usize] = true;
            }
        }
        let left = graph.left_vertices().filter(|u| self.distance[*u as usize] == NONE);
        let right = (0..index32(graph.right)).filter(|v| self.reached[*v as usize]);
        (left.collect(), right.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn graph(left: usize, right: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph { offsets: vec![0], targets: Vec::new(), right };
        for u in 0..left {
            graph.targets.extend(edges.iter().filter(|e| e.0 == u).map(|e| index32(e.1)));
            graph.offsets.push(index32(graph.targets.len()));
        }
        graph
    }

    /// By definition: the size of the largest set of edges without a common end.
    fn brute(edges: &[(usize, usize)], used: u64) -> usize {
        let Some(((u, v), rest)) = edges.split_first() else { return 0 };
        let mask = 1 << u | 1 << (32 + v);
        let skip = brute(rest, used);
        if used & mask == 0 { skip.max(1 + brute(rest, used | mask)) } else { skip }
    }

    #[test]
    fn a_greedy_start_is_repaired() {
        // Greedy takes (0,0), after which 1 has no partner until 0 moves to 1.
        let graph = graph(2, 2, &[(0, 0), (0, 1), (1, 0)]);
        let mut matching = Matching::default();
        matching.maximise(&graph);
        assert_eq!((matching.size, &matching.left[..]), (2, &[1, 0][..]));
    }

    proptest! {
        #[test]
        fn matching_equals_brute_force_and_the_cover_covers(
            edges in prop::collection::btree_set((0usize..6, 0usize..6), 0..14)
        ) {
            let edges: Vec<_> = edges.into_iter().collect();
            let graph = graph(6, 6, &edges);
            let mut matching = Matching::default();
            matching.maximise(&graph);
            prop_assert_eq!(matching.size, brute(&edges, 0));
            for (u, v) in matching.left.iter().enumerate().filter(|(_, v)| **v != NONE) {
                prop_assert!(edges.contains(&(u, *v as usize)));
                prop_assert_eq!(matching.right[*v as usize], index32(u));
            }
            let (left, right) = matching.cover(&graph);
            prop_assert_eq!(left.len() + right.len(), matching.size);
            let covered = |(u, v): &(usize, usize)| {
                left.contains(&index32(*u)) || right.contains(&index32(*v))
            };
            prop_assert!(edges.iter().all(covered));
        }
    }
}
