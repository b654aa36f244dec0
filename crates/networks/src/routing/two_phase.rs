//! Routings of two phases on tori, meshes and hypercubes: every pair sends through intermediate nodes, to each in
//! dimension order and from there on in dimension order. Ties are split.
//!
//! The shares are those of a packet that draws its intermediate node, then its way at every tie. The paths of several
//! intermediate nodes may be alike: they are one path then, with the sum of the shares.

use std::collections::BTreeMap;

use super::lattice::{Lattice, Ties};
use super::{Routing, RoutingError, UseScratch, Visit};
use crate::limit::within;
use crate::rational::Rational;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, link_number};

/// Maximum number of SD pairs × intermediate nodes × links of a path, all of which work on all pairs follows.
const MAX_WORK: u64 = 1 << 30;

type Path = Vec<LinkId>;

/// What distinguishes the routings of two phases.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// Whether the second phase takes the dimensions in reverse order.
    pub reversed: bool,
    /// Whether intermediate nodes are those on shortest paths of the pair; otherwise they are all nodes.
    pub is_minimal: bool,
    /// Whether what a path does between two visits of a node is left out.
    pub erases_loops: bool,
}

/// The paths of all pairs.
pub(super) struct TwoPhase {
    spec: String,
    rule: Rule,
    nodes: NodeId,
    links: usize,
    /// The node at the end of every link.
    heads: Vec<NodeId>,
    /// The paths of the phases from node a to node b, at a·N + b.
    first: Vec<Vec<Path>>,
    /// `None` if they are those of the first.
    second: Option<Vec<Vec<Path>>>,
}

impl TwoPhase {
    /// The routing of a generated network.
    ///
    /// # Errors
    /// [`RoutingError`] where the network has no coordinates, or is too large.
    pub(super) fn build(
        spec: &Spec,
        topology: &Topology,
        rule: Rule,
    ) -> Result<Box<dyn Routing>, RoutingError> {
        let lattice = Lattice::of(spec, topology)?;
        let nodes = lattice.nodes();
        let work = u128::from(nodes).pow(3) * u128::from(2 * lattice.diameter());
        let what = "SD pairs × intermediate nodes × links of a path";
        within(what, Some(work), MAX_WORK, "choose a smaller network, or `dor`")?;
        let mut dimensions = lattice.dimensions();
        let first = phase(&lattice, &dimensions);
        dimensions.reverse();
        let second = rule.reversed.then(|| phase(&lattice, &dimensions));
        let (spec, links, heads) = (spec.to_string(), topology.links(), lattice.heads());
        Ok(Box::new(Self { spec, rule, nodes, links, heads, first, second }))
    }

    fn first(&self, a: NodeId, b: NodeId) -> &[Path] {
        &self.first[(a * self.nodes + b) as usize]
    }

    fn second(&self, a: NodeId, b: NodeId) -> &[Path] {
        &self.second.as_ref().unwrap_or(&self.first)[(a * self.nodes + b) as usize]
    }

    /// Length of a shortest path.
    fn distance(&self, a: NodeId, b: NodeId) -> usize {
        self.first(a, b).first().map_or(0, Vec::len)
    }

    fn intermediates(&self, s: Host, d: Host) -> impl Iterator<Item = NodeId> {
        let direct = self.distance(s, d);
        let is_one = move |node: &NodeId| {
            !self.rule.is_minimal || self.distance(s, *node) + self.distance(*node, d) == direct
        };
        (0..self.nodes).filter(is_one)
    }

    /// Calls `visit` with every path of the pair and its weight, in the order of the intermediate nodes, and returns the
    /// sum of the weights.
    fn for_each_weighted(
        &self,
        s: Host,
        d: Host,
        links: &mut Path,
        visit: &mut dyn FnMut(u64, &[LinkId]),
    ) -> u64 {
        let mut loops = Loops::new(self, s);
        let mut sum = 0;
        for node in self.intermediates(s, d) {
            let (first, second) = (self.first(s, node), self.second(node, d));
            let weight = self.weight(first.len() * second.len());
            for (there, on) in
                first.iter().flat_map(|there| second.iter().map(move |on| (there, on)))
            {
                links.clear();
                if self.rule.erases_loops {
                    there.iter().chain(on).for_each(|link| loops.push(*link, links));
                    loops.clear(links);
                } else {
                    links.extend(there.iter().chain(on));
                }
                visit(weight, links);
                sum += weight;
            }
        }
        sum
    }

    /// The weight of each of this number of paths through a node.
    ///
    /// Of all nodes each has the same. Those on shortest paths are the nodes of the *minimal quadrant*, the smallest box
    /// that has the pair at two of its corners. Where the pair has a tie there is a box on either side, and half of
    /// the traffic takes each. A node beside the pair in that dimension is in both, and its paths have the tie: one of
    /// the two phases may turn either way, and does in one of the boxes. So every path is that of one node in one box.
    fn weight(&self, paths: usize) -> u64 {
        // A power of two, of at most as many paths as all ties of both phases can give.
        if self.rule.is_minimal { 1 } else { (1 << 40) / paths as u64 }
    }
}

/// The paths of all pairs in dimension order.
fn phase(lattice: &Lattice, dimensions: &[usize]) -> Vec<Vec<Path>> {
    let nodes = lattice.nodes();
    let pairs = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b)));
    let paths = |pair| {
        let (mut paths, mut links) = (Vec::new(), Vec::new());
        let mut keep = |path: &[LinkId]| paths.push(path.to_vec());
        lattice.for_each_path(pair, dimensions, Ties::Split, &mut links, &mut keep);
        paths
    };
    pairs.map(paths).collect()
}

/// Where a path has been, so that its loops are found.
struct Loops<'r> {
    heads: &'r [NodeId],
    /// The number of links that lead to every node, where the path has visited it.
    visited: Vec<Option<usize>>,
}

impl<'r> Loops<'r> {
    fn new(routing: &'r TwoPhase, s: Host) -> Self {
        let nodes = if routing.rule.erases_loops { routing.nodes as usize } else { 0 };
        let mut visited = vec![None; nodes];
        if let Some(start) = visited.get_mut(s as usize) {
            *start = Some(0);
        }
        Self { heads: &routing.heads, visited }
    }

    /// Appends a link to a path; where it leads back to a node of the path, all since then is removed instead.
    fn push(&mut self, link: LinkId, path: &mut Path) {
        let head = self.heads[link as usize] as usize;
        if let Some(length) = self.visited[head] {
            self.leave(path.drain(length..));
        } else {
            path.push(link);
            self.visited[head] = Some(path.len());
        }
    }

    /// Forgets a path.
    fn clear(&mut self, path: &[LinkId]) {
        self.leave(path.iter().copied());
    }

    fn leave(&mut self, links: impl Iterator<Item = LinkId>) {
        links.for_each(|link| self.visited[self.heads[link as usize] as usize] = None);
    }
}

impl Routing for TwoPhase {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        false
    }

    fn has_detours(&self) -> bool {
        !self.rule.is_minimal
    }

    fn may_revisit(&self) -> bool {
        !self.rule.is_minimal && !self.rule.erases_loops
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let mut paths: BTreeMap<Path, u64> = BTreeMap::new();
        let sum =
            self.for_each_weighted(s, d, links, &mut |weight, path| match paths.get_mut(path) {
                Some(known) => *known += weight,
                None => _ = paths.insert(path.to_vec(), weight),
            });
        for (path, weight) in &paths {
            visit(&share(*weight, sum), path);
        }
    }

    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        let mut uses = vec![0; self.links];
        let sum = self.for_each_weighted(s, d, &mut scratch.links, &mut |weight, path| {
            for link in path {
                uses[*link as usize] += weight;
            }
        });
        for (link, weight) in uses.iter().enumerate().filter(|(_, weight)| **weight > 0) {
            visit(&share(*weight, sum), &[link_number(link)]);
        }
    }
}

fn share(weight: u64, sum: u64) -> Rational {
    Rational::new(weight, sum).expect("a pair has a path")
}

#[cfg(test)]
mod tests;
