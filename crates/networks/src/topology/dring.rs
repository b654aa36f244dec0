//! DRing: a ring of supernodes, each joined to the two next on either side (Harsh, Jyothi and Godfrey, Spineless data
//! centers, HotNets 2020).
//!
//! The supergraph has m vertices; vertex i is joined to i + 1 and i + 2 modulo m. Each vertex is replaced by n
//! switches, a supernode, and each edge by cables between all switches of the one and all of the other. So a switch has
//! 4n cables. Supernodes may have different sizes, which are then all given: `dring(12,6,6,7,7,7,7,6,6,7,7,7,7)` has
//! the 80 switches of the paper's evaluation. The paper leaves the number of hosts to the ports that are left: `p` is
//! their number, the same for all switches, 1 by default, and 0 makes hosts of the switches
//! ([`direct`](super::direct)).

use serde::Deserialize;

use super::direct::{Direct, check_size, label};
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "dring",
    usage: "dring(m,n,..,p=1)",
    about: "ring of m supernodes of n switches, or of the sizes given, joined to the two next on either side; p hosts \
            per switch",
    reference: "Harsh et al., Spineless data centers, HotNets 2020",
    examples: &["dring(5,1)", "dring(6,1,p=0)", "dring(5,1,2,1,1,1,p=0)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

/// Fewest supernodes of which two on either side are four others.
const FEWEST: u64 = 5;

#[derive(Deserialize)]
struct Options {
    p: u64,
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let Options { p } = spec.read()?;
    let numbers = spec.groups.concat();
    let [m, sizes @ ..] = numbers.as_slice() else {
        return Err(spec.refused("name the number of supernodes and their size").into());
    };
    if *m < FEWEST {
        let problem = format!(
            "m = {m}: the two next on either side are fewer than four others below {FEWEST}"
        );
        return Err(spec.refused(problem).into());
    }
    if sizes.len() != 1 && sizes.len() as u64 != *m {
        let problem = format!("{} sizes given: give one for all supernodes, or {m}", sizes.len());
        return Err(spec.refused(problem).into());
    }
    if sizes.contains(&0) {
        return Err(spec.refused("n = 0: a supernode must have at least 1 switch").into());
    }
    check(*m, sizes, p)?;
    let sizes: Vec<usize> = sizes.iter().cycle().take(as_size(*m)).copied().map(as_size).collect();
    let (labels, cables) = ring(&sizes);
    Direct::new(labels, cables).with_hosts(spec, p)
}

/// Refuses networks that are too large, of m supernodes of one size or of several.
fn check(m: u64, sizes: &[u64], hosts: u64) -> Result<(), TopologyError> {
    let times = if sizes.len() == 1 { u128::from(m) } else { 1 };
    let wide = |at: usize| u128::from(sizes[at % sizes.len()]);
    let switches: u128 = (0..sizes.len()).map(wide).sum();
    let cables = (0..sizes.len()).try_fold(0_u128, |sum, at| {
        let joined = wide(at).checked_mul(wide(at + 1) + wide(at + 2))?;
        sum.checked_add(joined)
    });
    check_size(
        switches.checked_mul(times),
        hosts,
        cables.and_then(|cables| cables.checked_mul(times)),
    )
}

/// Switches by supernode and place, and cables, of every switch to the two next supernodes.
fn ring(sizes: &[usize]) -> (Vec<String>, Vec<(usize, usize)>) {
    let first = |supernode: usize| sizes[..supernode].iter().sum::<usize>();
    let (mut labels, mut cables) = (Vec::new(), Vec::new());
    for (supernode, size) in sizes.iter().enumerate() {
        let others = [1, 2].map(|step| (supernode + step) % sizes.len());
        let others = others.map(|other| first(other)..first(other) + sizes[other]);
        for place in 0..*size {
            let switch = labels.len();
            labels.push(label(&[supernode, place]));
            cables.extend(others.iter().cloned().flatten().map(|other| (switch, other)));
        }
    }
    (labels, cables)
}

#[cfg(test)]
mod tests {
    use crate::topology::facts::{Facts, assert_refused};

    #[test]
    fn counts_and_diameters_are_those_of_the_definition() {
        for (m, n, p) in [(5, 1, 1), (6, 2, 10), (7, 3, 0), (12, 2, 2), (13, 1, 1)] {
            let facts = Facts::of_switches(&format!("dring({m},{n},p={p})"));
            assert_eq!(facts.nodes(), m * n);
            assert_eq!(facts.hosts, m * n * p.max(1));
            assert_eq!((facts.cables(), facts.degrees()), (2 * m * n * n, [4 * n].into()));
            assert!(facts.is_simple(), "{m} {n}");
            let apart = if n > 1 { 2 } else { 1 };
            assert_eq!(facts.diameter(), Some((m / 2).div_ceil(2).max(apart)), "{m} {n}");
        }
    }

    /// The 80 racks of the evaluation: two supernodes of 6 switches and four of 7, twice around.
    #[test]
    fn supernodes_may_have_different_sizes() {
        let facts = Facts::of_switches("dring(12,6,6,7,7,7,7,6,6,7,7,7,7)");
        assert_eq!((facts.nodes(), facts.cables()), (80, 1066));
        assert_eq!(facts.degrees(), [26, 27].into());
        assert_eq!((facts.is_simple(), facts.diameter()), (true, Some(3)));
        let equal = Facts::of_switches("dring(5,2,2,2,2,2)");
        assert_eq!(equal.cables(), Facts::of_switches("dring(5,2)").cables());
    }

    /// Those of the supergraph, and any permutation within supernodes; six of them make an octahedron, whose opposite
    /// supernodes are alike.
    #[test]
    fn automorphisms_are_those_of_the_ring() {
        for (spec, order) in [
            ("dring(5,1)", 120),
            ("dring(6,1)", 48),
            ("dring(7,1)", 14),
            ("dring(7,2)", 14 * 128),
            ("dring(6,2)", 24 * 24 * 24 * 6),
            ("dring(9,1,p=0)", 18),
        ] {
            assert_eq!(Facts::of_switches(spec).automorphisms(), order, "{spec}");
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("dring(4,2)", "m = 4: the two next on either side are fewer than four others below 5"),
            ("dring(6,0)", "n = 0: a supernode must have at least 1 switch"),
            ("dring", "name the number of supernodes and their size"),
            ("dring(6)", "0 sizes given: give one for all supernodes, or 6"),
            ("dring(6,1,2)", "2 sizes given: give one for all supernodes, or 6"),
            ("dring(5,1,2,1,1,0)", "a supernode must have at least 1 switch"),
            ("dring(6,2,p=x)", "`p=x` is not an integer"),
            ("dring(1000,100)", "number of links is 40200000, above the limit of 4194304"),
            ("dring(18446744073709551615,18446744073709551615)", "number of links is more than"),
            ("dring(6,2,p=18446744073709551615)", "number of links is"),
        ]);
    }
}
