//! \[GL\] 6, footnote 1: a mesh of trees in the fat-tree whose switches have four children and two parents.
//!
//! A mesh of trees has a grid of side N = 2^h with a processor at every place, and over every row and every column a
//! complete binary tree with the processors as leaves. So a block of side 2^k has 2^k rows and 2^k columns, each with
//! one tree node of height k over it, and the subtree of height k of the fat-tree with those processors has 2^(k−1)
//! switches at its top. Switch number s of these takes the rows and the columns i and i + 2^(k−1) of the block, where
//! i is s with its k − 1 bits in reverse order: then row i of the block is row i of two of its quarters, row
//! i + 2^(k−1) row i of the two others, and likewise for columns, so that every quarter has one row and one column of
//! them. Both are at one switch there, number ⌊s/2⌋, since i without its highest bit is ⌊s/2⌋ reversed.
//!
//! What is computed does not use this reasoning: every edge of every tree is looked for among the links of the network.

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-mesh-of-trees", "[GL] 6, footnote 1")
    .about("A mesh of trees is embedded directly in the fat-tree of Figure 8: its processors are those of the \
            fat-tree, every edge is a link, every link has an edge of a row and one of a column, and every switch \
            has four nodes, two of rows and two of columns")
    .hypothesis("bft(n) of 4 to 256 processors")
    .sharpened()
    .quote("a mesh-of-trees [8] can be directly embedded in this fat-tree.")
    .networks(|tree| bft(tree).is_some(), |tree, _| check(tree, reversed))
    // Switches take rows in their own order.
    .planted(Planted::Network("bft(64)", |tree, _| check(tree, |number, _| number)));

/// The height of a fat-tree of Figure 8.
fn bft(tree: &Topology) -> Option<usize> {
    let labels = tree.plain_tree()?;
    let height = labels.height();
    let parents = |level: usize| if level == 1 { 1 } else { 2 };
    let is_of =
        |level: usize| labels.children(level) == 4 && labels.parents(level) == parents(level);
    (1..=height).all(is_of).then_some(height)
}

/// The lowest `bits` bits of a number in reverse order.
fn reversed(number: u32, bits: usize) -> u32 {
    (0..bits).fold(0, |found, bit| found << 1 | number >> bit & 1)
}

/// Where a tree of the mesh lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    Row,
    Column,
}

/// A node of the tree of a line: number `at` from the left or the top of those of a height.
#[derive(Clone, Copy, Debug)]
struct TreeNode {
    line: Line,
    number: usize,
    height: usize,
    at: usize,
}

impl TreeNode {
    /// The block of which it is a node, by its first row and column.
    fn block(self) -> [usize; 2] {
        let (along, across) = (self.at << self.height, self.number >> self.height << self.height);
        match self.line {
            Line::Row => [across, along],
            Line::Column => [along, across],
        }
    }

    /// The two nodes below it.
    fn children(self) -> [Self; 2] {
        [0, 1].map(|side| Self { height: self.height - 1, at: 2 * self.at + side, ..self })
    }
}

/// Nodes and links of the mesh of trees on the network.
struct Embedding<'t> {
    tree: &'t Topology,
    labels: &'t Xgft,
    /// The host at every place: row by row.
    grid: Vec<Host>,
    side: usize,
    order: fn(u32, usize) -> u32,
    /// Nodes of rows and of columns at every switch, edges on every link.
    nodes: BTreeMap<NodeId, [usize; 2]>,
    edges: BTreeMap<LinkId, [usize; 2]>,
}

fn check(tree: &Topology, order: fn(u32, usize) -> u32) -> Findings {
    let height = fits(tree, bft)?;
    let labels = tree.plain_tree().ok_or_else(|| defect(tree.spec()))?;
    let side = 1 << height;
    let mut grid = vec![0; side * side];
    for host in labels.host_numbers() {
        let [row, column] = place(labels, host);
        grid[row * side + column] = host;
    }
    let (nodes, edges) = (BTreeMap::new(), BTreeMap::new());
    let mut embedding = Embedding { tree, labels, grid, side, order, nodes, edges };
    let lost = embedding.embed(height)?;
    Ok(vec![embedding.finding(lost.as_deref())])
}

/// Row and column of a host: digit M_i has the bits i of both.
fn place(labels: &Xgft, host: Host) -> [usize; 2] {
    let bits = |of: u32| {
        let digit = |i: usize| labels.digit(host, i) >> of & 1;
        (1..=labels.height()).map(|i| (digit(i) as usize) << (i - 1)).sum()
    };
    [bits(1), bits(0)]
}

impl Embedding<'_> {
    /// Places every node and every edge; the first edge that is on no link.
    fn embed(&mut self, height: usize) -> Result<Option<String>> {
        let mut lost = None;
        for (line, number) in iproduct!([Line::Row, Line::Column], 0..self.side) {
            for height in 1..=height {
                for at in 0..self.side >> height {
                    let node = TreeNode { line, number, height, at };
                    let above = self.switch(node)?;
                    self.nodes.entry(above).or_default()[line as usize] += 1;
                    for child in node.children() {
                        let below = self.switch(child)?;
                        let link = self
                            .tree
                            .links_from(below)
                            .find(|link| self.tree.ends(*link).is_some_and(|(_, to)| to == above));
                        match link {
                            Some(link) => self.edges.entry(link).or_default()[line as usize] += 1,
                            None => lost = lost.or_else(|| Some(format!("{child:?} to {node:?}"))),
                        }
                    }
                }
            }
        }
        Ok(lost)
    }

    /// The node of the network for a node of a tree.
    fn switch(&self, node: TreeNode) -> Result<NodeId> {
        let [row, column] = node.block();
        let host = self.grid[row * self.side + column];
        let Some(bits) = node.height.checked_sub(1) else { return Ok(host) };
        let of_block = node.number & ((1 << bits) - 1);
        let position = (self.order)(index32(of_block), bits);
        let ports = self.labels.parents(node.height);
        // Over the first subtree below: each of them is linked to every switch.
        let below = if bits == 0 { host } else { self.labels.subtree(host, bits) };
        let (up, _) = self.labels.link_id(bits, below, position / ports, position % ports);
        let ends = self.tree.ends(up);
        ends.map(|(_, to)| to).ok_or_else(|| defect(self.tree.spec()))
    }

    fn finding(&self, lost: Option<&str>) -> Finding {
        let links = self.tree.links() / 2;
        let switches = self.tree.nodes() - self.tree.hosts();
        let edges: usize = self.edges.values().flatten().sum();
        let is_even =
            self.edges.len() == links && self.edges.values().all(|edges| *edges == [1, 1]);
        let is_full =
            self.nodes.len() == switches && self.nodes.values().all(|nodes| *nodes == [2, 2]);
        let found = match lost {
            Some(edge) => format!("no link for the edge from {edge}"),
            None => format!(
                "{edges} edges on {} links, nodes at {} switches",
                self.edges.len(),
                self.nodes.len()
            ),
        };
        let claimed = format!(
            "two edges on each of {links} links, four nodes at each of {switches} switches"
        );
        let holds = lost.is_none() && is_even && is_full;
        Finding::holds(self.tree.spec(), claimed, found, holds, Basis::Exhaustive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_reversed() {
        assert_eq!([0, 1, 2, 3, 4, 6].map(|number| reversed(number, 3)), [0, 4, 2, 6, 1, 3]);
        assert_eq!(reversed(1, 1), 1);
        assert_eq!(reversed(0, 0), 0);
    }

    /// 4 · (4^h − 2^h) edges, on half as many links; the mesh of trees of side 2 has 4 trees of 2 edges.
    #[test]
    fn edges_and_switches_are_counted() {
        for (spec, edges, switches) in
            [("bft(4)", 8, 1), ("bft(16)", 48, 6), ("bft(256)", 960, 120)]
        {
            let found = check(&generate(spec).unwrap(), reversed).unwrap();
            assert!(!found[0].fails(), "{found:?}");
            let said =
                format!("{edges} edges on {} links, nodes at {switches} switches", edges / 2);
            assert_eq!(found[0].found, said);
        }
        let wrong = check(&generate("bft(64)").unwrap(), |number, _| number).unwrap();
        assert!(wrong[0].fails());
        assert!(bft(&generate("bft(64,dims=3)").unwrap()).is_none());
    }
}
