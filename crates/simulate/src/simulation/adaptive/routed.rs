//! The paths of a permutation, and how often they meet on a link.

use super::numbering::Scratch;
use crate::prelude::*;

/// One path for every SD pair of a permutation. A value is used again for the next permutation, so
/// that nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct Routed {
    pairs: Vec<(Host, Host)>,
    links: Vec<LinkId>,
    /// For every pair, the end of its links.
    ends: Vec<usize>,
    /// Maximum number of configurations that a source switch uses; 0 for schemes that have none.
    pub configurations: u64,
    /// The pairs of one source switch, and the top switch of each.
    pub(super) own: Vec<(Host, Host)>,
    pub(super) tops: Vec<u32>,
    pub(super) scratch: Scratch,
}

impl Routed {
    /// Removes all paths.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.links.clear();
        self.ends.clear();
        self.configurations = 0;
    }

    /// Appends the path of a pair, whose links `write` appends to the list that it is given.
    pub fn push(&mut self, pair: (Host, Host), write: impl FnOnce(&mut Vec<LinkId>)) {
        self.pairs.push(pair);
        write(&mut self.links);
        self.ends.push(self.links.len());
    }

    /// The pairs with the links of their paths, from source to destination.
    pub fn paths(&self) -> impl Iterator<Item = ((Host, Host), &[LinkId])> {
        let mut start = 0;
        self.pairs.iter().zip(&self.ends).map(move |(pair, end)| {
            let path = &self.links[start..*end];
            start = *end;
            (*pair, path)
        })
    }

    /// All links of all paths.
    #[must_use]
    pub fn links(&self) -> &[LinkId] {
        &self.links
    }

    /// Whether pairs with destinations in one switch of level 1, but sources in others, all take
    /// different switches towards it, as Class DIFF requires of every pattern (\[NB\] Lemma 3). Pairs
    /// of sources in different switches then never meet. O(pairs · log pairs).
    #[must_use]
    pub fn is_diff(&self, tree: &Xgft) -> bool {
        let crosses = |pair: &((Host, Host), &[LinkId])| tree.nca_level(pair.0.0, pair.0.1) > 1;
        // The last link but one leads down to the destination's switch.
        let last = |links: &[LinkId]| links.iter().rev().nth(1).copied();
        let mut ways: Vec<(u32, Option<LinkId>)> = self
            .paths()
            .filter(crosses)
            .map(|((_, d), links)| (tree.subtree(d, 1), last(links)))
            .collect();
        ways.sort_unstable();
        ways.windows(2).all(|two| two[0] != two[1])
    }

    /// Number of different switches of the highest level of a tree on the paths.
    #[must_use]
    pub fn top_switches(&self, topology: &Topology) -> u64 {
        let height = topology.tree().map_or(0, Xgft::height);
        let ends = self.links.iter().filter_map(|link| topology.ends(*link));
        let is_top = |node: &NodeId| usize::from(topology.node(*node).level) == height;
        let mut tops: Vec<NodeId> = ends.map(|(_, to)| to).filter(is_top).collect();
        tops.sort_unstable();
        tops.dedup();
        tops.len() as u64
    }
}

/// Counts of paths per link, used again for every permutation.
#[derive(Clone, Debug)]
pub struct LinkCounts(Vec<u32>);

impl LinkCounts {
    /// Counters for a network of `links` links.
    #[must_use]
    pub fn new(links: usize) -> Self {
        Self(vec![0; links])
    }

    /// The most paths on one link, and the first link on the way that reaches it. O(links of the
    /// paths).
    ///
    /// # Panics
    /// As indexing does, when a path has a link of another network.
    pub fn most(&mut self, routed: &Routed) -> (u32, Option<LinkId>) {
        let (mut most, mut at) = (0, None);
        for link in routed.links() {
            let count = &mut self.0[*link as usize];
            *count += 1;
            if *count > most {
                (most, at) = (*count, Some(*link));
            }
        }
        routed.links().iter().for_each(|link| self.0[*link as usize] = 0);
        (most, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_diff_by_hand() {
        let tree = Xgft::from_parameters(&[2, 3], &[1, 2]).unwrap();
        let is_diff = |tops: [u32; 2]| {
            let mut routed = Routed::default();
            for ((s, d), top) in [(0, 4), (2, 5)].into_iter().zip(tops) {
                routed.push((s, d), |links| tree.push_path(s, d, &[0, top], links));
            }
            // Within a switch.
            routed.push((3, 2), |links| tree.push_path(3, 2, &[0], links));
            routed.is_diff(&tree)
        };
        assert!(is_diff([0, 1]) && !is_diff([1, 1]));
    }

    #[test]
    fn paths_are_counted_anew_every_time() {
        let (mut routed, mut counts) = (Routed::default(), LinkCounts::new(5));
        routed.push((0, 1), |links| links.extend([0, 2, 4]));
        assert_eq!(counts.most(&routed), (1, Some(0)));
        routed.push((2, 3), |links| links.extend([1, 2]));
        assert_eq!(counts.most(&routed), (2, Some(2)));
        assert_eq!(counts.most(&routed), (2, Some(2)));
        let paths: Vec<_> = routed.paths().collect();
        assert_eq!(paths, [((0, 1), [0, 2, 4].as_slice()), ((2, 3), &[1, 2])]);
        routed.clear();
        assert_eq!(counts.most(&routed), (0, None));
    }
}
