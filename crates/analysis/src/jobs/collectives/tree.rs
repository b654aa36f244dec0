//! Two binary trees over all ranks, each for one half of the message.
//!
//! The first tree has the odd ranks as its leaves: the parent of a rank other than 0, whose lowest bit is
//! b, has bit 2b instead of b, or neither where that is not a rank. The second is the first in reverse order of
//! the ranks where N is even, and shifted by one rank where N is odd. So every rank is an inner node of
//! one tree at most, except rank 0 of an odd number: it is the root of the first and has children in the
//! second. Chunks of the message follow each other, so all edges of one direction are busy
//! together: they are one phase.

use super::{Build, Phase, Rank, check_sends, part};
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "tree",
    usage: "tree",
    about: "all-reduce along two complementary binary trees, half of the vector in each: one phase in which every \
            rank sends to its parents, one in which it sends to its children",
    reference: "Sanders, Speck and Träff, 2009: Two-tree algorithms for full bandwidth broadcast, reduction and \
                scan; the double binary trees of NCCL",
    examples: &["tree"],
    build: |_, ranks| {
        check_sends(4 * u128::from(ranks))?;
        let edges = edges(ranks);
        let down = edges.iter().map(|(child, parent)| (*parent, *child));
        Ok(vec![
            Phase::new("reduce", part(1, 2), edges.iter().copied()),
            Phase::new("broadcast", part(1, 2), down),
        ])
    },
};

/// Child and parent of every edge of both trees.
fn edges(ranks: Rank) -> Vec<(Rank, Rank)> {
    let first = (1..ranks).map(|rank| (rank, parent(rank, ranks)));
    first.clone().chain(first.map(|(c, p)| (second(c, ranks), second(p, ranks)))).collect()
}

/// The parent of a rank above 0 in the first tree.
fn parent(rank: Rank, ranks: Rank) -> Rank {
    let bit = rank & rank.wrapping_neg();
    let above = (rank ^ bit) | (bit << 1);
    if above < ranks { above } else { rank ^ bit }
}

/// The rank that stands in the second tree where `rank` is in the first.
fn second(rank: Rank, ranks: Rank) -> Rank {
    if ranks.is_multiple_of(2) { ranks - 1 - rank } else { (rank + 1) % ranks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Five ranks by hand: 1→2, 3→2, 2→4, 4→0, and all shifted by one.
    #[test]
    fn trees_of_five_by_hand() {
        let expected = [(1, 2), (2, 4), (3, 2), (4, 0), (2, 3), (3, 0), (4, 3), (0, 1)];
        assert_eq!(edges(5), expected);
        // 1→2, 2→0, 3→2, and the same from the other end.
        assert_eq!(edges(4), [(1, 2), (2, 0), (3, 2), (2, 1), (1, 3), (0, 1)]);
    }

    /// Whatever rank one begins at, one ends at the root, and no rank has more than two children.
    #[test]
    fn each_tree_spans_all_ranks() {
        for ranks in 2..=130 {
            let all = edges(ranks);
            let half = all.len() / 2;
            for tree in [&all[..half], &all[half..]] {
                let mut above = vec![None; ranks as usize];
                for (child, parent) in tree {
                    assert_eq!(above[*child as usize].replace(*parent), None);
                }
                let roots: Vec<Rank> =
                    (0..ranks).filter(|r| above[*r as usize].is_none()).collect();
                assert_eq!(roots.len(), 1, "{ranks}");
                for rank in 0..ranks {
                    let children = above.iter().filter(|parent| **parent == Some(rank)).count();
                    assert!(children <= 2, "{rank} of {ranks}");
                    let way = std::iter::successors(Some(rank), |at| above[*at as usize]);
                    let depth = way.clone().take(ranks as usize + 1).count();
                    // Depth of a binary tree with rank 0 on top.
                    assert!(depth <= ranks.ilog2() as usize + 2, "{rank} of {ranks}: {depth}");
                    assert_eq!(way.last(), Some(roots[0]));
                }
            }
        }
    }

    #[test]
    fn a_rank_is_inner_in_one_tree_but_for_rank_0_of_an_odd_number() {
        for ranks in 2..=130 {
            let all = edges(ranks);
            let half = all.len() / 2;
            let inner = |tree: &[(Rank, Rank)]| -> BTreeSet<Rank> {
                tree.iter().map(|(_, parent)| *parent).collect()
            };
            let both = &inner(&all[..half]) & &inner(&all[half..]);
            let exception: &[Rank] = if ranks % 2 == 1 { &[0] } else { &[] };
            assert_eq!(both.into_iter().collect::<Vec<_>>(), exception, "{ranks}");
        }
    }
}
