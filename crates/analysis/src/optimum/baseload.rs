//! Baseload (\[OR\] III).

use crate::rational::Rational;
use crate::sums::Sums;
use crate::topology::{Host, LinkId, Topology};
use crate::traffic::TrafficView;

/// The most that any host sends or receives, divided by the capacity of its links: a lower bound
/// on optu, since this traffic cannot avoid these links. O(demands + hosts); products count with their
/// hosts only.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{optimum::baseload, rational::Rational, topology, traffic::Demand};
/// let tree = topology::generate("ft(4,2)")?;
/// let demand = |s, d| Demand { s, d, amount: Rational::ONE };
/// assert_eq!(baseload(&tree, &[demand(0, 3), demand(1, 3)]), Rational::from(2));
/// # Ok::<(), topology::TopologyError>(())
/// ```
#[must_use]
pub fn baseload<'a>(topology: &Topology, traffic: impl Into<TrafficView<'a>>) -> Rational {
    busiest_host(topology, traffic).map_or(Rational::ZERO, |busiest| busiest.load)
}

/// The baseload as a bound that lengths prove: length 1 for the links on which the busiest host sends, or receives.
#[must_use]
pub fn baseload_lengths<'a>(
    topology: &Topology,
    traffic: impl Into<TrafficView<'a>>,
) -> (Rational, Vec<(LinkId, u64)>) {
    let Some(BusiestHost { load, host, outgoing }) = busiest_host(topology, traffic) else {
        return (Rational::ZERO, Vec::new());
    };
    let mut links: Vec<LinkId> = if outgoing {
        topology.links_from(host).collect()
    } else {
        topology.links_to(host).collect()
    };
    links.sort_unstable();
    (load, links.into_iter().map(|link| (link, 1)).collect())
}

/// The host whose links are loaded most.
struct BusiestHost {
    load: Rational,
    host: Host,
    /// Whether it is loaded by what it sends.
    outgoing: bool,
}

/// The busiest host; `None` without traffic.
fn busiest_host<'a>(
    topology: &Topology,
    traffic: impl Into<TrafficView<'a>>,
) -> Option<BusiestHost> {
    let (sent, received) = sums(topology.hosts(), traffic.into());
    // On labelled trees all hosts have the same capacity.
    let are_equal = topology.tree().is_some();
    let mut busiest: Option<BusiestHost> = None;
    for (totals, outgoing) in [(&sent, true), (&received, false)] {
        for host in topology.host_numbers() {
            let known = busiest.as_mut().filter(|known| are_equal && known.outgoing == outgoing);
            if let Some(known) = known.filter(|known| totals.are_same(known.host, host)) {
                known.host = host;
                continue;
            }
            let total = totals.get(host);
            let load = total.checked_div(&topology.host_capacity(host, outgoing));
            let load = load.filter(|load| !load.is_zero());
            // Of several the last.
            let is_most =
                |load: &Rational| busiest.as_ref().is_none_or(|known| known.load <= *load);
            if let Some(load) = load.filter(is_most) {
                busiest = Some(BusiestHost { load, host, outgoing });
            }
        }
    }
    busiest
}

/// What every host sends, and what it receives.
fn sums(hosts: usize, traffic: TrafficView<'_>) -> (Sums, Sums) {
    match traffic {
        TrafficView::Products(products) => (products.sent(), products.received()),
        TrafficView::Listed(demands) => {
            let (mut sent, mut received) = (Sums::new(hosts), Sums::new(hosts));
            for demand in demands {
                sent.add([demand.s], &demand.amount);
                received.add([demand.d], &demand.amount);
            }
            (sent, received)
        }
    }
}
