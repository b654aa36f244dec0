//! Random clusters of nodes, ever finer, as Fakcharoenphol, Rao and Talwar draw them.
//!
//! The nodes are put into a random order, and a factor β between 1 and 2 is drawn. At level 0 the radius is β times the
//! largest distance, and it halves from level to level until it is less than the least distance. The *centre* of a node
//! at a level is the first node in the order within the radius. Two nodes are in one cluster of a level if they have
//! the same centre there and at all levels before. So level 0 has one cluster, and at the last every node is its own.
//!
//! The distance of two nodes is that there and back. A cluster's centre need not be in it.

use std::collections::HashMap;

use dashu_int::UBig;
use rand::Rng;
use rand::seq::SliceRandom as _;
use rayon::prelude::*;

use super::super::path_set::Path;
use super::super::weighted::{distances, tight_links};
use crate::rational::Rational;
use crate::sampling::Stream;
use crate::topology::{LinkId, NodeId, Topology, node_number};

/// Bits of β behind the point.
const BITS: usize = 32;

/// Distances of all nodes.
pub(super) struct Metric<'t> {
    topology: &'t Topology,
    lengths: &'t [UBig],
    /// By destination, the distance of every node, where there is a way.
    to: Vec<Vec<Option<UBig>>>,
}

impl<'t> Metric<'t> {
    /// The distances by these lengths of links. O(nodes·links·log links).
    pub(super) fn new(topology: &'t Topology, lengths: &'t [UBig]) -> Self {
        let nodes: Vec<NodeId> = topology.node_numbers().collect();
        let to = nodes.par_iter().map(|d| distances(topology, lengths, *d, None, |_, _| true).0);
        Self { topology, lengths, to: to.collect() }
    }

    fn nodes(&self) -> usize {
        self.to.len()
    }

    /// The distance there and back.
    fn between(&self, a: NodeId, b: NodeId) -> Option<UBig> {
        let there = self.to[b as usize][a as usize].as_ref()?;
        Some(there + self.to[a as usize][b as usize].as_ref()?)
    }

    /// Appends the first shortest path by the numbers of links, one after the other.
    fn walk(&self, mut from: NodeId, to: NodeId, path: &mut Path) -> Option<()> {
        while from != to {
            let hops = tight_links(self.topology, self.lengths, &self.to[to as usize], from);
            let (link, head) = *hops.first()?;
            path.push(link);
            from = head;
        }
        Some(())
    }
}

/// Clusters of all levels.
pub(super) struct Hierarchy {
    /// By level and node, the node's centre.
    centre: Vec<Vec<NodeId>>,
    /// By level and node, the number of the node's cluster.
    cluster: Vec<Vec<usize>>,
}

impl Hierarchy {
    /// Clusters that are drawn from a stream. O(levels·nodes²).
    pub(super) fn sample(metric: &Metric<'_>, stream: &mut Stream) -> Self {
        let nodes = metric.nodes();
        let mut order: Vec<NodeId> = (0..node_number(nodes)).collect();
        order.shuffle(stream);
        let beta = UBig::from((1_u64 << BITS) + u64::from(stream.next_u32()));
        let pairs = order.iter().flat_map(|a| order.iter().map(move |b| (*a, *b)));
        let apart = pairs.filter(|(a, b)| a < b).filter_map(|(a, b)| metric.between(a, b));
        let largest = apart.max().unwrap_or(UBig::ONE);
        let (mut centre, mut cluster) = (Vec::new(), Vec::new());
        let (mut level, mut known) = (0, vec![0; nodes]);
        loop {
            let radius = (&largest * &beta) >> (BITS + level);
            let own: Vec<NodeId> = (0..node_number(nodes))
                .into_par_iter()
                .map(|node| first_within(metric, &order, node, &radius))
                .collect();
            let mut numbers = HashMap::new();
            for (number, centre) in known.iter_mut().zip(&own) {
                let next = numbers.len();
                *number = *numbers.entry((*number, *centre)).or_insert(next);
            }
            let is_last = (0..).zip(&own).all(|(node, centre): (NodeId, _)| node == *centre);
            centre.push(own);
            cluster.push(known.clone());
            if is_last {
                return Self { centre, cluster };
            }
            level += 1;
        }
    }

    /// By level and node, centre and cluster.
    #[cfg(test)]
    pub(super) fn levels(&self) -> Vec<Vec<(usize, usize)>> {
        let both = |(centre, cluster): (&Vec<NodeId>, &Vec<usize>)| {
            centre.iter().map(|centre| *centre as usize).zip(cluster.iter().copied()).collect()
        };
        self.centre.iter().zip(&self.cluster).map(both).collect()
    }

    /// The path of a pair.
    pub(super) fn path(&self, metric: &Metric<'_>, s: NodeId, d: NodeId) -> Option<Path> {
        let meets = |level: &usize| {
            let cluster = &self.cluster[*level];
            cluster[s as usize] == cluster[d as usize]
        };
        let common = (0..self.cluster.len()).rev().find(meets)?;
        let up = (common..self.centre.len()).rev().map(|level| self.centre[level][s as usize]);
        let down = (common..self.centre.len()).map(|level| self.centre[level][d as usize]);
        let (mut path, mut at) = (Path::new(), s);
        for centre in up.chain(down) {
            metric.walk(at, centre, &mut path)?;
            at = centre;
        }
        Some(without_loops(metric.topology, s, &path))
    }

    /// The load of every link if each cluster sends what the links that leave it carry from its centre to that of the
    /// cluster around it, and as much back.
    pub(super) fn loads(&self, metric: &Metric<'_>) -> Vec<Rational> {
        let topology = metric.topology;
        let mut loads = vec![Rational::ZERO; topology.links()];
        for level in 1..self.centre.len() {
            let cluster = &self.cluster[level];
            let mut leaving: HashMap<usize, Rational> = HashMap::new();
            for link in topology.link_numbers() {
                let Some((tail, head)) = topology.ends(link) else { continue };
                if cluster[tail as usize] != cluster[head as usize] {
                    let sum = leaving.entry(cluster[tail as usize]).or_insert(Rational::ZERO);
                    *sum += &topology.link(link).capacity;
                }
            }
            for (node, number) in cluster.iter().enumerate() {
                // Each cluster once.
                let Some(sent) = leaving.remove(number) else { continue };
                let ends = [level, level - 1].map(|level| self.centre[level][node]);
                for [from, to] in [ends, [ends[1], ends[0]]] {
                    let mut path = Path::new();
                    if metric.walk(from, to, &mut path).is_some() {
                        for link in &path {
                            loads[*link as usize] += &sent;
                        }
                    }
                }
            }
        }
        for (link, load) in topology.link_numbers().zip(&mut loads) {
            let relative = load.checked_div(&topology.link(link).capacity);
            *load = relative.unwrap_or(Rational::ZERO);
        }
        loads
    }
}

/// The first node in the order whose distance is at most the radius: a node itself, if no other.
fn first_within(metric: &Metric<'_>, order: &[NodeId], node: NodeId, radius: &UBig) -> NodeId {
    let is_near =
        |other: &&NodeId| metric.between(node, **other).is_some_and(|distance| distance <= *radius);
    order.iter().find(is_near).copied().unwrap_or(node)
}

/// The path without what it does between two visits of a node.
fn without_loops(topology: &Topology, s: NodeId, path: &[LinkId]) -> Path {
    let mut visited = HashMap::from([(s, 0)]);
    let mut found = Path::new();
    for link in path {
        let Some((_, head)) = topology.ends(*link) else { continue };
        found.push(*link);
        if let Some(length) = visited.get(&head).copied() {
            found.truncate(length);
            visited.retain(|_, at| *at <= length);
        } else {
            visited.insert(head, found.len());
        }
    }
    found
}
