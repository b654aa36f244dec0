//! Bounds on the optimal load of traffic that are known at once.

use crate::bounds::{Bounds, Evidence};
use crate::optimum::baseload;
use crate::topology::Topology;
use crate::traffic::TrafficView;

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
