//! All shortest paths of any network: `omrmn` and `ecmp` where there are no labels.
//!
//! For every destination one breadth-first search backwards gives each node its distance and
//! its number of shortest paths. A link (v,x) is on a shortest path exactly when x is one hop
//! nearer. The traffic at a node is divided among these links in proportion to a weight:
//! 1 each for `ecmp`, the number of shortest paths from x on for `omrmn`, which gives every
//! path the same share (uniform choice among the paths, one hop at a time).
//!
//! Shortest paths may lead through hosts, where a network has hosts that forward.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::uses::merge;
use super::{Routing, RoutingError, UseScratch};
use crate::limit::within;
use crate::ratio::Ratio;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology};

/// Most entries of the table, hosts × nodes of them at 8 bytes.
const MAX_ENTRIES: u64 = 1 << 26;

/// Most shortest paths of an SD pair, so that those of a pair are listed within a second. No
/// tree has more.
const MAX_PATHS: u64 = 1 << 22;

/// How the traffic at a node is divided among its next hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// Evenly over the shortest paths that remain.
    PerPath,
    /// Evenly over the links.
    PerHop,
}

/// The node's way to a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    /// Links to go, or [`UNREACHABLE`].
    distance: u32,
    /// Shortest paths, at most `u32::MAX` of them counted.
    paths: u32,
}

const UNREACHABLE: u32 = u32::MAX;

/// A split over all shortest paths of a network.
pub(super) struct ShortestPaths {
    spec: String,
    split: Split,
    nodes: usize,
    /// Links out of node v, ascending: `links[first[v]..first[v + 1]]`.
    first: Vec<u32>,
    links: Vec<(LinkId, NodeId)>,
    /// Entry `d · nodes + v`.
    way: Vec<Way>,
    single_path: bool,
}

impl ShortestPaths {
    /// The split of all pairs. O(hosts · links).
    ///
    /// # Errors
    /// [`RoutingError::DoesNotFit`] when a pair has no path, [`RoutingError::TooLarge`] when
    /// the table or the number of paths of a pair is too large.
    pub(super) fn new(
        spec: &Spec,
        topology: &Topology,
        split: Split,
    ) -> Result<Self, RoutingError> {
        let (hosts, nodes) = (topology.hosts(), topology.nodes());
        let entries = Some(hosts as u128 * nodes as u128);
        within("hosts × nodes", entries, MAX_ENTRIES, "analyse a part of the network")?;
        let mut way = vec![Way { distance: UNREACHABLE, paths: 0 }; hosts * nodes];
        let rows = way.par_chunks_mut(nodes).enumerate();
        rows.for_each(|(d, row)| search(topology, d as Host, row));
        let single_path = check(spec, topology, &way)?;
        let (first, links) = links_by_node(topology);
        Ok(Self { spec: spec.to_string(), split, nodes, first, links, way, single_path })
    }

    /// Links of `node` that are on a shortest path to `d`, with weights.
    fn hops(&self, node: NodeId, d: Host) -> impl Iterator<Item = Hop> + use<'_> {
        let ways = &self.way[d as usize * self.nodes..][..self.nodes];
        let range = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        let distance = ways[node as usize].distance;
        self.links[range].iter().filter_map(move |(link, head)| {
            let way = ways[*head as usize];
            let weight = if self.split == Split::PerHop { 1 } else { way.paths };
            let nearer = way.distance != UNREACHABLE && way.distance + 1 == distance;
            nearer.then_some(Hop { link: *link, head: *head, weight: weight.into() })
        })
    }

    /// The share of each unit of weight, when `share` of a pair's traffic is at `node`.
    fn unit(&self, node: NodeId, d: Host, share: &Ratio) -> Ratio {
        let total: u64 = self.hops(node, d).map(|hop| hop.weight).sum();
        share.checked_div(&Ratio::from(total)).unwrap_or(Ratio::ZERO)
    }
}

struct Hop {
    link: LinkId,
    head: NodeId,
    weight: u64,
}

impl Hop {
    fn share(&self, unit: &Ratio) -> Ratio {
        if self.weight == 1 { unit.clone() } else { unit * &Ratio::from(self.weight) }
    }
}

impl Routing for ShortestPaths {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.single_path
    }

    /// Depth first, next hops by link number.
    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Ratio, &[LinkId]),
    ) {
        links.clear();
        let mut open = vec![(self.hops(s, d), self.unit(s, d, &Ratio::ONE))];
        while let Some((hops, unit)) = open.last_mut() {
            let Some(hop) = hops.next() else {
                open.pop();
                links.pop();
                continue;
            };
            let share = hop.share(unit);
            links.push(hop.link);
            if hop.head == d {
                visit(&share, links);
                links.pop();
            } else {
                open.push((self.hops(hop.head, d), self.unit(hop.head, d, &share)));
            }
        }
    }

    /// All nodes at one distance at a time: O(links on shortest paths).
    fn for_each_use(
        &self,
        s: Host,
        d: Host,
        scratch: &mut UseScratch,
        visit: &mut dyn FnMut(&Ratio, &[LinkId]),
    ) {
        let UseScratch { shares: here, next, .. } = scratch;
        here.clear();
        here.push((s, Ratio::ONE));
        while here.first().is_some_and(|(node, _)| *node != d) {
            next.clear();
            for (node, share) in here.iter() {
                let unit = self.unit(*node, d, share);
                for hop in self.hops(*node, d) {
                    let share = hop.share(&unit);
                    visit(&share, &[hop.link]);
                    next.push((hop.head, share));
                }
            }
            merge(next);
            std::mem::swap(here, next);
        }
    }
}

/// Ways of all nodes to `d`, backwards from there.
fn search(topology: &Topology, d: Host, ways: &mut [Way]) {
    ways[d as usize] = Way { distance: 0, paths: 1 };
    let mut queue = VecDeque::from([d]);
    while let Some(node) = queue.pop_front() {
        let here = ways[node as usize];
        for (tail, _) in topology.links_to(node).filter_map(|link| topology.ends(link)) {
            let there = &mut ways[tail as usize];
            if there.distance == UNREACHABLE {
                there.distance = here.distance + 1;
                queue.push_back(tail);
            }
            if there.distance == here.distance + 1 {
                there.paths = there.paths.saturating_add(here.paths);
            }
        }
    }
}

/// Whether every pair has exactly one path; an error when one has none or too many.
fn check(spec: &Spec, topology: &Topology, way: &[Way]) -> Result<bool, RoutingError> {
    let (hosts, mut single) = (topology.hosts(), true);
    for (d, ways) in way.chunks(topology.nodes()).enumerate() {
        for (s, way) in ways[..hosts].iter().enumerate() {
            if way.distance == UNREACHABLE {
                let name = |host: usize| &topology.node(host as NodeId).name;
                let reason = format!("host `{}` has no path to host `{}`", name(s), name(d));
                return Err(RoutingError::does_not_fit(spec, topology, reason));
            }
            let what = "number of shortest paths of a pair";
            let remedy = "use a routing with fewer paths a pair";
            within(what, Some(way.paths.into()), MAX_PATHS, remedy)?;
            single &= way.paths == 1;
        }
    }
    Ok(single)
}

/// Links out of all nodes, ascending, with their heads.
fn links_by_node(topology: &Topology) -> (Vec<u32>, Vec<(LinkId, NodeId)>) {
    let (mut first, mut links) = (vec![0], Vec::with_capacity(topology.links()));
    for node in 0..topology.nodes() as NodeId {
        let begin = links.len();
        let ends = topology.links_from(node);
        links.extend(ends.filter_map(|link| Some((link, topology.ends(link)?.1))));
        links[begin..].sort_unstable();
        first.push(links.len() as u32);
    }
    (first, links)
}
