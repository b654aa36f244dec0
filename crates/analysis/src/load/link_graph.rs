//! The SD pairs of one link as a bipartite graph, for matchings.

use super::SharedPair;
use crate::integer::index32;
use crate::matching::{Graph, NONE};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

/// The bipartite graph of a link's pairs, in buffers that are reused from link to link. Its left
/// vertices are the sources, its right vertices the destinations, both numbered in order of first
/// use.
pub struct LinkGraph<'p> {
    /// Host of every left vertex.
    pub sources: Vec<Host>,
    /// Host of every right vertex.
    pub destinations: Vec<Host>,
    /// The graph; vertices are indices into `sources` and `destinations`.
    pub graph: Graph,
    /// Share of every edge of the graph.
    pub shares: Vec<&'p Rational>,
    /// The link.
    pub link: LinkId,
    /// Right vertex of every host, or [`NONE`].
    slot: Vec<u32>,
}

impl<'p> LinkGraph<'p> {
    /// Buffers for a network with the given number of hosts.
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

    /// Loads the pairs of a link, which must be sorted by source.
    pub fn load(&mut self, link: LinkId, pairs: impl Iterator<Item = SharedPair<'p>>) {
        self.link = link;
        for host in self.destinations.drain(..) {
            self.slot[host as usize] = NONE;
        }
        self.sources.clear();
        self.shares.clear();
        self.graph.targets.clear();
        self.graph.offsets.clear();
        let mut found = 0;
        for pair in pairs {
            if self.sources.last() != Some(&pair.s) {
                self.sources.push(pair.s);
                self.graph.offsets.push(index32(self.graph.targets.len()));
            }
            let slot = &mut self.slot[pair.d as usize];
            if *slot == NONE {
                *slot = found;
                found += 1;
                self.destinations.push(pair.d);
            }
            self.graph.targets.push(*slot);
            self.shares.push(pair.share);
        }
        self.graph.offsets.push(index32(self.graph.targets.len()));
        self.graph.right = self.destinations.len();
    }

    /// The graph with other shares, one for every edge.
    #[must_use]
    pub fn with_shares<'q>(&self, shares: &'q [Rational]) -> LinkGraph<'q> {
        LinkGraph {
            sources: self.sources.clone(),
            destinations: self.destinations.clone(),
            graph: self.graph.clone(),
            shares: shares.iter().collect(),
            link: self.link,
            slot: self.slot.clone(),
        }
    }

    /// Edges as (source index, destination index, share).
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, &'p Rational)> {
        let ends = self.graph.offsets.windows(2).enumerate();
        let edges =
            ends.flat_map(|(u, ends)| (ends[0]..ends[1]).map(move |edge| (u, edge as usize)));
        edges.map(|(u, edge)| (u, self.graph.targets[edge] as usize, self.shares[edge]))
    }

    /// Hosts with their weights, ascending by host, where `weight` takes an index into `hosts`;
    /// zeros are left out.
    pub fn weighted(hosts: &[Host], weight: impl Fn(usize) -> Rational) -> Vec<(Host, Rational)> {
        let weights = hosts.iter().enumerate().map(|(index, host)| (*host, weight(index)));
        let mut weights: Vec<_> = weights.filter(|(_, weight)| !weight.is_zero()).collect();
        weights.sort_unstable_by_key(|(host, _)| *host);
        weights
    }
}
