//! Fabrics of nodes with several adapters, each on a rail of its own.
//!
//! A node has g adapters, which are the hosts, and an inner switch (NVLink, xGMI) that joins them. Nodes are in pods of
//! n: in a pod, adapter i of every node is at leaf switch i, so that traffic within a rail and pod passes one switch.
//! Above, `top=all` joins every leaf switch to all spines: the fabric is rail-optimised. With `top=rail` each rail has
//! spines of its own, and without spines there is a single pod: the fabric is rail-only (Wang et al., HOTI 2024). Then
//! a pair on different rails goes through the inner switch of one of its nodes, and the adapter there that is on the
//! right rail forwards, as PXN of NCCL does.
//!
//! Cables have capacity 1, those to inner switches `inner`: 9 is what NVLink carries per 400 Gbit/s adapter of an H100,
//! 450 GB/s each way. Without inner switches, `inner=0`, all traffic takes the fabric.

use serde::Deserialize;

use super::prelude::*;
use super::{NetworkBuilder, NodeKey};
use crate::limit::within;
use crate::rational::Rational;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "rails",
    usage: "rails(g,n,pods=1,spines=0,top=all|rail,inner=9)",
    about: "pods of n nodes with g adapters each, adapter i at leaf switch i of its pod, an inner switch per node with \
            links of capacity inner, or none for 0; spines join all leaf switches, or as many in each rail its own",
    reference: "Wang et al., Rail-only, HOTI 2024; NVIDIA DGX SuperPOD reference architecture",
    examples: &[
        "rails(2,3)",
        "rails(2,2,pods=2,spines=2)",
        "rails(2,2,pods=2,spines=1,top=rail,inner=3)",
    ],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

#[derive(Deserialize)]
struct Options {
    g: u64,
    n: u64,
    pods: u64,
    spines: u64,
    top: Top,
    inner: u64,
}

/// What spines join.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Top {
    All,
    Rail,
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let options: Options = spec.read()?;
    check(spec, &options)?;
    let Options { top, inner, .. } = options;
    let [rails, nodes, pods, spines] =
        [options.g, options.n, options.pods, options.spines].map(as_size);
    let mut network = NetworkBuilder::new();
    let mut hosts = Vec::with_capacity(pods * nodes * rails);
    for (pod, node, rail) in places(pods, nodes, rails) {
        hosts.push(network.host(format!("node-{pod}-{node} gpu-{rail}")));
    }
    let leaves: Vec<Vec<NodeKey>> = (0..pods)
        .map(|pod| (0..rails).map(|rail| network.switch(format!("leaf-{pod}-{rail}"))).collect())
        .collect();
    for ((pod, _, rail), host) in places(pods, nodes, rails).zip(&hosts) {
        network.cable(*host, leaves[pod][rail], Rational::ONE);
    }
    let groups = if top == Top::All { 1 } else { rails };
    for group in 0..groups {
        for spine in 0..spines {
            let name = if groups == 1 { String::new() } else { format!("{group}-") };
            let spine = network.switch(format!("spine-{name}{spine}"));
            let own = |rail: &usize| groups == 1 || *rail == group;
            for leaves in &leaves {
                for rail in (0..rails).filter(own) {
                    network.cable(leaves[rail], spine, Rational::ONE);
                }
            }
        }
    }
    if inner > 0 {
        for (node, hosts) in hosts.chunks(rails).enumerate() {
            let switch = network.switch(format!("inner-{}-{}", node / nodes, node % nodes));
            for host in hosts {
                network.cable(*host, switch, Rational::from(inner));
            }
        }
    }
    network.build(spec.to_string())
}

/// Pod, node and rail of every adapter, in the order of the hosts.
fn places(pods: usize, nodes: usize, rails: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..pods * nodes * rails).map(move |host| {
        let node = host / rails;
        (node / nodes, node % nodes, host % rails)
    })
}

fn check(spec: &Spec, options: &Options) -> Result<(), TopologyError> {
    let Options { g, n, pods, spines, top, inner } = options;
    let bad = |problem: &str| Err(spec.refused(problem).into());
    if [g, n, pods].contains(&&0) {
        return bad("g, n and pods must be at least 1");
    }
    if *pods > 1 && *spines == 0 {
        return bad("nothing joins the pods: give `spines`");
    }
    if *g > 1 && *inner == 0 && (*spines == 0 || *top == Top::Rail) {
        return bad("nothing joins the rails: give `inner`, or `spines` with `top=all`");
    }
    let leaves = u128::from(*g).checked_mul((*pods).into());
    let hosts = leaves.and_then(|leaves| leaves.checked_mul((*n).into()));
    if hosts == Some(1) {
        return bad("the network has only one host, so there is no traffic");
    }
    // With spines of its own, a rail has as many cables to each as it has leaf switches.
    let cables = || {
        let of_hosts = hosts?.checked_mul(if *inner > 0 { 2 } else { 1 })?;
        of_hosts.checked_add(leaves?.checked_mul((*spines).into())?)?.checked_mul(2)
    };
    within("number of links", cables(), Topology::MAX_LINKS, "choose a smaller network")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::topology::facts::{Facts, assert_refused};
    use crate::topology::generate;

    /// Hosts, switches and cables, and the number of links between the nodes farthest apart.
    #[test]
    fn counts_and_diameters_are_those_of_the_definition() {
        for (spec, hosts, switches, cables, diameter) in [
            // Three nodes of two adapters: two leaf switches, three inner ones.
            ("rails(2,3)", 6, 2 + 3, 6 + 6, 4),
            // From one inner switch to another of another pod there are three switches and two hosts on the way.
            ("rails(2,2,pods=2,spines=1,top=rail)", 8, 4 + 2 + 4, 8 + 4 + 8, 6),
            ("rails(2,2,pods=2,spines=3)", 8, 4 + 3 + 4, 8 + 12 + 8, 6),
            ("rails(4,2,spines=2,inner=0)", 8, 4 + 2, 8 + 8, 4),
            ("rails(1,5,inner=0)", 5, 1, 5, 2),
        ] {
            let facts = Facts::of_whole(spec);
            assert_eq!((facts.hosts, facts.nodes()), (hosts, hosts + switches), "{spec}");
            assert_eq!((facts.cables(), facts.diameter()), (cables, Some(diameter)), "{spec}");
            assert!(facts.is_simple());
        }
    }

    /// Host 4 is adapter 1 of the second node.
    #[test]
    fn adapters_are_at_their_leaf_and_inner_switches() {
        let network = generate("rails(3,2,inner=4)").unwrap();
        let name = |node: u32| network.node(node).name.clone();
        let names: Vec<String> = (0..6).map(name).collect();
        assert_eq!(
            names[..4],
            ["node-0-0 gpu-0", "node-0-0 gpu-1", "node-0-0 gpu-2", "node-0-1 gpu-0"]
        );
        let of_host: Vec<_> = network
            .links_from(4)
            .map(|link| {
                (name(network.ends(link).unwrap().1), network.link(link).capacity.to_string())
            })
            .collect();
        assert!(of_host.contains(&("leaf-0-1".into(), "1".into())), "{of_host:?}");
        assert!(of_host.contains(&("inner-0-1".into(), "4".into())) && of_host.len() == 2);
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("rails(2)", "takes 2 numbers, 1 given"),
            ("rails(0,2)", "g, n and pods must be at least 1"),
            ("rails(2,2,pods=2)", "nothing joins the pods: give `spines`"),
            ("rails(2,2,inner=0)", "nothing joins the rails"),
            ("rails(2,2,pods=2,spines=1,top=rail,inner=0)", "nothing joins the rails"),
            ("rails(1,1)", "only one host"),
            ("rails(2,2,spines=1,top=some)", "is not one of all, rail"),
            ("rails(8,1024,pods=64)", "nothing joins the pods"),
            ("rails(8,1024,pods=64,spines=4096)", "number of links is"),
            ("rails(18446744073709551615,18446744073709551615)", "number of links is"),
        ]);
    }
}
