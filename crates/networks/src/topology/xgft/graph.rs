//! The digraph of a tree from its labels.

use petgraph::graph::{DiGraph, NodeIndex};

use super::Xgft;
use crate::integer::index32;
use crate::topology::{Direction, Link, Node, NodeKind};

impl Xgft {
    /// The digraph of the tree, links in the order of their ids.
    pub(in crate::topology) fn graph(&self) -> DiGraph<Node, Link> {
        let nodes = (0..=self.height()).map(|level| self.level_nodes(level)).sum();
        let cables = |level| self.level_nodes(level) * self.parents[level] as usize;
        let links = (0..self.height()).map(|level| 2 * cables(level)).sum();
        let mut graph = DiGraph::with_capacity(nodes, links);
        for (level, number) in (0..=self.height()).zip(0..) {
            for index in 0..self.level_nodes(level) {
                let kind = if level == 0 { NodeKind::Host } else { NodeKind::Switch };
                let name = if level == 0 {
                    format!("host-{index}")
                } else {
                    format!("sw-{level}-{index}")
                };
                graph.add_node(Node { kind, level: number, name, address: None });
            }
        }
        for level in 0..self.height() {
            self.add_links(&mut graph, level, Direction::Up);
            self.add_links(&mut graph, level, Direction::Down);
        }
        graph
    }

    fn add_links(&self, graph: &mut DiGraph<Node, Link>, level: usize, direction: Direction) {
        for index in 0..index32(self.level_nodes(level)) {
            let (a, b) = (index / self.parent_product[level], index % self.parent_product[level]);
            for port in 0..self.parents[level] {
                let above = a / self.children[level] * self.parent_product[level + 1]
                    + b * self.parents[level]
                    + port;
                let child = NodeIndex::new((self.level_start[level] + index) as usize);
                let parent = NodeIndex::new((self.level_start[level + 1] + above) as usize);
                // Ports of a switch: 1..=m to its children, then those to its parents.
                let below = if level == 0 { 0 } else { self.children[level - 1] };
                let (up_port, down_port) = (1 + below + port, 1 + a % self.children[level]);
                let (lower, upper) = (graph[child].level, graph[parent].level);
                let (ends, levels, ports) = match direction {
                    Direction::Up => ((child, parent), (lower, upper), (up_port, down_port)),
                    _ => ((parent, child), (upper, lower), (down_port, up_port)),
                };
                let link = Link::between(levels, ports, self.capacity[level].clone());
                graph.add_edge(ends.0, ends.1, link);
            }
        }
    }
}
