//! Permutations of the hosts.

use crate::topology::Host;

/// Completes node-disjoint SD pairs (Definition 1 of \[OR\]) to a permutation of `hosts` hosts
/// that is as full as possible: every host is once a source and once a destination, except
/// that one host stays idle when it would have to send to itself. The given pairs come first,
/// the others follow by source. O(hosts).
///
/// ```
/// use routebound::traffic::complete;
/// assert_eq!(complete(4, &[(0, 3)]), [(0, 3), (1, 2), (2, 1), (3, 0)]);
/// ```
#[must_use]
pub fn complete(hosts: usize, pairs: &[(Host, Host)]) -> Vec<(Host, Host)> {
    let (mut sends, mut receives) = (vec![false; hosts], vec![false; hosts]);
    for (s, d) in pairs {
        sends[*s as usize] = true;
        receives[*d as usize] = true;
    }
    let idle = |busy: &[bool]| -> Vec<Host> {
        (0..hosts as Host).filter(|host| !busy[*host as usize]).collect()
    };
    let (sources, mut destinations) = (idle(&sends), idle(&receives));
    destinations.reverse();
    separate(&sources, &mut destinations);
    let rest = sources.into_iter().zip(destinations).filter(|(s, d)| s != d);
    pairs.iter().copied().chain(rest).collect()
}

/// Both lists are sorted, in opposite orders, so at most one source meets itself; it trades
/// its destination with a neighbour, if there is one.
fn separate(sources: &[Host], destinations: &mut [Host]) {
    let meets = sources.iter().zip(destinations.iter()).position(|(s, d)| s == d);
    if let Some(at) = meets.filter(|_| sources.len() > 1) {
        let other = if at == 0 { 1 } else { at - 1 };
        destinations.swap(at, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn completed_pairs_are_a_permutation(hosts in 2usize..9, order in Just((0u32..9).collect::<Vec<_>>()).prop_shuffle(), count in 0usize..9) {
            let images: Vec<u32> = order.into_iter().filter(|d| (*d as usize) < hosts).collect();
            let pairs: Vec<_> = (0u32..).zip(images).filter(|(s, d)| s != d).take(count).collect();
            let all = complete(hosts, &pairs);
            prop_assert_eq!(&all[..pairs.len()], &pairs[..]);
            prop_assert!(all.len() + 1 >= hosts);
            for end in [|p: &(u32, u32)| p.0, |p: &(u32, u32)| p.1] {
                let mut seen = vec![false; hosts];
                for pair in &all {
                    prop_assert!(pair.0 != pair.1);
                    prop_assert!(!std::mem::replace(&mut seen[end(pair) as usize], true));
                }
            }
        }
    }
}
