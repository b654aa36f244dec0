//! The choice `grid`: the k paths whose ports carry few sources and few destinations.
//!
//! Let w be the number of ports of a pair's nearest common ancestors at level L, w1⋯wL, and n the
//! hosts of each subtree below them, m1⋯m_{L−1}, numbered from 0. Take g groups of hosts, host x in
//! group x mod g, and c = ⌊w/g⌋ copies of g ports. With X the least number for which cX² ≥ kg, let
//! β_b = ⌊b·g/(cX)⌋ for b = 0..cX−1. Port t of copy b mod c is for sources of the groups t, …, t+X−1
//! and destinations of the groups t + β_b, modulo g, and so for ⌈n/g⌉·X sources and as many
//! destinations at most. A pair of groups i and j has the port t = j − β_b for every b with i − t <
//! X, modulo g: for all β_b in a window of X numbers, j−i, …, j−i+X−1. As many of the b·g/(cX) lie in
//! it as whole numbers in an interval of length cX²/g, so k or more. If X ≤ g, those of one copy are
//! different, as they are g/X apart. So X' = ⌈n/g⌉·X hosts cover the links of every port; of all g ≤
//! min(n,w) with X ≤ g, one with the least X' is taken, the largest.
//!
//! On FT(m,2), n = w = m/2 and X' = ⌈√(kn)⌉: the ratio is ⌈√(kn)⌉/k, and no k paths of equal share have
//! less (`crates/proof/src/checker/COUNTING.md`, Several paths).

use crate::integer::ceil_sqrt;
use crate::topology::{Host, Xgft};

/// The ports of pairs whose nearest common ancestors are at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Windows {
    /// n, hosts of a subtree.
    hosts: u32,
    /// g.
    groups: u32,
    /// c.
    copies: u32,
    /// X.
    length: u32,
}

impl Windows {
    /// The windows of k paths at a level of at least 1; `None` where covers of fewer than all n hosts of a
    /// subtree are not found, and any paths do as well. O(min(n,w)).
    pub(super) fn of(tree: &Xgft, level: usize, k: u32) -> Option<Self> {
        let (hosts, ports) = (tree.subtree_hosts(level - 1), tree.shortest_paths(level));
        let with = |groups: u32| {
            let copies = ports / groups;
            let wanted = (u64::from(k) * u64::from(groups)).div_ceil(copies.into());
            let length =
                u32::try_from(ceil_sqrt(wanted)).ok().filter(|length| *length <= groups)?;
            Some(Self { hosts, groups, copies, length })
        };
        let all = (1..=hosts.min(ports)).rev().filter_map(with);
        all.min_by_key(Self::covered).filter(|windows| windows.covered() < u64::from(hosts))
    }

    /// ⌈n/g⌉·X, the most hosts of a cover.
    fn covered(&self) -> u64 {
        u64::from(self.hosts.div_ceil(self.groups)) * u64::from(self.length)
    }

    /// The ports of a pair, of which there are k or more. O(cX).
    pub(super) fn ports(self, s: Host, d: Host) -> impl Iterator<Item = u32> {
        let Self { hosts, groups, copies, length } = self;
        let [i, j] = [s, d].map(|host| host % hosts % groups);
        let all = u64::from(copies) * u64::from(length);
        (0..copies * length).filter_map(move |b| {
            let beta = u64::from(b) * u64::from(groups) / all;
            // Below g, which is a u32.
            let port = (j + groups - u32::try_from(beta).ok()?) % groups;
            let is_in_window = (i + groups - port) % groups < length;
            is_in_window.then_some(b % copies * groups + port)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    /// At least k different ports for every pair, each with few sources and destinations.
    #[test]
    fn ports_are_enough_and_carry_few_hosts() {
        let mut narrow = 0;
        for (n, w) in itertools::iproduct!(1..=7_u32, 1..=12_u32) {
            let topology = generate(&format!("ftree({n},{w},2)")).unwrap();
            let tree = topology.tree().unwrap();
            for k in 1..=w {
                let Some(windows) = Windows::of(tree, 2, k) else { continue };
                narrow += 1;
                let mut carried = vec![(0_u64, 0_u64); w as usize];
                for (s, d) in itertools::iproduct!(0..n, n..2 * n) {
                    let ports: Vec<u32> = windows.ports(s, d).collect();
                    let unique: std::collections::BTreeSet<&u32> = ports.iter().collect();
                    assert_eq!(ports.len(), unique.len(), "{n} {w} {k}: {s} {d} {ports:?}");
                    assert!(ports.len() >= k as usize, "{n} {w} {k}: {s} {d} {ports:?}");
                    for port in ports {
                        let carried = &mut carried[port as usize];
                        *carried = (carried.0 | 1 << s, carried.1 | 1 << (d - n));
                    }
                }
                for (sources, targets) in carried {
                    let most = sources.count_ones().max(targets.count_ones());
                    assert!(u64::from(most) <= windows.covered(), "{n} {w} {k}");
                }
            }
        }
        assert!(narrow > 100, "{narrow}");
    }

    #[test]
    fn windows_by_hand() {
        let of = |spec: &str, k| {
            let topology = generate(spec).unwrap();
            Windows::of(topology.tree().unwrap(), 2, k).map(|found| found.covered())
        };
        // FT(16,2): ⌈√(8k)⌉.
        let found: Vec<Option<u64>> = (1..=8).map(|k| of("ft(16,2)", k)).collect();
        assert_eq!(found, [Some(3), Some(4), Some(5), Some(6), Some(7), Some(7), None, None]);
        // One port for each pair of places.
        assert_eq!(of("ftree(4,16,5)", 1), Some(1));
        assert_eq!(of("ftree(4,16,5)", 16), None);
        // Half as many ports as hosts: two hosts to a group.
        assert_eq!(of("ftree(8,4,5)", 1), Some(4));
    }
}
