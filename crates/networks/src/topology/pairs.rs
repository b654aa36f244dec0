//! SD pairs.

use super::Host;
use crate::topology::host_number;

/// All N(N − 1) SD pairs of a given number of hosts N, by source, then by destination.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::topology::sd_pairs;
/// assert!(sd_pairs(3).eq([(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]));
/// ```
pub fn sd_pairs(hosts: usize) -> impl Iterator<Item = (Host, Host)> + Clone {
    let hosts = host_number(hosts);
    (0..hosts).flat_map(move |s| (0..hosts).filter(move |d| *d != s).map(move |d| (s, d)))
}
