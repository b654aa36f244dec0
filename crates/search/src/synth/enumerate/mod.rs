//! All single-path routings of a small tree of two levels, counted by their oblivious ratio.
//!
//! On ftree(n,m,r) a single-path routing chooses one of m top switches for every SD pair of
//! different leaf switches: there are m^(n²r(r-1)) of them, 2^48 for FT(4,2), far too many to
//! examine one by one. Their ratio is the largest mds of a link (\[OR\] Definition 3), and at most
//! m where n > m, since optu then grows with what leaves a leaf switch. Two things make the count
//! feasible:
//!
//! - By König, a link has mds ≤ X when for some set of k ≤ X hosts of its leaf switch the pairs of
//!   the other hosts there have at most X - k partners. These numbers of partners add up over the
//!   leaf switches on the other side, so what matters about a link is a short vector: a state of
//!   the `automaton`.
//! - The choices between two leaf switches are a block, n² pairs, that touches the up links of the
//!   one and the down links of the other. Blocks are chosen one by one; routings that agree on the
//!   states of all open links are counted together (`transfer`), also when they agree up to
//!   relabelling.
//!
//! The number of routings up to symmetry, the automorphisms of the tree, follows from Burnside's
//! lemma: it is the mean over the automorphisms of the number of routings that each leaves
//! unchanged (`symmetry`).

mod automaton;
mod symmetry;
mod transfer;

use crate::prelude::*;
use crate::progress::Interrupted;

/// Maximum hosts of a leaf switch.
pub const MAX_LEAF_HOSTS: u64 = 3;
/// Maximum top switches.
pub const MAX_TOPS: u64 = 5;
/// Maximum leaf switches.
pub const MAX_LEAVES: u64 = 6;
/// Maximum bits of the number of routings.
const MAX_BITS: u64 = 120;

/// A tree ftree(n,m,r) = XGFT(2;n,r;1,m).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Hosts of a leaf switch, n.
    pub hosts: usize,
    /// Top switches, m.
    pub tops: usize,
    /// Leaf switches, r.
    pub leaves: usize,
}

/// Routings of one ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatioCount {
    /// The oblivious ratio.
    pub ratio: usize,
    /// Number of routings that have it.
    pub routings: u128,
    /// Number of these up to automorphisms of the tree; `None` when counting them took too many steps.
    pub classes: Option<u128>,
}

impl Tree {
    /// The tree ftree(n,m,r), with at least one of each.
    ///
    /// # Errors
    /// [`TooLarge`] above [`MAX_LEAF_HOSTS`], [`MAX_TOPS`], [`MAX_LEAVES`], or 2^120 routings.
    pub fn new(hosts: usize, tops: usize, leaves: usize) -> Result<Self, TooLarge> {
        let remedy = "count the routings of a smaller tree";
        let (hosts, tops, leaves) = (hosts.max(1), tops.max(1), leaves.max(1));
        let sizes = [
            ("number of hosts of a leaf switch", hosts, MAX_LEAF_HOSTS),
            ("number of top switches", tops, MAX_TOPS),
            ("number of leaf switches", leaves, MAX_LEAVES),
        ];
        for (what, size, limit) in sizes {
            within(what, Some(size as u128), limit, remedy)?;
        }
        let tree = Self { hosts, tops, leaves };
        let routings = (tops as u128).checked_pow(index32(tree.pairs()));
        let bits = routings.map(|routings| routings.ilog2().into());
        within("number of bits of the number of routings", bits, MAX_BITS, remedy)?;
        Ok(tree)
    }

    /// SD pairs of different leaf switches: each chooses a top switch.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.hosts * self.hosts * self.leaves * self.leaves.saturating_sub(1)
    }

    /// Number of single-path routings.
    #[must_use]
    pub fn routings(&self) -> u128 {
        (self.tops as u128).pow(index32(self.pairs()))
    }

    /// The largest ratio that a routing could have.
    fn largest(&self) -> usize {
        let far = self.hosts * self.leaves.saturating_sub(1);
        self.hosts.min(self.tops).min(far).max(1)
    }
}

/// Counts all single-path routings of a tree by their oblivious ratio, omitting ratios that none
/// has. Exact; time and memory grow with the number of states of the links, not with the number of
/// routings.
///
/// # Errors
/// [`Interrupted`] when there are too many states, or the work was stopped.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{progress::Progress, synth::enumerate::{Tree, count}};
/// let counts = count(&Tree::new(2, 2, 2)?, &Progress::silent())?;
/// // 2^8 routings; ratio 1 when no two node-disjoint pairs of a block share a top switch.
/// let found: Vec<_> = counts.iter().map(|c| (c.ratio, c.routings)).collect();
/// assert_eq!(found, [(1, 16), (2, 240)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn count(tree: &Tree, progress: &Progress) -> Result<Vec<RatioCount>, Interrupted> {
    let largest = tree.largest();
    let (mut counts, mut before, mut classes_before) = (Vec::new(), 0, Some(0));
    for ratio in 1..=largest {
        // The largest one bounds nothing.
        let (upto, classes_upto) = if ratio == largest {
            (tree.routings(), Some(symmetry::all_classes(tree, progress)?))
        } else {
            let upto = transfer::at_most(tree, ratio, progress)?;
            (upto, symmetry::classes_at_most(tree, ratio, upto, progress)?)
        };
        let (routings, classes) = (upto - before, classes_upto.zip(classes_before));
        if routings > 0 {
            let classes = classes.map(|(upto, before)| upto - before);
            counts.push(RatioCount { ratio, routings, classes });
        }
        (before, classes_before) = (upto, classes_upto);
    }
    Ok(counts)
}
