//! Recursive nonblocking networks (\[NB\] IV.A, Discussion).
//!
//! All switches have n + n² ports. One level is such a switch, two levels are ftree(n,n²,n+n²). A
//! network of one more level "will resemble" ftree(n,n²,r), each of whose n² top switches is a
//! network of one level less with r hosts: bottom switch number v has the place of host v. Then a
//! node of the smaller networks is known by its own place and by the number of the network, which
//! is the port that led there. So the whole is XGFT(h; n,…,n,n+n²; 1,n²,…,n²).
//!
//! With h levels it has n^{h+1} + n^h hosts, the *ports* of the paper, and n^{h−1} + 2(n^h + … +
//! n^{2h−2}) switches: S(1) = 1, and S(h) = n^h + n^{h−1} + n²·S(h−1). For h = 3 that is
//! 2n⁴ + 2n³ + n². The paper prints 2n⁴ + 3n³ + n², an n³ too many.

use super::Parameters;
use super::prelude::*;
use crate::limit::within;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "nbclos",
    usage: "nbclos(n,levels)",
    about: "recursive nonblocking network of switches with n + n^2 ports: ftree(n,n^2,r) whose top \
            switches are such networks with one level less",
    reference: "[NB] IV.A",
    examples: &["nbclos(2,2)", "nbclos(2,3)"],
    build: super::Family { construction: Construction::Tree(parameters), members },
};

/// Members of two levels and more with n ≥ 2: with n = 1 they are trees of `ft`.
fn members(hosts: usize) -> Vec<String> {
    let size = |n: usize, levels: u32| n.checked_pow(levels)?.checked_mul(n + 1);
    let mut specs = Vec::new();
    for levels in 2..=5 {
        let fits = |n: &usize| size(*n, levels).is_some_and(|size| size <= hosts);
        specs.extend((2..).take_while(fits).map(|n| format!("nbclos({n},{levels})")));
    }
    specs
}

fn parameters(spec: &Spec) -> Result<Parameters, TopologyError> {
    let [n, levels] = spec.positive_numbers()?;
    super::xgft::within_height(levels)?;
    let ports = Some(u128::from(n) * (u128::from(n) + 1));
    let (most, remedy) = (u32::MAX.into(), "choose a smaller n");
    let ports = within("number of ports n + n^2 of a switch", ports, most, remedy)?;
    let levels = as_size(levels);
    let (mut children, mut parents) = (vec![n; levels], vec![ports - n; levels]);
    children[levels - 1] = ports;
    parents[0] = 1;
    Ok(Parameters { children, parents })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::topology::{Host, NodeId, NodeKind, Xgft, generate, host_number, node_number};

    fn tree(spec: &str) -> Xgft {
        generate(spec).unwrap().tree().unwrap().clone()
    }

    #[test]
    fn switches_and_ports_are_those_of_the_formulas() {
        for (n, levels) in [(1, 1), (1, 5), (2, 1), (2, 2), (2, 3), (2, 4), (3, 3), (4, 2), (5, 3)]
        {
            let spec = format!("nbclos({n},{levels})");
            let network = generate(&spec).unwrap();
            let size = |exponent: u32| u64::pow(n, exponent);
            assert_eq!(network.hosts() as u64, size(levels + 1) + size(levels), "{spec}");
            let upper: u64 = (levels..2 * levels - 1).map(size).sum();
            let kinds = network.node_numbers().map(|node| network.node(node).kind);
            let switches = kinds.filter(|kind| *kind == NodeKind::Switch).count() as u64;
            assert_eq!(switches, size(levels - 1) + 2 * upper, "{spec}");
            // The recurrence.
            let counted = (2..=levels).fold(1, |below, h| size(h) + size(h - 1) + n * n * below);
            assert_eq!(switches, counted, "{spec}");
            for switch in network.node_numbers().skip(network.hosts()) {
                assert_eq!(network.links_from(switch).count() as u64, n + n * n, "{spec}");
            }
        }
        // [NB] prints those of two levels so.
        let two = generate("nbclos(4,2)").unwrap();
        assert_eq!((two.hosts(), two.nodes() - two.hosts()), (80, 36));
    }

    #[test]
    fn two_levels_are_a_folded_clos_network() {
        for n in 1..=4 {
            let spec = format!("ftree({n},{},{})", n * n, n + n * n);
            assert_eq!(tree(&format!("nbclos({n},2)")), tree(&spec));
        }
        assert_eq!(tree("nbclos(3,1)"), tree("xgft(1;12;1)"));
    }

    /// Cables between the nodes of two levels, by level, subtree and position of either end, the
    /// lower one first.
    type Place = (usize, u32, u32);

    fn cables(spec: &str) -> BTreeSet<[Place; 2]> {
        let network = generate(spec).unwrap();
        let tree = network.tree().unwrap();
        let place = |node: NodeId| -> Place {
            let mut rest = node;
            let mut level = 0;
            while rest >= node_number(tree.level_nodes(level)) {
                rest -= node_number(tree.level_nodes(level));
                level += 1;
            }
            let width = if level == 0 { 1 } else { tree.shortest_paths(level) };
            (level, rest / width, rest % width)
        };
        let ends = network.link_numbers().filter_map(|link| network.ends(link));
        let ends = ends.map(|(from, to)| [place(from), place(to)]);
        ends.filter(|[from, to]| from < to).collect()
    }

    /// The construction as the paper words it: bottom switches with their hosts, and n² networks of
    /// one level less, in which bottom switch v takes the place of host v.
    #[test]
    fn top_switches_are_networks_of_one_level_less() {
        for (n, levels) in [(1, 3), (2, 2), (2, 3), (2, 4), (3, 3)] {
            let (copies, below) = (n * n, format!("nbclos({n},{})", levels - 1));
            let smaller = generate(&below).unwrap();
            let bottom = host_number(smaller.hosts());
            let hosts = (0..n * bottom).map(|host: Host| [(0, host, 0), (1, host / n, 0)]);
            let mut expected: BTreeSet<[Place; 2]> = hosts.collect();
            for copy in 0..copies {
                let width = |level: usize| {
                    if level == 0 { 1 } else { smaller.tree().unwrap().shortest_paths(level) }
                };
                let moved = |(level, subtree, position): Place| match level {
                    0 => (1, subtree, 0),
                    _ => (level + 1, subtree, copy * width(level) + position),
                };
                expected.extend(cables(&below).into_iter().map(|ends| ends.map(moved)));
            }
            assert_eq!(cables(&format!("nbclos({n},{levels})")), expected, "{n} {levels}");
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        for (spec, says) in [
            ("nbclos(2)", "takes 2 numbers, 1 given"),
            ("nbclos(2,0)", "at least 1"),
            ("nbclos(0,2)", "at least 1"),
            ("nbclos(2,17)", "height of the tree is 17, above the limit of 16"),
            ("nbclos(2,12)", "number of links is"),
            ("nbclos(65536,2)", "number of ports n + n^2 of a switch is 4295032832"),
            ("nbclos(18446744073709551615,2)", "number of ports n + n^2 of a switch is"),
            ("nbclos(2,3,depth=1)", "unknown option `depth`"),
        ] {
            let error = generate(spec).unwrap_err().to_string();
            assert!(error.contains(says), "{spec}: {error}");
        }
    }
}
