//! The labels of a network as the numbers of a tree that the checker knows.

use crate::checker::{Levels, Tree};
use crate::topology::Xgft;

/// The error that a tree is more than its m and w.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "links of the tree differ in capacity from 1, or cables to its top switches are parallel: its \
     numbers alone say nothing about it"
)]
pub struct NotPlain;

impl TryFrom<&Xgft> for Tree {
    type Error = NotPlain;

    /// The numbers of a tree whose links have capacity 1 and whose cables are not parallel.
    fn try_from(tree: &Xgft) -> Result<Self, NotPlain> {
        if !tree.has_unit_capacities() || tree.cables_to_top() > 1 {
            return Err(NotPlain);
        }
        let levels = 1..=tree.height();
        let children = levels.clone().map(|level| tree.children(level)).collect();
        let parents = levels.map(|level| tree.parents(level)).collect();
        Self::new(Levels { children, parents }).ok_or(NotPlain)
    }
}

#[cfg(test)]
mod tests {
    use itertools::Itertools as _;

    use super::*;
    use crate::rational::Rational;
    use crate::topology::{NetworkBuilder, Topology};

    /// All numbers of `height` levels up to `most`.
    fn numbers(height: usize, most: u64) -> impl Iterator<Item = Vec<u64>> + Clone {
        std::iter::repeat_n(1..=most, height).multi_cartesian_product()
    }

    fn assert_same(labels: &Xgft) {
        let (tree, shape) = (Tree::try_from(labels).unwrap(), labels.shape());
        assert_eq!(tree.height(), labels.height(), "{shape}");
        for level in 0..=tree.height() {
            assert_eq!(tree.subtree_hosts(level), labels.subtree_hosts(level), "{shape}");
            assert_eq!(tree.shortest_paths(level), labels.shortest_paths(level), "{shape}");
        }
        for level in 1..=tree.height() {
            assert_eq!(tree.children(level), labels.children(level), "{shape}");
            assert_eq!(tree.parents(level), labels.parents(level), "{shape}");
        }
        assert_eq!(tree.full_bisection(), labels.full_bisection(), "{shape}");
        for (s, d) in labels.host_numbers().cartesian_product(labels.host_numbers()) {
            assert_eq!(tree.nca_level(s, d), labels.nca_level(s, d), "{shape} {s} {d}");
        }
    }

    #[test]
    fn numbers_say_what_labels_say() {
        let (mut trees, mut full) = (0, 0);
        for (height, children, parents) in [(1, 6, 6), (2, 5, 4), (3, 3, 3), (4, 2, 2)] {
            let both = numbers(height, children).cartesian_product(numbers(height, parents));
            for (m, w) in both.filter(|(m, _)| m.iter().any(|m| *m > 1)) {
                let labels = Xgft::from_parameters(&m, &w).unwrap();
                assert_same(&labels);
                trees += 1;
                full += usize::from(labels.full_bisection());
            }
        }
        assert!(trees > 1000 && full > 100 && trees - full > 100, "{trees} {full}");
    }

    /// Two hosts under each of two leaves, which have `cables` cables of a capacity to one top switch.
    fn made(cables: usize, capacity: u64) -> Topology {
        let mut made = NetworkBuilder::new();
        let [a, b, top] = ["a", "b", "top"].map(|name| made.switch(name));
        for (name, leaf) in [("0", a), ("1", a), ("2", b), ("3", b)] {
            let host = made.host(name);
            made.cable(host, leaf, Rational::ONE);
        }
        for leaf in [a, b].repeat(cables) {
            made.cable(leaf, top, Rational::from(capacity));
        }
        made.build("made").unwrap().recognised()
    }

    #[test]
    fn trees_that_are_not_plain_are_refused() {
        for (cables, capacity, is_plain) in [(1, 1, true), (2, 1, false), (1, 2, false)] {
            let network = made(cables, capacity);
            let tree = Tree::try_from(network.tree().unwrap());
            assert_eq!(tree.is_ok(), is_plain, "{cables} {capacity}");
            assert_eq!(network.plain_tree().is_some(), is_plain);
        }
    }
}
