//! The traffic that a routing is optimised against.

use super::OptimalError;
use crate::optimum::shortest::Adjacency;
use crate::topology::{NetworkBuilder, Topology};

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
    pub(super) fn hose(topology: &Topology) -> Result<Self, OptimalError> {
        let mut star = NetworkBuilder::new();
        let hub = star.switch("hub");
        for host in topology.host_numbers() {
            let capacity = |outgoing| topology.host_capacity(host, outgoing);
            let (end, port) = ((star.host(&topology.node(host).name), 1), (hub, host + 1));
            star.link_at(end, port, capacity(true));
            star.link_at(port, end, capacity(false));
        }
        Ok(Self { hose: true, ..Self::new(star.build("hose")?) })
    }
}
