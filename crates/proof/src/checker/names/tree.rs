//! The numbers of a tree, and what follows from them alone.

use crate::topology::Host;

/// The m and w of a tree XGFT(h; m1..mh; w1..wh) of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// m1..mh: children of a node of every level from 1.
    pub children: Vec<u32>,
    /// w1..wh: parents of a node of every level from 0.
    pub parents: Vec<u32>,
}

/// A tree whose links have capacity 1 and whose cables are not parallel, as numbers: it has no node
/// and no link.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::checker::{Levels, Tree};
/// // FT(4,2): two hosts under each of four leaves, which have two parents.
/// let levels = Levels { children: vec![2, 4], parents: vec![1, 2] };
/// let tree = Tree::new(levels).ok_or("no tree")?;
/// assert_eq!((tree.subtree_hosts(2), tree.shortest_paths(2)), (8, 2));
/// assert_eq!((tree.nca_level(0, 1), tree.nca_level(1, 2)), (1, 2));
/// assert!(Tree::new(Levels { children: vec![2, 4], parents: vec![0, 2] }).is_none());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    levels: Levels,
    /// m1⋯ml at l.
    hosts: Vec<u32>,
    /// w1⋯wl at l.
    paths: Vec<u32>,
}

/// Products of the first numbers, from none of them to all; `None` if a number is 0 or a product
/// has more than 32 bits.
fn products(numbers: &[u32]) -> Option<Vec<u32>> {
    let mut products = vec![1_u32];
    for number in numbers {
        products.push(products.last()?.checked_mul(*number).filter(|product| *product > 0)?);
    }
    Some(products)
}

impl Tree {
    /// The tree with these m and w; `None` where there are none, or not as many m as w, where one is
    /// 0, and where hosts or roots have no numbers of 32 bits.
    #[must_use]
    pub fn new(levels: Levels) -> Option<Self> {
        let (hosts, paths) = (products(&levels.children)?, products(&levels.parents)?);
        let fits = hosts.len() == paths.len() && hosts.len() > 1;
        fits.then_some(Self { levels, hosts, paths })
    }

    /// Height h: number of switch levels.
    #[must_use]
    pub fn height(&self) -> usize {
        self.levels.children.len()
    }

    /// m_i, children of a node of level i, for i in 1..=h.
    #[must_use]
    pub fn children(&self, level: usize) -> u32 {
        self.levels.children[level - 1]
    }

    /// w_i, parents of a node of level i−1, for i in 1..=h.
    #[must_use]
    pub fn parents(&self, level: usize) -> u32 {
        self.levels.parents[level - 1]
    }

    /// Number of hosts in a subtree of height `level`: m1⋯m_level.
    #[must_use]
    pub fn subtree_hosts(&self, level: usize) -> u32 {
        self.hosts[level]
    }

    /// Number of shortest paths of a pair whose nearest common ancestors are at `level`: w1⋯w_level.
    #[must_use]
    pub fn shortest_paths(&self, level: usize) -> u32 {
        self.paths[level]
    }

    /// Level of the nearest common ancestors of two hosts, 0 when they are the same, where hosts are
    /// numbered subtree by subtree, as in every tree that a certificate names. O(h).
    #[must_use]
    pub fn nca_level(&self, s: Host, d: Host) -> usize {
        // From the top, since most pairs meet there.
        let differ = |height: &usize| s / self.hosts[*height] != d / self.hosts[*height];
        (0..self.height()).rfind(differ).map_or(0, |height| height + 1)
    }

    /// Whether the up links of each subtree can carry all that its hosts can send, or all that the
    /// hosts outside it can receive.
    #[must_use]
    pub fn full_bisection(&self) -> bool {
        let all = self.subtree_hosts(self.height());
        (1..self.height()).all(|height| {
            let inside = self.subtree_hosts(height);
            let most = u64::from(inside.min(all - inside)) * u64::from(self.parents(1));
            u64::from(self.shortest_paths(height + 1)) >= most
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(children: &[u32], parents: &[u32]) -> Option<Tree> {
        Tree::new(Levels { children: children.to_vec(), parents: parents.to_vec() })
    }

    #[test]
    fn numbers_that_are_no_tree_are_refused() {
        for (children, parents) in [
            (&[][..], &[][..]),
            (&[2, 4], &[1]),
            (&[2, 0], &[1, 2]),
            (&[2, 4], &[1, 0]),
            (&[1 << 16, 1 << 16], &[1, 1]),
            (&[1, 2], &[1 << 31, 2]),
        ] {
            assert_eq!(tree(children, parents), None, "{children:?} {parents:?}");
        }
        let most = tree(&[1 << 16, (1 << 16) - 1], &[1 << 16, (1 << 16) - 1]).unwrap();
        assert_eq!(most.subtree_hosts(2), 0xffff_0000);
    }

    #[test]
    fn links_up_carry_what_either_side_can_send_or_not() {
        let full = |children: &[u32], parents: &[u32]| {
            tree(children, parents).is_some_and(|tree| tree.full_bisection())
        };
        assert!(full(&[2, 4], &[1, 2]) && full(&[5], &[3]));
        // Three links per host: leaves need six, of which two parents per switch are as many.
        assert!(full(&[2, 4], &[3, 2]) && !full(&[3, 4], &[3, 2]));
        // Two leaves, each as many hosts as links; then one leaf, which nothing leaves.
        assert!(full(&[4, 2], &[1, 4]) && !full(&[4, 2], &[1, 3]) && full(&[4, 1], &[1, 1]));
    }
}
