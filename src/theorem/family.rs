//! The networks and routings that statements are tested on, by size.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::routing;
use crate::topology::{Topology, TopologyError, Xgft, generate};

/// All topologies of the pool with 2 to `hosts` hosts: m-port n-trees, EFT2, ftree, k-ary
/// n-trees, slimmed trees; family by family, smallest first. Of several specs of one tree, only the
/// first is kept.
///
/// # Errors
/// [`TopologyError`] when one cannot be built.
pub fn all(hosts: usize) -> Result<Vec<Topology>, TopologyError> {
    let specs = [ft(hosts), eft2(hosts), ftree(hosts), kary(hosts), slimmed(hosts)].concat();
    let trees: Vec<Topology> =
        specs.par_iter().map(|spec| generate(spec)).collect::<Result<_, _>>()?;
    let mut shapes = HashSet::new();
    let is_new = |tree: &Topology| shapes.insert(tree.tree().map(Xgft::shape));
    Ok(trees.into_iter().filter(is_new).collect())
}

/// Maximum number of ports of the single switch of a tree of height 1.
const WIDEST: usize = 16;

/// FT(m,n). FT(2,n) is a path for every n; three of them are enough.
#[must_use]
pub fn ft(hosts: usize) -> Vec<String> {
    let size = |m: usize, n: u32| m.checked_mul((m / 2).checked_pow(n - 1)?);
    let mut specs = Vec::new();
    for n in 1..=9 {
        let fits =
            |m: &usize| size(*m, n).is_some_and(|size| size <= hosts) && (n > 1 || *m <= WIDEST);
        let least = if n <= 3 { 2 } else { 4 };
        specs.extend((least..).step_by(2).take_while(fits).map(|m| format!("ft({m},{n})")));
    }
    specs
}

/// EFT2(m,k) with k from 2 to 2m.
#[must_use]
pub fn eft2(hosts: usize) -> Vec<String> {
    let mut specs = Vec::new();
    for m in (2..=12_usize).step_by(2) {
        let fits = |k: &usize| m / 2 * k <= hosts;
        specs.extend((2..=2 * m).take_while(fits).map(|k| format!("eft2({m},{k})")));
    }
    specs
}

/// ftree(n,m,r) with n ≤ 4 hosts per leaf, r ≤ 2n + 2 leaves and a few numbers m of top switches
/// up to n² + 1.
#[must_use]
pub fn ftree(hosts: usize) -> Vec<String> {
    let mut specs = Vec::new();
    for n in 1..=4_usize {
        let mut tops = vec![1, n, 2 * n - 1, n * n - 1, n * n, n * n + 1];
        tops.retain(|m| *m > 0);
        tops.sort_unstable();
        tops.dedup();
        for r in (2..=2 * n + 2).take_while(|r| n * r <= hosts) {
            specs.extend(tops.iter().map(|m| format!("ftree({n},{m},{r})")));
        }
    }
    specs
}

/// k-ary n-trees with k ≥ 2.
#[must_use]
pub fn kary(hosts: usize) -> Vec<String> {
    let mut specs = Vec::new();
    for n in 1..=5_u32 {
        let fits = |k: &usize| *k <= WIDEST && k.checked_pow(n).is_some_and(|size| size <= hosts);
        specs.extend((2..).take_while(fits).map(|k| format!("kary({k},{n})")));
    }
    specs
}

/// Trees without full bisection, some of them with several links per host.
const SLIMMED: &[(usize, &str)] = &[
    (6, "xgft(2;2,3;2,2)"),
    (8, "xgft(2;4,2;1,2)"),
    (8, "xgft(3;2,2,2;1,2,1)"),
    (16, "xgft(2;4,4;1,2)"),
    (16, "xgft(2;4,4;1,3)"),
    (16, "xgft(2;4,4;2,3)"),
    (16, "xgft(3;2,2,4;1,2,1)"),
    (27, "xgft(3;3,3,3;1,2,2)"),
    (64, "xgft(2;8,8;1,4)"),
    (64, "xgft(3;4,4,4;1,2,3)"),
    (256, "xgft(2;16,16;1,10)"),
];

/// Slimmed trees.
#[must_use]
pub fn slimmed(hosts: usize) -> Vec<String> {
    SLIMMED.iter().filter(|(size, _)| *size <= hosts).map(|(_, spec)| (*spec).to_string()).collect()
}

/// The specs of all routings that need no file: every example of each kind.
#[must_use]
pub fn routings() -> Vec<String> {
    let kinds = routing::KINDS.iter().filter(|kind| !["lft", "table"].contains(&kind.name));
    kinds.flat_map(|kind| kind.examples).map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_can_be_made_and_is_small_enough() {
        let trees = all(27).unwrap();
        assert!(trees.iter().all(|tree| (2..=27).contains(&tree.hosts())));
        let shapes: HashSet<_> =
            trees.iter().map(|tree| tree.plain_tree().unwrap().shape()).collect();
        assert_eq!(shapes.len(), trees.len());
        assert!(ft(64).contains(&"ft(8,2)".to_string()) && ft(64).contains(&"ft(4,5)".to_string()));
        assert!(!ft(127).contains(&"ft(8,3)".to_string()));
        assert!(eft2(16).contains(&"eft2(4,8)".to_string()));
        assert!(ftree(16).contains(&"ftree(2,4,6)".to_string()));
        assert_eq!(slimmed(8).len(), 3);
        assert!(routings().len() > 14);
    }
}
