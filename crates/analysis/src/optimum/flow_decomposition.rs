//! Flow decomposition: paths from link flows.
//!
//! The traffic of one source is one flow in a solver's answer. Paths are peeled off it one by one:
//! from a destination back to the source, always over the link with the most remaining flow, so
//! that few paths result. Cycles met on the way are cancelled; they only load links. The remainder
//! left by rounding goes to the largest path of the pair.

use super::problem::{Group, Problem};
use super::shortest::Tree;
use crate::integer::index32;
use crate::topology::{Host, LinkId, NodeId};

/// Flow below this fraction of the source's traffic is a rounding error.
const NOISE: f64 = 1e-14;

/// Links from the source to a destination, and the amount that they carry.
pub struct PathFlow {
    /// Links in order.
    pub links: Vec<LinkId>,
    /// Amount, in solver floats.
    pub amount: f64,
}

/// Decomposes flows, source by source; its arrays are reused.
pub struct FlowDecomposer<'p> {
    problem: &'p Problem<'p>,
    flow: Vec<f64>,
    incoming: Vec<Vec<LinkId>>,
    /// Position of a node on the walk, from 1; 0 when it is not on the walk.
    place: Vec<u32>,
    tree: Tree,
}

impl<'p> FlowDecomposer<'p> {
    /// A decomposer for the network of `problem`.
    #[must_use]
    pub fn new(problem: &'p Problem<'p>) -> Self {
        let (nodes, links) = (problem.network().nodes(), problem.network().links());
        Self {
            problem,
            flow: vec![0.0; links],
            incoming: vec![Vec::new(); nodes],
            place: vec![0; nodes],
            tree: Tree::default(),
        }
    }

    /// The paths of every destination of `group`, in order, at least one each. `flow` is the link
    /// traffic; for a destination that it does not reach, `lengths` give a shortest path.
    /// O((links + destinations) · path length).
    pub fn decompose(
        &mut self,
        group: &Group,
        flow: &[(LinkId, f64)],
        lengths: &[u64],
    ) -> Vec<Vec<PathFlow>> {
        let total: f64 = group.sinks.iter().map(|(_, units)| self.problem.amount(*units)).sum();
        let noise = total * NOISE;
        // What a solver calls infinite could be cancelled forever.
        let carries = |amount: f64| amount > noise && amount.is_finite();
        for &(link, amount) in flow.iter().filter(|(_, amount)| carries(*amount)) {
            self.flow[link as usize] = amount;
            self.incoming[self.problem.network().ends(link).1 as usize].push(link);
        }
        let mut searched = false;
        let paths = group.sinks.iter().map(|&(d, units)| {
            let mut paths = self.paths_to(group.source, d, self.problem.amount(units), noise);
            if paths.is_empty() {
                if !std::mem::replace(&mut searched, true) {
                    self.tree.search(self.problem.network(), group.source, lengths);
                }
                let mut links = Vec::new();
                self.tree.path(self.problem.network(), d, &mut links);
                paths.push(PathFlow { links, amount: self.problem.amount(units) });
            }
            paths
        });
        let paths = paths.collect();
        for &(link, _) in flow {
            self.flow[link as usize] = 0.0;
            self.incoming[self.problem.network().ends(link).1 as usize].clear();
        }
        paths
    }

    fn paths_to(&mut self, source: Host, d: Host, amount: f64, noise: f64) -> Vec<PathFlow> {
        let mut paths: Vec<PathFlow> = Vec::new();
        let mut left = amount;
        let mut links = Vec::new();
        while left > noise && self.walk_back(source, d, noise, &mut links) {
            let thinnest = links.iter().map(|link| self.flow[*link as usize]);
            let part = thinnest.fold(left, f64::min);
            for link in &links {
                self.flow[*link as usize] -= part;
            }
            left -= part;
            paths.push(PathFlow { links: links.iter().rev().copied().collect(), amount: part });
        }
        let largest = paths.iter_mut().max_by(|a, b| a.amount.total_cmp(&b.amount));
        if let Some(largest) = largest {
            largest.amount += left;
        }
        paths
    }

    /// Walks from `d` back to the source, with `links` in the order of the walk. `false` when the
    /// flow does not lead there. Every cycle met empties a link, so the walk ends.
    fn walk_back(&mut self, source: Host, d: Host, noise: f64, links: &mut Vec<LinkId>) -> bool {
        links.clear();
        let mut at = d;
        while at != source {
            self.place[at as usize] = index32(links.len()) + 1;
            let Some(link) = self.widest(at, noise) else { break };
            links.push(link);
            at = self.problem.network().ends(link).0;
            let met = self.place[at as usize] as usize;
            if met > 0 {
                self.cancel(&links[met - 1..]);
                self.forget(&links[met - 1..]);
                links.truncate(met - 1);
            }
        }
        self.place[at as usize] = 0;
        self.forget(links);
        at == source
    }

    /// Removes the heads of `links` from the walk.
    fn forget(&mut self, links: &[LinkId]) {
        for link in links {
            self.place[self.problem.network().ends(*link).1 as usize] = 0;
        }
    }

    fn widest(&mut self, node: NodeId, noise: f64) -> Option<LinkId> {
        let flow = &self.flow;
        let incoming = &mut self.incoming[node as usize];
        incoming.retain(|link| flow[*link as usize] > noise);
        let width = |link: &&LinkId| flow[**link as usize];
        incoming.iter().max_by(|a, b| width(a).total_cmp(&width(b))).copied()
    }

    fn cancel(&mut self, cycle: &[LinkId]) {
        let least = cycle.iter().map(|link| self.flow[*link as usize]).fold(f64::MAX, f64::min);
        for link in cycle {
            self.flow[*link as usize] -= least;
        }
    }
}
