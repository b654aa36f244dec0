//! Baseload (\[OR\] III).

use crate::load::Sums;
use crate::ratio::Ratio;
use crate::topology::{Topology, host_number};
use crate::traffic::Demand;

/// The most that any host sends or receives, divided by the capacity of its links: a lower bound
/// on optu, since this traffic cannot avoid these links. O(demands + hosts).
///
/// ```
/// use routebound::{optimum::baseload, ratio::Ratio, topology, traffic::Demand};
/// let tree = topology::generate("ft(4,2)")?;
/// let demand = |s, d| Demand { s, d, amount: Ratio::ONE };
/// assert_eq!(baseload(&tree, &[demand(0, 3), demand(1, 3)]), Ratio::from(2));
/// # Ok::<(), topology::TopologyError>(())
/// ```
#[must_use]
pub fn baseload(topology: &Topology, demands: &[Demand]) -> Ratio {
    let hosts = topology.hosts();
    let (mut sent, mut received) = (Sums::new(hosts), Sums::new(hosts));
    for demand in demands {
        sent.add([demand.s], &demand.amount);
        received.add([demand.d], &demand.amount);
    }
    let busiest = |totals: &Sums, outgoing: bool| {
        let per_host = (0..host_number(hosts)).map(|host| (host, totals.get(host)));
        let loads = per_host
            .filter(|(_, total)| !total.is_zero())
            .filter_map(|(host, total)| total.checked_div(&topology.host_capacity(host, outgoing)));
        loads.max().unwrap_or(Ratio::ZERO)
    };
    busiest(&sent, true).max(busiest(&received, false))
}
