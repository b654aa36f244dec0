//! The digraph of a network. That of a generated tree is made when it is first asked for: until then nodes and links
//! follow from the labels.

use std::ops::Range;
use std::sync::OnceLock;

use petgraph::graph::{DiGraph, EdgeIndex};

use super::{Direction, Link, Node, Topology};
use crate::rational::Rational;
use crate::topology::error::link_name;
use crate::topology::{LinkId, NodeId, Xgft, node_number};

/// A digraph, which may still have to be made of labels.
#[derive(Clone, Debug)]
pub(super) struct Digraph {
    made: OnceLock<DiGraph<Node, Link>>,
    nodes: usize,
    links: usize,
}

impl From<DiGraph<Node, Link>> for Digraph {
    fn from(graph: DiGraph<Node, Link>) -> Self {
        let (nodes, links) = (graph.node_count(), graph.edge_count());
        Self { made: graph.into(), nodes, links }
    }
}

impl Digraph {
    /// The digraph of a generated tree.
    pub(super) fn of_labels(tree: &Xgft) -> Self {
        let (nodes, links) = tree.nodes_and_links();
        Self { made: OnceLock::new(), nodes, links }
    }

    /// Number of links.
    pub(super) fn links(&self) -> usize {
        self.links
    }
}

impl Topology {
    /// The digraph.
    #[must_use]
    #[inline]
    pub fn graph(&self) -> &DiGraph<Node, Link> {
        self.digraph.made.get_or_init(|| self.graph_of_labels())
    }

    fn graph_of_labels(&self) -> DiGraph<Node, Link> {
        self.tree().expect("what is not made yet has labels").graph()
    }

    /// The labels, where the digraph is not made yet, for what is in it.
    #[inline]
    fn unmade(&self, is_there: bool) -> Option<&Xgft> {
        if is_there && self.digraph.made.get().is_none() { self.tree() } else { None }
    }

    /// Number of nodes: hosts and switches.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.digraph.nodes
    }

    /// Number of directed links.
    #[must_use]
    pub fn links(&self) -> usize {
        self.digraph.links
    }

    /// The nodes that a link joins, or `None` when there is no such link.
    #[must_use]
    pub fn ends(&self, link: LinkId) -> Option<(NodeId, NodeId)> {
        if let Some(tree) = self.unmade((link as usize) < self.links()) {
            return Some(tree.ends_of_link(link).map(|(node, _)| node).into());
        }
        let ends = self.graph().edge_endpoints(EdgeIndex::new(link as usize))?;
        Some((node_number(ends.0.index()), node_number(ends.1.index())))
    }

    /// The capacity of a link. Panics, as indexing does, when there is no such link.
    #[must_use]
    pub fn capacity(&self, link: LinkId) -> &Rational {
        match self.unmade((link as usize) < self.links()) {
            Some(tree) => tree.capacity(tree.place_of_link(link).step),
            None => &self.link(link).capacity,
        }
    }

    /// The level and direction of a link: see [`Link`]. Panics, as indexing does, when there is no such link.
    pub(in crate::topology) fn place(&self, link: LinkId) -> (u8, Direction) {
        match self.unmade((link as usize) < self.links()) {
            Some(tree) => tree.level_of_link(link),
            None => (self.link(link).level, self.link(link).direction),
        }
    }

    /// The name of a node. Panics, as indexing does, when there is no such node.
    #[must_use]
    pub fn node_name(&self, node: NodeId) -> String {
        match self.unmade((node as usize) < self.nodes()) {
            Some(tree) => tree.node_name(node),
            None => self.node(node).name.clone(),
        }
    }

    /// A link for display: `sw-1-0[5] -> sw-2-3[1]`.
    #[must_use]
    pub fn link_name(&self, link: LinkId) -> String {
        if let Some(tree) = self.unmade((link as usize) < self.links()) {
            let end = |(node, port): (NodeId, u32)| format!("{}[{port}]", tree.node_name(node));
            return tree.ends_of_link(link).map(end).join(" -> ");
        }
        let name = link_name(self.graph(), link);
        name.unwrap_or_else(|| format!("link {link} (none such)"))
    }

    /// Links beside each other with the same capacity, level and direction as reports show them, whatever their weights,
    /// in order. O(links), O(height) for labelled trees.
    #[must_use]
    pub fn links_alike(&self) -> Vec<Range<LinkId>> {
        if let Some(tree) = self.tree() {
            return tree.links_by_level();
        }
        let mut alike: Vec<Range<LinkId>> = Vec::new();
        let is_like = |a: LinkId, b: LinkId| {
            self.capacity(a) == self.capacity(b) && self.shown_place(a) == self.shown_place(b)
        };
        for link in self.link_numbers() {
            match alike.last_mut() {
                Some(links) if is_like(links.start, link) => links.end = link + 1,
                _ => alike.push(link..link + 1),
            }
        }
        alike
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{self, generate, link_number};

    /// That all questions have the answers of `made`, whose digraph is made. Returns how many links are among others
    /// alike.
    fn assert_same(asked: &Topology, made: &Topology, spec: &str) -> usize {
        let graph = made.graph();
        assert_eq!((asked.nodes(), asked.links()), (graph.node_count(), graph.edge_count()));
        for link in made.link_numbers() {
            assert_eq!(asked.ends(link), made.ends(link), "{spec}: {link}");
            assert_eq!(asked.link_name(link), made.link_name(link), "{spec}");
            assert_eq!(asked.shown_place(link), made.shown_place(link), "{spec}: {link}");
            assert_eq!(*asked.capacity(link), made.link(link).capacity, "{spec}: {link}");
            assert_eq!(asked.weight(link), made.link(link).weight.as_deref(), "{spec}: {link}");
        }
        for node in made.node_numbers() {
            assert_eq!(asked.node_name(node), made.node(node).name, "{spec}");
        }
        let total = |links: &mut dyn Iterator<Item = LinkId>| {
            links.map(|link| &made.link(link).capacity).sum::<Rational>()
        };
        for host in made.host_numbers() {
            let [out, inward] = [true, false].map(|out| asked.host_capacity(host, out));
            assert_eq!(out, total(&mut made.links_from(host)), "{spec}: {host}");
            assert_eq!(inward, total(&mut made.links_to(host)), "{spec}: {host}");
        }
        let alike = asked.links_alike();
        assert!(alike.iter().cloned().flatten().eq(made.link_numbers()), "{spec}: {alike:?}");
        let of = |link| (made.shown_place(link), &made.link(link).capacity);
        let is_alike =
            |links: &Range<LinkId>| links.clone().all(|link| of(link) == of(links.start));
        assert!(alike.iter().all(is_alike), "{spec}");
        alike.iter().map(|links| links.len() - 1).sum()
    }

    /// What follows from labels is what the digraph says, for all small members of every family, generated or read.
    #[test]
    fn labels_say_what_the_digraph_says() {
        let members = topology::KINDS.iter().flat_map(|kind| (kind.build.members)(32));
        let (mut trees, mut read_trees, mut several) = (0, 0, 0);
        for spec in members.chain(["xgft(3;2,3,2;2,1,3)".into(), "xgft(1;1;1)".into()]) {
            let Ok(lazy) = generate(&spec) else { continue };
            let made = generate(&spec).unwrap();
            let _ = made.graph();
            several += assert_same(&lazy, &made, &spec);
            let is_unmade = lazy.unmade(true).is_some();
            assert_eq!(is_unmade, lazy.is_named_tree(), "{spec}: made after all");
            assert_eq!(lazy.ends(link_number(lazy.links())), None, "{spec}");
            trees += usize::from(lazy.is_named_tree());
            let read = lazy.recognised();
            assert_eq!((read.nodes(), read.links()), (made.nodes(), made.links()), "{spec}");
            assert_same(&read, &read, &spec);
            read_trees += usize::from(read.tree().is_some());
        }
        assert!(
            trees > 30 && read_trees >= trees && several > 100,
            "{trees}, {read_trees}, {several}"
        );
    }

    #[test]
    fn what_loses_its_labels_is_made_before() {
        let network = generate("ft(4,2)").unwrap().without_labels(topology::NoTree::Damaged);
        assert_eq!((network.graph().edge_count(), network.nodes()), (32, 14));
        assert_eq!(network.ends(0), Some((0, 8)));
    }
}
