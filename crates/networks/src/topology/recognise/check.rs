//! Nodes and links in the order of their labels, each compared with the arithmetic of trees.

use petgraph::graph::{DiGraph, NodeIndex};

use super::NoTree;
use super::labels::Labels;
use super::steps::{Cable, Steps, name};
use crate::integer::{as_size, index32};
use crate::topology::{Link, LinkId, Node, NodeId, Topology, Xgft};

/// The network in the order of its labels, together with the labels, verified link by link.
/// O(links).
pub(super) fn renumbered(
    topology: &Topology,
    steps: &Steps,
    labels: Labels,
) -> Result<(DiGraph<Node, Link>, Xgft), NoTree> {
    let Labels { in_order, subtree, top } = labels;
    let mut width = steps.parents.clone();
    if let Some(last) = width.last_mut() {
        *last *= u64::from(steps.cables_to_top);
    }
    let Steps { children, cables_to_top, capacities, .. } = steps;
    let tree = Xgft::of_network(children, &width, *cables_to_top, capacities, in_order);
    let tree = tree.ok_or_else(|| steps.wrong_size())?;
    let nodes: usize = (0..=tree.height()).map(|level| tree.level_nodes(level)).sum();
    if nodes != topology.nodes() || 2 * steps.cables.len() != topology.links() {
        return Err(steps.wrong_size());
    }
    let numbers = Numbers { topology, steps, tree: &tree, subtree, top };
    let graph = numbers.graph()?;
    Ok((graph, tree))
}

struct Numbers<'n> {
    topology: &'n Topology,
    steps: &'n Steps,
    tree: &'n Xgft,
    subtree: Vec<u32>,
    top: Vec<u32>,
}

impl Numbers<'_> {
    fn graph(&self) -> Result<DiGraph<Node, Link>, NoTree> {
        let number = self.nodes()?;
        let links = self.links(&number)?;
        let old = self.topology.graph();
        let mut order = vec![NodeIndex::default(); number.len()];
        for (node, number) in number.iter().enumerate() {
            order[*number as usize] = NodeIndex::new(node);
        }
        let mut graph = DiGraph::with_capacity(old.node_count(), old.edge_count());
        for node in order {
            graph.add_node(old[node].clone());
        }
        for link in links {
            let Some((from, to)) = self.topology.ends(link) else { continue };
            let [from, to] = [from, to].map(|node| NodeIndex::new(number[node as usize] as usize));
            graph.add_edge(from, to, self.topology.link(link).clone());
        }
        Ok(graph)
    }

    /// The new number of every node, each assigned once.
    fn nodes(&self) -> Result<Vec<NodeId>, NoTree> {
        let mut number: Vec<NodeId> = self.topology.node_numbers().collect();
        let mut taken = vec![false; number.len()];
        for (level, nodes) in self.steps.level.iter().enumerate().skip(1) {
            let (start, nodes_of_level) =
                (self.tree.level_start(level), self.tree.level_nodes(level));
            for node in nodes {
                let (a, b) = (self.subtree[*node as usize], self.top[*node as usize]);
                let index = u64::from(a) * self.width(level) + u64::from(b);
                let fits = u64::from(b) < self.width(level) && index < nodes_of_level as u64;
                let new = || start + index32(as_size(index));
                if !fits || std::mem::replace(&mut taken[new() as usize], true) {
                    return Err(NoTree::Wiring { node: name(self.topology, *node) });
                }
                number[*node as usize] = new();
            }
        }
        Ok(number)
    }

    /// Number of top nodes of a subtree: w1⋯wl, counting switches.
    fn width(&self, level: usize) -> u64 {
        self.steps.parents[..level].iter().product()
    }

    /// The links in the order of the tree; each of them leads where the tree says.
    fn links(&self, number: &[NodeId]) -> Result<Vec<LinkId>, NoTree> {
        let mut links = vec![LinkId::MAX; self.topology.links()];
        for (level, nodes) in self.steps.level.iter().enumerate().rev().skip(1) {
            for node in nodes {
                self.links_above(level, *node, number, &mut links)
                    .ok_or_else(|| NoTree::Wiring { node: name(self.topology, *node) })?;
            }
        }
        match links.iter().position(|link| *link == LinkId::MAX) {
            None => Ok(links),
            Some(_) => Err(self.steps.wrong_size()),
        }
    }

    /// Enters the links between a node and its parents; `None` if one does not lead where the tree
    /// says, or takes the place of another.
    fn links_above(
        &self,
        level: usize,
        node: NodeId,
        number: &[NodeId],
        links: &mut [LinkId],
    ) -> Option<()> {
        let width = index32(as_size(self.steps.parents[level]));
        let (a, b) = match level {
            0 => (node, 0),
            _ => (self.subtree[node as usize], self.top[node as usize]),
        };
        let above = match level {
            0 => self.tree.subtree(node, 1),
            _ => a / self.tree.children(level + 1),
        };
        for parent in self.steps.parents_of(node) {
            let port = self.top[parent.node as usize] % width;
            let place = u64::from(above) * self.width(level + 1)
                + u64::from(b) * u64::from(width)
                + u64::from(port);
            let expected = u64::from(self.tree.level_start(level + 1)) + place;
            if u64::from(number[parent.node as usize]) != expected {
                return None;
            }
            let (first, count) = parent.cables;
            for (k, cable) in self.steps.cables[first..first + count].iter().enumerate() {
                let Cable { up, down, .. } = cable;
                let (new_up, new_down) = self.tree.link_id(level, a, b, index32(k) * width + port);
                for (new, old) in [(new_up, up), (new_down, down)] {
                    let entry = links.get_mut(new as usize).filter(|link| **link == LinkId::MAX)?;
                    *entry = *old;
                }
            }
        }
        Some(())
    }
}
