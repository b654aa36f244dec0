//! Shortest-path trees under integer link lengths.
//!
//! petgraph's `dijkstra` does not fit: it returns distances in a hash map rather than the links of
//! the paths, and parallel links differ. Here a tree is three arrays that are reused.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::integer::index32;
use crate::topology::{LinkId, NodeId, Topology, node_number};

/// Maximum length of a link: the length of a path of [`Topology::MAX_LINKS`] links fits in 64 bits.
pub const MAX_LENGTH: u64 = 1 << 41;

/// "No link" in [`Tree::parent`].
const NONE: LinkId = LinkId::MAX;

/// The links out of every node, in one array.
pub struct Adjacency {
    first: Vec<u32>,
    arcs: Vec<(NodeId, LinkId)>,
    ends: Vec<(NodeId, NodeId)>,
}

impl Adjacency {
    /// The links of a network. O(nodes + links).
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let (mut first, mut arcs) = (vec![0], Vec::with_capacity(topology.links()));
        for node in topology.node_numbers() {
            let mut links: Vec<LinkId> = topology.links_from(node).collect();
            links.sort_unstable();
            arcs.extend(links.into_iter().filter_map(|link| Some((topology.ends(link)?.1, link))));
            first.push(index32(arcs.len()));
        }
        let ends = topology.link_numbers().filter_map(|link| topology.ends(link)).collect();
        Self { first, arcs, ends }
    }

    /// The network with some of the links, which keep their numbers. O(nodes + links).
    #[must_use]
    pub fn only(&self, keep: impl Fn(LinkId) -> bool) -> Self {
        let (mut first, mut arcs) = (vec![0], Vec::new());
        for node in 0..node_number(self.nodes()) {
            arcs.extend(self.out(node).iter().filter(|(_, link)| keep(*link)));
            first.push(index32(arcs.len()));
        }
        Self { first, arcs, ends: self.ends.clone() }
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    /// Number of links.
    #[must_use]
    pub fn links(&self) -> usize {
        self.ends.len()
    }

    /// Head and id of every link out of `node`, ascending by id.
    #[must_use]
    pub fn out(&self, node: NodeId) -> &[(NodeId, LinkId)] {
        let node = node as usize;
        &self.arcs[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The node that a link leaves and the node that it enters.
    #[must_use]
    pub fn ends(&self, link: LinkId) -> (NodeId, NodeId) {
        self.ends[link as usize]
    }
}

/// Shortest paths from one node to all others; reused between searches.
#[derive(Default)]
pub struct Tree {
    distance: Vec<u64>,
    parent: Vec<LinkId>,
    order: Vec<NodeId>,
    heap: BinaryHeap<Reverse<(u64, NodeId)>>,
}

impl Tree {
    /// Searches from `root`; `length[link]` ≤ [`MAX_LENGTH`]. Dijkstra, O(links · log nodes).
    /// Among paths of equal length it keeps the first one found, the same in every run.
    pub fn search(&mut self, network: &Adjacency, root: NodeId, length: &[u64]) {
        self.order.clear();
        self.distance.clear();
        self.distance.resize(network.nodes(), u64::MAX);
        self.parent.clear();
        self.parent.resize(network.nodes(), NONE);
        self.distance[root as usize] = 0;
        self.heap.push(Reverse((0, root)));
        while let Some(Reverse((distance, node))) = self.heap.pop() {
            if distance > self.distance[node as usize] {
                continue;
            }
            self.order.push(node);
            for (head, link) in network.out(node) {
                let through = distance + length[*link as usize];
                if through < self.distance[*head as usize] {
                    self.distance[*head as usize] = through;
                    self.parent[*head as usize] = *link;
                    self.heap.push(Reverse((through, *head)));
                }
            }
        }
    }

    /// Length of the shortest path to `node`, or `None` when there is no path.
    #[must_use]
    pub fn distance(&self, node: NodeId) -> Option<u64> {
        Some(self.distance[node as usize]).filter(|distance| *distance != u64::MAX)
    }

    /// The last link of the path to `node`; `None` for the root and for nodes without a path.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<LinkId> {
        Some(self.parent[node as usize]).filter(|link| *link != NONE)
    }

    /// Nodes by distance, starting at the root.
    #[must_use]
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// Appends the links of the path to `node` to `links`, starting at the root.
    pub fn path(&self, network: &Adjacency, node: NodeId, links: &mut Vec<LinkId>) {
        let (start, mut at) = (links.len(), node);
        while let Some(link) = self.parent(at) {
            links.push(link);
            at = network.ends(link).0;
        }
        links[start..].reverse();
    }

    /// Sends `amount[node]` from the root to every node along the tree and reports the traffic
    /// of every link that carries some; `amount` is consumed. O(nodes).
    pub fn send(&self, network: &Adjacency, amount: &mut [f64], mut on: impl FnMut(LinkId, f64)) {
        for node in self.order.iter().rev() {
            let traffic = std::mem::take(&mut amount[*node as usize]);
            if let Some(link) = self.parent(*node).filter(|_| traffic > 0.0) {
                on(link, traffic);
                amount[network.ends(link).0 as usize] += traffic;
            }
        }
    }
}
