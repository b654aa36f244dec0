//! Dragonfly: groups of switches, one cable between every two groups (Kim et al., ISCA 2008).
//!
//! A group has a switches, each joined to all others of the group. A switch has p hosts and h cables to other groups.
//! So a group has a·h global cables, and there are as many groups as these reach: g = a·h + 1. The paper recommends a =
//! 2p = 2h. With p = 0, switches are hosts ([`direct`](super::direct)).
//!
//! The paper leaves open which switch of a group has the cable to which group. Here arrangements are absolute, as
//! Hastings et al. (Comparing global link arrangements for Dragonfly networks, CLUSTER 2015) call it: with the ports of
//! a group numbered h to a switch, port k leads to group k, or k + 1 from the group's own number on.

use super::direct::{Direct, check_size, label};
use super::prelude::*;
use serde::Deserialize;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "dragonfly",
    usage: "dragonfly(p,a,h)",
    about: "a*h+1 groups of a switches, cliques within groups and one cable between every two groups; p hosts and h \
            global cables per switch",
    reference: "Kim et al., Technology-driven, highly-scalable Dragonfly topology, ISCA 2008",
    examples: &["dragonfly(1,2,1)", "dragonfly(0,2,1)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

#[derive(Deserialize)]
struct Options {
    p: u64,
    a: u64,
    h: u64,
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let Options { p, a, h } = spec.read()?;
    if [a, h].contains(&0) {
        return Err(spec.refused("a and h must be at least 1").into());
    }
    let global = u128::from(a) * u128::from(h);
    let switches = global.checked_add(1).and_then(|groups| groups.checked_mul(a.into()));
    let ports = u128::from(a) - 1 + u128::from(h);
    let ends = switches.and_then(|switches| switches.checked_mul(ports));
    check_size(switches, p, ends.map(|ends| ends / 2))?;
    let (a, h) = (as_size(a), as_size(h));
    let groups = a * h + 1;
    let labels = (0..groups * a).map(|switch| label(&[switch / a, switch % a])).collect();
    let mut cables = Vec::new();
    for group in 0..groups {
        let local = (0..a).flat_map(|low| (low + 1..a).map(move |high| (low, high)));
        cables.extend(local.map(|(low, high)| (group * a + low, group * a + high)));
    }
    for low in 0..groups {
        let to_higher =
            (low + 1..groups).map(|high| (low * a + (high - 1) / h, high * a + low / h));
        cables.extend(to_higher);
    }
    Direct::new(labels, cables).with_hosts(spec, p)
}

#[cfg(test)]
mod tests {
    use crate::topology::facts::{Facts, assert_refused};
    use crate::topology::generate;

    #[test]
    fn counts_and_diameters_are_those_of_the_paper() {
        for (p, a, h) in [(1, 2, 1), (2, 4, 2), (3, 2, 2), (0, 3, 1), (1, 6, 1), (3, 6, 3)] {
            let facts = Facts::of_switches(&format!("dragonfly({p},{a},{h})"));
            let switches = a * (a * h + 1);
            assert_eq!((facts.nodes(), facts.hosts), (switches, switches * p.max(1)));
            assert_eq!(facts.degrees(), [a - 1 + h].into(), "{p} {a} {h}");
            assert_eq!(facts.cables(), switches * (a - 1 + h) / 2);
            assert_eq!((facts.is_simple(), facts.diameter()), (true, Some(3)), "{p} {a} {h}");
        }
        // Figure 5: p = h = 2, a = 4 is 72 hosts in 9 groups. 3.1: radix 64 scales to over 256K hosts.
        assert_eq!(generate("dragonfly(2,4,2)").unwrap().hosts(), 72);
        assert_eq!(generate("dragonfly(16,32,16)").unwrap().hosts(), 262_656);
        // One switch a group: groups are all joined.
        assert_eq!(Facts::of_switches("dragonfly(1,1,4)").automorphisms(), 120);
    }

    #[test]
    fn one_cable_joins_every_two_groups() {
        let (a, h) = (4, 2);
        let network = generate(&format!("dragonfly(0,{a},{h})")).unwrap();
        let mut found = vec![0; 81];
        for link in network.link_numbers() {
            let (from, to) = network.ends(link).unwrap();
            found[(from / a * 9 + to / a) as usize] += 1;
        }
        for (at, count) in found.iter().enumerate() {
            assert_eq!(*count, if at / 9 == at % 9 { 12 } else { 1 });
        }
    }

    #[test]
    fn the_order_of_the_group_is_known_for_the_smallest() {
        // Six switches in a ring.
        assert_eq!(Facts::of_switches("dragonfly(1,2,1)").automorphisms(), 12);
        assert_eq!(Facts::of_switches("dragonfly(1,3,1)").automorphisms(), 24);
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("dragonfly(1,2)", "takes 3 numbers, 2 given"),
            ("dragonfly(1,0,1)", "a and h must be at least 1"),
            ("dragonfly(1,2,0)", "a and h must be at least 1"),
            ("dragonfly(32,64,32)", "number of links is"),
            (
                "dragonfly(1,18446744073709551615,18446744073709551615)",
                "number of links is more than",
            ),
            ("dragonfly(18446744073709551615,2,1)", "number of links is"),
        ]);
    }
}
