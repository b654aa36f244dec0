//! Baseload (\[OR\] III).

use crate::load::Sums;
use crate::ratio::Ratio;
use crate::topology::{Topology, host_number};
use crate::traffic::TrafficView;

/// The most that any host sends or receives, divided by the capacity of its links: a lower bound
/// on optu, since this traffic cannot avoid these links. O(demands + hosts); products count with their
/// hosts only.
///
/// ```
/// use routebound::{optimum::baseload, ratio::Ratio, topology, traffic::Demand};
/// let tree = topology::generate("ft(4,2)")?;
/// let demand = |s, d| Demand { s, d, amount: Ratio::ONE };
/// assert_eq!(baseload(&tree, &[demand(0, 3), demand(1, 3)]), Ratio::from(2));
/// # Ok::<(), topology::TopologyError>(())
/// ```
#[must_use]
pub fn baseload<'a>(topology: &Topology, traffic: impl Into<TrafficView<'a>>) -> Ratio {
    let (sent, received) = sums(topology.hosts(), traffic.into());
    let busiest = |totals: Vec<Ratio>, outgoing: bool| {
        let loads = (0..)
            .zip(totals)
            .filter(|(_, total)| !total.is_zero())
            .filter_map(|(host, total)| total.checked_div(&topology.host_capacity(host, outgoing)));
        loads.max().unwrap_or(Ratio::ZERO)
    };
    busiest(sent, true).max(busiest(received, false))
}

/// What every host sends, and what it receives.
fn sums(hosts: usize, traffic: TrafficView<'_>) -> (Vec<Ratio>, Vec<Ratio>) {
    match traffic {
        TrafficView::Products(products) => (products.sent(), products.received()),
        TrafficView::Listed(demands) => {
            let (mut sent, mut received) = (Sums::new(hosts), Sums::new(hosts));
            for demand in demands {
                sent.add([demand.s], &demand.amount);
                received.add([demand.d], &demand.amount);
            }
            let all = |sums: &Sums| (0..host_number(hosts)).map(|host| sums.get(host)).collect();
            (all(&sent), all(&received))
        }
    }
}
