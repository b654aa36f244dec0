//! The digits of every node: the subtree that contains it, and its place among the subtree's top
//! nodes.
//!
//! **Subtrees** (digits M). The subtrees of height l are the connected components when only levels
//! 0..=l are kept. Their hosts, sorted by the first host of their subtree of height h−1, then of
//! height h−2 and so on, are in the order of the labels.
//!
//! **Top nodes** (digits W). From the first host every top switch is reached by exactly one way up,
//! and the ports along it give the digits of all switches on these ways. The other switches follow
//! from the top down: the parents of a node have the digits (W1..Wl, 0), (W1..Wl, 1), …, and the
//! node has those without the last. Where its parents disagree, no labelling fits.

use std::cmp::Ordering;

use petgraph::unionfind::UnionFind;

use super::NoTree;
use super::steps::{Steps, name};
use crate::integer::{as_size, index32};
use crate::topology::{Host, NodeId, Topology, host_number};

/// Stands for a missing label.
const NONE: u32 = u32::MAX;

/// The labels of all nodes; those of hosts are given by their order.
#[derive(Debug)]
pub(super) struct Labels {
    /// The hosts in the order of their digits.
    pub in_order: Vec<Host>,
    /// Number of the subtree on whose top level a switch is.
    pub subtree: Vec<u32>,
    /// Digits W1..Wl of a switch as one number, W1 most significant.
    pub top: Vec<u32>,
}

impl Labels {
    /// O(hosts · height · log(hosts) + links).
    pub fn of(topology: &Topology, steps: &Steps) -> Result<Self, NoTree> {
        let first = first_hosts(topology, steps);
        let in_order = in_order(topology, steps, &first)?;
        let mut position = vec![0; in_order.len()];
        for (at, host) in in_order.iter().enumerate() {
            position[*host as usize] = at as u64;
        }
        let mut subtree = vec![NONE; topology.nodes()];
        let mut size = 1;
        for (level, nodes) in steps.level.iter().enumerate().skip(1) {
            size *= steps.children[level - 1];
            for node in nodes {
                let host = first.of_switch[*node as usize];
                subtree[*node as usize] = index32(as_size(position[host as usize] / size));
            }
        }
        let top = tops(topology, steps, in_order[0])?;
        Ok(Self { in_order, subtree, top })
    }
}

/// The first hosts of the subtrees that contain given nodes.
struct FirstHosts {
    /// `of_host[l][host]`: that of the host's subtree of height l, for l in 0..=h.
    of_host: Vec<Vec<Host>>,
    /// Number of the subtree on whose top level a switch is.
    of_switch: Vec<Host>,
}

fn first_hosts(topology: &Topology, steps: &Steps) -> FirstHosts {
    let hosts = host_number(topology.hosts());
    let mut joined: UnionFind<NodeId> = UnionFind::new(topology.nodes());
    let mut of_host = vec![(0..hosts).collect::<Vec<Host>>()];
    let mut of_switch = vec![0; topology.nodes()];
    let mut least = vec![NONE; topology.nodes()];
    for level in 1..steps.level.len() {
        for node in &steps.level[level - 1] {
            for parent in steps.parents_of(*node) {
                joined.union(*node, parent.node);
            }
        }
        least.fill(NONE);
        for host in (0..hosts).rev() {
            least[joined.find(host) as usize] = host;
        }
        of_host.push((0..hosts).map(|host| least[joined.find(host) as usize]).collect());
        for node in &steps.level[level] {
            of_switch[*node as usize] = least[joined.find(*node) as usize];
        }
    }
    FirstHosts { of_host, of_switch }
}

/// The hosts subtree by subtree; all subtrees must have the right size.
fn in_order(topology: &Topology, steps: &Steps, first: &FirstHosts) -> Result<Vec<Host>, NoTree> {
    let mut order: Vec<Host> = topology.host_numbers().collect();
    let from_the_top = || first.of_host.iter().rev();
    order.sort_by(|a, b| {
        let pairs = from_the_top().map(|of_host| (of_host[*a as usize], of_host[*b as usize]));
        pairs.map(|(a, b)| a.cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    let mut size = 1_u64;
    for (level, of_host) in first.of_host.iter().enumerate().skip(1) {
        size = size.saturating_mul(steps.children[level - 1]);
        let same = |a: &Host, b: &Host| of_host[*a as usize] == of_host[*b as usize];
        if let Some(odd) = order.chunk_by(same).find(|hosts| hosts.len() as u64 != size) {
            let host = name(topology, odd[0]);
            return Err(NoTree::Subtree { level, host, found: odd.len(), wanted: size });
        }
    }
    if size == order.len() as u64 { Ok(order) } else { Err(steps.wrong_size()) }
}

/// The number of every switch among the top nodes of its subtree.
fn tops(topology: &Topology, steps: &Steps, first: Host) -> Result<Vec<u32>, NoTree> {
    let mut top = vec![NONE; topology.nodes()];
    let wiring = |node: NodeId| NoTree::Wiring { node: name(topology, node) };
    let mut level = vec![first];
    for _ in 0..steps.height() {
        let above = level.iter().flat_map(|node| steps.parents_of(*node));
        level = above.map(|parent| parent.node).collect();
        for (at, node) in level.iter().enumerate() {
            if top[*node as usize] != NONE {
                return Err(wiring(*node));
            }
            top[*node as usize] = index32(at);
        }
    }
    for (below, nodes) in steps.level.iter().enumerate().rev().skip(1) {
        for node in nodes {
            let found = below_parents(steps, *node, &top).ok_or_else(|| wiring(*node))?;
            let known = &mut top[*node as usize];
            if below > 0 && *known != NONE && *known != found {
                return Err(wiring(*node));
            }
            *known = found;
        }
    }
    Ok(top)
}

/// The number that remains for a node from all its parents, each of which has a different last
/// digit.
fn below_parents(steps: &Steps, node: NodeId, top: &[u32]) -> Option<u32> {
    let parents = steps.parents_of(node);
    let width = index32(parents.len());
    let mut digits: Vec<u32> = Vec::with_capacity(parents.len());
    let mut number = None;
    for parent in parents {
        let above = top[parent.node as usize];
        let below = above.checked_div(width).filter(|_| above != NONE)?;
        if number.replace(below).is_some_and(|other| other != below) {
            return None;
        }
        digits.push(above % width);
    }
    digits.sort_unstable();
    (digits.iter().copied().eq(0..width)).then_some(number).flatten()
}
