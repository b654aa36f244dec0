//! The even split of all traffic of one source, in floats: the starting point of solvers.
//!
//! A shortest path to v enters it from u with probability count(u)/count(v), whatever lies
//! beyond v. So one sweep from the farthest nodes back to the source routes the traffic to all
//! destinations at once, O(nodes + links); [`super::EvenSplit`] is the exact one, pair by pair.

use super::shortest::Adjacency;
use crate::topology::{Host, LinkId, NodeId};

/// Counts are capped at this: a large grid has more shortest paths than floats can represent.
const MAX_PATHS: f64 = 1e200;

/// The traffic of every link, ascending, when what `source` sends to `sinks`, each a host and an
/// amount, is split evenly over all shortest paths.
pub(super) fn even_split(
    network: &Adjacency,
    source: Host,
    sinks: impl IntoIterator<Item = (Host, f64)>,
) -> Vec<(LinkId, f64)> {
    let mut level = vec![u32::MAX; network.nodes()];
    let mut paths = vec![0.0_f64; network.nodes()];
    let mut incoming: Vec<Vec<LinkId>> = vec![Vec::new(); network.nodes()];
    let mut order: Vec<NodeId> = vec![source];
    (level[source as usize], paths[source as usize]) = (0, 1.0);
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        at += 1;
        for &(head, link) in network.out(node) {
            if level[head as usize] == u32::MAX {
                level[head as usize] = level[node as usize] + 1;
                order.push(head);
            }
            if level[head as usize] == level[node as usize] + 1 {
                paths[head as usize] += paths[node as usize].min(MAX_PATHS);
                incoming[head as usize].push(link);
            }
        }
    }
    let mut amount = vec![0.0; network.nodes()];
    for (d, sent) in sinks {
        amount[d as usize] = sent;
    }
    let mut traffic = Vec::new();
    for node in order.iter().rev().filter(|node| **node != source) {
        let through = amount[*node as usize];
        for &link in incoming[*node as usize].iter().filter(|_| through > 0.0) {
            let tail = network.ends(link).0 as usize;
            let part = through * paths[tail].min(MAX_PATHS) / paths[*node as usize];
            amount[tail] += part;
            traffic.push((link, part));
        }
    }
    traffic.sort_unstable_by_key(|(link, _)| *link);
    traffic
}
