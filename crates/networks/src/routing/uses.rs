//! Which links carry which share of a pair, without listing paths.
//!
//! Loads and SD pairs per link do not depend on how a pair's traffic continues after a link. A
//! multi-path routing has far fewer links per pair than paths times links, so bulk work requests
//! the uses, and paths are merged only where a routing has nothing better.

use super::Paths;
use super::layers::Layer;
use crate::rational::Rational;
use crate::topology::LinkId;

/// Buffers for [`Routing::for_each_use`](super::Routing::for_each_use), reused from pair to
/// pair: their contents are meaningless between calls.
#[derive(Debug, Default)]
pub struct UseScratch {
    /// Links of a path, or of a group with equal shares.
    pub links: Vec<LinkId>,
    /// Links with the share that crosses each.
    pub shares: Vec<(LinkId, Rational)>,
    /// Paths of several pairs.
    pub(super) paths: Paths,
    /// Numbers of nearest common ancestors.
    pub(super) ancestors: Vec<u32>,
    /// State of a search in a network without labels.
    pub(super) layer: Layer,
}

/// Sorts by link and adds up the shares of each.
pub(super) fn merge(shares: &mut Vec<(LinkId, Rational)>) {
    shares.sort_by_key(|(id, _)| *id);
    shares.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += &next.1;
        }
        same
    });
}

/// Number of entries above which equal links are merged.
const MERGED_ABOVE: usize = 1 << 16;

/// Shares by link, of which equal links are merged whenever there are twice as many entries as after
/// the last time: so all merging takes no longer than sorting them a few times.
#[derive(Default)]
pub(super) struct Shares {
    entries: Vec<(LinkId, Rational)>,
    /// Number of entries after they were merged last.
    merged: usize,
}

impl Shares {
    pub fn clear(&mut self) {
        self.entries.clear();
        self.merged = 0;
    }

    /// Adds the links of a path.
    pub fn add(&mut self, links: &[LinkId], share: &Rational) {
        self.entries.extend(links.iter().map(|link| (*link, share.clone())));
        if self.entries.len() > MERGED_ABOVE.max(2 * self.merged) {
            self.merged();
        }
    }

    /// Every link once, ascending, with the sum of its shares.
    pub fn merged(&mut self) -> &[(LinkId, Rational)] {
        merge(&mut self.entries);
        self.merged = self.entries.len();
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 400,000 links of which none comes twice are merged at 65,540, at 131,084 and at 262,172
    /// entries, not at every path from the first of these on.
    #[test]
    fn different_links_are_merged_a_few_times() {
        let (mut shares, mut merged_at) = (Shares::default(), Vec::new());
        for path in 0..100_000 {
            let before = shares.merged;
            shares.add(&[0, 1, 2, 3].map(|at| 4 * path + at), &Rational::ONE);
            if shares.merged != before {
                merged_at.push(shares.merged);
            }
        }
        assert_eq!(merged_at, [65_540, 131_084, 262_172]);
        assert_eq!(shares.merged().len(), 400_000);
        shares.clear();
        assert_eq!((shares.merged, shares.merged().len()), (0, 0));
    }

    /// Links that come again take no more memory, and their shares add up.
    #[test]
    fn equal_links_are_merged() {
        let mut shares = Shares::default();
        for path in 0..200_000 {
            shares.add(&[path % 100], &Rational::ONE);
            assert!(shares.entries.len() <= MERGED_ABOVE);
        }
        assert!(shares.merged().iter().map(|(link, _)| *link).eq(0..100));
        assert!(shares.merged().iter().all(|(_, share)| *share == Rational::from(2_000)));
    }
}
