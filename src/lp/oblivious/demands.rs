//! Which traffic counts, and which paths may carry it.

use super::ObliviousError;
use crate::optimum::shortest::{Adjacency, Tree};
use crate::topology::{Direction, Host, Link, LinkId, Node, NodeKind, Topology};

/// The network of the demands: traffic is admissible when this one carries it with max load 1.
pub(super) struct Demands {
    pub(super) topology: Topology,
    pub(super) network: Adjacency,
    pub(super) capacity: Vec<f64>,
    pub(super) largest: f64,
}

impl Demands {
    /// Traffic with optu ≤ 1 on a network.
    pub(super) fn new(topology: Topology) -> Self {
        let capacities = || topology.graph().edge_weights().map(|link| link.capacity.to_f64());
        let largest = capacities().fold(f64::MIN_POSITIVE, f64::max);
        let capacity = capacities().map(|capacity| (capacity / largest).max(1e-100)).collect();
        let network = Adjacency::new(&topology);
        Self { topology, network, capacity, largest }
    }

    /// A star of the hosts: it carries what hosts can send and receive.
    pub(super) fn hose(topology: &Topology) -> Result<Self, ObliviousError> {
        let mut graph = petgraph::graph::DiGraph::new();
        let node = |kind, level, name: &str| Node { kind, level, name: name.into(), address: None };
        let hosts: Vec<_> = (0..topology.hosts() as Host)
            .map(|host| graph.add_node(node(NodeKind::Host, 0, &topology.node(host).name)))
            .collect();
        let hub = graph.add_node(node(NodeKind::Switch, 1, "hub"));
        for (port, host) in (1..).zip(&hosts) {
            let link = |capacity, direction| Link {
                capacity,
                level: 1,
                direction,
                from_port: port,
                to_port: port,
            };
            let number = host.index() as Host;
            let up = link(topology.host_capacity(number, true), Direction::Up);
            graph.add_edge(*host, hub, up);
            let down = link(topology.host_capacity(number, false), Direction::Down);
            graph.add_edge(hub, *host, down);
        }
        Ok(Self::new(Topology::new("hose".into(), graph)?))
    }
}

/// Per pair, the links on its paths of fewest links.
pub(super) fn shortest_links(
    network: &Adjacency,
    pairs: &[(Host, Host)],
) -> Result<Vec<Vec<bool>>, ObliviousError> {
    let unit = vec![1; network.links()];
    let mut from = Vec::new();
    let mut tree = Tree::default();
    for node in 0..network.nodes() as Host {
        tree.search(network, node, &unit);
        let distance = |node| tree.distance(node).unwrap_or(u64::from(u32::MAX));
        from.push((0..network.nodes() as Host).map(distance).collect::<Vec<u64>>());
    }
    let far = u64::from(u32::MAX);
    if let Some((s, d)) = pairs.iter().find(|(s, d)| from[*s as usize][*d as usize] == far) {
        return Err(ObliviousError::Unreachable { s: *s, d: *d });
    }
    let on_path = |(s, d): &(Host, Host)| {
        let links = 0..network.links() as LinkId;
        let on = links.map(|link| {
            let (tail, head) = network.ends(link);
            let through = from[*s as usize][tail as usize] + 1 + from[head as usize][*d as usize];
            through == from[*s as usize][*d as usize]
        });
        on.collect()
    };
    Ok(pairs.iter().map(on_path).collect())
}
