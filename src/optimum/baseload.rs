//! Baseload (\[OR\] III).

use crate::ratio::Ratio;
use crate::topology::{Host, Topology};
use crate::traffic::Demand;

/// The most that a host sends or receives, divided by the capacity of its links: a lower bound
/// on optu, since this traffic has no other way. O(demands + hosts).
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
    let (mut sent, mut received) = (vec![Ratio::ZERO; hosts], vec![Ratio::ZERO; hosts]);
    for demand in demands {
        sent[demand.s as usize] += &demand.amount;
        received[demand.d as usize] += &demand.amount;
    }
    let busiest = |totals: &[Ratio], outgoing: bool| {
        let per_host = totals.iter().enumerate().filter(|(_, total)| !total.is_zero());
        let loads = per_host.filter_map(|(host, total)| {
            total.checked_div(&topology.host_capacity(host as Host, outgoing))
        });
        loads.max().unwrap_or(Ratio::ZERO)
    };
    busiest(&sent, true).max(busiest(&received, false))
}
