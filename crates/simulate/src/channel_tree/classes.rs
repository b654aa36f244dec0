//! Nodes of a tree of channels below which all capacities are alike.
//!
//! What depends on the capacities below a node alone is computed once for all such nodes. A fat-tree
//! has as many classes as levels.

use std::collections::HashMap;

use super::WireTree;
use crate::integer::index32;

/// The classes of a tree, children before parents; the root is alone in the last one.
pub(super) struct Classes {
    /// The different capacities.
    pub(super) wires: Vec<u64>,
    /// The children of a node of every class, ascending. Of children that are alike only two are kept:
    /// a simple path meets no more.
    pub(super) children: Vec<Vec<Child>>,
}

/// A child, by its class and the capacities of the channels up from it and down to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Child {
    pub(super) class: u32,
    /// Positions in [`Classes::wires`], up and down.
    pub(super) wires: [u32; 2],
}

impl Classes {
    /// The classes of `tree`. O(nodes · log nodes).
    pub(super) fn of(tree: &WireTree) -> Self {
        let (mut wires, mut places) = (Vec::new(), HashMap::new());
        let (mut children, mut known) = (Vec::new(), HashMap::new());
        let mut classes = vec![0; tree.nodes()];
        for rank in (0..index32(tree.nodes())).rev() {
            let mut place = |count| {
                *places.entry(count).or_insert_with(|| {
                    wires.push(count);
                    index32(wires.len()) - 1
                })
            };
            let of = |child: u32| {
                let class = classes[child as usize];
                Child { class, wires: tree.wires(child).map(&mut place) }
            };
            let own = alike(tree.children(rank).map(of).collect());
            classes[rank as usize] = *known.entry(own).or_insert_with_key(|own| {
                children.push(own.clone());
                index32(children.len()) - 1
            });
        }
        Self { wires, children }
    }
}

/// In ascending order, at most two of each.
fn alike(mut children: Vec<Child>) -> Vec<Child> {
    children.sort_unstable();
    let mut kept: Vec<Child> = Vec::new();
    for child in children {
        if !kept.ends_with(&[child, child]) {
            kept.push(child);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel_tree::ChannelTree;
    use crate::topology::generate;

    fn sizes(spec: &str) -> Vec<usize> {
        let tree = ChannelTree::of(&generate(spec).unwrap()).unwrap();
        Classes::of(&WireTree::of(&tree).unwrap()).children.iter().map(Vec::len).collect()
    }

    /// Hosts, and one class per level of switches; five hosts are kept as two.
    #[test]
    fn a_regular_tree_has_a_class_per_level() {
        assert_eq!(sizes("universal(16)"), [0, 2, 2, 2, 2]);
        assert_eq!(sizes("xgft(2;5,3;1,1)"), [0, 2, 2]);
        // The outside world has the root below it.
        assert_eq!(sizes("universal(4,root=open)"), [0, 2, 2, 1]);
    }
}
