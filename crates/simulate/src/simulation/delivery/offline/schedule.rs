//! Which messages are sent in which cycle.

use std::cmp::Reverse;

use super::super::{Messages, Part};
use crate::integer::index32;

/// Messages of one entry that are sent in a run of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The first cycle of the run; cycles are numbered from 1.
    pub first: u64,
    /// Cycles of the run, at least 1.
    pub cycles: u64,
    /// Messages in each of them, at least 1.
    pub each: u64,
}

impl Share {
    /// The last cycle of the run.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.first.saturating_add(self.cycles.saturating_sub(1))
    }
}

/// A schedule: for every entry of a set of messages the cycles in which they are sent. Whether it is one for
/// some tree says [`check`](Self::check).
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::channel_tree::WireTree;
/// use routebound::simulation::delivery::Messages;
/// use routebound::simulation::delivery::offline::{Schedule, Share};
/// use routebound::topology::UniversalShape;
/// let shape = UniversalShape::named("universal(4)")?.ok_or("another family")?;
/// let tree = WireTree::universal(&shape);
/// let messages = Messages::listed([(0, 2, 5), (1, 3, 5)])?;
/// // Two wires leave the half of hosts 0 and 1, so both may send in the same cycles.
/// let share = Share { first: 1, cycles: 5, each: 1 };
/// let schedule = Schedule::of(2, [(0, share), (1, share)].into_iter());
/// assert_eq!(schedule.length(), 5);
/// schedule.check(&tree, &messages)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Where the shares of every entry begin, and the number of shares.
    begins: Vec<u32>,
    shares: Vec<Share>,
    length: u64,
}

impl Schedule {
    /// The shares of `entries` entries, in any order; those of one entry keep theirs. O(entries +
    /// shares).
    ///
    /// # Panics
    /// For an entry of another number.
    #[must_use]
    pub fn of(entries: usize, shares: impl Iterator<Item = (u32, Share)> + Clone) -> Self {
        let mut begins = vec![0_u32; entries + 1];
        shares.clone().for_each(|(entry, _)| begins[entry as usize + 1] += 1);
        for entry in 0..entries {
            begins[entry + 1] += begins[entry];
        }
        let none = Share { first: 0, cycles: 0, each: 0 };
        let mut sorted = vec![none; begins[entries] as usize];
        let mut length = 0;
        // Moves the beginnings to the ends, which are those of the next entry.
        for (entry, share) in shares {
            let at = &mut begins[entry as usize];
            sorted[*at as usize] = share;
            *at += 1;
            length = length.max(share.last());
        }
        begins.rotate_right(1);
        begins[0] = 0;
        Self { begins, shares: sorted, length }
    }

    /// One message after the other: always possible, and the longest that makes sense.
    #[must_use]
    pub fn one_by_one(messages: &Messages) -> Self {
        let mut first = 1;
        let share = |(_, _, cycles): (_, _, u64)| {
            let share = Share { first, cycles, each: 1 };
            first += cycles;
            share
        };
        let shares: Vec<Share> = messages.iter().map(share).collect();
        let begins = (0..=index32(shares.len())).collect();
        Self { begins, shares, length: messages.total() }
    }

    /// This schedule with every cycle repeated `unit` times, and of every entry only the first `counts`
    /// messages.
    pub(super) fn stretched(&self, unit: u64, counts: &[u64]) -> Self {
        let shares = (0_u32..).zip(counts).flat_map(|(entry, count)| {
            let mut left = *count;
            self.shares(entry as usize).iter().flat_map(move |share| {
                let sent = left.min(share.cycles * unit * share.each);
                left -= sent;
                let first = (share.first - 1) * unit + 1;
                let (cycles, rest) = (sent / share.each, sent % share.each);
                let full = Share { first, cycles, each: share.each };
                let last = Share { first: first + cycles, cycles: rest.min(1), each: rest };
                let both = [full, last].into_iter().filter(|share| share.cycles > 0);
                both.map(move |share| (entry, share))
            })
        });
        Self::of(counts.len(), shares)
    }

    /// Number of cycles.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.begins.len() - 1
    }

    /// The shares of an entry.
    ///
    /// # Panics
    /// When there is no such entry.
    #[must_use]
    pub fn shares(&self, entry: usize) -> &[Share] {
        &self.shares[self.begins[entry] as usize..self.begins[entry + 1] as usize]
    }

    /// Messages of every cycle, from the first to the last, ascending by entry. O(messages ·
    /// log messages) in all, or less where many of an entry are sent together.
    pub fn sent(&self) -> impl Iterator<Item = Vec<Part>> + '_ {
        let of = |entry: usize| self.shares(entry).iter().map(move |share| (entry, *share));
        let mut waiting: Vec<(usize, Share)> = (0..self.entries()).flat_map(of).collect();
        waiting.sort_unstable_by_key(|(entry, share)| Reverse((share.first, *entry)));
        let mut running: Vec<(usize, Share)> = Vec::new();
        (1..=self.length).map(move |cycle| {
            running.retain(|(_, share)| share.last() >= cycle);
            while let Some(next) = waiting.pop_if(|(_, share)| share.first == cycle) {
                running.push(next);
            }
            running.sort_unstable_by_key(|(entry, _)| *entry);
            let mut parts: Vec<Part> = Vec::with_capacity(running.len());
            for (entry, share) in &running {
                let entry = index32(*entry);
                match parts.last_mut() {
                    Some(part) if part.entry == entry => part.count += share.each,
                    _ => parts.push(Part { entry, count: share.each }),
                }
            }
            parts
        })
    }

    /// Messages of a cycle, ascending by entry. O(entries + shares).
    #[must_use]
    pub fn cycle(&self, cycle: u64) -> Vec<Part> {
        let is_now = |share: &&Share| (share.first..=share.last()).contains(&cycle);
        let part = |entry: usize| {
            let count = self.shares(entry).iter().filter(is_now).map(|share| share.each).sum();
            Part { entry: index32(entry), count }
        };
        (0..self.entries()).map(part).filter(|part| part.count > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_sorted_by_entry() {
        let share = |first| Share { first, cycles: 2, each: 3 };
        let all = [(2, share(5)), (0, share(1)), (2, share(2)), (0, share(9))];
        let schedule = Schedule::of(4, all.into_iter());
        assert_eq!((schedule.entries(), schedule.length()), (4, 10));
        assert_eq!(schedule.shares(0), [share(1), share(9)]);
        assert_eq!(schedule.shares(2), [share(5), share(2)]);
        assert!(schedule.shares(1).is_empty() && schedule.shares(3).is_empty());
        assert_eq!(schedule.cycle(2), [Part { entry: 0, count: 3 }, Part { entry: 2, count: 3 }]);
        assert_eq!(schedule.cycle(7), []);
        let sent: Vec<Vec<Part>> = schedule.sent().collect();
        let cycles: Vec<Vec<Part>> = (1..=10).map(|cycle| schedule.cycle(cycle)).collect();
        assert_eq!(sent, cycles);
        assert_eq!(Schedule::of(0, std::iter::empty()).length(), 0);
    }

    /// Two messages a cycle in cycles 1 to 3, then three in cycle 5; cycles become ten. Of 65 messages
    /// 60 go first, of the other 5 three in one cycle and two in the next.
    #[test]
    fn cycles_are_repeated() {
        let share = |first, cycles, each| Share { first, cycles, each };
        let all = [(0, share(1, 3, 2)), (0, share(5, 1, 3))];
        let schedule = Schedule::of(1, all.into_iter());
        let stretched = schedule.stretched(10, &[65]);
        assert_eq!(stretched.shares(0), [share(1, 30, 2), share(41, 1, 3), share(42, 1, 2)]);
        assert_eq!(schedule.stretched(10, &[4]).shares(0), [share(1, 2, 2)]);
        assert_eq!(schedule.stretched(1, &[9]), schedule);
    }

    #[test]
    fn one_after_the_other() {
        let messages = Messages::listed([(0, 1, 1 << 40), (1, 0, 2)]).unwrap();
        let schedule = Schedule::one_by_one(&messages);
        assert_eq!(schedule.length(), (1 << 40) + 2);
        assert_eq!(schedule.cycle(1 << 40), [Part { entry: 0, count: 1 }]);
        assert_eq!(schedule.cycle((1 << 40) + 2), [Part { entry: 1, count: 1 }]);
        assert_eq!(Schedule::one_by_one(&Messages::new()).length(), 0);
    }
}
