//! The column `nodes` of a table of paths.

use std::collections::HashMap;

use super::problem::TableProblem;
use super::{HEADER, NODES};
use crate::quote::quote;
use crate::topology::{Host, LinkId, NodeId, Topology, suggestion};

/// What separates the nodes of a path.
const SEPARATOR: &str = " > ";

/// The nodes of a network as files have them: by name, or by number where names do not serve.
pub(crate) fn written_names(topology: &Topology) -> Vec<String> {
    match topology.plain_node_names(SEPARATOR) {
        Some(names) => names.into_iter().map(String::from).collect(),
        None => topology.node_numbers().map(|node| node.to_string()).collect(),
    }
}

/// Sets `through` to the nodes of a path from s.
pub(crate) fn join_nodes(
    topology: &Topology,
    names: &[String],
    (s, path): (Host, &[LinkId]),
    through: &mut String,
) {
    through.clone_from(&names[s as usize]);
    for (_, to) in path.iter().filter_map(|link| topology.ends(*link)) {
        through.push_str(SEPARATOR);
        through.push_str(&names[to as usize]);
    }
}

/// The columns of a file.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) links: bool,
    pub(super) nodes: bool,
}

impl Columns {
    /// The columns that a header names.
    pub(super) fn of<'h>(header: impl Iterator<Item = &'h str>) -> Option<Self> {
        let header: Vec<&str> = header.collect();
        let (links, nodes) = (header.contains(&HEADER[3]), header.contains(&NODES));
        let found = Self { links, nodes };
        ((links || nodes) && header == found.names()).then_some(found)
    }

    /// Their names.
    pub(super) fn names(self) -> Vec<&'static str> {
        let mut names = HEADER[..3].to_vec();
        names.extend(self.links.then_some(HEADER[3]));
        names.extend(self.nodes.then_some(NODES));
        names
    }
}

/// The nodes of a network by name, where names are unique and plain, and by number.
pub(crate) struct NodeNames<'t> {
    topology: &'t Topology,
    names: HashMap<&'t str, NodeId>,
}

impl<'t> NodeNames<'t> {
    pub(crate) fn of(topology: &'t Topology) -> Self {
        let names = topology.plain_node_names(SEPARATOR).unwrap_or_default();
        Self { topology, names: names.into_iter().zip(0..).collect() }
    }

    /// The node of a number or name.
    pub(crate) fn node(&self, text: &str) -> Option<NodeId> {
        let is_known = |node: &NodeId| (*node as usize) < self.topology.nodes();
        text.parse().ok().filter(is_known).or_else(|| self.names.get(text).copied())
    }

    /// A name like one that no node has, in words for an error, or nothing.
    pub(crate) fn suggestion(&self, text: &str) -> String {
        let names = self.topology.node_numbers().map(|node| self.topology.node(node).name.as_str());
        suggestion(names.filter(|name| self.names.contains_key(name)), text)
    }

    /// The nodes of a path.
    pub(super) fn path(&self, text: &str) -> Result<Vec<NodeId>, TableProblem> {
        let last = self.topology.nodes() - 1;
        let node = |text: &str| {
            let text = text.trim();
            let expected = || format!("nodes 0..={last} or their names, separated by `>`");
            self.node(text).ok_or_else(|| TableProblem::Field {
                column: NODES,
                found: quote(text),
                expected: expected(),
            })
        };
        text.split('>').map(node).collect()
    }

    /// The links of a path through these nodes.
    pub(super) fn links(&self, nodes: &[NodeId]) -> Result<Vec<LinkId>, TableProblem> {
        let link = |pair: &[NodeId]| {
            let found = self.topology.links_between(pair[0], pair[1]);
            let problem = |links| {
                let [from, to] = [0, 1].map(|at| quote(&self.topology.node(pair[at]).name));
                TableProblem::Hop { from, to, links }
            };
            let [link] = found[..] else { return Err(problem(found.len())) };
            Ok(link)
        };
        nodes.windows(2).map(link).collect()
    }

    /// Checks that links lead through these nodes.
    pub(super) fn check(&self, links: &[LinkId], nodes: &[NodeId]) -> Result<(), TableProblem> {
        let ends = links.iter().filter_map(|link| self.topology.ends(*link));
        if ends.eq(nodes.windows(2).map(|pair| (pair[0], pair[1]))) {
            return Ok(());
        }
        let ends = links.iter().filter_map(|link| self.topology.ends(*link));
        let first = ends.clone().next().map(|(from, _)| from);
        let through = first.into_iter().chain(ends.map(|(_, to)| to));
        let name = |node: NodeId| quote(&self.topology.node(node).name);
        Err(TableProblem::OtherNodes(through.map(name).collect::<Vec<_>>().join(SEPARATOR)))
    }
}
