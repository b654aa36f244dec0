//! Random NCA up and down (\[RO\] VIII): S-mod-k and D-mod-k on randomly relabelled hosts.
//!
//! Every subtree of height l ≥ 1, identified by the digits M_{l+1}..Mh of its hosts, has its
//! own random map R from `[0, m_l)` to `[0, w_{l+1})`, and W_{l+1} = R(M_l) of the source
//! (`rnca-u`) or the destination (`rnca-d`). R is balanced: every value is taken ⌊m_l/w_{l+1}⌋
//! or ⌈m_l/w_{l+1}⌉ times, so R is one-to-one where m_l ≤ w_{l+1}. A permutation followed by
//! mod w_{l+1} would not do on slimmed trees: it would always give the surplus to the low ports.
//! Both routings use the same maps for the same seed.

use rand::seq::SliceRandom;

use super::tree::{HostDigits, TreeRouting, labels};
use super::{Routing, RoutingError};
use crate::registry::Kind;
use crate::sampling::{Stream, Streams};
use crate::spec::{Seeded, Spec};
use crate::topology::{Host, Topology, Xgft};

/// Why it has no digit rules.
const NO_DIGITS: &str = "every subtree has a random map of its own";

pub(super) const UP: Kind<super::Family> = Kind {
    name: "rnca-u",
    usage: "rnca-u(seed=1)",
    about: "S-mod-k on balanced random labels: one way up from every source",
    reference: "[RO] VIII",
    examples: &["rnca-u", "rnca-u(seed=7)"],
    build: super::Family {
        build: |spec, topology| build(spec, topology, true),
        digits: super::Digits::None(NO_DIGITS),
        defined: true,
    },
};

pub(super) const DOWN: Kind<super::Family> = Kind {
    name: "rnca-d",
    usage: "rnca-d(seed=1)",
    about: "D-mod-k on balanced random labels: one way down to every destination",
    reference: "[RO] VIII",
    examples: &["rnca-d", "rnca-d(seed=7)"],
    build: super::Family {
        build: |spec, topology| build(spec, topology, false),
        digits: super::Digits::None(NO_DIGITS),
        defined: true,
    },
};

fn build(
    spec: &Spec,
    topology: &Topology,
    by_source: bool,
) -> Result<Box<dyn Routing>, RoutingError> {
    let (spec, Seeded { seed }) = (spec.complete(), spec.read()?);
    let tree = labels(&spec, topology)?;
    let maps: Vec<Vec<u32>> = (1..tree.height()).map(|l| maps_of_height(tree, l, seed)).collect();
    let rule = HostDigits::tabulate(tree, by_source, |host, l| {
        if l == 0 { 0 } else { maps[l - 1][entry(tree, host, l)] }
    });
    Ok(Box::new(TreeRouting::new(&spec, tree, rule)))
}

/// Index of a host's entry in the maps of height `l`.
fn entry(tree: &Xgft, host: Host, l: usize) -> usize {
    (tree.subtree(host, l) * tree.children(l) + tree.digit(host, l)) as usize
}

/// The maps of all subtrees of height `l`, one after another: the entry of a host is at the
/// number of its subtree of height l − 1, which is m_l times its subtree's number plus M_l.
fn maps_of_height(tree: &Xgft, l: usize, seed: u64) -> Vec<u32> {
    let (children, parents) = (tree.children(l), tree.parents(l + 1));
    let subtrees = tree.hosts() as u64 / u64::from(tree.subtree_hosts(l));
    let streams = Streams::new(seed);
    let map = |subtree: u64| {
        balanced_map(children, parents, &mut streams.at(((l as u64) << 32) | subtree))
    };
    (0..subtrees).flat_map(map).collect()
}

/// A random map from `[0, from)` to `[0, to)` that takes every value ⌊from/to⌋ or ⌈from/to⌉
/// times; the values that get the surplus are random too.
fn balanced_map(from: u32, to: u32, generator: &mut Stream) -> Vec<u32> {
    let mut values: Vec<u32> = (0..to).collect();
    values.shuffle(generator);
    let mut map: Vec<u32> = values.into_iter().cycle().take(from as usize).collect();
    map.shuffle(generator);
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::index32;

    #[test]
    fn maps_are_balanced_and_the_surplus_moves() {
        for (from, to) in [(4, 4), (5, 2), (7, 3), (2, 5), (1, 1), (9, 1)] {
            let mut surplus = vec![0; to as usize];
            for seed in 0..200 {
                let map = balanced_map(from, to, &mut Streams::new(seed).at(0));
                assert_eq!(map.len(), from as usize);
                for value in 0..to {
                    let count = index32(map.iter().filter(|v| **v == value).count());
                    assert!(count == from / to || count == from.div_ceil(to), "{from} {to}");
                    surplus[value as usize] += u32::from(count > from / to);
                }
            }
            assert!(from % to == 0 || surplus.iter().all(|count| *count > 0), "{from} {to}");
        }
    }
}
