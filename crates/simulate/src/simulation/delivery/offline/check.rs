//! Whether a schedule delivers what it should: an independent verifier, which adds up loads channel by
//! channel while it walks from both ends of every path towards the root.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::Messages;
use super::schedule::{Schedule, Share};
use crate::channel_tree::{Channel, DOWN, UP, Way, WireTree};
use crate::integer::index32;
use crate::topology::Host;

/// Reason why a schedule is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ScheduleError {
    #[error("the schedule has {found} entries, the messages {wanted}")]
    Entries { found: usize, wanted: usize },
    #[error("a message from host {s} to host {d}: hosts are 0 to {last}", last = .hosts.saturating_sub(1))]
    UnknownHost { s: Host, d: Host, hosts: usize },
    #[error("messages from host {s} to host {d} are sent {each} a cycle in {cycles} cycles from cycle {first} on: each of these must be at least 1 and below 2^63", each = share.each, cycles = share.cycles, first = share.first)]
    NoShare { s: Host, d: Host, share: Share },
    #[error("the schedule sends {sent} of {wanted} messages from host {s} to host {d}")]
    Count { s: Host, d: Host, wanted: u64, sent: u128 },
    #[error("in cycle {cycle} {messages} messages pass the channel {} of node {}, which has {wires} wires", channel.direction, channel.below)]
    Congested { channel: Channel, cycle: u64, messages: u64, wires: u64 },
}

impl Schedule {
    /// Whether every message is sent exactly once, and in every cycle every channel has a wire for each
    /// message that passes it. O(shares · levels · log shares).
    ///
    /// # Errors
    /// [`ScheduleError`] with the first fault found.
    pub fn check(&self, tree: &WireTree, messages: &Messages) -> Result<(), ScheduleError> {
        let (found, wanted) = (self.entries(), messages.pairs());
        if found != wanted {
            return Err(ScheduleError::Entries { found, wanted });
        }
        let hosts = tree.hosts();
        let mut at = Vec::with_capacity(wanted);
        for (entry, (s, d, wanted)) in messages.iter().enumerate() {
            if s.max(d) as usize >= hosts {
                return Err(ScheduleError::UnknownHost { s, d, hosts });
            }
            count(s, d, wanted, self.shares(entry))?;
            at.push([tree.rank(s), tree.rank(d)]);
        }
        self.channels(tree, at)
    }

    /// Whether every channel has enough wires. `at` are the nodes that every entry's path has come to
    /// from its two ends.
    fn channels(&self, tree: &WireTree, mut at: Vec<[u32; 2]>) -> Result<(), ScheduleError> {
        let of_entry = |entry| self.shares(entry).iter().map(move |share| (index32(entry), *share));
        let mut order: Vec<(u32, Share)> = (0..self.entries()).flat_map(of_entry).collect();
        order.sort_unstable_by_key(|(entry, share)| (share.first, *entry));
        for level in (1..tree.levels()).rev() {
            for way in [UP, DOWN] {
                of_level(tree, level, way, &order, &at)?;
            }
            let ranks = tree.level_ranks(level);
            for ends in at.iter_mut().filter(|[one, other]| one != other) {
                *ends =
                    ends.map(|rank| if ranks.contains(&rank) { tree.parent(rank) } else { rank });
            }
        }
        Ok(())
    }
}

/// Whether the shares are all messages of an entry.
fn count(s: Host, d: Host, wanted: u64, shares: &[Share]) -> Result<(), ScheduleError> {
    let mut sent = 0_u128;
    for share in shares {
        let numbers = [share.first, share.cycles, share.each];
        if numbers.iter().any(|number| *number == 0 || *number >= 1 << 63) {
            return Err(ScheduleError::NoShare { s, d, share: *share });
        }
        sent = sent.saturating_add(u128::from(share.cycles) * u128::from(share.each));
    }
    if sent == u128::from(wanted) {
        return Ok(());
    }
    Err(ScheduleError::Count { s, d, wanted, sent })
}

/// The channels of one level in one direction. A path that has come to different nodes from its two ends
/// passes the channel above the one on this level. `order` are the shares by first cycle.
fn of_level(
    tree: &WireTree,
    level: usize,
    way: Way,
    order: &[(u32, Share)],
    at: &[[u32; 2]],
) -> Result<(), ScheduleError> {
    let ranks = tree.level_ranks(level);
    let place = |entry: u32| {
        let ends = at[entry as usize];
        let passes = ends[UP] != ends[DOWN] && ranks.contains(&ends[way]);
        passes.then(|| (ends[way] - ranks.start) as usize)
    };
    // The shares of each channel: first how many, then which.
    let mut ends_at = vec![0_usize; ranks.len() + 1];
    for place in order.iter().filter_map(|(entry, _)| place(*entry)) {
        ends_at[place + 1] += 1;
    }
    for place in 1..ends_at.len() {
        ends_at[place] += ends_at[place - 1];
    }
    let mut of_channels = vec![0_u32; ends_at[ranks.len()]];
    for (number, (entry, _)) in (0..).zip(order) {
        if let Some(place) = place(*entry) {
            of_channels[ends_at[place]] = number;
            ends_at[place] += 1;
        }
    }
    let mut from = 0;
    for (rank, end) in ranks.zip(ends_at) {
        let wires = tree.wires(rank)[way];
        let shares = of_channels[from..end].iter().map(|number| order[*number as usize].1);
        from = end;
        if let Some((cycle, messages)) = crowded(shares, wires) {
            let channel = tree.channel(rank, way);
            return Err(ScheduleError::Congested { channel, cycle, messages, wires });
        }
    }
    Ok(())
}

/// The first cycle with more messages than wires, and their number. The shares come by first cycle.
fn crowded(shares: impl Iterator<Item = Share>, wires: u64) -> Option<(u64, u64)> {
    let mut shares = shares.peekable();
    let (mut lasting, mut load) = (BinaryHeap::new(), 0_u64);
    while let Some(share) = shares.next() {
        // No entry sends more than it has, so the sum is at most the number of messages.
        load += share.each;
        lasting.push(Reverse((share.last(), share.each)));
        let next = shares.peek().map_or(u64::MAX, |next| next.first);
        if next > share.first && load > wires {
            return Some((share.first, load));
        }
        while let Some(Reverse((_, each))) = lasting.peek().copied().filter(|of| of.0.0 < next) {
            lasting.pop();
            load -= each;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel_tree::ChannelTree;
    use crate::topology::generate;

    fn checked(spec: &str, messages: &[(Host, Host, u64)], all: &[(u32, Share)]) -> String {
        let tree = ChannelTree::of(&generate(spec).unwrap()).unwrap();
        let tree = WireTree::of(&tree).unwrap();
        let set = Messages::listed(messages.iter().copied()).unwrap();
        let schedule = Schedule::of(messages.len().max(1), all.iter().copied());
        schedule.check(&tree, &set).map_or_else(|error| error.to_string(), |()| "right".into())
    }

    fn share(first: u64, cycles: u64, each: u64) -> Share {
        Share { first, cycles, each }
    }

    /// Four hosts, one wire everywhere.
    #[test]
    fn faults_are_named() {
        let line = "universal(4,growth=constant)";
        let two = [(0, 1, 3), (0, 2, 1)];
        let right = [(0, share(1, 3, 1)), (1, share(4, 1, 1))];
        assert_eq!(checked(line, &two, &right), "right");
        let late = [(0, share(1, 3, 1)), (1, share(3, 1, 1))];
        let wanted = "in cycle 3 2 messages pass the channel up of node 0, which has 1 wires";
        assert_eq!(checked(line, &two, &late), wanted);
        let twice = [(0, share(1, 3, 1)), (1, share(4, 2, 1))];
        let wanted = "the schedule sends 2 of 1 messages from host 0 to host 2";
        assert_eq!(checked(line, &two, &twice), wanted);
        let wanted = "the schedule sends 0 of 3 messages from host 0 to host 1";
        assert_eq!(checked(line, &two, &right[1..]), wanted);
        for none in [share(0, 3, 1), share(1, 0, 3), share(1, 1, 0), share(u64::MAX, 3, 1)] {
            let found = checked(line, &two, &[(0, none), (1, share(9, 1, 1))]);
            assert!(found.starts_with("messages from host 0 to host 1 are sent"), "{found}");
        }
        let huge = share(1, 1 << 62, 1 << 62);
        let found = checked(line, &two, &[(0, huge), (0, huge), (1, share(9, 1, 1))]);
        assert!(found.contains(" of 3 messages"), "{found}");
        assert!(checked(line, &[(0, 4, 1)], &[(0, share(1, 1, 1))]).contains("hosts are 0 to 3"));
        assert_eq!(checked(line, &[], &[]), "the schedule has 1 entries, the messages 0");
    }

    /// Every channel is seen: two paths that share just one, in both directions, at two levels.
    #[test]
    fn every_channel_is_added_up() {
        let line = "universal(8,growth=constant)";
        let at_once = [(0, share(1, 1, 1)), (1, share(1, 1, 1))];
        for (pairs, channel) in [
            ([(0, 1, 1), (0, 2, 1)], "up of node 0"),
            ([(0, 1, 1), (2, 1, 1)], "down of node 1"),
            ([(0, 2, 1), (1, 4, 1)], "up of node 8"),
            ([(2, 0, 1), (4, 1, 1)], "down of node 8"),
        ] {
            let found = checked(line, &pairs, &at_once);
            assert!(found.contains(channel), "{found}");
            let apart = [(0, share(1, 1, 1)), (1, share(2, 1, 1))];
            assert_eq!(checked(line, &pairs, &apart), "right");
        }
        assert_eq!(checked(line, &[(0, 1, 1), (2, 3, 1)], &at_once), "right");
        assert_eq!(checked(line, &[(0, 2, 1), (2, 0, 1)], &at_once), "right");
        // Three wires: runs that overlap in one cycle.
        let wide = "universal(2,leaf=3)";
        let runs = |first| [(0, share(1, 4, 2)), (0, share(first, 2, 2))];
        assert_eq!(checked(wide, &[(0, 1, 12)], &runs(5)), "right");
        let found = checked(wide, &[(0, 1, 12)], &runs(4));
        assert!(found.starts_with("in cycle 4 4 messages"), "{found}");
    }
}
