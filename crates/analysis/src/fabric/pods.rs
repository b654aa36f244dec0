//! Pods and planes: what is joined below the top, and which top switches are above the same switches.
//!
//! Both follow from the groups of the steps and not from single cables, so that one cable in the wrong port does
//! not join two pods.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use crate::topology::{Levels, NodeId, Topology};

use super::steps::Group;

/// Switches that are joined below the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pod {
    /// The switches, ascending.
    pub switches: Vec<NodeId>,
    /// Number of leaf switches among them.
    pub leaves: usize,
    /// Number of hosts at its leaf switches.
    pub hosts: usize,
}

/// The pods, by their first switch; none with fewer than three levels.
pub(super) fn pods(topology: &Topology, levels: &Levels, groups: &[Vec<Group>]) -> Vec<Pod> {
    let [hosts, below @ .., _] = groups else { return Vec::new() };
    if below.is_empty() {
        return Vec::new();
    }
    let mut together = UnionFind::new(topology.nodes());
    for group in below.iter().flatten() {
        let nodes: Vec<usize> =
            group.children.iter().chain(&group.parents).map(|node| *node as usize).collect();
        nodes.windows(2).for_each(|pair| {
            together.union(pair[0], pair[1]);
        });
    }
    let mut pods: BTreeMap<usize, Pod> = BTreeMap::new();
    let inner = 1..u8::try_from(groups.len()).unwrap_or(u8::MAX);
    for node in topology.node_numbers() {
        let Some(level) = levels.level(node).filter(|level| inner.contains(level)) else {
            continue;
        };
        let pod = pods.entry(together.find(node as usize)).or_default();
        pod.switches.push(node);
        pod.leaves += usize::from(level == 1);
    }
    for group in hosts {
        let leaf = group.parents.first().map(|leaf| together.find(*leaf as usize));
        if let Some(pod) = leaf.and_then(|leaf| pods.get_mut(&leaf)) {
            pod.hosts += group.children.len();
        }
    }
    let mut pods: Vec<Pod> = pods.into_values().collect();
    pods.sort_by_key(|pod| pod.switches.first().copied());
    pods
}

/// The planes of top switches, by their first switch; none with one level.
pub(super) fn top_planes(groups: &[Vec<Group>]) -> Vec<Vec<NodeId>> {
    let [_, .., last] = groups else { return Vec::new() };
    let parents = last.iter().map(|group| group.parents.clone());
    let mut planes: Vec<Vec<NodeId>> = parents.filter(|parents| !parents.is_empty()).collect();
    planes.sort_by_key(|plane| plane.first().copied());
    planes
}
