//! Bounds that are known at once: on the optimal load of traffic, and on the worst case of any routing.

use crate::bounds::{Bounds, Evidence};
use crate::certificate::Quantity;
use crate::optimum::baseload;
use crate::rational::Rational;
use crate::topology::Topology;
use crate::traffic::TrafficView;
use crate::worst_case::no_cover_bound;

/// Bounds on the optimal load without any search: what hosts send and receive, and all traffic on
/// one link, which no routing without detours exceeds. O(demands + links); products count with their
/// hosts only.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{assessment::rough_optimum, rational::Rational, topology, traffic::Demand};
/// let tree = topology::generate("ft(4,2)")?;
/// let demands = [(0, 4), (1, 5)].map(|(s, d)| Demand { s, d, amount: Rational::ONE });
/// let bounds = rough_optimum(&tree, &demands);
/// assert_eq!((bounds.lower, bounds.upper), (1.into(), 2.into()));
/// # Ok::<(), topology::TopologyError>(())
/// ```
#[must_use]
pub fn rough_optimum<'a>(topology: &Topology, traffic: impl Into<TrafficView<'a>>) -> Bounds {
    let traffic = traffic.into();
    let total = traffic.total();
    // Without a link nothing is sent, whatever the demands.
    let upper = topology.load_on_narrowest(&total).unwrap_or(total);
    let evidence = Evidence::Claimed("stopped early, only hosts and total demand examined".into());
    Bounds { lower: baseload(topology, traffic), upper, evidence }
}

/// Bounds on the worst case of any routing of a network: from below a single pair, from above all that hosts send,
/// on one link. O(N + links).
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{assessment::rough_worst_case, certificate::Quantity, topology};
/// let bounds = rough_worst_case(&topology::generate("ft(4,2)")?, Quantity::ObliviousRatio);
/// assert_eq!((bounds.lower, bounds.upper), (1.into(), 8.into()));
/// # Ok::<(), topology::TopologyError>(())
/// ```
#[must_use]
pub fn rough_worst_case(topology: &Topology, quantity: Quantity) -> Bounds {
    let upper = no_cover_bound(topology, quantity);
    let lower = match quantity {
        // No routing has a max load below optu.
        Quantity::ObliviousRatio => Rational::ONE,
        // The host of a pair sends 1 over all its links together.
        Quantity::PermutationLoad | Quantity::HoseLoad => {
            let hosts = topology.host_numbers();
            let most = hosts.map(|host| topology.host_capacity(host, true)).max();
            most.and_then(|most| Rational::ONE.checked_div(&most)).unwrap_or(Rational::ZERO)
        }
    };
    let evidence = Evidence::Claimed("stopped early, only hosts and links examined".into());
    Bounds { lower: lower.min(upper.clone()), upper, evidence }
}
