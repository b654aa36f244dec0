//! A tree as a bare digraph, examined by definition.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::unionfind::UnionFind;
use petgraph::visit::EdgeRef;
use petgraph::{Incoming, Outgoing};
use routebound::topology::{Direction, Link, Node, generate};

type Graph = DiGraph<Node, Link>;

/// A tree to be examined. Levels count from the hosts, as in the program: what \[OR\] calls
/// level i is level n−i here, for switches and for links.
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) graph: Graph,
    pub(crate) hosts: usize,
    /// m_i, children of a node of level i, at index i−1; the height is their number.
    pub(crate) children: Vec<usize>,
    /// w_i, parents of a node of level i−1, at index i−1.
    pub(crate) parents: Vec<usize>,
}

/// A component of the graph without its upper levels, and its up-link ports in their order.
pub(crate) struct Subtree {
    pub(crate) component: usize,
    pub(crate) up_links: Vec<EdgeIndex>,
}

pub(crate) fn tree(name: &str, children: &[usize], parents: &[usize]) -> Tree {
    let topology = generate(name).unwrap();
    let graph = topology.graph().clone();
    let hosts = graph.node_weights().filter(|node| node.level == 0).count();
    let (children, parents) = (children.to_vec(), parents.to_vec());
    Tree { name: name.to_string(), graph, hosts, children, parents }
}

/// FT(m,n): m/2 children under a switch, but m at the root; m/2 parents, but one for a host.
pub(crate) fn ft(m: usize, n: usize) -> Tree {
    let (mut children, mut parents) = (vec![m / 2; n], vec![m / 2; n]);
    (children[n - 1], parents[0]) = (m, 1);
    tree(&format!("ft({m},{n})"), &children, &parents)
}

impl Tree {
    pub(crate) fn height(&self) -> usize {
        self.children.len()
    }

    pub(crate) fn level(&self, node: NodeIndex) -> usize {
        self.graph[node].level.into()
    }

    pub(crate) fn level_nodes(&self, level: usize) -> usize {
        self.graph.node_indices().filter(|node| self.level(*node) == level).count()
    }

    pub(crate) fn hosts(&self) -> impl Iterator<Item = NodeIndex> + Clone {
        (0..self.hosts).map(NodeIndex::new)
    }

    /// Ordered pairs of different hosts.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex)> {
        self.hosts().flat_map(|s| self.hosts().filter(move |d| *d != s).map(move |d| (s, d)))
    }

    /// A label for every node, equal for nodes that are connected within the levels of
    /// `kept`.
    pub(crate) fn components(&self, kept: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut sets = UnionFind::new(self.graph.node_count());
        for edge in self.graph.edge_references() {
            let ends = [edge.source(), edge.target()];
            if ends.iter().all(|node| kept(self.level(*node))) {
                sets.union(ends[0].index(), ends[1].index());
            }
        }
        sets.into_labeling()
    }

    /// Labels of the hosts in the components of the levels up to `height`, each once.
    pub(crate) fn subtree_labels(&self, height: usize) -> BTreeSet<usize> {
        let components = self.components(|level| level <= height);
        self.hosts().map(|host| components[host.index()]).collect()
    }

    /// The links from a node to its parents, by port.
    pub(crate) fn up_links(&self, node: NodeIndex) -> Vec<EdgeIndex> {
        let edges = self.graph.edges(node).filter(|edge| edge.weight().direction == Direction::Up);
        let ports: BTreeMap<u32, _> = edges.map(|e| (e.weight().from_port, e.id())).collect();
        ports.into_values().collect()
    }

    pub(crate) fn head(&self, link: EdgeIndex) -> NodeIndex {
        self.graph.edge_endpoints(link).unwrap().1
    }

    /// The subtrees of `height`, by the recursive construction that both papers give: copies
    /// of the next smaller subtree, where up-link port t of all copies leads to top switch t,
    /// whose own up-link ports come before those of switch t+1.
    pub(crate) fn subtrees(&self, height: usize) -> Vec<Subtree> {
        if height == 0 {
            let host =
                |host| Subtree { component: NodeIndex::index(host), up_links: self.up_links(host) };
            return self.hosts().map(host).collect();
        }
        let components = self.components(|level| level <= height);
        let mut copies: BTreeMap<usize, Vec<Subtree>> = BTreeMap::new();
        for copy in self.subtrees(height - 1) {
            let inside = self.graph.edge_endpoints(copy.up_links[0]).unwrap().0;
            copies.entry(components[inside.index()]).or_default().push(copy);
        }
        let join = |(component, copies): (_, Vec<Subtree>)| {
            let tops = self.top_switches(height, &copies);
            let up_links = tops.into_iter().flat_map(|top| self.up_links(top)).collect();
            Subtree { component, up_links }
        };
        copies.into_iter().map(join).collect()
    }

    /// The switches of level `height` that join the copies, by number.
    pub(crate) fn top_switches(&self, height: usize, copies: &[Subtree]) -> Vec<NodeIndex> {
        let ports: usize = self.parents[..height].iter().product();
        assert_eq!(copies.len(), self.children[height - 1], "{}", self.name);
        let mut tops = Vec::new();
        for port in 0..ports {
            let heads = copies.iter().map(|copy| self.head(copy.up_links[port]));
            let heads: BTreeSet<NodeIndex> = heads.collect();
            assert_eq!(heads.len(), 1, "{}: port {port} of height {height}", self.name);
            tops.extend(heads);
        }
        assert!(copies.iter().all(|copy| copy.up_links.len() == ports), "{}", self.name);
        assert!(tops.iter().all(|top| self.level(*top) == height), "{}", self.name);
        assert_eq!(tops.iter().collect::<BTreeSet<_>>().len(), ports, "{}", self.name);
        tops
    }

    /// Height of the smallest subtree that holds both hosts of a pair, given the components
    /// of every height.
    pub(crate) fn meeting_height(
        &self,
        components: &[Vec<usize>],
        s: NodeIndex,
        d: NodeIndex,
    ) -> usize {
        let together = |part: &Vec<usize>| part[s.index()] == part[d.index()];
        components.iter().position(together).unwrap_or(self.height())
    }

    pub(crate) fn all_components(&self) -> Vec<Vec<usize>> {
        (0..=self.height()).map(|height| self.components(|level| level <= height)).collect()
    }

    /// Searches from (or, `Incoming`, to) every host.
    pub(crate) fn searches(&self, way: petgraph::Direction) -> Vec<Search> {
        self.hosts().map(|host| Search::new(&self.graph, host, way)).collect()
    }
}

/// Distances of all nodes from one host, or to it, and the number of shortest paths.
pub(crate) struct Search {
    pub(crate) distance: Vec<Option<usize>>,
    pub(crate) paths: Vec<usize>,
}

impl Search {
    pub(crate) fn new(graph: &Graph, root: NodeIndex, way: petgraph::Direction) -> Self {
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

/// Calls `visit(s, d, link, paths)` for every link on a shortest path of a pair, `paths`
/// being the number of shortest paths through it.
pub(crate) fn every_use(
    tree: &Tree,
    mut visit: impl FnMut(NodeIndex, NodeIndex, EdgeIndex, usize),
) {
    let (from, to) = (tree.searches(Outgoing), tree.searches(Incoming));
    for (s, d) in tree.pairs() {
        let (from, to) = (&from[s.index()], &to[d.index()]);
        for edge in tree.graph.edge_references() {
            let (tail, head) = (edge.source().index(), edge.target().index());
            let length = from.distance[tail].unwrap() + 1 + to.distance[head].unwrap();
            if Some(length) == from.distance[d.index()] {
                visit(s, d, edge.id(), from.paths[tail] * to.paths[head]);
            }
        }
    }
}
