//! All shortest paths of any network: `omrmn` and `ecmp` for networks without labels.
//!
//! For every destination one backward breadth-first search gives each node its distance and
//! its number of shortest paths. A link (v,x) is on a shortest path exactly when x is one hop
//! nearer. The traffic at a node is divided among these links in proportion to a weight:
//! 1 each for `ecmp`, the number of shortest paths from x on for `omrmn`, which gives every
//! path the same share (uniform choice among the paths, one hop at a time).
//!
//! Shortest paths may lead through hosts in networks whose hosts forward. All ways to a host that one
//! neighbour alone leads to pass this neighbour, its gate: hosts of one gate share their ways.

mod gates;
mod left;

pub use left::split_without;

use std::collections::VecDeque;

use rayon::prelude::*;

use self::gates::Gates;
use super::part::Part;
use super::{Routing, RoutingError, UseScratch, Visit};
use crate::integer::index32;
use crate::limit::{TooLarge, within};
use crate::quote::quote;
use crate::rational::Rational;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

/// Maximum number of entries of the table, which has gates × nodes of 8 bytes each.
const MAX_ENTRIES: u64 = 1 << 26;

/// Maximum number of shortest paths of an SD pair, so that they can be listed within a second. No tree has
/// more.
const MAX_PATHS: u64 = 1 << 22;

/// The division of the traffic at a node among its next hops on shortest paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortestSplit {
    /// Evenly over the shortest paths that remain.
    PerPath,
    /// Evenly over the links.
    PerHop,
}

/// A node's way to a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    /// Number of links to go, or [`UNREACHABLE`].
    distance: u32,
    /// Sum of the weights of the next hops: their number when splitting per hop, the number of
    /// shortest paths when splitting per path. Paths beyond `u32::MAX` are not counted; no pair
    /// leads through such a node.
    total: u32,
}

const UNREACHABLE: u32 = u32::MAX;

/// A split over all shortest paths of a network.
pub(super) struct ShortestPaths {
    spec: String,
    split: ShortestSplit,
    nodes: usize,
    /// The links out of node v, ascending, are `links[first[v]..first[v + 1]]`.
    first: Vec<u32>,
    links: Vec<(LinkId, NodeId)>,
    /// How every host is reached.
    gates: Gates,
    /// The way from v to gate g is entry `g · nodes + v`.
    way: Vec<Way>,
    single_path: bool,
}

impl ShortestPaths {
    /// The split of all pairs. O(gates · links + hosts²).
    ///
    /// # Errors
    /// [`RoutingError::DoesNotFit`] when a pair has no path, [`RoutingError::TooLarge`] when
    /// the table or the number of paths of a pair is too large.
    pub(super) fn new(
        spec: &Spec,
        topology: &Topology,
        split: ShortestSplit,
    ) -> Result<Self, RoutingError> {
        let (gates, nodes) = (Gates::of(topology), topology.nodes());
        within_entries(gates.nodes.len(), nodes)?;
        let mut way = vec![Way { distance: UNREACHABLE, total: 0 }; gates.nodes.len() * nodes];
        let rows = way.par_chunks_mut(nodes).zip(&gates.nodes).zip(gates.hosts());
        let mut extremes: Vec<(Host, Extremes)> = rows
            .flat_map_iter(|((row, gate), hosts)| {
                let paths = search(topology, (*gate, &[]), split, row);
                let all = topology.hosts();
                hosts.into_iter().map(move |(d, cables)| (d, extremes(&paths, all, d, cables)))
            })
            .collect();
        extremes.sort_unstable_by_key(|(d, _)| *d);
        let extremes: Vec<Extremes> = extremes.into_iter().map(|(_, extremes)| extremes).collect();
        let single_path = check(spec, topology, &extremes)?;
        let (first, links) = links_by_node(topology, &[]);
        Ok(Self { spec: spec.to_string(), split, nodes, first, links, gates, way, single_path })
    }

    /// Whether a network has the links that this was made of.
    fn has_links_of(&self, topology: &Topology) -> bool {
        let (first, links) = links_by_node(topology, &[]);
        self.first == first && self.links == links
    }

    /// The ways of all nodes to a host.
    pub(super) fn to(&self, d: Host) -> To<'_> {
        let (number, gate) = self.gate(d);
        let ways = &self.way[number as usize * self.nodes..][..self.nodes];
        To { routing: self, d, gate, cables: self.gates.of_host[d as usize].1, ways }
    }

    /// The number and the node of a host's gate, which all ways to it pass.
    pub(super) fn gate(&self, d: Host) -> (u32, NodeId) {
        let (number, _) = self.gates.of_host[d as usize];
        (number, self.gates.nodes[number as usize])
    }

    /// The number of nodes of the network.
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }
}

/// The ways of all nodes to a host.
#[derive(Clone, Copy)]
pub(super) struct To<'r> {
    routing: &'r ShortestPaths,
    d: Host,
    gate: NodeId,
    /// Links from the gate to the host.
    cables: u32,
    /// To the gate.
    ways: &'r [Way],
}

impl<'r> To<'r> {
    /// Links out of `node` that are on a shortest path, with their weights.
    pub(super) fn hops(self, node: NodeId) -> impl Iterator<Item = Hop> + use<'r> {
        let Self { routing, d, gate, ways, .. } = self;
        let first = &routing.first[node as usize..];
        let links = &routing.links[first[0] as usize..first[1] as usize];
        let Way { distance, .. } = ways[node as usize];
        links.iter().filter_map(move |(link, head)| {
            let (link, head) = (*link, *head);
            if node == gate {
                return (head == d).then_some(Hop { link, head, weight: 1 });
            }
            let way = ways[head as usize];
            let weight = if routing.split == ShortestSplit::PerHop { 1 } else { way.total };
            let nearer = way.distance != UNREACHABLE && way.distance + 1 == distance;
            nearer.then_some(Hop { link, head, weight })
        })
    }

    /// Whether a host has a path: always, unless links are gone.
    fn is_reached_from(self, s: Host) -> bool {
        let cables = if self.gate == self.d { 1 } else { self.cables };
        cables > 0 && self.ways[s as usize].distance != UNREACHABLE
    }

    /// Sum of the weights of [`Self::hops`].
    pub(super) fn total(self, node: NodeId) -> u32 {
        if node == self.gate { self.cables } else { self.ways[node as usize].total }
    }
}

/// A link on a shortest path.
pub(super) struct Hop {
    pub(super) link: LinkId,
    pub(super) head: NodeId,
    pub(super) weight: u32,
}

impl Routing for ShortestPaths {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.single_path
    }

    /// Depth first, next hops by link number.
    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        links.clear();
        let to = self.to(d);
        let mut open = vec![(to.hops(s), to.total(s), Part::WHOLE)];
        // Most paths have the share of the one before.
        let mut last = (Part::WHOLE, Rational::ONE);
        while let Some((hops, total, part)) = open.last_mut() {
            let Some(hop) = hops.next() else {
                open.pop();
                links.pop();
                continue;
            };
            let part = part.times(hop.weight, *total);
            links.push(hop.link);
            if hop.head == d {
                if part != last.0 {
                    last = (part.clone(), part.to_ratio());
                }
                visit(&last.1, links);
                links.pop();
            } else {
                open.push((to.hops(hop.head), to.total(hop.head), part));
            }
        }
    }

    fn shortest_split(&self, topology: &Topology) -> Option<ShortestSplit> {
        let is_same = self.nodes == topology.nodes()
            && self.gates.of_host.len() == topology.hosts()
            && self.has_links_of(topology);
        is_same.then_some(self.split)
    }

    /// Distance by distance.
    fn uses_in_order(&self) -> bool {
        true
    }

    /// Handles all nodes at the same distance together: O(ports of the nodes on shortest paths).
    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        if !self.to(d).is_reached_from(s) {
            return;
        }
        let UseScratch { links, layer, .. } = scratch;
        layer.walk(self, s, d, links, visit);
    }
}

/// Fewest and most shortest paths from any host to one destination, the former with its host.
pub(super) type Extremes = ((u32, Host), u32);

/// Computes the ways of all nodes to `gate` without links that are `gone`, which are ascending, backwards from there, and
/// returns the number of paths from each.
fn search(
    topology: &Topology,
    (gate, gone): (NodeId, &[LinkId]),
    split: ShortestSplit,
    ways: &mut [Way],
) -> Vec<u32> {
    let mut paths = vec![0_u32; ways.len()];
    paths[gate as usize] = 1;
    ways[gate as usize] = Way { distance: 0, total: 1 };
    let mut queue = VecDeque::from([gate]);
    while let Some(node) = queue.pop_front() {
        let distance = ways[node as usize].distance + 1;
        let left = topology.links_to(node).filter(|link| gone.binary_search(link).is_err());
        for (tail, _) in left.filter_map(|link| topology.ends(link)) {
            let there = &mut ways[tail as usize];
            if there.distance == UNREACHABLE {
                there.distance = distance;
                queue.push_back(tail);
            }
            if there.distance == distance {
                there.total += 1;
                paths[tail as usize] = paths[tail as usize].saturating_add(paths[node as usize]);
            }
        }
    }
    if split == ShortestSplit::PerPath {
        ways.iter_mut().zip(&paths).for_each(|(way, paths)| way.total = *paths);
    }
    paths
}

/// The extremes of host `d`, given the paths from all nodes to its gate and the number of links from there.
fn extremes(paths: &[u32], hosts: usize, d: Host, cables: u32) -> Extremes {
    let of_host = |(host, paths): (Host, &u32)| {
        (if host == d { 1 } else { paths.saturating_mul(cables.max(1)) }, host)
    };
    let each = || (0..).zip(&paths[..hosts]).map(of_host);
    let fewest = each().min().unwrap_or((1, d));
    (fewest, each().max().map_or(1, |(paths, _)| paths))
}

/// Why a network on which a host has no path to another has no such routing.
pub(super) fn no_path(topology: &Topology, s: Host, d: Host) -> String {
    let name = |host: Host| quote(&topology.node(host).name);
    format!(
        "host `{}` has no path to host `{}`: add what joins them, or remove the hosts that are cut off",
        name(s),
        name(d)
    )
}

/// Whether every pair has exactly one path; an error when one has none or too many.
pub(super) fn check(
    spec: &Spec,
    topology: &Topology,
    rows: &[Extremes],
) -> Result<bool, RoutingError> {
    for (d, ((fewest, s), most)) in rows.iter().enumerate() {
        if *fewest == 0 {
            return Err(RoutingError::does_not_fit(
                spec,
                topology,
                no_path(topology, *s, host_number(d)),
            ));
        }
        within_paths(*most)?;
    }
    Ok(rows.iter().all(|(_, most)| *most == 1))
}

/// Fails where a table of the ways of all nodes to some gates is too large.
fn within_entries(gates: usize, nodes: usize) -> Result<(), TooLarge> {
    let (what, entries) = ("destination switches × nodes", gates as u128 * nodes as u128);
    within(what, Some(entries), MAX_ENTRIES, "analyse a part of the network")?;
    Ok(())
}

/// Fails where a pair has too many shortest paths.
fn within_paths(most: u32) -> Result<(), TooLarge> {
    let what = "number of shortest paths of a pair";
    within(what, Some(most.into()), MAX_PATHS, "use a routing with fewer paths per pair")?;
    Ok(())
}

/// Links out of all nodes but those that are `gone`, ascending, with their heads.
fn links_by_node(topology: &Topology, gone: &[LinkId]) -> (Vec<u32>, Vec<(LinkId, NodeId)>) {
    let (mut first, mut links) = (vec![0], Vec::with_capacity(topology.links()));
    for node in topology.node_numbers() {
        let begin = links.len();
        let ends = topology.links_from(node).filter(|link| gone.binary_search(link).is_err());
        links.extend(ends.filter_map(|link| Some((link, topology.ends(link)?.1))));
        links[begin..].sort_unstable();
        first.push(index32(links.len()));
    }
    (first, links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::{Instance, build};
    use crate::topology::NetworkBuilder;

    /// Hosts behind one neighbour, a switch or a host, by one cable or several, and hosts between switches.
    #[test]
    fn hosts_of_one_gate_share_their_ways() {
        let mut network = NetworkBuilder::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| network.switch(name));
        let hosts: Vec<_> = (0..6).map(|at| network.host(format!("{at}"))).collect();
        let cables = [
            (hosts[0], a),
            (hosts[1], a),
            (hosts[1], a),
            (hosts[2], b),
            (hosts[3], b),
            (hosts[3], c),
            (hosts[4], hosts[3]),
            (hosts[5], hosts[4]),
            (a, b),
            (a, c),
            (a, c),
            (b, c),
        ];
        for (one, other) in cables {
            network.cable(one, other, Rational::ONE);
        }
        let network = network.build("gates").unwrap();
        let gates = Gates::of(&network);
        assert_eq!(gates.of_host, [(0, 1), (0, 2), (1, 1), (2, 0), (3, 0), (3, 1)]);
        for (name, share) in [("ecmp", Rational::new(1, 2)), ("omrmn", Rational::new(1, 3))] {
            let routing = build(name, &network).unwrap();
            // From host 3 to host 1: over b, and twice over c; the last step has two cables.
            let mut paths = Vec::new();
            let mut by_b = Rational::ZERO;
            routing.for_each_path(3, 1, &mut Vec::new(), &mut |share, links| {
                let (_, second) = network.ends(links[0]).unwrap();
                if network.node(second).name == "b" {
                    by_b += share;
                }
                paths.push(links.to_vec());
            });
            assert_eq!((paths.len(), Some(by_b)), (6, share));
            let instance = Instance::trusted(network.clone(), routing);
            instance.check_paths(&crate::progress::Progress::silent()).unwrap();
        }
    }
}
