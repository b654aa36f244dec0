//! All shortest paths of any network: `omrmn` and `ecmp` for networks without labels.
//!
//! For every destination one backward breadth-first search gives each node its distance and
//! its number of shortest paths. A link (v,x) is on a shortest path exactly when x is one hop
//! nearer. The traffic at a node is divided among these links in proportion to a weight:
//! 1 each for `ecmp`, the number of shortest paths from x on for `omrmn`, which gives every
//! path the same share (uniform choice among the paths, one hop at a time).
//!
//! Shortest paths may lead through hosts in networks whose hosts forward.

use std::collections::VecDeque;

use dashu_int::UBig;
use rayon::prelude::*;

use super::{Routing, RoutingError, UseScratch};
use crate::integer::{Gcd, index32};
use crate::limit::within;
use crate::ratio::Ratio;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

/// Most entries of the table, which has hosts × nodes of 8 bytes each.
const MAX_ENTRIES: u64 = 1 << 26;

/// Most shortest paths of an SD pair, so that they can be listed within a second. No tree has
/// more.
const MAX_PATHS: u64 = 1 << 22;

/// How the traffic at a node is divided among its next hops on shortest paths.
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
    /// The way from v to d is entry `d · nodes + v`.
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
        split: ShortestSplit,
    ) -> Result<Self, RoutingError> {
        let (hosts, nodes) = (topology.hosts(), topology.nodes());
        let entries = Some(hosts as u128 * nodes as u128);
        within("hosts × nodes", entries, MAX_ENTRIES, "analyse a part of the network")?;
        let mut way = vec![Way { distance: UNREACHABLE, total: 0 }; hosts * nodes];
        let rows = way.par_chunks_mut(nodes).enumerate();
        let extremes: Vec<_> =
            rows.map(|(d, row)| search(topology, host_number(d), split, row)).collect();
        let single_path = check(spec, topology, &extremes)?;
        let (first, links) = links_by_node(topology);
        Ok(Self { spec: spec.to_string(), split, nodes, first, links, way, single_path })
    }

    /// Whether a network has the links that this was made of.
    fn has_links_of(&self, topology: &Topology) -> bool {
        let (first, links) = links_by_node(topology);
        self.first == first && self.links == links
    }

    /// Links out of `node` that are on a shortest path to `d`, with their weights.
    fn hops(&self, node: NodeId, d: Host) -> impl Iterator<Item = Hop> + use<'_> {
        let ways = &self.way[d as usize * self.nodes..][..self.nodes];
        let range = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        let distance = ways[node as usize].distance;
        self.links[range].iter().filter_map(move |(link, head)| {
            let way = ways[*head as usize];
            let weight = if self.split == ShortestSplit::PerHop { 1 } else { way.total };
            let nearer = way.distance != UNREACHABLE && way.distance + 1 == distance;
            nearer.then_some(Hop { link: *link, head: *head, weight })
        })
    }

    /// Sum of the weights of [`Self::hops`].
    fn total(&self, node: NodeId, d: Host) -> u32 {
        self.way[d as usize * self.nodes + node as usize].total
    }

    /// The share per unit of weight when `share` of a pair's traffic is at `node`.
    fn unit(&self, node: NodeId, d: Host, share: &Ratio) -> Ratio {
        share
            .checked_div(&Ratio::from(u64::from(self.total(node, d))))
            .expect("a link leads towards d")
    }
}

/// A link on a shortest path.
struct Hop {
    link: LinkId,
    head: NodeId,
    weight: u32,
}

/// Nodes at one distance from a pair's destination, with shares in integers: they are parts of a
/// whole that grows where a node cannot divide its part.
#[derive(Debug, Default)]
pub(super) struct Layer {
    /// Nodes with their parts.
    nodes: Vec<(NodeId, UBig)>,
    /// Links to the next layer with their heads and parts.
    links: Vec<(LinkId, NodeId, UBig)>,
}

impl Layer {
    fn start(&mut self, s: Host) {
        self.nodes.clear();
        self.nodes.push((s, UBig::ONE));
    }

    /// Divides the parts of the nodes among their next hops, in the order of the nodes. The
    /// whole grows by the returned factor.
    fn divide(&mut self, routing: &ShortestPaths, d: Host) -> UBig {
        let mut factor = UBig::ONE;
        for (node, part) in &self.nodes {
            let total = routing.total(*node, d);
            let rest = (part * &factor) % total;
            factor *= total / total.gcd(rest);
        }
        self.links.clear();
        for (node, part) in &self.nodes {
            let unit = part * &factor / routing.total(*node, d);
            let hops = routing.hops(*node, d);
            self.links.extend(hops.map(|hop| (hop.link, hop.head, &unit * hop.weight)));
        }
        factor
    }

    /// Advances to the heads of the links.
    fn advance(&mut self) {
        self.links.sort_unstable_by_key(|(_, head, _)| *head);
        self.nodes.clear();
        let heads = self.links.chunk_by(|a, b| a.1 == b.1);
        self.nodes.extend(heads.map(|links| {
            let sum = links.iter().fold(UBig::ZERO, |sum, (_, _, part)| sum + part);
            (links[0].1, sum)
        }));
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
            let share = &*unit * &Ratio::from(u64::from(hop.weight));
            links.push(hop.link);
            if hop.head == d {
                visit(&share, links);
                links.pop();
            } else {
                open.push((self.hops(hop.head, d), self.unit(hop.head, d, &share)));
            }
        }
    }

    fn shortest_split(&self, topology: &Topology) -> Option<ShortestSplit> {
        let is_same = self.nodes == topology.nodes()
            && self.way.len() == topology.hosts() * self.nodes
            && self.has_links_of(topology);
        is_same.then_some(self.split)
    }

    /// Distance by distance.
    fn uses_in_order(&self) -> bool {
        true
    }

    /// Handles all nodes at the same distance together: O(ports of the nodes on shortest paths).
    fn for_each_use(
        &self,
        s: Host,
        d: Host,
        scratch: &mut UseScratch,
        visit: &mut dyn FnMut(&Ratio, &[LinkId]),
    ) {
        let UseScratch { links, layer, .. } = scratch;
        let mut whole = UBig::ONE;
        layer.start(s);
        while layer.nodes.first().is_some_and(|(node, _)| *node != d) {
            whole *= layer.divide(self, d);
            for equal in layer.links.chunk_by(|a, b| a.2 == b.2) {
                let share = Ratio::from_big(equal[0].2.clone(), whole.clone());
                links.clear();
                links.extend(equal.iter().map(|(link, ..)| *link));
                visit(&share.expect("the whole is not 0"), links);
            }
            layer.advance();
        }
    }
}

/// Fewest and most shortest paths from any host to one destination, the former with its host.
pub(super) type Extremes = ((u32, Host), u32);

/// Computes the ways of all nodes to `d`, backwards from there.
fn search(topology: &Topology, d: Host, split: ShortestSplit, ways: &mut [Way]) -> Extremes {
    let mut paths = vec![0_u32; ways.len()];
    paths[d as usize] = 1;
    ways[d as usize] = Way { distance: 0, total: 1 };
    let mut queue = VecDeque::from([d]);
    while let Some(node) = queue.pop_front() {
        let distance = ways[node as usize].distance + 1;
        for (tail, _) in topology.links_to(node).filter_map(|link| topology.ends(link)) {
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
    let hosts = (0..).zip(&paths[..topology.hosts()]);
    let fewest = hosts.map(|(host, paths)| (*paths, host)).min().expect("d is a host");
    let most = paths[..topology.hosts()].iter().max().copied();
    (fewest, most.expect("d is a host"))
}

/// Whether every pair has exactly one path; an error when one has none or too many.
pub(super) fn check(
    spec: &Spec,
    topology: &Topology,
    rows: &[Extremes],
) -> Result<bool, RoutingError> {
    for (d, ((fewest, s), most)) in rows.iter().enumerate() {
        if *fewest == 0 {
            let name = |host: NodeId| &topology.node(host).name;
            let reason =
                format!("host `{}` has no path to host `{}`", name(*s), name(host_number(d)));
            return Err(RoutingError::does_not_fit(spec, topology, reason));
        }
        let what = "number of shortest paths of a pair";
        let remedy = "use a routing with fewer paths per pair";
        within(what, Some((*most).into()), MAX_PATHS, remedy)?;
    }
    Ok(rows.iter().all(|(_, most)| *most == 1))
}

/// Links out of all nodes, ascending, with their heads.
fn links_by_node(topology: &Topology) -> (Vec<u32>, Vec<(LinkId, NodeId)>) {
    let (mut first, mut links) = (vec![0], Vec::with_capacity(topology.links()));
    for node in topology.node_numbers() {
        let begin = links.len();
        let ends = topology.links_from(node);
        links.extend(ends.filter_map(|link| Some((link, topology.ends(link)?.1))));
        links[begin..].sort_unstable();
        first.push(index32(links.len()));
    }
    (first, links)
}
