//! The blocks of a network: largest parts that no single node separates.
//!
//! Every path between two nodes passes the blocks between them in the same order, through the same
//! nodes where they meet. Where these nodes are hosts, traffic that passes a block loads it like
//! traffic between the hosts at which it enters and leaves, and a network that carries the former
//! also carries the latter. So the best routing of the network consists of the best routings of its
//! blocks, and its ratio is the largest of theirs.

use petgraph::unionfind::UnionFind;

use crate::optimum::shortest::Adjacency;
use crate::topology::{Host, LinkId, NodeId, link_number, node_number};

/// A spanning forest of the undirected network: how every node is reached.
struct Forest {
    /// Links to the root.
    depth: Vec<usize>,
    /// The next node towards the root, and the link that joins the two.
    up: Vec<Option<(NodeId, LinkId)>>,
}

impl Forest {
    fn new(network: &Adjacency) -> Self {
        let mut around: Vec<Vec<(NodeId, LinkId)>> = vec![Vec::new(); network.nodes()];
        for link in 0..link_number(network.links()) {
            let (tail, head) = network.ends(link);
            around[tail as usize].push((head, link));
            around[head as usize].push((tail, link));
        }
        let unknown = usize::MAX;
        let mut forest = Self { depth: vec![unknown; around.len()], up: vec![None; around.len()] };
        for root in 0..node_number(around.len()) {
            if forest.depth[root as usize] != unknown {
                continue;
            }
            forest.depth[root as usize] = 0;
            let mut next = vec![root];
            while let Some(node) = next.pop() {
                for &(other, link) in &around[node as usize] {
                    if forest.depth[other as usize] == unknown {
                        forest.depth[other as usize] = forest.depth[node as usize] + 1;
                        forest.up[other as usize] = Some((node, link));
                        next.push(other);
                    }
                }
            }
        }
        forest
    }

    /// The links of the forest that close a cycle with a link between `a` and `b`.
    fn cycle(&self, mut a: NodeId, mut b: NodeId) -> Vec<LinkId> {
        let mut links = Vec::new();
        while a != b {
            if self.depth[a as usize] < self.depth[b as usize] {
                std::mem::swap(&mut a, &mut b);
            }
            let Some((next, link)) = self.up[a as usize] else { break };
            links.push(link);
            a = next;
        }
        links
    }
}

/// The block of every link, when all nodes in which blocks meet are among the first `hosts` nodes.
/// Two links are in one block when they lie on a cycle; the cycles that single links close with a
/// spanning forest suffice to know. O(links · nodes).
pub(super) fn of_links(network: &Adjacency, hosts: usize) -> Option<Vec<usize>> {
    let forest = Forest::new(network);
    let mut sets: UnionFind<usize> = UnionFind::new(network.links());
    for link in 0..link_number(network.links()) {
        let (tail, head) = network.ends(link);
        for other in forest.cycle(tail, head) {
            sets.union(link as usize, other as usize);
        }
    }
    let blocks = sets.into_labeling();
    let mut known: Vec<Option<usize>> = vec![None; network.nodes()];
    for link in 0..link_number(network.links()) {
        let block = blocks[link as usize];
        for end in <[NodeId; 2]>::from(network.ends(link)).map(|end| end as usize) {
            if known[end].is_some_and(|known| known != block) && end >= hosts {
                return None;
            }
            known[end] = Some(block);
        }
    }
    Some(blocks)
}

/// The nodes at which a path enters and leaves every block that it passes.
pub(super) fn passed(network: &Adjacency, blocks: &[usize], path: &[LinkId]) -> Vec<(Host, Host)> {
    let parts = path.chunk_by(|a, b| blocks[*a as usize] == blocks[*b as usize]);
    let ends =
        |part: &[LinkId]| Some((network.ends(*part.first()?).0, network.ends(*part.last()?).1));
    parts.filter_map(ends).collect()
}
