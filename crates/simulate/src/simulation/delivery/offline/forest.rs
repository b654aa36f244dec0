//! Wires for messages, so that messages which share a wire share all wires from there on
//! (`OFFLINE.md`, Lemma 1).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::ends::Ends;
use super::pieces::{Bundles, NONE, Pieces};
use crate::channel_tree::{Way, WireTree};
use crate::prelude::*;

/// The wires in one direction as a forest, whose leaves are the bundles of hosts: what leaves a
/// wire continues to its parent. A wire has a higher number than what leads to it.
pub(super) struct Forest {
    /// The parent of every bundle and wire, [`NONE`] where nothing continues.
    parent: Vec<u32>,
    /// The wire next to the apex of every piece; [`NONE`] for a piece that passes no channel.
    pub(super) top: Vec<u32>,
    /// The messages on every wire; 0 for bundles.
    pub(super) load: Vec<u64>,
    /// Pieces in an order in which those that lead to a wire are an interval, and the intervals.
    order: Vec<u32>,
    intervals: Vec<[u32; 2]>,
}

impl Forest {
    /// Level by level towards the root. O(pieces · levels + wires·log wires).
    pub(super) fn of(
        tree: &WireTree,
        ends: &Ends,
        pieces: &Pieces,
        way: Way,
        progress: &Progress,
    ) -> Result<Self, Stopped> {
        let bundles = &pieces.bundles[way];
        let mut growing = Growing {
            parent: vec![NONE; bundles.ranks.len()],
            load: vec![0; bundles.ranks.len()],
            ranks: Vec::new(),
            first: index32(bundles.ranks.len()),
            at: bundles.of.clone(),
        };
        for level in (1..tree.levels()).rev() {
            progress.check()?;
            growing.level(tree, ends, pieces, level, way);
        }
        let Growing { parent, load, at: top, .. } = growing;
        let mut forest = Self { parent, top, load, order: Vec::new(), intervals: Vec::new() };
        forest.number(bundles);
        Ok(forest)
    }

    /// Puts the pieces in order: those of a wire after each other, wherever they turn.
    fn number(&mut self, bundles: &Bundles) {
        let mut sizes = vec![0_u32; self.parent.len()];
        for bundle in bundles.of.iter().filter(|bundle| **bundle != NONE) {
            sizes[*bundle as usize] += 1;
        }
        for at in 0..self.parent.len() {
            if self.parent[at] != NONE {
                sizes[self.parent[at] as usize] += sizes[at];
            }
        }
        // Where an interval begins, and where the next part of it does.
        let mut intervals = vec![[0_u32; 2]; self.parent.len()];
        let mut end = 0;
        for at in (0..self.parent.len()).rev() {
            let next = match self.parent[at] {
                NONE => &mut end,
                parent => &mut intervals[parent as usize][1],
            };
            let begin = *next;
            *next += sizes[at];
            intervals[at] = [begin, begin];
        }
        let mut order = vec![0_u32; end as usize];
        for (piece, bundle) in (0..).zip(&bundles.of).filter(|(_, bundle)| **bundle != NONE) {
            let next = &mut intervals[*bundle as usize][1];
            order[*next as usize] = piece;
            *next += 1;
        }
        (self.order, self.intervals) = (order, intervals);
    }

    /// The pieces that begin on the way to a wire. Those of them that pass the channel above its node
    /// are on the wire.
    pub(super) fn leading_to(&self, wire: u32) -> &[u32] {
        let [begin, end] = self.intervals[wire as usize];
        &self.order[begin as usize..end as usize]
    }

    /// The wire after a wire; [`NONE`] where nothing continues.
    #[cfg(test)]
    pub(super) fn parent(&self, wire: u32) -> u32 {
        self.parent[wire as usize]
    }
}

/// A forest up to some level.
struct Growing {
    parent: Vec<u32>,
    load: Vec<u64>,
    /// The nodes below the wires of the last level, ascending, and its first wire.
    ranks: Vec<u32>,
    first: u32,
    /// The bundle or wire that every piece has come to.
    at: Vec<u32>,
}

impl Growing {
    /// Adds the wires of the channels above the nodes of one level.
    fn level(&mut self, tree: &WireTree, ends: &Ends, pieces: &Pieces, level: usize, way: Way) {
        let ranks = tree.level_ranks(level);
        let known = index32(self.parent.len());
        let bundles = &pieces.bundles[way].ranks;
        let before = |rank| index32(bundles.partition_point(|of| *of < rank));
        let begun = before(ranks.start)..before(ranks.end);
        let came = self.first..known;
        // A piece continues if it turns above this level and has come here.
        let goes_on = |at: u32, piece: u32| {
            (begun.contains(&at) || came.contains(&at))
                && ends.apex[pieces.of_entry(piece)] < ranks.start
        };
        let mut sizes = vec![0_u64; known as usize];
        for (piece, at) in (0..).zip(&self.at).filter(|(piece, at)| goes_on(**at, *piece)) {
            sizes[*at as usize] += pieces.count[piece as usize];
        }
        let mut items: Vec<(u32, u64, u32)> = Vec::with_capacity(begun.len() + came.len());
        items.extend(begun.clone().map(|at| (bundles[at as usize], sizes[at as usize], at)));
        let of_wire = |at: u32| tree.parent(self.ranks[(at - self.first) as usize]);
        items.extend(came.clone().map(|at| (of_wire(at), sizes[at as usize], at)));
        items.retain(|(_, size, _)| *size > 0);
        // In every node the largest first.
        items.sort_unstable_by_key(|(rank, size, at)| (*rank, Reverse(*size), *at));
        (self.first, self.ranks) = (known, Vec::new());
        for items in items.chunk_by(|one, next| one.0 == next.0) {
            self.pack(items, tree.wires(items[0].0)[way]);
        }
        for (piece, at) in (0..).zip(&mut self.at) {
            if goes_on(*at, piece) {
                *at = self.parent[*at as usize];
            }
        }
    }

    /// Puts the items of one node, largest first, on its wires, each on the one with fewest messages.
    fn pack(&mut self, items: &[(u32, u64, u32)], wires: u64) {
        let mut loads = BinaryHeap::new();
        for (rank, size, at) in items {
            let least = if (loads.len() as u64) < wires.max(1) { None } else { loads.pop() };
            let Reverse((load, wire)) = least.unwrap_or_else(|| {
                self.ranks.push(*rank);
                self.parent.push(NONE);
                self.load.push(0);
                Reverse((0, index32(self.parent.len() - 1)))
            });
            self.parent[*at as usize] = wire;
            self.load[wire as usize] += size;
            loads.push(Reverse((load + size, wire)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Messages;
    use super::super::ends::ceil_load_factor;
    use super::super::tests::{random, trees};
    use super::*;
    use crate::channel_tree::{DOWN, UP};
    use crate::topology::UniversalShape;

    /// The wires of every channel that messages pass, found by walking both tree and forest.
    fn walked(
        tree: &WireTree,
        ends: &Ends,
        pieces: &Pieces,
        forest: &Forest,
        way: Way,
    ) -> Vec<Vec<(u32, u32)>> {
        let of = |piece: usize| {
            let path = ends.path(tree, pieces.entry[piece] as usize);
            let mut wire = pieces.bundles[way].of[piece];
            let mut step = |(rank, _)| {
                wire = forest.parent(wire);
                (rank, wire)
            };
            path.filter(|(_, of)| *of == way).map(&mut step).collect()
        };
        (0..pieces.len()).map(of).collect()
    }

    /// Lemma 1: no more wires than the channel has, no more messages on one than max(k, 2k − 2).
    #[test]
    fn wires_are_few_and_carry_few() {
        for (spec, tree) in trees() {
            for seed in 0..20 {
                let messages = random(tree.hosts(), 1 + seed % 5, seed);
                let ends = Ends::of(&tree, &messages).unwrap();
                let k = ceil_load_factor(&tree, &ends.loads(&tree));
                let pieces = Pieces::of(&tree, &ends).unwrap();
                for way in [UP, DOWN] {
                    let forest =
                        Forest::of(&tree, &ends, &pieces, way, &Progress::silent()).unwrap();
                    let walked = walked(&tree, &ends, &pieces, &forest, way);
                    let mut load = std::collections::BTreeMap::new();
                    for (piece, path) in walked.iter().enumerate() {
                        assert_eq!(path.last().map_or(NONE, |last| last.1), forest.top[piece]);
                        for step in path {
                            *load.entry(*step).or_insert(0) += pieces.count[piece];
                            assert!(forest.leading_to(step.1).contains(&index32(piece)));
                        }
                    }
                    for ((rank, wire), load_of) in &load {
                        assert_eq!(forest.load[*wire as usize], *load_of, "{spec}");
                        assert!(*load_of <= k.max(2 * k - 2), "{spec} {seed}: {load_of} for {k}");
                        let of_channel = load.keys().filter(|(of, _)| of == rank).count() as u64;
                        assert!(of_channel <= tree.wires(*rank)[way], "{spec}");
                    }
                }
            }
        }
    }

    /// Hosts 0, 1 and 2 send 2 messages each over a channel of two wires: λ = 3, and the messages of two
    /// hosts share a wire, 4 = 2k − 2 of them.
    #[test]
    fn a_wire_may_take_more_than_its_share() {
        let shape = UniversalShape::named("universal(8)").unwrap().unwrap();
        let tree = WireTree::universal(&shape);
        let messages = Messages::listed((0..3).map(|s| (s, 4 + s, 2))).unwrap();
        let ends = Ends::of(&tree, &messages).unwrap();
        assert_eq!(ceil_load_factor(&tree, &ends.loads(&tree)), 3);
        let pieces = Pieces::of(&tree, &ends).unwrap();
        let forest = Forest::of(&tree, &ends, &pieces, UP, &Progress::silent()).unwrap();
        // Bundles, wires of hosts, of pairs of hosts, of the half.
        assert_eq!(forest.load, [0, 0, 0, 2, 2, 2, 2, 2, 2, 4, 2]);
        assert_eq!(forest.top, [9, 10, 9]);
    }
}
