//! Levels: the distance of a node from the nearest host, over links in either direction.

use std::cmp::Ordering;
use std::collections::VecDeque;

use petgraph::graph::{DiGraph, NodeIndex};

use super::{Direction, Link, Node};

/// The distance of every node from the nearest host, if it is below 256; the first `hosts` nodes
/// are the hosts. O(nodes + links).
pub(super) fn levels(graph: &DiGraph<Node, Link>, hosts: usize) -> Vec<Option<u8>> {
    let nodes = 0..graph.node_count();
    let mut level: Vec<Option<u8>> = nodes.map(|node| (node < hosts).then_some(0)).collect();
    let mut queue: VecDeque<usize> = (0..hosts).collect();
    while let Some(node) = queue.pop_front() {
        let Some(above) = level[node].and_then(|level| level.checked_add(1)) else { continue };
        for next in graph.neighbors_undirected(NodeIndex::new(node)).map(NodeIndex::index) {
            if level[next].is_none() {
                level[next] = Some(above);
                queue.push_back(next);
            }
        }
    }
    level
}

/// The direction of a link between nodes of the given levels.
pub(super) fn direction(from: u8, to: u8) -> Direction {
    match from.cmp(&to) {
        Ordering::Less => Direction::Up,
        Ordering::Greater => Direction::Down,
        Ordering::Equal => Direction::Flat,
    }
}
