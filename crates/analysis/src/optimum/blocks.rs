//! Blocks of a network, in which no single node separates two links.
//!
//! A path that visits no node twice passes from one block to the next only at the node that they
//! share, and the blocks that it passes, with the nodes where it enters and leaves them, depend on
//! its ends alone. So traffic is routed in each block on its own, and every source outside a block
//! is, to the block, the node where its traffic enters. A leaf of a network makes a block of one
//! cable, in which there is nothing to choose. Biconnected components, directions ignored; Hopcroft
//! and Tarjan, Communications of the ACM 16(6), 1973, <https://doi.org/10.1145/362248.362272>.

use super::shortest::Adjacency;
use crate::integer::index32;
use crate::topology::{LinkId, NodeId, link_number, node_number};

/// Number of a block.
pub type BlockId = u32;

/// The block of every link.
pub struct Blocks {
    of: Vec<BlockId>,
    count: usize,
}

/// Nodes in the order of a depth-first search that ignores directions.
struct Search {
    order: Vec<NodeId>,
    /// Position of every node in `order`.
    place: Vec<u32>,
    /// The node from which a node was found; a root's is itself.
    parent: Vec<NodeId>,
}

impl Blocks {
    /// O(nodes + links).
    #[must_use]
    pub fn new(network: &Adjacency) -> Self {
        let neighbours = neighbours(network);
        let Search { order, place, parent } = Search::new(&neighbours);
        // The first node that is reached from a node's descendants by one more link.
        let mut low = place.clone();
        for node in order.iter().rev() {
            let around = neighbours[*node as usize].iter().map(|other| place[*other as usize]);
            let least = around.fold(low[*node as usize], u32::min);
            low[*node as usize] = least;
            let parent = parent[*node as usize] as usize;
            low[parent] = low[parent].min(least);
        }
        // The block of the link by which a node was found.
        let (mut found, mut count) = (vec![0; order.len()], 0);
        for node in order.iter().map(|node| *node as usize) {
            let parent = parent[node] as usize;
            if parent != node && low[node] < place[parent] {
                found[node] = found[parent];
            } else if parent != node {
                found[node] = index32(count);
                count += 1;
            }
        }
        let block = |link: LinkId| {
            let (tail, head) = network.ends(link);
            let later = if place[tail as usize] > place[head as usize] { tail } else { head };
            found[later as usize]
        };
        Self { of: (0..link_number(network.links())).map(block).collect(), count }
    }

    /// All links in one block. O(links).
    #[must_use]
    pub fn one(network: &Adjacency) -> Self {
        Self { of: vec![0; network.links()], count: 1 }
    }

    /// The block of a link.
    #[must_use]
    pub fn of(&self, link: LinkId) -> BlockId {
        self.of[link as usize]
    }

    /// Number of blocks, numbered from 0.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

fn neighbours(network: &Adjacency) -> Vec<Vec<NodeId>> {
    let mut neighbours = vec![Vec::new(); network.nodes()];
    for link in 0..link_number(network.links()) {
        let (tail, head) = network.ends(link);
        neighbours[tail as usize].push(head);
        neighbours[head as usize].push(tail);
    }
    neighbours
}

impl Search {
    fn new(neighbours: &[Vec<NodeId>]) -> Self {
        let nodes = neighbours.len();
        let parent: Vec<NodeId> = (0..node_number(nodes)).collect();
        let mut search =
            Self { order: Vec::with_capacity(nodes), place: vec![u32::MAX; nodes], parent };
        let mut way = Vec::new();
        for root in 0..node_number(nodes) {
            search.visit(root, root, &mut way);
            while let Some((node, next)) = way.last_mut() {
                let (node, head) = (*node, neighbours[*node as usize].get(*next).copied());
                *next += 1;
                match head {
                    Some(head) => search.visit(head, node, &mut way),
                    None => drop(way.pop()),
                }
            }
        }
        search
    }

    fn visit(&mut self, node: NodeId, parent: NodeId, way: &mut Vec<(NodeId, usize)>) {
        let place = &mut self.place[node as usize];
        if *place == u32::MAX {
            *place = index32(self.order.len());
            self.order.push(node);
            self.parent[node as usize] = parent;
            way.push((node, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;
    use crate::topology::NetworkBuilder;

    /// The blocks of a network of these cables, as sets of cables.
    fn blocks(nodes: usize, cables: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
        let mut builder = NetworkBuilder::new();
        let hosts: Vec<_> = (0..nodes).map(|node| builder.host(format!("n{node}"))).collect();
        for (a, b) in cables {
            builder.cable(hosts[*a], hosts[*b], Rational::ONE);
        }
        let network = Adjacency::new(&builder.build("test").unwrap());
        let blocks = Blocks::new(&network);
        let mut found = vec![Vec::new(); blocks.count()];
        for link in 0..link_number(network.links()) {
            let (tail, head) = network.ends(link);
            if tail < head {
                found[blocks.of(link) as usize].push((tail as usize, head as usize));
            } else {
                let back =
                    found[blocks.of(link) as usize].contains(&(head as usize, tail as usize));
                assert!(back, "both directions of a cable are in one block");
            }
        }
        for block in &mut found {
            block.sort_unstable();
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn leaves_chains_and_rings_that_share_a_node() {
        // Two triangles at node 2, a chain from 4 to 6, and two cables in parallel to 7.
        let rings = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)];
        let rest = [(4, 5), (5, 6), (0, 7), (0, 7)];
        let found = blocks(8, &[&rings[..], &rest].concat());
        let expected: [&[(usize, usize)]; 5] = [
            &[(0, 1), (0, 2), (1, 2)],
            &[(0, 7), (0, 7)],
            &[(2, 3), (2, 4), (3, 4)],
            &[(4, 5)],
            &[(5, 6)],
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_chord_joins_and_parts_apart_stay_apart() {
        let square = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)];
        let expected = vec![vec![(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)], vec![(4, 5)]];
        assert_eq!(blocks(6, &[&square[..], &[(4, 5)]].concat()), expected);
    }
}
