//! Counts, distances and automorphisms of small networks, for the tests of direct networks.

use std::collections::{BTreeSet, VecDeque};

use petgraph::graph::NodeIndex;

use super::{NodeKind, generate};

/// A network as an undirected graph.
pub(super) struct Facts {
    /// The number of hosts of the network.
    pub hosts: usize,
    /// The neighbours of every node, once for every cable.
    neighbours: Vec<Vec<usize>>,
    /// Whether a node is a switch.
    is_switch: Vec<bool>,
}

impl Facts {
    /// All nodes.
    pub fn of_whole(spec: &str) -> Self {
        let network = generate(spec).unwrap();
        let nodes = || network.graph().node_indices();
        let next =
            |node: NodeIndex| network.graph().neighbors(node).map(NodeIndex::index).collect();
        let is_switch = nodes().map(|node| network.graph()[node].kind == NodeKind::Switch);
        Self {
            hosts: network.hosts(),
            neighbours: nodes().map(next).collect(),
            is_switch: is_switch.collect(),
        }
    }

    /// The switches alone, or the hosts where these are the switches.
    pub fn of_switches(spec: &str) -> Self {
        let Self { hosts, mut neighbours, mut is_switch } = Self::of_whole(spec);
        let first = if is_switch.contains(&true) { hosts } else { 0 };
        for next in &mut neighbours {
            next.retain(|node| *node >= first);
            for node in next {
                *node -= first;
            }
        }
        (neighbours, is_switch) = (neighbours.split_off(first), is_switch.split_off(first));
        Self { hosts, neighbours, is_switch }
    }

    pub fn nodes(&self) -> usize {
        self.neighbours.len()
    }

    pub fn cables(&self) -> usize {
        self.neighbours.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// Every number of cables that a node has.
    pub fn degrees(&self) -> BTreeSet<usize> {
        self.neighbours.iter().map(Vec::len).collect()
    }

    /// Whether no cable joins a node to itself and no two join the same nodes.
    pub fn is_simple(&self) -> bool {
        self.neighbours.iter().enumerate().all(|(node, next)| {
            let distinct: BTreeSet<_> = next.iter().collect();
            distinct.len() == next.len() && !distinct.contains(&node)
        })
    }

    /// The nodes by their distance from one, and through which they were reached; of a connected network all.
    fn reached_from(&self, start: usize) -> Vec<(usize, usize, usize)> {
        let mut seen = vec![false; self.nodes()];
        seen[start] = true;
        let (mut queue, mut reached) = (VecDeque::from([(start, start, 0)]), Vec::new());
        while let Some((node, before, distance)) = queue.pop_front() {
            reached.push((node, before, distance));
            for next in &self.neighbours[node] {
                if !std::mem::replace(&mut seen[*next], true) {
                    queue.push_back((*next, node, distance + 1));
                }
            }
        }
        reached
    }

    /// The longest distance; of a network in several parts none.
    pub fn diameter(&self) -> Option<usize> {
        let farthest = |start| {
            let reached = self.reached_from(start);
            let last = reached.last().map(|(.., distance)| *distance);
            last.filter(|_| reached.len() == self.nodes())
        };
        (0..self.nodes()).map(farthest).collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// The number of automorphisms, by orbits and stabilizers, for small connected networks without parallel cables.
    pub fn automorphisms(&self) -> u64 {
        let base = self.reached_from(0);
        let mut order = 1;
        for fixed in 0..self.nodes() {
            let images: Vec<usize> = base[..fixed].iter().map(|(node, ..)| *node).collect();
            let is_image = |node: &usize| {
                let mut images = images.clone();
                self.takes(&base, &images, *node) && {
                    images.push(*node);
                    self.extends(&base, &mut images)
                }
            };
            order *= (0..self.nodes()).filter(is_image).count() as u64;
        }
        order
    }

    /// Whether the next node of the base may go to this one.
    fn takes(&self, base: &[(usize, usize, usize)], images: &[usize], to: usize) -> bool {
        let from = base[images.len()].0;
        let keeps = |((other, ..), image): (&(usize, usize, usize), &usize)| {
            self.neighbours[from].contains(other) == self.neighbours[to].contains(image)
        };
        self.neighbours[from].len() == self.neighbours[to].len()
            && self.is_switch[from] == self.is_switch[to]
            && !images.contains(&to)
            && base.iter().zip(images).all(keeps)
    }

    fn extends(&self, base: &[(usize, usize, usize)], images: &mut Vec<usize>) -> bool {
        let Some((_, before, _)) = base.get(images.len()) else { return true };
        let place = base.iter().position(|(node, ..)| node == before).unwrap();
        for to in &self.neighbours[images[place]] {
            if self.takes(base, images, *to) {
                images.push(*to);
                if self.extends(base, images) {
                    return true;
                }
                images.pop();
            }
        }
        false
    }
}

/// Asserts that the specs are refused in these words.
pub(super) fn assert_refused(refused: &[(&str, &str)]) {
    for (spec, says) in refused {
        let error = generate(spec).unwrap_err().to_string();
        assert!(error.contains(says), "{spec}: {error}");
    }
}
