//! The nodes and links of a tree from its labels.

use std::ops::Range;

use petgraph::graph::{DiGraph, NodeIndex};

use super::Xgft;
use crate::integer::index32;
use crate::rational::Rational;
use crate::topology::{Direction, Link, LinkId, Node, NodeId, NodeKind};

/// A node and a port of it.
type End = (NodeId, u32);

impl Xgft {
    /// The digraph of the tree, links in the order of their ids.
    pub(in crate::topology) fn graph(&self) -> DiGraph<Node, Link> {
        let (nodes, links) = self.nodes_and_links();
        let mut graph = DiGraph::with_capacity(nodes, links);
        for (level, number) in (0..=self.height()).zip(0..) {
            for index in 0..self.level_nodes(level) {
                let kind = if level == 0 { NodeKind::Host } else { NodeKind::Switch };
                let name = name(level, index);
                graph.add_node(Node { kind, level: number, name, address: None });
            }
        }
        for level in 0..self.height() {
            for is_up in [true, false] {
                for index in 0..index32(self.level_nodes(level)) {
                    for port in 0..self.parents[level] {
                        let [lower, upper] = self.cable(level, index, port);
                        let ends = if is_up { [lower, upper] } else { [upper, lower] };
                        add_link(&mut graph, ends, &self.capacity[level]);
                    }
                }
            }
        }
        graph
    }

    /// The numbers of nodes and links.
    pub(in crate::topology) fn nodes_and_links(&self) -> (usize, usize) {
        let nodes = (0..=self.height()).map(|level| self.level_nodes(level)).sum();
        let cables = |level| self.level_nodes(level) * self.parents[level] as usize;
        (nodes, (0..self.height()).map(|level| 2 * cables(level)).sum())
    }

    /// The lower and the upper end of the cable behind a port, in `[0, w)`, of the node with this index in a level.
    fn cable(&self, level: usize, index: u32, port: u32) -> [End; 2] {
        let (a, b) = (index / self.parent_product[level], index % self.parent_product[level]);
        let above = a / self.children[level] * self.parent_product[level + 1]
            + b * self.parents[level]
            + port;
        // Ports of a switch: 1..=m to its children, then those to its parents.
        let below = if level == 0 { 0 } else { self.children[level - 1] };
        let child = self.level_start[level] + index;
        let parent = self.level_start[level + 1] + above;
        [(child, 1 + below + port), (parent, 1 + a % self.children[level])]
    }

    /// The nodes and ports from which and to which a link of a generated tree leads. O(height).
    pub(in crate::topology) fn ends_of_link(&self, link: LinkId) -> [End; 2] {
        let (level, is_up, place) = self.offset_of_link(link);
        let mut ends = self.cable(level, place / self.parents[level], place % self.parents[level]);
        if !is_up {
            ends.reverse();
        }
        ends
    }

    /// The level and the direction of a link. O(height).
    pub(in crate::topology) fn level_of_link(&self, link: LinkId) -> (u8, Direction) {
        let (level, is_up, _) = self.offset_of_link(link);
        let number = u8::try_from(level + 1).expect("a tree has at most MAX_HEIGHT levels");
        (number, if is_up { Direction::Up } else { Direction::Down })
    }

    /// The links of each step up, and those down.
    pub(in crate::topology) fn links_by_level(&self) -> Vec<Range<LinkId>> {
        let ends = self
            .step_start
            .iter()
            .flat_map(|(up, down)| [[*up, *down], [*down, down + (down - up)]]);
        ends.map(|[first, end]| first..end).collect()
    }

    /// The name of a node of a generated tree. O(height).
    pub(in crate::topology) fn node_name(&self, node: NodeId) -> String {
        let level = self.level_start.partition_point(|first| *first <= node) - 1;
        name(level, (node - self.level_start[level]) as usize)
    }
}

/// The name of the node with this index in a level.
fn name(level: usize, index: usize) -> String {
    if level == 0 { format!("host-{index}") } else { format!("sw-{level}-{index}") }
}

fn add_link(graph: &mut DiGraph<Node, Link>, [from, to]: [End; 2], capacity: &Rational) {
    let [a, b] = [from, to].map(|(node, _)| NodeIndex::new(node as usize));
    let levels = (graph[a].level, graph[b].level);
    let link = Link::between(levels, (from.1, to.1), capacity.clone());
    graph.add_edge(a, b, link);
}
