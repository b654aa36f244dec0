//! A lower bound on every routing under hose traffic: what a host sends or receives has to pass its own links.

use crate::bounds::DualDemand;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, Topology};
use crate::traffic::Demand;

/// A lower bound on all routings over the allowed paths, and its evidence.
pub type WeightedBound = (Rational, Vec<(Rational, DualDemand)>);

/// One of the links of a host carries at least what the host sends, or receives, over the capacity of all of them: 1 if
/// the other hosts can take as much, or send it. The bound of the host where that is most, and its evidence.
pub(super) fn bound(topology: &Topology) -> WeightedBound {
    let ends = topology.host_numbers().flat_map(|host| [(host, true), (host, false)]);
    let mut best = WeightedBound::default();
    for (host, sends) in ends {
        if best.0 == Rational::ONE {
            break;
        }
        let demands = most(topology, host, sends);
        let amount: Rational = demands.iter().map(|demand| &demand.amount).sum();
        let own = topology.host_capacity(host, sends);
        let Some(bound) = amount.checked_div(&own).filter(|bound| *bound > best.0) else {
            continue;
        };
        let links: Vec<LinkId> = if sends {
            topology.links_from(host).collect()
        } else {
            topology.links_to(host).collect()
        };
        let against = |link: LinkId| {
            let demand = DualDemand { link, demands: demands.clone(), flow: None };
            (topology.link(link).capacity.clone(), demand)
        };
        best = (bound, links.into_iter().map(against).collect());
    }
    best
}

/// As much as a host can send, or else receive.
fn most(topology: &Topology, host: Host, sends: bool) -> Vec<Demand> {
    let mut left = topology.host_capacity(host, sends);
    let mut demands = Vec::new();
    for other in topology.host_numbers().filter(|other| *other != host) {
        let amount = topology.host_capacity(other, !sends).min(left.clone());
        if amount.is_zero() {
            continue;
        }
        left = left.checked_sub(&amount).unwrap_or(Rational::ZERO);
        let (s, d) = if sends { (host, other) } else { (other, host) };
        demands.push(Demand { s, d, amount });
    }
    demands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{NetworkBuilder, generate};

    /// Every host of a network of like hosts sends 1 over its links; the traffic against each of them is admissible.
    #[test]
    fn a_host_fills_its_links() {
        for spec in ["ft(4,2)", "bcube(3,1)", "torus(3,2)", "slimfly(5,p=0)"] {
            let topology = generate(spec).unwrap();
            let (lower, evidence) = bound(&topology);
            assert_eq!(lower, Rational::ONE, "{spec}");
            assert_eq!(evidence.len(), topology.links_from(0).count(), "{spec}");
            for (weight, traffic) in evidence {
                assert_eq!(weight, topology.link(traffic.link).capacity, "{spec}");
                let total: Rational = traffic.demands.iter().map(|demand| &demand.amount).sum();
                assert_eq!(total, topology.host_capacity(0, true), "{spec}");
            }
        }
    }

    /// Of hosts with links of 10, 1 and 3 the others take 4 from the first, which is less than it can send.
    #[test]
    fn others_may_not_take_as_much() {
        let mut network = NetworkBuilder::new();
        let hub = network.switch("hub");
        for (name, capacity) in [("a", 10), ("b", 1), ("c", 3)] {
            let host = network.host(name);
            network.cable(host, hub, Rational::from(capacity));
        }
        let network = network.build("star").unwrap();
        // Host b sends 1 of 1.
        assert_eq!(bound(&network).0, Rational::ONE);
        let sent = most(&network, 0, true);
        assert_eq!(sent.iter().map(|demand| &demand.amount).sum::<Rational>(), Rational::from(4));
        assert_eq!(most(&network, 1, false).len(), 1);
    }
}
