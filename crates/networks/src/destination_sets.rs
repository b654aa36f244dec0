//! The sets of hosts that the hosts of one switch may send to, in a fixed order.
//!
//! In a folded-Clos network of two levels, with n hosts under each of r switches, a local adaptive
//! routing decides the paths of a switch from where the hosts of that switch send, and from nothing
//! else (\[NB\] V). So it is a table with a row for every switch and every such set, and this is the
//! order of the rows.

use itertools::Itertools;

use crate::topology::Host;

/// The sets of 1 to `n` hosts under other switches than `switch`, where host x of n·r is under switch
/// ⌊x/n⌋: by size, then in lexicographic order, each ascending. What matters of the SD pairs of a
/// switch is one of these sets (`crates/search/src/sat/LOCAL.md`).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::destination_sets::destination_sets;
/// let sets: Vec<Vec<u32>> = destination_sets(2, 2, 0).collect();
/// assert_eq!(sets, [vec![2], vec![3], vec![2, 3]]);
/// ```
pub fn destination_sets(n: u32, r: u32, switch: u32) -> impl Iterator<Item = Vec<Host>> {
    let outside = (0..n * r).filter(move |host| host / n != switch);
    (1..=n as usize).flat_map(move |size| outside.clone().combinations(size))
}

/// Number of sets of at most `most` of `hosts` hosts, the empty one included; `None` when
/// there are far too many.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::destination_sets::sets_up_to;
/// assert_eq!((sets_up_to(2, 4), sets_up_to(64, 200)), (Some(11), None));
/// ```
#[must_use]
pub fn sets_up_to(most: u128, hosts: u128) -> Option<u128> {
    let (mut all, mut of_size) = (1_u128, 1_u128);
    for size in 1..=most.min(hosts) {
        of_size = of_size.checked_mul(hosts + 1 - size)? / size;
        all = all.checked_add(of_size)?;
    }
    Some(all)
}
