//! The traffic that a routing is optimised against.

use super::OptimalError;
use crate::certificate::Quantity;
use crate::optimum::shortest::Adjacency;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NetworkBuilder, Topology};

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

    /// A star of the hosts: it can carry what every host can send, or else receive. Its links are numbered as in
    /// [`ends`].
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

    /// What a host may send, end 0, or receive, end 1, where only hosts limit the traffic.
    pub(super) fn of_host(&self, host: Host, end: usize) -> Rational {
        self.topology.link(ends((host, host))[end]).capacity.clone()
    }
}

/// The ends of a pair, which are its path in the star of the hosts: host h sends over link 2h and receives over 2h + 1.
pub(super) fn ends((s, d): (Host, Host)) -> [LinkId; 2] {
    [2 * s, 2 * d + 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{generate, sd_pairs};

    #[test]
    fn ends_are_paths_of_the_star() {
        let demands = Demands::of(&generate("torus(5,1)").unwrap(), Quantity::HoseLoad).unwrap();
        for (s, d) in sd_pairs(5) {
            let [first, last] = ends((s, d)).map(|link| demands.network.ends(link));
            assert!(first.0 == s && first.1 == last.0 && last.1 == d);
        }
    }
}
