//! The traffic that a routing is optimised against.

use super::ObliviousError;
use crate::optimum::shortest::Adjacency;
use crate::topology::{Direction, Host, Link, Node, NodeKind, Topology};

/// The network of the demands: traffic is admissible when this network can carry it with max
/// load 1.
pub(super) struct Demands {
    pub(super) topology: Topology,
    pub(super) network: Adjacency,
    pub(super) capacity: Vec<f64>,
    pub(super) largest: f64,
    /// Whether only hosts limit the traffic.
    pub(super) hose: bool,
}

impl Demands {
    /// Traffic with optu ≤ 1 on a network.
    pub(super) fn new(topology: Topology) -> Self {
        let capacities = || topology.graph().edge_weights().map(|link| link.capacity.to_f64());
        let largest = capacities().fold(f64::MIN_POSITIVE, f64::max);
        let capacity = capacities().map(|capacity| (capacity / largest).max(1e-100)).collect();
        let network = Adjacency::new(&topology);
        Self { topology, network, capacity, largest, hose: false }
    }

    /// A star of the hosts: it can carry whatever hosts can send and receive.
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
        Ok(Self { hose: true, ..Self::new(Topology::new("hose".into(), graph)?) })
    }
}
