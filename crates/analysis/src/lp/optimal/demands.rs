//! The traffic that a routing is optimised against.

use super::OptimalError;
use crate::certificate::Quantity;
use crate::optimum::shortest::Adjacency;
use crate::rational::Rational;
use crate::topology::{Host, NetworkBuilder, Topology};

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

    /// The traffic that a quantity is about.
    pub(super) fn of(topology: &Topology, quantity: Quantity) -> Result<Self, OptimalError> {
        match quantity {
            Quantity::ObliviousRatio => Ok(Self::new(topology.clone())),
            Quantity::HoseLoad => {
                Self::star(topology, |host, outgoing| topology.host_capacity(host, outgoing))
            }
            // Its vertices are the permutations, partial ones among them (Birkhoff).
            Quantity::PermutationLoad => Self::star(topology, |_, _| Rational::ONE),
        }
    }

    /// A star of the hosts: it can carry what every host can send, or else receive.
    fn star(
        topology: &Topology,
        capacity: impl Fn(Host, bool) -> Rational,
    ) -> Result<Self, OptimalError> {
        let mut star = NetworkBuilder::new();
        let hub = star.switch("hub");
        for host in topology.host_numbers() {
            let (end, port) = ((star.host(&topology.node(host).name), 1), (hub, host + 1));
            star.link_at(end, port, capacity(host, true));
            star.link_at(port, end, capacity(host, false));
        }
        Ok(Self { hose: true, ..Self::new(star.build("hose")?) })
    }
}
