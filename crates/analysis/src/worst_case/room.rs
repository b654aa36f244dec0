//! What subtrees let through, while pairs are matched greedily.
//!
//! Where a tree is not of full bisection, at most c_k hosts' worth of traffic leaves or enters a
//! subtree of height k. A pair that crosses a link of step l leaves its own subtrees of heights
//! 0..L−1, L being the level of its nearest common ancestors, and enters those of its other host.
//! Own subtrees of heights up to l − 2 lie below the link; the one of height l − 1 and its ancestors
//! are the same for all pairs of the link.

use crate::topology::Xgft;

/// The capacities of subtrees, and where the counters of a link are: those of the own subtrees of
/// heights 1..=h−2 below a subtree of height h − 1; of the other ones, and of all of them; and of
/// the ancestors by height.
#[derive(Clone)]
pub(super) struct Room {
    height: usize,
    /// Maximum number of hosts' worth of traffic out of, or into, a subtree, by height; 1 for hosts.
    capacity: Vec<u64>,
    /// Of heights 1..=h−2: the number of the subtree within that of height h − 1, by the place of
    /// the host there; and the first counter.
    groups: Vec<(Vec<u32>, usize)>,
    /// Number of counters of own subtrees.
    inner: usize,
}

/// A pair on a link, by the places of its hosts in their subtrees of height h − 1.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    pub(super) step: usize,
    pub(super) own: usize,
    pub(super) other: usize,
    /// Whether both hosts are in the same subtree of height h − 1.
    pub(super) near: bool,
}

impl Room {
    /// The room of a tree with the capacities of its subtrees by height, that of a host being 1.
    pub(super) fn new(tree: &Xgft, capacity: &[u64]) -> Self {
        let height = tree.height();
        let hosts = tree.subtree_hosts(height - 1);
        let (mut groups, mut inner) = (Vec::new(), 0);
        for level in 1..height - 1 {
            let size = tree.subtree_hosts(level);
            groups.push(((0..hosts).map(|place| place / size).collect(), inner));
            inner += (hosts / size) as usize;
        }
        Self { height, capacity: capacity.to_vec(), groups, inner }
    }

    /// Number of counters of a link.
    pub(super) fn counters(&self) -> usize {
        2 * self.inner + 1 + self.height
    }

    /// The most that all pairs of a link of this step carry together: its subtree's capacity.
    pub(super) fn of_step(&self, step: usize) -> u64 {
        self.capacity[step - 1]
    }

    /// Makes room for a pair among those counted; `false` where some subtree lets no more through.
    #[inline]
    pub(super) fn take(&self, counters: &mut [u32], crossing: Crossing) -> bool {
        let fits = self.all(crossing, |at, capacity| u64::from(counters[at]) < capacity);
        if fits {
            self.all(crossing, |at, _| {
                counters[at] += 1;
                true
            });
        }
        fits
    }

    /// Forgets the other subtrees, as those of the next tile are different ones.
    pub(super) fn end_tile(&self, counters: &mut [u32]) {
        counters[self.inner..=2 * self.inner].fill(0);
    }

    /// Whether `test(counter, capacity)` holds for all subtrees that the pair leaves or enters, hosts
    /// and the one of height l − 1 excepted.
    #[inline]
    fn all(&self, crossing: Crossing, mut test: impl FnMut(usize, u64) -> bool) -> bool {
        let Crossing { step, own, other, near } = crossing;
        let nca = if near { self.nca(own, other) } else { self.height };
        let groups = |to: usize| (1..).zip(&self.groups).take_while(move |(level, _)| *level < to);
        groups(step - 1)
            .all(|(level, (group, first))| test(first + group[own] as usize, self.capacity[level]))
            && groups(nca).all(|(level, (group, first))| {
                test(self.inner + first + group[other] as usize, self.capacity[level])
            })
            && (near || self.height == 1 || test(2 * self.inner, self.capacity[self.height - 1]))
            && (step..nca).all(|level| test(2 * self.inner + 1 + level, self.capacity[level]))
    }

    /// Level of the nearest common ancestors of two different hosts of one subtree.
    fn nca(&self, own: usize, other: usize) -> usize {
        let same = self.groups.iter().position(|(group, _)| group[own] == group[other]);
        same.map_or(self.height - 1, |at| at + 1)
    }
}
