//! A tree as a bare digraph, examined by definition: sub-fat-trees are components of the graph
//! without its upper levels, paths are counted by breadth-first search. Neither the labels of a
//! tree nor the arithmetic on them is used, since they are what the structural properties of the
//! papers serve to verify.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::unionfind::UnionFind;
use petgraph::visit::EdgeRef;
use petgraph::{Incoming, Outgoing};

use crate::progress::{Progress, Stopped};
use crate::topology::{Direction, Link, Node, Topology};

/// A tree to be examined. Levels are counted from the hosts, as in the program: what \[OR\] calls
/// level i is level n−i here, for switches and for links.
#[derive(Clone, Debug)]
pub struct Structure {
    /// The spec of the tree.
    pub name: String,
    /// Nodes and links; hosts come first.
    pub graph: DiGraph<Node, Link>,
    /// Number of hosts.
    pub hosts: usize,
    /// m_i, children of a node of level i, at index i−1; the height is their number.
    pub children: Vec<usize>,
    /// w_i, parents of a node of level i−1, at index i−1.
    pub parents: Vec<usize>,
}

/// A component of the graph without its upper levels, and its up-link ports in their order.
#[derive(Clone, Debug)]
pub struct Subtree {
    /// Label of the subtree among the components.
    pub component: usize,
    /// Up-link port j at index j.
    pub up_links: Vec<EdgeIndex>,
}

impl Structure {
    /// The digraph of a generated tree, with its declared m and w; `None` for other networks.
    #[must_use]
    pub fn of(topology: &Topology) -> Option<Self> {
        let tree = topology.plain_tree()?;
        let (children, parents) = (1..=tree.height())
            .map(|i| (tree.children(i) as usize, tree.parents(i) as usize))
            .unzip();
        Some(Self::new(topology, children, parents))
    }

    /// The digraph of a topology that is declared to have these m and w.
    #[must_use]
    pub fn new(topology: &Topology, children: Vec<usize>, parents: Vec<usize>) -> Self {
        let graph = topology.graph().clone();
        let hosts = graph.node_weights().filter(|node| node.level == 0).count();
        Self { name: topology.spec().to_string(), graph, hosts, children, parents }
    }

    /// Number of levels of switches.
    #[must_use]
    pub fn height(&self) -> usize {
        self.children.len()
    }

    /// Level of a node.
    #[must_use]
    pub fn level(&self, node: NodeIndex) -> usize {
        self.graph[node].level.into()
    }

    /// Number of nodes of a level.
    #[must_use]
    pub fn level_nodes(&self, level: usize) -> usize {
        self.graph.node_indices().filter(|node| self.level(*node) == level).count()
    }

    /// All hosts.
    pub fn hosts(&self) -> impl Iterator<Item = NodeIndex> + Clone + use<> {
        (0..self.hosts).map(NodeIndex::new)
    }

    /// Ordered pairs of different hosts.
    pub fn pairs(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex)> {
        self.hosts().flat_map(|s| self.hosts().filter(move |d| *d != s).map(move |d| (s, d)))
    }

    /// A label for every node, equal for nodes that are connected within the levels that `kept`
    /// accepts.
    #[must_use]
    pub fn components(&self, kept: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut sets = UnionFind::new(self.graph.node_count());
        for edge in self.graph.edge_references() {
            let ends = [edge.source(), edge.target()];
            if ends.iter().all(|node| kept(self.level(*node))) {
                sets.union(ends[0].index(), ends[1].index());
            }
        }
        sets.into_labeling()
    }

    /// The components of the levels up to every height, from 0 on.
    #[must_use]
    pub fn all_components(&self) -> Vec<Vec<usize>> {
        (0..=self.height()).map(|height| self.components(|level| level <= height)).collect()
    }

    /// Labels of the hosts in the components of the levels up to `height`, each once.
    #[must_use]
    pub fn subtree_labels(&self, height: usize) -> BTreeSet<usize> {
        let components = self.components(|level| level <= height);
        self.hosts().map(|host| components[host.index()]).collect()
    }

    /// The links from a node to its parents, by port.
    #[must_use]
    pub fn up_links(&self, node: NodeIndex) -> Vec<EdgeIndex> {
        let edges = self.graph.edges(node).filter(|edge| edge.weight().direction == Direction::Up);
        let ports: BTreeMap<u32, _> = edges.map(|e| (e.weight().from_port, e.id())).collect();
        ports.into_values().collect()
    }

    /// The node that a link leads to.
    ///
    /// # Panics
    /// On a link of another graph.
    #[must_use]
    pub fn head(&self, link: EdgeIndex) -> NodeIndex {
        self.graph.edge_endpoints(link).map(|(_, head)| head).expect("a link of this graph")
    }

    /// The subtrees of `height`, by the recursive construction that \[OR\] and \[RO\] give: copies
    /// of the next smaller subtree, where up-link port t of all copies leads to top switch t,
    /// whose own up-link ports come before those of switch t+1.
    ///
    /// # Errors
    /// The place where the graph departs from this construction.
    pub fn subtrees(&self, height: usize) -> Result<Vec<Subtree>, String> {
        if height == 0 {
            let host =
                |host| Subtree { component: NodeIndex::index(host), up_links: self.up_links(host) };
            return Ok(self.hosts().map(host).collect());
        }
        let components = self.components(|level| level <= height);
        let mut copies: BTreeMap<usize, Vec<Subtree>> = BTreeMap::new();
        for copy in self.subtrees(height - 1)? {
            let first = copy.up_links.first().and_then(|link| self.graph.edge_endpoints(*link));
            let Some((inside, _)) = first else {
                return Err(format!("{}: no up link at height {height}", self.name));
            };
            copies.entry(components[inside.index()]).or_default().push(copy);
        }
        let join = |(component, copies): (_, Vec<Subtree>)| {
            let tops = self.top_switches(height, &copies)?;
            let up_links = tops.into_iter().flat_map(|top| self.up_links(top)).collect();
            Ok(Subtree { component, up_links })
        };
        copies.into_iter().map(join).collect()
    }

    /// The switches of level `height` that join the copies, by number.
    ///
    /// # Errors
    /// The place where the graph departs from this construction.
    pub fn top_switches(
        &self,
        height: usize,
        copies: &[Subtree],
    ) -> Result<Vec<NodeIndex>, String> {
        let ports: usize = self.parents[..height].iter().product();
        let fail = |what: &str| Err(format!("{}: {what} of height {height}", self.name));
        if copies.len() != self.children[height - 1] {
            return fail("number of copies");
        }
        if copies.iter().any(|copy| copy.up_links.len() != ports) {
            return fail("number of up-link ports");
        }
        let mut tops = BTreeSet::new();
        let mut in_order = Vec::new();
        for port in 0..ports {
            let mut heads = copies.iter().map(|copy| self.head(copy.up_links[port]));
            let top = heads.next().unwrap_or_default();
            if heads.any(|head| head != top) {
                return fail(&format!("port {port}"));
            }
            if self.level(top) != height || !tops.insert(top) {
                return fail(&format!("top switch {port}"));
            }
            in_order.push(top);
        }
        Ok(in_order)
    }

    /// Height of the smallest subtree that holds both hosts of a pair, given the components
    /// of every height.
    #[must_use]
    pub fn meeting_height(&self, components: &[Vec<usize>], s: NodeIndex, d: NodeIndex) -> usize {
        let together = |part: &Vec<usize>| part[s.index()] == part[d.index()];
        components.iter().position(together).unwrap_or(self.height())
    }

    /// Searches from (or, `Incoming`, to) every host.
    #[must_use]
    pub fn searches(&self, way: petgraph::Direction) -> Vec<BreadthFirst> {
        self.hosts().map(|host| BreadthFirst::new(&self.graph, host, way)).collect()
    }

    /// Calls `visit(s, d, link, paths)` for every link on a shortest path of a pair, `paths`
    /// being the number of shortest paths through it, source by source. O(N²·links).
    ///
    /// # Errors
    /// [`Stopped`] when `progress` says so.
    pub fn every_use(
        &self,
        progress: &Progress,
        mut visit: impl FnMut(NodeIndex, NodeIndex, EdgeIndex, usize),
    ) -> Result<(), Stopped> {
        let to = self.searches(Incoming);
        for s in self.hosts() {
            progress.check()?;
            let from = BreadthFirst::new(&self.graph, s, Outgoing);
            for d in self.hosts().filter(|d| *d != s) {
                self.uses_of(&from, &to[d.index()], d, &mut |link, paths| visit(s, d, link, paths));
            }
        }
        Ok(())
    }

    fn uses_of(
        &self,
        from: &BreadthFirst,
        to: &BreadthFirst,
        d: NodeIndex,
        visit: &mut impl FnMut(EdgeIndex, usize),
    ) {
        for edge in self.graph.edge_references() {
            let (tail, head) = (edge.source().index(), edge.target().index());
            let (Some(before), Some(after)) = (from.distance[tail], to.distance[head]) else {
                continue;
            };
            if Some(before + 1 + after) == from.distance[d.index()] {
                visit(edge.id(), from.paths[tail] * to.paths[head]);
            }
        }
    }
}

/// Distances of all nodes from one host, or to it, and the number of shortest paths.
#[derive(Clone, Debug)]
pub struct BreadthFirst {
    /// Number of links to go, by node; `None` where there is no path.
    pub distance: Vec<Option<usize>>,
    /// Number of shortest paths, by node.
    pub paths: Vec<usize>,
}

impl BreadthFirst {
    fn new(graph: &DiGraph<Node, Link>, root: NodeIndex, way: petgraph::Direction) -> Self {
        let mut found =
            Self { distance: vec![None; graph.node_count()], paths: vec![0; graph.node_count()] };
        (found.distance[root.index()], found.paths[root.index()]) = (Some(0), 1);
        let mut queue = VecDeque::from([root]);
        while let Some(node) = queue.pop_front() {
            let farther = found.distance[node.index()].map(|distance| distance + 1);
            for edge in graph.edges_directed(node, way) {
                let next = if way == Outgoing { edge.target() } else { edge.source() };
                if found.distance[next.index()].is_none() {
                    found.distance[next.index()] = farther;
                    queue.push_back(next);
                }
                if found.distance[next.index()] == farther {
                    found.paths[next.index()] += found.paths[node.index()];
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
