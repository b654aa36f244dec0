//! The state of the local search: how much of a root each index may have, as source and as destination.

use rand::RngExt as _;

use crate::sampling::Stream;

/// Goal of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Goal {
    /// Hosts of a leaf, and roots.
    pub(super) indices: usize,
    /// Maximum number of roots of a cell.
    pub(super) paths: usize,
    /// Parts of 1 of which shares consist.
    pub(super) units: u32,
    /// Maximum number of units on a link.
    pub(super) most: u32,
}

/// Roots with their units: what a cell uses.
pub(super) type Cell = Vec<(u32, u32)>;

/// Caps on the shares, and what cells lack under them.
pub(super) struct Caps {
    goal: Goal,
    /// At root·n + index: units that the index may have as source, and as destination.
    most: [Vec<u32>; 2],
    /// What cell i·n + j lacks.
    lacks: Vec<u32>,
    lacking: u64,
    /// The largest shares of a cell.
    largest: Vec<u32>,
    /// What the cells of a move would lack.
    next: Vec<(usize, u32)>,
}

/// Units that go from one index to another, within one link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    side: usize,
    root: usize,
    from: usize,
    to: usize,
    units: u32,
}

impl Caps {
    /// Caps at random, `most` units on each link. No index has more than 1, so there must be room for them.
    pub(super) fn new(goal: Goal, words: &mut Stream) -> Self {
        let Goal { indices, units, most, .. } = goal;
        let mut caps = [0; 2].map(|_| vec![0; indices * indices]);
        for link in caps.iter_mut().flat_map(|side| side.chunks_mut(indices)) {
            let mut left = u64::from(most).min(indices as u64 * u64::from(units));
            while left > 0 {
                let cap = &mut link[words.random_range(0..indices)];
                if *cap < units {
                    *cap += 1;
                    left -= 1;
                }
            }
        }
        let (lacks, largest) = (vec![0; indices * indices], vec![0; goal.paths]);
        let mut state = Self { goal, most: caps, lacks, lacking: 0, largest, next: Vec::new() };
        for cell in 0..indices * indices {
            state.lacks[cell] = state.lack(cell / indices, cell % indices);
        }
        state.lacking = state.lacks.iter().map(|lack| u64::from(*lack)).sum();
        state
    }

    /// Units that cells lack, in all.
    pub(super) fn lacking(&self) -> u64 {
        self.lacking
    }

    /// The units that cell (i,j) may have of a root.
    fn share(&self, root: usize, i: usize, j: usize) -> u32 {
        let first = root * self.goal.indices;
        self.most[0][first + i].min(self.most[1][first + j])
    }

    /// What the k largest shares of a cell lack of 1. O(nk).
    fn lack(&mut self, i: usize, j: usize) -> u32 {
        self.largest.fill(0);
        for root in 0..self.goal.indices {
            let mut share = self.share(root, i, j);
            for place in &mut self.largest {
                if share > *place {
                    std::mem::swap(&mut share, place);
                }
            }
        }
        self.goal.units.saturating_sub(self.largest.iter().sum())
    }

    /// A move at random: half of the time of one unit; `None` where there is nothing to move.
    pub(super) fn propose(&self, words: &mut Stream) -> Option<Move> {
        let n = self.goal.indices;
        let side = usize::from(words.random::<bool>());
        let root = words.random_range(0..n);
        let (from, to) = (words.random_range(0..n), words.random_range(0..n));
        let cap = |index: usize| self.most[side][root * n + index];
        let most = cap(from).min(self.goal.units.saturating_sub(cap(to)));
        if from == to || most == 0 {
            return None;
        }
        let units = if words.random::<bool>() { 1 } else { words.random_range(1..=most) };
        Some(Move { side, root, from, to, units })
    }

    /// Moves; [`Self::keep`] or [`Self::take_back`] must follow. How many more units are lacking now. O(n²k).
    pub(super) fn attempt(&mut self, made: Move) -> i64 {
        self.shift(made, made.from, made.to);
        let n = self.goal.indices;
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        let mut more = 0;
        for index in [made.from, made.to] {
            for other in 0..n {
                let (i, j) = if made.side == 0 { (index, other) } else { (other, index) };
                let lack = self.lack(i, j);
                more += i64::from(lack) - i64::from(self.lacks[i * n + j]);
                next.push((i * n + j, lack));
            }
        }
        self.next = next;
        more
    }

    /// Keeps the last move.
    pub(super) fn keep(&mut self, more: i64) {
        for (cell, lack) in &self.next {
            self.lacks[*cell] = *lack;
        }
        self.lacking = self.lacking.saturating_add_signed(more);
    }

    /// Takes the last move back.
    pub(super) fn take_back(&mut self, made: Move) {
        self.shift(made, made.to, made.from);
    }

    fn shift(&mut self, made: Move, from: usize, to: usize) {
        let first = made.root * self.goal.indices;
        let caps = &mut self.most[made.side];
        caps[first + from] -= made.units;
        caps[first + to] += made.units;
    }

    /// The roots of every cell, the largest share first: just 1 in all, if no cell lacks any.
    pub(super) fn cells(&self) -> Vec<Cell> {
        let Goal { indices, paths, units, .. } = self.goal;
        let cell = |at: usize| {
            let share = |root| self.share(root, at / indices, at % indices);
            let mut shares: Cell = (0..).zip((0..indices).map(share)).collect();
            shares.sort_by_key(|(root, share)| (std::cmp::Reverse(*share), *root));
            shares.truncate(paths);
            let mut left = units;
            for (_, share) in &mut shares {
                *share = left.min(*share);
                left -= *share;
            }
            shares.retain(|(_, share)| *share > 0);
            shares
        };
        (0..indices * indices).map(cell).collect()
    }
}
