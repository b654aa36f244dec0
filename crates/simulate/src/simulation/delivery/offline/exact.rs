//! The fewest cycles for few messages, by branch and bound.

use super::ends::Ends;
use super::schedule::{Schedule, Share};
use crate::channel_tree::WireTree;
use crate::prelude::*;

/// Maximum number of messages of a search.
pub const MAX_SEARCHED: u64 = 1024;

/// Maximum number of cycles of a search: they are bits of a word.
pub const MAX_CYCLES: u64 = 64;

/// Result of a search.
pub(super) struct Found {
    /// No schedule has fewer cycles.
    pub(super) lower: u64,
    /// A schedule with `lower` cycles.
    pub(super) schedule: Option<Schedule>,
}

/// Looks for a schedule of `from` cycles, then of one more, and so on below `limit`, the length of one
/// that is known, until one is found, `steps` messages have been placed, or `progress` ends it.
///
/// The message with the fewest cycles left to it comes first. Cycles in which nothing is sent yet are
/// alike, so that only the first of them is tried, and messages of one entry are alike, so that they are
/// placed in ascending cycles.
pub(super) fn search(
    tree: &WireTree,
    ends: &Ends,
    from: u64,
    limit: u64,
    steps: u64,
    progress: &Progress,
) -> Found {
    let mut lower = from;
    let mut left = steps;
    let messages: u64 = ends.count.iter().sum();
    while lower < limit && lower <= MAX_CYCLES && messages <= MAX_SEARCHED {
        let mut search = Search::new(tree, ends, as_size(lower));
        search.steps = left;
        match search.go(progress) {
            Ok(true) => return Found { lower, schedule: Some(search.schedule()) },
            Ok(false) => (lower, left) = (lower + 1, search.steps),
            Err(_) => break,
        }
    }
    Found { lower, schedule: None }
}

/// Messages in a given number of cycles.
struct Search {
    /// The channels of every entry's path, and its messages that are not placed yet.
    paths: Vec<Vec<u32>>,
    left: Vec<u64>,
    /// The cycles that no message of the entry was placed after.
    allowed: Vec<u64>,
    /// Messages of every entry in every cycle.
    placed: Vec<Vec<u64>>,
    /// Free wires of every channel in every cycle, and the cycles with any.
    free: Vec<Vec<u64>>,
    open: Vec<u64>,
    /// The cycles in which something is sent, which come first, and the next.
    begun: u64,
    steps: u64,
}

impl Search {
    fn new(tree: &WireTree, ends: &Ends, cycles: usize) -> Self {
        let all = u64::MAX >> (64 - cycles);
        let path = |entry| {
            let number = |(rank, way): (u32, usize)| 2 * rank + index32(way);
            ends.path(tree, entry).map(number).collect()
        };
        let wires = (0..index32(tree.nodes())).flat_map(|rank| tree.wires(rank));
        Self {
            paths: (0..ends.entries()).map(path).collect(),
            left: ends.count.clone(),
            allowed: vec![all; ends.entries()],
            placed: vec![vec![0; cycles]; ends.entries()],
            free: wires.map(|wires| vec![wires; cycles]).collect(),
            open: vec![all; 2 * tree.nodes()],
            begun: 1,
            steps: 0,
        }
    }

    /// Whether the messages that are left can be placed. What was placed in vain is taken back.
    fn go(&mut self, progress: &Progress) -> Result<bool, Stopped> {
        let Some((entry, choices)) = self.hardest() else { return Ok(true) };
        let mut choices = choices;
        while choices != 0 {
            self.steps = self.steps.checked_sub(1).ok_or(Stopped)?;
            progress.check()?;
            let cycle = choices.trailing_zeros() as usize;
            choices &= choices - 1;
            let before = (self.begun, self.allowed[entry]);
            self.place(entry, cycle);
            if self.go(progress)? {
                return Ok(true);
            }
            self.take_back(entry, cycle);
            (self.begun, self.allowed[entry]) = before;
        }
        Ok(false)
    }

    /// The entry with messages left for which the fewest cycles are, and these cycles.
    fn hardest(&self) -> Option<(usize, u64)> {
        let choices = |entry: usize| {
            let path = self.paths[entry].iter().map(|channel| self.open[*channel as usize]);
            path.fold(self.allowed[entry] & self.begun, |both, open| both & open)
        };
        let left = (0..self.left.len()).filter(|entry| self.left[*entry] > 0);
        left.map(|entry| (entry, choices(entry))).min_by_key(|(_, choices)| choices.count_ones())
    }

    fn place(&mut self, entry: usize, cycle: usize) {
        self.left[entry] -= 1;
        self.placed[entry][cycle] += 1;
        self.allowed[entry] &= u64::MAX << cycle;
        // One more cycle may be begun than is.
        self.begun |= 2 << cycle;
        for channel in self.paths[entry].iter().map(|channel| *channel as usize) {
            let free = &mut self.free[channel][cycle];
            *free -= 1;
            if *free == 0 {
                self.open[channel] &= !(1 << cycle);
            }
        }
    }

    fn take_back(&mut self, entry: usize, cycle: usize) {
        self.left[entry] += 1;
        self.placed[entry][cycle] -= 1;
        for channel in self.paths[entry].iter().map(|channel| *channel as usize) {
            self.free[channel][cycle] += 1;
            self.open[channel] |= 1 << cycle;
        }
    }

    fn schedule(&self) -> Schedule {
        let shares = self.placed.iter().enumerate().flat_map(|(entry, counts)| {
            let sent = (1..).zip(counts).filter(|(_, each)| **each > 0);
            sent.map(move |(first, each)| (index32(entry), Share { first, cycles: 1, each: *each }))
        });
        Schedule::of(self.placed.len(), shares)
    }
}
