//! Trees of the XGFT family among imported networks: found when present, refused with the reason
//! when not, and what follows from the labels is true of the network as read.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod capacities;
mod merged;
mod parallel;
mod real;
mod refused;
mod round_trip;
mod shuffled;
mod uses;

use std::path::PathBuf;

use petgraph::graph::{DiGraph, NodeIndex};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use routebound::integer::index32;
use routebound::routing::table::write_table;
use routebound::routing::{Instance, build};
use routebound::topology::{Link, LinkId, Node, NodeKind, Topology, sd_pairs};

use super::collection::collection;
use super::files::{import, root};

type Graph = DiGraph<Node, Link>;

/// A dump among the instances, or in the collection next to the repository if that is present.
fn dump(path: &str) -> Option<PathBuf> {
    let instance = root().join("instances/fabrics").join(path);
    if instance.is_file() {
        return Some(instance);
    }
    collection("fabrics").map(|folder| folder.join(path)).filter(|file| file.is_file())
}

/// The same network without labels.
fn plain(network: &Topology) -> Topology {
    Topology::new("plain".into(), network.graph().clone()).unwrap()
}

/// The instance without labels, its routing written as a table.
fn without_labels(instance: &Instance) -> Instance {
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    write_table(instance.topology(), instance.routing(), &mut file).unwrap();
    let topology = plain(instance.topology());
    let routing = build(&format!("table:{}", file.path().display()), &topology).unwrap();
    Instance::trusted(topology, routing)
}

fn recognised(graph: Graph) -> Topology {
    Topology::new("made".into(), graph).unwrap().recognised()
}

/// The network with nodes and links in another order and the ports of every node shuffled, alike
/// for both directions of a cable. Names are kept.
fn shuffled(network: &Topology, seed: u64) -> Graph {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let old = network.graph();
    let mut nodes: Vec<NodeIndex> = old.node_indices().collect();
    nodes.shuffle(&mut random);
    nodes.sort_by_key(|node| old[*node].kind == NodeKind::Switch);
    let mut links: Vec<LinkId> = network.link_numbers().collect();
    links.shuffle(&mut random);
    let ports: Vec<Vec<u32>> = old
        .node_indices()
        .map(|node| {
            let mut ports: Vec<u32> = (1..=index32(old.edges(node).count())).collect();
            ports.shuffle(&mut random);
            ports
        })
        .collect();
    let port = |node: u32, port: u32| ports[node as usize][port as usize - 1];
    let mut graph = Graph::new();
    let mut new = vec![NodeIndex::default(); nodes.len()];
    for node in nodes {
        new[node.index()] = graph.add_node(old[node].clone());
    }
    for link in links {
        let (from, to) = network.ends(link).unwrap();
        let mut weight = network.link(link).clone();
        weight.from_port = port(from, weight.from_port);
        weight.to_port = port(to, weight.to_port);
        graph.add_edge(new[from as usize], new[to as usize], weight);
    }
    graph
}

/// Follows the path of every pair over every ancestor: labels are right when all lead there.
fn check_paths(network: &Topology) {
    let tree = network.tree().unwrap();
    let mut used = vec![false; network.links()];
    let mut links = Vec::new();
    for (s, d) in sd_pairs(network.hosts()) {
        let level = tree.nca_level(s, d);
        for mut ancestor in 0..tree.shortest_paths(level) {
            let mut up = vec![0; level];
            for (l, digit) in up.iter_mut().enumerate().rev() {
                *digit = ancestor % tree.parents(l + 1);
                ancestor /= tree.parents(l + 1);
            }
            links.clear();
            tree.push_path(s, d, &up, &mut links);
            assert_eq!(links.len(), 2 * level);
            let end = links.iter().fold(s, |node, link| {
                let (from, to) = network.ends(*link).unwrap();
                assert_eq!(from, node, "a path of {s} to {d} is broken");
                used[*link as usize] = true;
                to
            });
            assert_eq!(end, d);
        }
    }
    let is_cut_off = tree.children(tree.height()) == 1;
    assert!(is_cut_off || used.iter().all(|used| *used), "a link is on no path");
}
