//! FatClique: a clique of blocks, which are cliques of sub-blocks, which are cliques of switches (Zhang et al.,
//! Understanding lifecycle management complexity of datacenter topologies, NSDI 2019).
//!
//! A sub-block has c switches, each joined to all others, a block has b sub-blocks, and there are n blocks. Of every
//! switch, s ports are for hosts, `pc` lead to other sub-blocks of its block and `pb` to other blocks. Every pair of
//! sub-blocks of a block has the same number of cables, c·pc/(b−1), and every pair of blocks has c·b·pb/(n−1). With s =
//! 0, switches are hosts ([`direct`](super::direct)).
//!
//! By default pc = b − 1 and pb = n − 1: every switch is joined to the switch at the same place of every other
//! sub-block of its block, and of every other block. The programs of Chitavisutthivong et al. (INFOCOM 2023, ToN 2023)
//! make the same network of the same four numbers. Otherwise the paper only wants cables spread over switches. Here the
//! ports to other sub-blocks, or blocks, are taken by turns: those to the first of the others begin at the first
//! switch, those to the next where these end, and so on; the cables of a pair join the switches so counted on both
//! sides, one after the other. Where a pair has more cables than switches on a side, complete turns follow, each one
//! place further on one side, so that no two cables are parallel.

use serde::Deserialize;

use super::direct::{Direct, check_size, label};
use super::prelude::*;
use crate::integer::Gcd as _;
use crate::spec::SpecError;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "fatclique",
    usage: "fatclique(s,c,b,n,pc=PC,pb=PB)",
    about: "n blocks of b sub-blocks of c switches, cliques on all three levels; s hosts per switch, pc and pb ports \
            to other sub-blocks and blocks, by default b-1 and n-1",
    reference: "Zhang et al., FatClique, NSDI 2019",
    examples: &["fatclique(1,2,2,2)", "fatclique(0,2,3,1,pc=1)", "fatclique(0,2,1,3,pb=1)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

#[derive(Deserialize)]
struct Options {
    s: u64,
    c: u64,
    b: u64,
    n: u64,
    pc: Option<u64>,
    pb: Option<u64>,
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let Options { s, c, b, n, pc, pb } = spec.read()?;
    if [c, b, n].contains(&0) {
        return Err(spec.refused("c, b and n must be at least 1").into());
    }
    let (pc, pb) = (pc.unwrap_or(b - 1), pb.unwrap_or(n - 1));
    let ports = u128::from(c - 1) + u128::from(pc) + u128::from(pb);
    let block = u128::from(c) * u128::from(b);
    let switches = block.checked_mul(n.into());
    let ends = switches.and_then(|switches| switches.checked_mul(ports));
    check_size(switches, s, ends.map(|ends| ends / 2))?;
    let block = c * b;
    check_spread(spec, ["pc", "c", "sub-block"], [pc, c, b])?;
    check_spread(spec, ["pb", "c*b", "block"], [pb, block, n])?;
    let [c, b, n, pc, pb] = [c, b, n, pc, pb].map(as_size);
    let labels = (0..n * b * c).map(|at| label(&[at / (b * c), at / c % b, at % c])).collect();
    let mut cables = Vec::new();
    for first in (0..n * b * c).step_by(c) {
        cables.extend(
            (0..c).flat_map(|low| (low + 1..c).map(move |high| (first + low, first + high))),
        );
    }
    for first in (0..n * b * c).step_by(b * c) {
        join(first, b, c, pc, &mut cables);
    }
    join(0, n, b * c, pb, &mut cables);
    Direct::new(labels, cables).with_hosts(spec, s)
}

/// Refuses ports that cannot be spread: `ports` of each of `size` switches of each of `groups` groups. What they are
/// called comes first.
fn check_spread(
    spec: &Spec,
    [name, switches, group]: [&str; 3],
    [ports, size, groups]: [u64; 3],
) -> Result<(), SpecError> {
    let problem = if groups == 1 && ports > 0 {
        format!("{name} = {ports}, but there is no other {group}: leave it out")
    } else if groups > 1 && ports == 0 {
        format!("{name} = 0 joins no {group}s: choose at least 1")
    } else if groups > 1 && size * ports % (groups - 1) != 0 {
        let step = (groups - 1) / size.gcd(groups - 1);
        let (all, others) = (size * ports, groups - 1);
        format!(
            "{switches}*{name} = {all} ports of a {group} cannot be shared evenly by {others} others: \
             choose {name} as a multiple of {step}"
        )
    } else if groups > 1 && ports > size * (groups - 1) {
        format!("{name} = {ports} is more than all switches of other {group}s: choose fewer ports")
    } else {
        return Ok(());
    };
    Err(spec.refused(problem))
}

/// Joins every pair of groups of `size` switches each, from switch `first` on, so that every switch has `ports` cables.
fn join(first: usize, groups: usize, size: usize, ports: usize, cables: &mut Vec<(usize, usize)>) {
    if groups == 1 {
        return;
    }
    let cables_of_pair = size * ports / (groups - 1);
    let incomplete = cables_of_pair % size;
    for low in 0..groups {
        for high in low + 1..groups {
            // The place of each among the others of the other.
            let starts = [(low, high - 1), (high, low)];
            for cable in 0..cables_of_pair {
                let turn = match cable.checked_sub(incomplete) {
                    Some(later) => later / size + usize::from(incomplete > 0),
                    None => 0,
                };
                let [a, b] = starts.map(|(group, place)| {
                    let moved = if group == high { turn } else { 0 };
                    first + group * size + (place * cables_of_pair + cable + moved) % size
                });
                cables.push((a, b));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::facts::{Facts, assert_refused};
    use crate::topology::generate;

    #[test]
    fn counts_are_those_of_the_definition() {
        for (spec, switches, ports, hosts) in [
            ("fatclique(1,3,3,3)", 27, 2 + 2 + 2, 27),
            ("fatclique(2,2,2,2)", 8, 3, 16),
            ("fatclique(0,6,6,6)", 216, 15, 216),
            ("fatclique(3,4,1,1)", 4, 3, 12),
            ("fatclique(1,4,3,1,pc=1)", 12, 3 + 1, 12),
            ("fatclique(1,4,3,5,pc=3,pb=1)", 60, 3 + 3 + 1, 60),
            ("fatclique(1,2,3,2,pc=4,pb=6)", 12, 1 + 4 + 6, 12),
            ("fatclique(0,3,4,2,pc=4,pb=5)", 24, 2 + 4 + 5, 24),
        ] {
            let facts = Facts::of_switches(spec);
            assert_eq!((facts.nodes(), facts.hosts), (switches, hosts), "{spec}");
            assert_eq!((facts.degrees(), facts.cables()), ([ports].into(), switches * ports / 2));
            assert!(facts.is_simple() && facts.diameter().is_some(), "{spec}");
        }
    }

    /// The number of cables between two groups of switches, given by what the names of their switches begin with.
    fn between(spec: &str, groups: [&str; 2]) -> usize {
        let network = generate(spec).unwrap();
        let joins = |link| {
            let (from, to) = network.ends(link).unwrap();
            let [from, to] = [from, to].map(|node| network.node(node).name.as_str());
            from.starts_with(groups[0]) && to.starts_with(groups[1])
        };
        network.link_numbers().filter(|link| joins(*link)).count()
    }

    #[test]
    fn pairs_of_groups_have_equal_shares() {
        for (spec, pair, cables) in [
            ("fatclique(1,4,3,5,pc=3,pb=1)", ["sw-0-0-", "sw-0-1-"], 6),
            ("fatclique(1,4,3,5,pc=3,pb=1)", ["sw-4-1-", "sw-4-2-"], 6),
            ("fatclique(1,4,3,5,pc=3,pb=1)", ["sw-0-0-", "sw-2-0-"], 1),
            ("fatclique(1,4,3,5,pc=3,pb=1)", ["sw-0-", "sw-1-"], 3),
            ("fatclique(1,4,3,5,pc=3,pb=1)", ["sw-2-", "sw-4-"], 3),
            ("fatclique(1,3,3,3)", ["sw-0-", "sw-2-"], 9),
        ] {
            assert_eq!(between(spec, pair), cables, "{spec} {pair:?}");
        }
    }

    /// With one cable for every other group, places are coordinates, as in a HyperX of the same sizes.
    #[test]
    fn by_default_it_is_a_product_of_cliques() {
        for (c, b, n) in [(3, 3, 3), (2, 3, 4), (4, 2, 1)] {
            let ours = generate(&format!("fatclique(0,{c},{b},{n})")).unwrap();
            let product = [n, b, c].into_iter().filter(|size| *size > 1);
            let product: Vec<_> = product.map(|size| size.to_string()).collect();
            let hyperx = generate(&format!("hyperx({},p=0)", product.join(","))).unwrap();
            let ends = |network: &Topology| {
                let mut ends: Vec<_> =
                    network.link_numbers().map(|link| network.ends(link)).collect();
                ends.sort_unstable();
                ends
            };
            assert_eq!(ends(&ours), ends(&hyperx), "{c} {b} {n}");
        }
        assert_eq!(Facts::of_switches("fatclique(1,3,3,3)").automorphisms(), 6 * 6 * 6 * 6);
        assert_eq!(Facts::of_switches("fatclique(1,3,3,3)").diameter(), Some(3));
        assert_eq!(Facts::of_switches("fatclique(1,2,3,4)").automorphisms(), 2 * 6 * 24);
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("fatclique(1,3,3)", "takes 4 numbers, 3 given"),
            ("fatclique(1,0,3,3)", "c, b and n must be at least 1"),
            ("fatclique(1,1,1,1)", "only one host"),
            ("fatclique(1,3,1,3,pc=2)", "pc = 2, but there is no other sub-block: leave it out"),
            ("fatclique(1,3,3,3,pb=0)", "pb = 0 joins no blocks: choose at least 1"),
            (
                "fatclique(1,3,5,1,pc=2)",
                "c*pc = 6 ports of a sub-block cannot be shared evenly by 4 others: choose pc as a multiple of 4",
            ),
            (
                "fatclique(1,2,2,4,pb=1)",
                "c*b*pb = 4 ports of a block cannot be shared evenly by 3 others",
            ),
            ("fatclique(1,2,2,1,pc=3)", "pc = 3 is more than all switches of other sub-blocks"),
            ("fatclique(1,100,100,100)", "number of links is"),
            ("fatclique(1,18446744073709551615,18446744073709551615,2)", "number of links is"),
            ("fatclique(1,2,2,2,pc=18446744073709551615)", "number of links is"),
        ]);
    }
}
