//! SD pairs.

use super::Host;

/// All SD pairs of so many hosts, by source, then by destination. N(N − 1) of them.
///
/// ```
/// use routebound::topology::sd_pairs;
/// assert!(sd_pairs(3).eq([(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]));
/// ```
pub fn sd_pairs(hosts: usize) -> impl Iterator<Item = (Host, Host)> + Clone {
    let hosts = hosts as Host;
    (0..hosts).flat_map(move |s| (0..hosts).filter(move |d| *d != s).map(move |d| (s, d)))
}
