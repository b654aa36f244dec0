//! The next hops of shortest paths on any network, of which a switch that hashes chooses one.

use dashu_int::UBig;

use super::shortest::{Hop, ShortestPaths, ShortestSplit};
use super::weighted::WeightedPaths;
use super::{Routing as _, RoutingError};
use crate::integer::index32;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology};

/// Maximum number of next hops that are written down where paths are shortest by hops.
const MAX_LISTED: u64 = 1 << 22;

/// The next hops of all nodes to all destinations, by link number.
pub(super) enum NextHops {
    /// With a list of all of them, where they are few.
    ByCount(ShortestPaths, Option<Box<HopLists>>),
    ByLength(WeightedPaths),
}

/// Links with the nodes behind them.
type Hops = [(LinkId, NodeId)];

/// All next hops, so that none are searched for.
pub(super) struct HopLists {
    nodes: usize,
    /// The number and the node of every host's gate.
    gates: Vec<(u32, NodeId)>,
    /// Those of node v to gate g are `hops[first[g · nodes + v]..first[g · nodes + v + 1]]`.
    first: Vec<u32>,
    hops: Vec<(LinkId, NodeId)>,
    /// The links from its gate to every host.
    last: Vec<Vec<(LinkId, NodeId)>>,
}

impl HopLists {
    /// O(gates · links); `None` where there are too many.
    fn of(paths: &ShortestPaths, topology: &Topology) -> Option<Self> {
        let nodes = topology.nodes();
        let gates: Vec<(u32, NodeId)> = topology.host_numbers().map(|d| paths.gate(d)).collect();
        let mut hosts: Vec<(u32, Host)> =
            gates.iter().zip(0..).map(|((number, _), host)| (*number, host)).collect();
        hosts.sort_unstable();
        hosts.dedup_by_key(|(number, _)| *number);
        let entries = hosts.len() as u64 * (nodes + topology.links()) as u64;
        if entries > MAX_LISTED {
            return None;
        }
        let (mut first, mut hops) = (vec![0], Vec::new());
        let pair = |hop: Hop| (hop.link, hop.head);
        for (_, d) in hosts {
            let (to, (_, gate)) = (paths.to(d), paths.gate(d));
            for node in topology.node_numbers() {
                hops.extend(to.hops(node).filter(|_| node != gate).map(pair));
                first.push(index32(hops.len()));
            }
        }
        let of_host = |(d, (_, gate)): (Host, &(u32, NodeId))| paths.to(d).hops(*gate).map(pair);
        let last = (0..).zip(&gates).map(|host| of_host(host).collect()).collect();
        Some(Self { nodes, gates, first, hops, last })
    }

    fn hops(&self, node: NodeId, d: Host) -> &Hops {
        let (number, gate) = self.gates[d as usize];
        if node == gate {
            return &self.last[d as usize];
        }
        let ends = &self.first[number as usize * self.nodes + node as usize..];
        &self.hops[ends[0] as usize..ends[1] as usize]
    }
}

impl NextHops {
    /// Those of paths that are shortest by these lengths, or by hops where there are none.
    ///
    /// # Errors
    /// As [`ShortestPaths::new`] and [`WeightedPaths::new`].
    pub(super) fn of(
        spec: &Spec,
        topology: &Topology,
        by_link: Option<&[UBig]>,
    ) -> Result<Self, RoutingError> {
        if let Some(lengths) = by_link {
            return Ok(Self::ByLength(WeightedPaths::new(spec, topology, lengths)?));
        }
        let paths = ShortestPaths::new(spec, topology, ShortestSplit::PerHop)?;
        let listed = HopLists::of(&paths, topology).map(Box::new);
        Ok(Self::ByCount(paths, listed))
    }

    /// The next hops of a node on its way to `d`, where they are written down.
    #[inline]
    fn listed(&self, node: NodeId, d: Host) -> Option<&Hops> {
        match self {
            Self::ByCount(_, listed) => Some(listed.as_ref()?.hops(node, d)),
            Self::ByLength(paths) => Some(paths.hops(node, d)),
        }
    }

    /// The number of next hops of a node on its way to `d`.
    pub(super) fn number(&self, node: NodeId, d: Host) -> u32 {
        match self {
            Self::ByCount(paths, _) => paths.to(d).total(node),
            Self::ByLength(paths) => index32(paths.hops(node, d).len()),
        }
    }

    /// The link at this place among them, with the node behind it.
    pub(super) fn at(&self, node: NodeId, d: Host, place: u32) -> (LinkId, NodeId) {
        let next = match (self, self.listed(node, d)) {
            (Self::ByCount(paths, _), None) => {
                let mut hops = paths.to(d).hops(node);
                hops.nth(place as usize).map(|hop| (hop.link, hop.head))
            }
            (_, listed) => listed.and_then(|hops| hops.get(place as usize).copied()),
        };
        next.expect("a link leads towards d")
    }

    /// The link that `choose` takes of so many, if there are several, with the node behind it.
    #[inline]
    pub(super) fn chosen(
        &self,
        node: NodeId,
        d: Host,
        choose: impl FnOnce(u32) -> u32,
    ) -> (LinkId, NodeId) {
        match self.listed(node, d) {
            Some([only]) => *only,
            Some(hops) => hops[choose(index32(hops.len())) as usize],
            None => match self.number(node, d) {
                1 => self.at(node, d, 0),
                among => self.at(node, d, choose(among)),
            },
        }
    }

    /// Whether every pair has one shortest path.
    pub(super) fn is_single_path(&self) -> bool {
        match self {
            Self::ByCount(paths, _) => paths.is_single_path(),
            Self::ByLength(paths) => paths.is_single_path(),
        }
    }

    /// Whether paths may have more links than the shortest by hops.
    pub(super) fn has_detours(&self) -> bool {
        matches!(self, Self::ByLength(_))
    }
}
