//! The SD pairs of one link, ready for a matching, and what a solver says about them.

use crate::certificate::Cover;
use crate::load::SharedPair;
use crate::matching::{Graph, Matching, NONE};
use crate::progress::{Progress, Stopped};
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, NodeId};
use crate::traffic::Demand;

/// Buffers of a solver, reused from link to link.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) matching: Matching,
}

/// The bipartite graph of a link's pairs: left vertices are its sources, right vertices its
/// destinations, both numbered in the order of first use.
pub(super) struct Problem<'p> {
    pub(super) sources: Vec<Host>,
    pub(super) destinations: Vec<Host>,
    pub(super) graph: Graph,
    /// Share of every edge of the graph.
    pub(super) shares: Vec<&'p Ratio>,
    /// The link.
    pub(super) link: LinkId,
    /// Right vertex of every host, or [`NONE`].
    slot: Vec<u32>,
}

impl<'p> Problem<'p> {
    pub(super) fn for_hosts(hosts: usize) -> Self {
        Self {
            sources: Vec::new(),
            destinations: Vec::new(),
            graph: Graph::default(),
            shares: Vec::new(),
            link: 0,
            slot: vec![NONE; hosts],
        }
    }

    /// Takes the pairs of a link, sorted by source.
    pub(super) fn load(&mut self, link: LinkId, pairs: impl Iterator<Item = SharedPair<'p>>) {
        self.link = link;
        for host in self.destinations.drain(..) {
            self.slot[host as usize] = NONE;
        }
        self.sources.clear();
        self.shares.clear();
        self.graph.targets.clear();
        self.graph.offsets.clear();
        for pair in pairs {
            if self.sources.last() != Some(&pair.s) {
                self.sources.push(pair.s);
                self.graph.offsets.push(self.graph.targets.len() as u32);
            }
            let slot = &mut self.slot[pair.d as usize];
            if *slot == NONE {
                *slot = self.destinations.len() as u32;
                self.destinations.push(pair.d);
            }
            self.graph.targets.push(*slot);
            self.shares.push(pair.share);
        }
        self.graph.offsets.push(self.graph.targets.len() as u32);
        self.graph.right = self.destinations.len();
    }

    /// Edges as (source index, destination index, share).
    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, usize, &'p Ratio)> {
        let ends = self.graph.offsets.windows(2).enumerate();
        let edges =
            ends.flat_map(|(u, ends)| (ends[0]..ends[1]).map(move |edge| (u, edge as usize)));
        edges.map(|(u, edge)| (u, self.graph.targets[edge] as usize, self.shares[edge]))
    }

    /// Hosts with weights, ascending, from weights by index; zeros are left out.
    pub(super) fn weighted(hosts: &[Host], weight: impl Fn(usize) -> Ratio) -> Vec<(Host, Ratio)> {
        let weights = hosts.iter().enumerate().map(|(index, host)| (*host, weight(index)));
        let mut weights: Vec<_> = weights.filter(|(_, weight)| !weight.is_zero()).collect();
        weights.sort_unstable_by_key(|(host, _)| *host);
        weights
    }
}

/// The most traffic on a link, with the cover that proves it.
pub(super) struct Solution {
    /// Traffic on the link (not yet divided by its capacity).
    pub(super) traffic: Ratio,
    /// Whether some traffic puts so much on the link, or this is an upper bound only.
    pub(super) attained: bool,
    /// The cover of the link, whose id is filled in later.
    pub(super) cover: Cover,
}

/// Finds the traffic that loads a link most.
pub(super) trait LinkSolver: Sync {
    /// The most traffic on the link and its proof, unless stopped before.
    fn solve(
        &self,
        problem: &Problem<'_>,
        scratch: &mut Scratch,
        progress: &Progress,
    ) -> Result<Solution, Stopped>;

    /// Traffic that attains it, unless stopped before.
    fn traffic(&self, problem: &Problem<'_>, progress: &Progress) -> Result<Vec<Demand>, Stopped>;

    /// What a host's traffic can be at most: its cost in a cover.
    fn host_limit(&self, host: Host, outgoing: bool) -> Ratio;

    /// The sets of nodes that covers refer to.
    fn cuts(&self) -> Vec<Vec<NodeId>> {
        Vec::new()
    }

    /// A bound without search: all sources, or all destinations. Every share is at most 1.
    fn trivial(&self, problem: &Problem<'_>) -> Solution {
        let total = |hosts: &[Host], outgoing| {
            hosts.iter().fold(Ratio::ZERO, |sum, host| &sum + &self.host_limit(*host, outgoing))
        };
        let sent = total(&problem.sources, true);
        let received = total(&problem.destinations, false);
        let all = |hosts: &[Host]| Problem::weighted(hosts, |_| Ratio::ONE);
        if sent <= received {
            let cover = Cover { sources: all(&problem.sources), ..Cover::default() };
            Solution { traffic: sent, attained: false, cover }
        } else {
            let cover = Cover { destinations: all(&problem.destinations), ..Cover::default() };
            Solution { traffic: received, attained: false, cover }
        }
    }
}
