//! Schedules without a proven length that are shorter in practice: in every cycle the messages on the
//! most loaded channels go first.

use std::cmp::Reverse;

use rand::seq::SliceRandom;

use super::MAX_SHARES;
use super::ends::{Ends, ceil_load_factor};
use super::schedule::{Schedule, Share};
use crate::channel_tree::{DOWN, UP, WireTree};
use crate::prelude::*;

/// The order of messages is found again after this part of the cycles that are left at least.
const REORDER: u64 = 32;

/// A schedule of fewer than `limit` cycles, if this finds one; `None` too when stopped or with more than
/// [`MAX_SHARES`] shares.
///
/// Cycle by cycle, every message is sent if all channels of its path have a free wire. Those come first
/// whose most loaded channel has the most messages left for each wire, rounded up; then those that turn
/// nearest the root, whose paths are longest; then at random. A cycle is repeated while all its messages
/// are there to be sent again, so that multiplicities cost nothing. O(entries · levels) for each cycle
/// that is not repeated.
pub(super) fn by_load(
    tree: &WireTree,
    ends: &Ends,
    limit: u64,
    random: &mut Stream,
    progress: &Progress,
) -> Option<Schedule> {
    let mut filling = Filling::new(tree, ends);
    filling.order.shuffle(random);
    while !filling.order.is_empty() {
        let rest = ceil_load_factor(tree, &filling.load);
        if filling.length + rest >= limit {
            return None;
        }
        filling.put_in_order();
        let mut left = (rest / REORDER).max(1);
        while left > 0 && !filling.order.is_empty() {
            if progress.cancelled() || filling.placed.len() > as_size(MAX_SHARES) {
                return None;
            }
            left -= filling.cycle(left);
        }
    }
    (filling.length < limit).then(|| filling.schedule())
}

struct Filling<'a> {
    tree: &'a WireTree,
    ends: &'a Ends,
    /// The level of every entry's apex, and the channels next to it, which are full first.
    level: Vec<usize>,
    tops: Vec<[u32; 2]>,
    /// Messages left, of every entry and through every channel.
    left: Vec<u64>,
    load: Vec<[u64; 2]>,
    /// Entries with messages left, in the order in which they are served.
    order: Vec<u32>,
    /// Wires taken in this cycle, and the channels of which some are.
    used: Vec<[u64; 2]>,
    touched: Vec<u32>,
    /// The messages of this cycle.
    sent: Vec<(u32, u64)>,
    placed: Vec<(u32, Share)>,
    length: u64,
}

impl<'a> Filling<'a> {
    fn new(tree: &'a WireTree, ends: &'a Ends) -> Self {
        Self {
            tree,
            ends,
            level: ends.apex.iter().map(|apex| tree.level(*apex)).collect(),
            tops: (0..ends.entries()).map(|entry| tops(tree, ends, entry)).collect(),
            left: ends.count.clone(),
            load: ends.loads(tree),
            order: (0..index32(ends.entries())).collect(),
            used: vec![[0; 2]; tree.nodes()],
            touched: Vec::new(),
            sent: Vec::new(),
            placed: Vec::new(),
            length: 0,
        }
    }

    fn put_in_order(&mut self) {
        let (tree, ends, load, level) = (self.tree, self.ends, &self.load, &self.level);
        let key = |entry: &u32| {
            let loads = ends
                .path(tree, *entry as usize)
                .map(|(rank, way)| load[rank as usize][way].div_ceil(tree.wires(rank)[way].max(1)));
            (Reverse(loads.max()), level[*entry as usize])
        };
        self.order.sort_by_cached_key(key);
    }

    /// Sends what there is room for, and as often again as all of it is there, in at most `most`
    /// cycles; returns their number.
    fn cycle(&mut self, most: u64) -> u64 {
        self.choose();
        let again = self.sent.iter().map(|(entry, each)| self.left[*entry as usize] / each);
        let cycles = again.min().unwrap_or(1).min(most);
        for rank in self.touched.drain(..).map(|rank| rank as usize) {
            for way in [UP, DOWN] {
                self.load[rank][way] -= cycles * std::mem::take(&mut self.used[rank][way]);
            }
        }
        for (entry, each) in self.sent.drain(..) {
            self.left[entry as usize] -= cycles * each;
            self.placed.push((entry, Share { first: self.length + 1, cycles, each }));
        }
        let left = &self.left;
        self.order.retain(|entry| left[*entry as usize] > 0);
        self.length += cycles;
        cycles
    }

    /// The messages of a cycle.
    fn choose(&mut self) {
        for entry in &self.order {
            let path = || self.ends.path(self.tree, *entry as usize);
            let free = |(rank, way): (u32, usize)| {
                self.tree.wires(rank)[way] - self.used[rank as usize][way]
            };
            let tops = self.tops[*entry as usize].into_iter().zip([UP, DOWN]);
            let is_full = |(rank, way)| rank != ROOT && free((rank, way)) == 0;
            if tops.into_iter().any(is_full) {
                continue;
            }
            // A full channel ends the search.
            let mut each = self.left[*entry as usize];
            for channel in path() {
                each = each.min(free(channel));
                if each == 0 {
                    break;
                }
            }
            if each == 0 {
                continue;
            }
            for (rank, way) in path() {
                let used = &mut self.used[rank as usize];
                if *used == [0; 2] {
                    self.touched.push(rank);
                }
                used[way] += each;
            }
            self.sent.push((*entry, each));
        }
    }

    fn schedule(self) -> Schedule {
        Schedule::of(self.ends.entries(), self.placed.iter().copied())
    }
}

/// The root has no channel above it.
const ROOT: u32 = 0;

/// The channels of a path next to its apex, [`ROOT`] where there is none.
fn tops(tree: &WireTree, ends: &Ends, entry: usize) -> [u32; 2] {
    let mut tops = [ROOT; 2];
    for (rank, way) in ends.path(tree, entry) {
        tops[way] = rank;
    }
    tops
}
