//! Xpander: a random lift of a complete graph (Valadarsky et al., `CoNEXT` 2016).
//!
//! The complete graph of d + 1 vertices is lifted k times: each vertex becomes a *meta-node* of k switches, and each
//! edge a random perfect matching of the switches of two meta-nodes. So d + 1 meta-nodes have k(d+1) switches of d
//! cables, none within a meta-node. Lifts are drawn until one is connected, each from a stream of its own: the same
//! seed always gives the same network. The paper lifts once or several times, by 2 again and again, and also picks good
//! lifts without drawing; this is one lift, as in its programs, which also drop lifts of a second eigenvalue above
//! 2√(d−1): here none is dropped. The paper leaves the number of hosts to the ports: `p` is their number, and 0 makes
//! hosts of the switches ([`direct`](super::direct)).

use rand::seq::SliceRandom as _;
use serde::Deserialize;

use super::direct::{Direct, check_degree, check_size, first_connected, label};
use super::prelude::*;
use crate::sampling::Stream;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "xpander",
    usage: "xpander(d,k,p=1,seed=1)",
    about: "random k-lift of the complete graph of d+1 vertices: d+1 meta-nodes of k switches, a random matching \
            between every two; p hosts per switch",
    reference: "Valadarsky et al., Xpander, CoNEXT 2016",
    examples: &["xpander(3,2)", "xpander(3,2,p=0,seed=7)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

#[derive(Deserialize)]
struct Options {
    d: u64,
    k: u64,
    p: u64,
    seed: u64,
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let Options { d, k, p, seed } = spec.read()?;
    check_degree(spec, d)?;
    if k == 0 {
        return Err(spec.refused("k = 0: a meta-node must have at least 1 switch").into());
    }
    let switches = (u128::from(d) + 1).checked_mul(k.into());
    let ends = switches.and_then(|switches| switches.checked_mul(d.into()));
    check_size(switches, p, ends.map(|ends| ends / 2))?;
    let (d, k) = (as_size(d), as_size(k));
    let cables = first_connected(spec, seed, (d + 1) * k, |stream| Some(lift(d, k, stream)))?;
    let labels = (0..(d + 1) * k).map(|switch| label(&[switch / k, switch % k])).collect();
    Direct::new(labels, cables).with_hosts(spec, p)
}

/// A matching for every two meta-nodes.
fn lift(d: usize, k: usize, stream: &mut Stream) -> Vec<(usize, usize)> {
    let mut cables = Vec::new();
    let mut partners: Vec<usize> = (0..k).collect();
    for low in 0..=d {
        for high in low + 1..=d {
            partners.shuffle(stream);
            let matching = partners.iter().enumerate();
            cables.extend(matching.map(|(from, to)| (low * k + from, high * k + to)));
        }
    }
    cables
}

#[cfg(test)]
mod tests {
    use crate::topology::facts::{Facts, assert_refused};
    use crate::topology::generate;

    #[test]
    fn networks_are_lifts() {
        for (d, k) in [(3, 1), (3, 2), (4, 3), (5, 9), (11, 4)] {
            for seed in 0..10 {
                let spec = format!("xpander({d},{k},p=2,seed={seed})");
                let facts = Facts::of_switches(&spec);
                assert_eq!((facts.nodes(), facts.hosts), ((d + 1) * k, 2 * (d + 1) * k));
                assert_eq!((facts.degrees(), facts.cables()), ([d].into(), (d + 1) * k * d / 2));
                assert!(facts.is_simple() && facts.diameter().is_some(), "{spec}");
            }
        }
        assert_eq!(Facts::of_switches("xpander(5,1)").automorphisms(), 720);
    }

    /// Every switch has one cable to each meta-node but its own.
    #[test]
    fn matchings_are_perfect() {
        let (d, k) = (4, 6);
        let network = generate(&format!("xpander({d},{k},p=0)")).unwrap();
        for switch in network.node_numbers() {
            let ends = network.links_from(switch).filter_map(|link| network.ends(link));
            let mut met: Vec<u32> = ends.map(|(_, to)| to / k).collect();
            met.sort_unstable();
            assert_eq!(met, (0..=d).filter(|meta| *meta != switch / k).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_seed_names_a_network() {
        let drawn = |seed| {
            let network = generate(&format!("xpander(3,8,seed={seed})")).unwrap();
            network.link_numbers().map(|link| network.ends(link)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("xpander(2,4)", "d = 2: below 3, networks are rings or not connected"),
            ("xpander(4,0)", "k = 0: a meta-node must have at least 1 switch"),
            ("xpander(4)", "takes 2 numbers, 1 given"),
            ("xpander(64,1000,p=4)", "number of links is 4680000, above the limit of 4194304"),
            ("xpander(18446744073709551615,18446744073709551615)", "number of links is more than"),
            ("xpander(3,4,seed=x)", "`seed=x` is not an integer"),
        ]);
    }
}
