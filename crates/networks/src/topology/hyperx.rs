//! HyperX: a grid of switches, each joined to all others that differ in one coordinate (Ahn et al., SC 2009).
//!
//! Switches are the points of an integer lattice of L dimensions of sizes S_1, …, S_L. The paper gives a switch T
//! hosts, `p` here, and the links of a dimension K times the capacity of a host, `k`, the same in all dimensions: it
//! calls a HyperX with the same S and K in all dimensions regular. A link has capacity k; nothing is parallel. With p =
//! 0, switches are hosts ([`direct`](super::direct)): `hyperx(n,p=0)` is the complete graph of n nodes,
//! `hyperx(2,2,2,p=0)` a cube.

use std::num::NonZeroU64;

use serde::Deserialize;

use super::direct::{Direct, check_size, label};
use super::prelude::*;
use crate::rational::Rational;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "hyperx",
    usage: "hyperx(s1,..,sl,p=1,k=1)",
    about: "grid of switches of sizes s1 to sl, each joined to all that differ in one coordinate, by links of capacity \
            k; p hosts per switch",
    reference: "Ahn et al., HyperX, SC 2009",
    examples: &["hyperx(4)", "hyperx(2,3)", "hyperx(3,2,p=0,k=2)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

#[derive(Deserialize)]
struct Options {
    p: u64,
    k: NonZeroU64,
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let Options { p, k } = spec.read()?;
    let sizes = spec.groups.concat();
    if sizes.is_empty() {
        return Err(spec.refused("name the size of at least one dimension").into());
    }
    if sizes.iter().any(|size| *size < 2) {
        return Err(spec.refused("a dimension must have at least 2 switches").into());
    }
    let switches =
        sizes.iter().try_fold(1_u128, |product, size| product.checked_mul((*size).into()));
    let ports: u128 = sizes.iter().map(|size| u128::from(*size) - 1).sum();
    let ends = switches.and_then(|switches| switches.checked_mul(ports));
    check_size(switches, p, ends.map(|ends| ends / 2))?;
    let sizes: Vec<usize> = sizes.into_iter().map(as_size).collect();
    let (labels, cables) = grid(&sizes);
    Direct { capacity: Rational::from(k.get()), ..Direct::new(labels, cables) }.with_hosts(spec, p)
}

/// Switches by their coordinates, the last of which changes fastest, and cables, of every switch to all further ones.
fn grid(sizes: &[usize]) -> (Vec<String>, Vec<(usize, usize)>) {
    let mut weights = vec![1; sizes.len()];
    for dimension in (1..sizes.len()).rev() {
        weights[dimension - 1] = weights[dimension] * sizes[dimension];
    }
    let (mut labels, mut cables) = (Vec::new(), Vec::new());
    for switch in 0..weights[0] * sizes[0] {
        let axes = || weights.iter().zip(sizes);
        let coordinates: Vec<usize> = axes().map(|(weight, size)| switch / weight % size).collect();
        for ((weight, size), coordinate) in axes().zip(&coordinates) {
            let further = 1..size - coordinate;
            cables.extend(further.map(|steps| (switch, switch + steps * weight)));
        }
        labels.push(label(&coordinates));
    }
    (labels, cables)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::facts::{Facts, assert_refused};
    use crate::topology::generate;

    #[test]
    fn counts_and_diameters_are_those_of_the_paper() {
        for (spec, sizes, hosts) in [
            ("hyperx(4)", vec![4], 1),
            ("hyperx(2,3)", vec![2, 3], 1),
            ("hyperx(2,4,p=4)", vec![2, 4], 4),
            ("hyperx(2,2,2,2,p=0)", vec![2; 4], 1),
            ("hyperx(3,4,5,k=3)", vec![3, 4, 5], 1),
        ] {
            let facts = Facts::of_switches(spec);
            let (switches, ports) =
                (sizes.iter().product(), sizes.iter().sum::<usize>() - sizes.len());
            assert_eq!((facts.nodes(), facts.hosts), (switches, switches * hosts), "{spec}");
            assert_eq!((facts.degrees(), facts.cables()), ([ports].into(), switches * ports / 2));
            assert_eq!((facts.is_simple(), facts.diameter()), (true, Some(sizes.len())), "{spec}");
        }
    }

    #[test]
    fn automorphisms_are_those_of_the_coordinates() {
        for (spec, order) in [
            ("hyperx(4)", 24),
            ("hyperx(7,p=0)", 5040),
            ("hyperx(2,3)", 12),
            ("hyperx(3,3)", 72),
            ("hyperx(2,2,2,p=0)", 48),
        ] {
            assert_eq!(Facts::of_switches(spec).automorphisms(), order, "{spec}");
        }
    }

    #[test]
    fn links_of_hosts_keep_capacity_1() {
        let network = generate("hyperx(3,p=2,k=5)").unwrap();
        let capacities = network.summary().capacities;
        assert_eq!(capacities, [(Rational::ONE, 12), (Rational::from(5), 6)]);
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("hyperx", "name the size of at least one dimension"),
            ("hyperx(4,1)", "a dimension must have at least 2 switches"),
            ("hyperx(0)", "a dimension must have at least 2 switches"),
            ("hyperx(4,k=0)", "`k=0` must be at least 1"),
            ("hyperx(4,p=x)", "`p=x` is not an integer"),
            ("hyperx(3000)", "number of links is 9003000, above the limit of 4194304"),
            ("hyperx(18446744073709551615,18446744073709551615,2)", "number of links is more than"),
        ]);
    }
}
