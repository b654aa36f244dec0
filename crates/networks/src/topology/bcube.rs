//! BCube: servers with several ports that forward for each other (Guo et al., SIGCOMM 2009).
//!
//! `BCube_0` is n servers at a switch of n ports. `BCube_k` is n of `BCube_{k−1}` and n^k switches of n ports, of which
//! each joins the servers of the same number. So a server is an address a_k…a_0 of digits below n, and a switch of
//! level l is one ⟨l, s⟩ of the k other digits: it joins the n servers that differ in digit l alone. There are n^{k+1}
//! servers of k + 1 ports and (k+1)·n^k switches.
//!
//! Switches never join switches: servers forward, as every host of several links does here. A path between servers
//! whose addresses differ in i digits has i switches and i − 1 servers on its way, 2i links.

use super::NetworkBuilder;
use super::direct::label;
use super::prelude::*;
use crate::limit::within;
use crate::rational::Rational;
use serde::Deserialize;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "bcube",
    usage: "bcube(n,k)",
    about: "BCube_k of n-port switches: n^(k+1) servers of k+1 ports, which forward for each other",
    reference: "Guo et al., BCube, SIGCOMM 2009",
    examples: &["bcube(2,1)", "bcube(3,1)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

#[derive(Deserialize)]
struct Options {
    n: u64,
    k: u64,
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let Options { n, k } = spec.read()?;
    if n < 2 {
        return Err(spec.refused(format!("n = {n}: a switch must have at least 2 ports")).into());
    }
    let levels = u128::from(k) + 1;
    let servers = u32::try_from(levels).ok().and_then(|k| u128::from(n).checked_pow(k));
    let links = servers.and_then(|servers| servers.checked_mul(2 * levels));
    within("number of links", links, Topology::MAX_LINKS, "choose a smaller n or k")?;
    let (n, levels) = (as_size(n), as_size(k) + 1);
    let weights: Vec<usize> = (0..levels).scan(1, |next, _| Some(weight(next, n))).collect();
    let digits = |number: usize, digits: usize| -> Vec<usize> {
        weights[..digits].iter().rev().map(|weight| number / weight % n).collect()
    };
    let mut network = NetworkBuilder::new();
    let hosts = weights[levels - 1] * n;
    let servers: Vec<_> = (0..hosts)
        .map(|server| network.host(format!("host-{}", label(&digits(server, levels)))))
        .collect();
    let mut switches = Vec::with_capacity(levels * weights[levels - 1]);
    for level in 0..levels {
        for others in 0..weights[levels - 1] {
            let name = [vec![level], digits(others, levels - 1)].concat();
            switches.push(network.switch(format!("sw-{}", label(&name))));
        }
    }
    for (number, server) in servers.into_iter().enumerate() {
        for (level, weight) in weights.iter().enumerate() {
            let others = number / (weight * n) * weight + number % weight;
            let switch = switches[level * weights[levels - 1] + others];
            network.cable(server, switch, Rational::ONE);
        }
    }
    network.build(spec.to_string())
}

/// The weight of a digit, which is `next`; that of the one after it follows.
fn weight(next: &mut usize, n: usize) -> usize {
    let weight = *next;
    *next *= n;
    weight
}

#[cfg(test)]
mod tests {
    use crate::topology::facts::{Facts, assert_refused};
    use crate::topology::{NodeKind, generate};

    /// [Guo et al.] 3.1, and 4.1: the diameter is k + 1 in servers.
    #[test]
    fn counts_and_diameters_are_those_of_the_paper() {
        for (n, k) in [(2, 0), (2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (2, 3)] {
            let facts = Facts::of_whole(&format!("bcube({n},{k})"));
            let servers = usize::pow(n, k + 1);
            let switches = (k as usize + 1) * usize::pow(n, k);
            assert_eq!((facts.hosts, facts.nodes()), (servers, servers + switches), "{n} {k}");
            assert_eq!(facts.cables(), servers * (k as usize + 1));
            assert!(facts.is_simple());
            assert_eq!(facts.degrees(), [k as usize + 1, n].into());
            assert_eq!(facts.diameter(), Some(2 * (k as usize + 1)));
        }
        // "The BCube_1 with n = 4" of Figure 1: 16 servers, 8 switches.
        let figure = generate("bcube(4,1)").unwrap();
        assert_eq!((figure.hosts(), figure.nodes() - figure.hosts()), (16, 8));
    }

    /// Any permutation of every digit, and of the digits.
    #[test]
    fn automorphisms_are_those_of_the_addresses() {
        for (spec, order) in [
            ("bcube(2,1)", 2 * 2 * 2),
            ("bcube(3,1)", 6 * 6 * 2),
            ("bcube(2,2)", 2 * 2 * 2 * 6),
            ("bcube(4,1)", 24 * 24 * 2),
        ] {
            assert_eq!(Facts::of_whole(spec).automorphisms(), order, "{spec}");
        }
    }

    /// Server a_1 a_0 is at switch ⟨0, a_1⟩ and at ⟨1, a_0⟩, by its ports 0 and 1, here 1 and 2; its digit is the port.
    #[test]
    fn servers_are_at_the_switches_of_their_addresses() {
        let network = generate("bcube(4,1)").unwrap();
        for link in network.link_numbers() {
            let (from, to) = network.ends(link).unwrap();
            if network.node(from).kind != NodeKind::Host {
                continue;
            }
            let numbers = |name: &str| -> Vec<u32> {
                name.split('-').skip(1).map(|number| number.parse().unwrap()).collect()
            };
            let (server, switch) =
                (numbers(&network.node(from).name), numbers(&network.node(to).name));
            let level = switch[0] as usize;
            assert_eq!(switch[1], server[level], "{}", network.link_name(link));
            assert_eq!(network.link(link).from_port, switch[0] + 1);
            assert_eq!(network.link(link).to_port, server[1 - level] + 1);
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("bcube(4)", "takes 2 numbers, 1 given"),
            ("bcube(1,2)", "n = 1: a switch must have at least 2 ports"),
            ("bcube(0,2)", "at least 2 ports"),
            ("bcube(2,30)", "number of links is"),
            ("bcube(8,7)", "number of links is 268435456, above the limit of 4194304"),
            ("bcube(2,18446744073709551615)", "number of links is more than 2^128"),
            ("bcube(18446744073709551615,2)", "number of links is more than 2^128"),
            ("bcube(4,1,p=2)", "unknown option `p`"),
        ]);
    }
}
