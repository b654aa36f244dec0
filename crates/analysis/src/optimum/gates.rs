//! All shortest paths of a network, counted between the switches that hosts are attached to.
//!
//! A host whose links all lead to one switch, its *gate*, sends and receives everything there:
//! the shortest paths of a pair are those between the two gates, extended by the hosts' links at
//! either end, and no other shortest path passes through the host. So it is enough to count between
//! gates, of which a fabric has far fewer than hosts. Every other host is its own gate.

use std::collections::VecDeque;

use crate::integer::index32;
use crate::topology::{Host, LinkId, NodeId, Topology};

/// A network reduced to what shortest paths need: gates, and the links not private to a host.
pub struct Gates {
    /// The number of every host's gate.
    of: Vec<u32>,
    /// The node of every gate, ascending.
    nodes: Vec<NodeId>,
    /// Links of every host to and from its gate; empty where the host is its own gate.
    access: Vec<[Vec<LinkId>; 2]>,
    /// Links out of and into every node, with their other end, except those of [`Self::access`].
    links: [Vec<Vec<(LinkId, NodeId)>>; 2],
}

/// Shortest paths from every node to one gate.
pub struct Ways {
    /// Number of links to the gate.
    distance: Vec<u32>,
    /// Number of shortest paths; [`TOO_MANY`] where it overflows.
    count: Vec<u128>,
}

/// Buffers of [`Gates::for_each_link`]; their contents mean nothing between calls.
#[derive(Default)]
pub struct Walk {
    paths: Vec<u128>,
    layer: Vec<NodeId>,
    next: Vec<NodeId>,
}

const UNREACHABLE: u32 = u32::MAX;

/// Marks more shortest paths than can be counted: 2^128 − 1 or more.
const TOO_MANY: u128 = u128::MAX;

impl Gates {
    /// Finds the gates. O(nodes + links).
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{optimum::gates::Gates, topology};
    /// let gates = Gates::new(&topology::generate("ft(4,2)")?);
    /// assert_eq!((gates.len(), gates.of(0), gates.of(1), gates.of(2)), (4, 0, 0, 1));
    /// # Ok::<(), topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let gate = |host| gate(topology, host).unwrap_or(host);
        let gate_nodes: Vec<NodeId> = topology.host_numbers().map(gate).collect();
        let mut nodes = gate_nodes.clone();
        nodes.sort_unstable();
        nodes.dedup();
        let number = |node: &NodeId| index32(nodes.partition_point(|gate| gate < node));
        let of = gate_nodes.iter().map(number).collect();
        let hangs = |node: NodeId| gate_nodes.get(node as usize).is_some_and(|gate| *gate != node);
        let access =
            |host| if hangs(host) { host_links(topology, host) } else { Default::default() };
        let access = topology.host_numbers().map(access).collect();
        let mut links = [(); 2].map(|()| vec![Vec::new(); topology.nodes()]);
        for link in topology.link_numbers() {
            let Some((tail, head)) = topology.ends(link) else { continue };
            if !hangs(tail) && !hangs(head) {
                links[0][tail as usize].push((link, head));
                links[1][head as usize].push((link, tail));
            }
        }
        Self { of, nodes, access, links }
    }

    /// Number of gates, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a network has a host, so there is a gate")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The gate of a host.
    #[must_use]
    pub fn of(&self, host: Host) -> u32 {
        self.of[host as usize]
    }

    /// The node of a gate.
    #[must_use]
    pub fn node(&self, gate: u32) -> NodeId {
        self.nodes[gate as usize]
    }

    /// The links out of a node with the nodes where they end, except those private to a host.
    #[must_use]
    pub fn links_out(&self, node: NodeId) -> &[(LinkId, NodeId)] {
        &self.links[0][node as usize]
    }

    /// The links from a host to its gate, which share its traffic evenly.
    #[must_use]
    pub fn to_gate(&self, host: Host) -> &[LinkId] {
        &self.access[host as usize][0]
    }

    /// The links from its gate to a host.
    #[must_use]
    pub fn from_gate(&self, host: Host) -> &[LinkId] {
        &self.access[host as usize][1]
    }

    /// The shortest paths to a gate. O(nodes + links).
    #[must_use]
    pub fn ways(&self, gate: u32) -> Ways {
        let (nodes, root) = (self.links[0].len(), self.nodes[gate as usize]);
        let mut ways = Ways { distance: vec![UNREACHABLE; nodes], count: vec![0; nodes] };
        ways.distance[root as usize] = 0;
        ways.count[root as usize] = 1;
        let mut queue = VecDeque::from([root]);
        while let Some(node) = queue.pop_front() {
            let (distance, count) = (ways.distance[node as usize], ways.count[node as usize]);
            for (_, before) in &self.links[1][node as usize] {
                let tail = *before as usize;
                if ways.distance[tail] == UNREACHABLE {
                    ways.distance[tail] = distance + 1;
                    queue.push_back(*before);
                }
                if ways.distance[tail] == distance + 1 {
                    ways.count[tail] = ways.count[tail].saturating_add(count);
                }
            }
        }
        ways
    }

    /// The number of shortest paths from a gate to that of `ways`; `None` when there is none, or
    /// when there are 2^128 − 1 or more. Nodes farther away may have any number of them.
    #[must_use]
    pub fn paths(&self, from: u32, ways: &Ways) -> Option<u128> {
        let paths = ways.count[self.nodes[from as usize] as usize];
        (paths > 0 && paths < TOO_MANY).then_some(paths)
    }

    /// Calls `visit(link, paths)` for every link on a shortest path from a gate to that of
    /// `ways`, with the number of these paths that cross it; [`Self::paths`] must not be `None`.
    /// O(links out of nodes on the paths).
    pub fn for_each_link(
        &self,
        from: u32,
        ways: &Ways,
        walk: &mut Walk,
        mut visit: impl FnMut(LinkId, u128),
    ) {
        let Walk { paths, layer, next } = walk;
        let from = self.nodes[from as usize];
        paths.resize(self.links[0].len(), 0);
        paths[from as usize] = 1;
        layer.clear();
        layer.push(from);
        while !layer.is_empty() {
            next.clear();
            for node in layer.drain(..) {
                let here = std::mem::take(&mut paths[node as usize]);
                let distance = ways.distance[node as usize];
                for (link, after) in &self.links[0][node as usize] {
                    let (link, head) = (*link, *after as usize);
                    if distance == 0 || ways.distance[head] != distance.wrapping_sub(1) {
                        continue;
                    }
                    visit(link, here * ways.count[head]);
                    if paths[head] == 0 {
                        next.push(*after);
                    }
                    paths[head] += here;
                }
            }
            std::mem::swap(layer, next);
        }
    }
}

/// The switch that all links out of a host lead to and all links into it come from, if any.
fn gate(topology: &Topology, host: Host) -> Option<NodeId> {
    let heads = topology.links_from(host).filter_map(|link| Some(topology.ends(link)?.1));
    let tails = topology.links_to(host).filter_map(|link| Some(topology.ends(link)?.0));
    let (mut heads, mut tails) = (heads.peekable(), tails.peekable());
    let gate = *heads.peek()?;
    tails.peek()?;
    let only = heads.chain(tails).all(|node| node == gate);
    (only && gate as usize >= topology.hosts()).then_some(gate)
}

/// The links out of and into a host, ascending.
fn host_links(topology: &Topology, host: Host) -> [Vec<LinkId>; 2] {
    let mut links: [Vec<LinkId>; 2] =
        [topology.links_from(host).collect(), topology.links_to(host).collect()];
    for links in &mut links {
        links.sort_unstable();
    }
    links
}
