//! The SD pairs of one link as a bipartite graph, for matchings.

use super::SharedPair;
use crate::matching::{Graph, NONE};
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId};

/// The bipartite graph of a link's pairs, in buffers that are reused from link to link. Left vertices
/// are its sources, right vertices its destinations, both numbered in the order of first use.
pub struct LinkGraph<'p> {
    /// Host of every left vertex.
    pub sources: Vec<Host>,
    /// Host of every right vertex.
    pub destinations: Vec<Host>,
    /// Sources and destinations by their places here.
    pub graph: Graph,
    /// Share of every edge of the graph.
    pub shares: Vec<&'p Ratio>,
    /// The link.
    pub link: LinkId,
    /// Right vertex of every host, or [`NONE`].
    slot: Vec<u32>,
}

impl<'p> LinkGraph<'p> {
    /// Buffers for a network of so many hosts.
    #[must_use]
    pub fn for_hosts(hosts: usize) -> Self {
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
    pub fn load(&mut self, link: LinkId, pairs: impl Iterator<Item = SharedPair<'p>>) {
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
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, &'p Ratio)> {
        let ends = self.graph.offsets.windows(2).enumerate();
        let edges =
            ends.flat_map(|(u, ends)| (ends[0]..ends[1]).map(move |edge| (u, edge as usize)));
        edges.map(|(u, edge)| (u, self.graph.targets[edge] as usize, self.shares[edge]))
    }

    /// Hosts with weights, ascending, from weights by index; zeros are left out.
    pub fn weighted(hosts: &[Host], weight: impl Fn(usize) -> Ratio) -> Vec<(Host, Ratio)> {
        let weights = hosts.iter().enumerate().map(|(index, host)| (*host, weight(index)));
        let mut weights: Vec<_> = weights.filter(|(_, weight)| !weight.is_zero()).collect();
        weights.sort_unstable_by_key(|(host, _)| *host);
        weights
    }
}
