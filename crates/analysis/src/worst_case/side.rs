//! The links of a subtree in one direction, and what is known of their ends.

use super::room::{Crossing, Room};
use crate::load::{CommonShare, ShareNumbers};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

/// The ends of a link's pairs, as far as they were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) link: LinkId,
    /// Number of different sources of its pairs, or of different destinations if there are fewer;
    /// `None` where that was not needed.
    pub(super) fewer: Option<u32>,
    /// Number of node-disjoint pairs found.
    pub(super) disjoint: u32,
    /// Whether these are all that the cut below the link lets through.
    pub(super) fills_cut: bool,
    /// The share of its pairs; `None` where there are several. That of a link without pairs is 1.
    pub(super) share: Option<Rational>,
}

/// The links of a subtree in one direction.
pub(super) struct Side {
    /// The hosts of the subtree, in the order of the labels.
    pub(super) hosts: Vec<Host>,
    /// The wanted links.
    pub(super) links: Vec<SideLink>,
}

/// A link of a side.
#[derive(Clone, Copy)]
pub(super) struct SideLink {
    pub(super) link: LinkId,
    pub(super) step: usize,
    /// Number of hosts below it.
    pub(super) below: u32,
}

impl Side {
    /// The side, without links, of the subtree with these hosts.
    pub(super) fn of(hosts: &[Host]) -> Self {
        Self { hosts: hosts.to_vec(), links: Vec::new() }
    }

    /// Pairs of words for two bits per host.
    fn words(&self) -> usize {
        self.hosts.len().div_ceil(64)
    }
}

/// The state of one link.
#[derive(Clone)]
struct Slot {
    /// Number of hosts at the other end, in all tiles before.
    others: u32,
    disjoint: u32,
    /// The common share; nothing where every path has share 1.
    share: CommonShare,
    /// Whether all hosts below are matched, or all that the cut lets through.
    settled: bool,
}

/// The knowledge of a side's links. *Own* hosts are those of its subtree, *other* hosts those at the
/// other end of the pairs; all subtrees have equally many.
pub(super) struct State<'s> {
    side: &'s Side,
    slots: Vec<Slot>,
    /// For every slot and 64 own hosts, which of them are ends of a pair, and which are matched; then
    /// the same for the other hosts of a tile.
    bits: Vec<[u64; 2]>,
    words: usize,
    /// What subtrees let through, if that matters, and the counters of every slot.
    room: Option<&'s Room>,
    counters: Vec<u32>,
    /// Whether nothing more is asked of settled links.
    settles: bool,
    /// Whether the tile's pairs stay in the subtree.
    near: bool,
    /// Number of slots that are not settled.
    open: usize,
    shares: ShareNumbers,
}

impl<'s> State<'s> {
    /// Nothing is known. With `settles`, nothing more is asked of links whose most traffic has been
    /// found: where a path strays, what was found means nothing.
    pub(super) fn new(side: &'s Side, room: Option<&'s Room>, settles: bool) -> Self {
        let (words, open) = (side.words(), side.links.len());
        Self {
            side,
            room,
            counters: vec![0; room.map_or(0, Room::counters) * open],
            settles,
            near: false,
            slots: vec![
                Slot { others: 0, disjoint: 0, share: CommonShare::NONE, settled: false };
                open
            ],
            bits: vec![[0; 2]; 2 * words * open],
            words,
            open,
            shares: ShareNumbers::default(),
        }
    }

    /// Memory for the bits and counters.
    pub(super) fn bytes(side: &Side, room: Option<&Room>) -> usize {
        let of_link = 32 * side.words() + 4 * room.map_or(0, Room::counters);
        of_link.saturating_mul(side.links.len())
    }

    /// Number of links that are not settled.
    pub(super) fn open(&self) -> usize {
        self.open
    }

    /// Whether more is asked of a link.
    pub(super) fn is_open(&self, slot: usize) -> bool {
        !self.slots[slot].settled
    }

    /// Takes a pair on a link into account, by the places of its own and its other host.
    #[inline]
    pub(super) fn take(&mut self, slot: usize, own: usize, other: usize) {
        if self.slots[slot].settled {
            return;
        }
        let own_at = slot * 2 * self.words + own / 64;
        let other_at = (slot * 2 + 1) * self.words + other / 64;
        let mut see = |at: usize, bit: u64| {
            let [seen, matched] = &mut self.bits[at];
            *seen |= bit;
            *matched & bit == 0
        };
        if see(own_at, 1 << (own % 64)) & see(other_at, 1 << (other % 64)) {
            self.match_hosts(slot, (own, own_at), (other, other_at));
        }
    }

    /// Takes the pairs of all `own` hosts with all `other` hosts of the tile into account, as [`Self::take`] takes
    /// them one after another: each host that is not matched yet is matched with the first such one of the other end.
    /// Only where hosts alone limit the traffic.
    pub(super) fn take_all(&mut self, slot: usize, own: HostSet<'_>, other: HostSet<'_>) {
        if self.slots[slot].settled {
            return;
        }
        let row = &mut self.bits[slot * 2 * self.words..][..2 * self.words];
        let (owns, others) = row.split_at_mut(self.words);
        let (owns, others) = (own.words_of(owns), other.words_of(others));
        let disjoint = see(owns, own.bits).min(see(others, other.bits));
        if disjoint > 0 {
            match_first(owns, own.bits, disjoint);
            match_first(others, other.bits, disjoint);
            self.slots[slot].disjoint += disjoint;
        }
    }

    /// Number of words that hold a bit for every host of the subtree.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Matches two hosts on a link, if there is room.
    fn match_hosts(&mut self, slot: usize, own: (usize, usize), other: (usize, usize)) {
        if self.has_room(slot, own.0, other.0) {
            self.slots[slot].disjoint += 1;
            for (host, at) in [own, other] {
                self.bits[at][1] |= 1 << (host % 64);
            }
        }
    }

    #[inline]
    fn has_room(&mut self, slot: usize, own: usize, other: usize) -> bool {
        let Some(room) = self.room else { return true };
        let step = self.side.links[slot].step;
        let counters = &mut self.counters[slot * room.counters()..][..room.counters()];
        let crossing = Crossing { step, own, other, near: self.near };
        u64::from(self.slots[slot].disjoint) < room.of_step(step) && room.take(counters, crossing)
    }

    /// Takes a pair with the share of its traffic that crosses the link.
    #[inline]
    pub(super) fn take_share(&mut self, slot: usize, own: usize, other: usize, share: u32) {
        self.slots[slot].share.take(share);
        self.take(slot, own, other);
    }

    /// The number of a share.
    #[inline]
    pub(super) fn share_number(&mut self, share: &Rational) -> u32 {
        self.shares.number(share)
    }

    /// Begins the pairs with the hosts of another subtree, or with those of the same one.
    pub(super) fn start_tile(&mut self, near: bool) {
        self.near = near;
    }

    /// Counts the other hosts of a tile, and forgets them.
    pub(super) fn end_tile(&mut self) {
        let rows = self.bits.chunks_exact_mut((2 * self.words).max(1));
        for (at, (slot, row)) in self.slots.iter_mut().zip(rows).enumerate() {
            if slot.settled {
                continue;
            }
            let others = &mut row[self.words..];
            slot.others += others.iter().map(|[seen, _]| seen.count_ones()).sum::<u32>();
            others.fill([0; 2]);
            let link = &self.side.links[at];
            let fills_cut = self.room.is_some_and(|room| {
                room.end_tile(&mut self.counters[at * room.counters()..][..room.counters()]);
                u64::from(slot.disjoint) == room.of_step(link.step)
            });
            // Where shares may differ, all pairs must be seen.
            let is_most = slot.disjoint == link.below || fills_cut;
            if self.settles && is_most && slot.share == CommonShare::NONE {
                slot.settled = true;
                self.open -= 1;
            }
        }
    }

    /// The ends found for every link.
    pub(super) fn found(&self) -> impl Iterator<Item = Ends> {
        let rows = self.bits.chunks_exact((2 * self.words).max(1));
        self.side.links.iter().zip(&self.slots).zip(rows).map(|((link, slot), row)| {
            let own: u32 = row[..self.words].iter().map(|[seen, _]| seen.count_ones()).sum();
            // Not all hosts of a settled link were counted, but no fewer are at the other end.
            let fewer = match slot.settled {
                true if slot.disjoint < link.below => None,
                true => Some(slot.disjoint),
                false => Some(own.min(slot.others)),
            };
            let cut = self.room.map(|room| room.of_step(link.step));
            Ends {
                link: link.link,
                fewer,
                disjoint: slot.disjoint,
                fills_cut: cut == Some(slot.disjoint.into()),
                share: slot.share.share(&self.shares).cloned(),
            }
        })
    }
}

/// A set of hosts of a subtree, by their places: bits from a word on, before and behind which there are none.
#[derive(Clone, Copy)]
pub(super) struct HostSet<'s> {
    first: usize,
    bits: &'s [u64],
}

impl<'s> HostSet<'s> {
    /// The set with these bits; `None` if it is empty.
    pub(super) fn of(bits: &'s [u64]) -> Option<Self> {
        let first = bits.iter().position(|word| *word != 0)?;
        let last = bits.iter().rposition(|word| *word != 0)?;
        Some(Self { first, bits: &bits[first..=last] })
    }

    /// The words of these hosts.
    fn words_of<'r>(&self, row: &'r mut [[u64; 2]]) -> &'r mut [[u64; 2]] {
        &mut row[self.first..][..self.bits.len()]
    }
}

/// Sees these hosts, where `row` has two bits per host: seen and matched. How many of them are not matched.
fn see(row: &mut [[u64; 2]], hosts: &[u64]) -> u32 {
    let mut free = 0;
    for ([seen, matched], hosts) in row.iter_mut().zip(hosts) {
        *seen |= hosts;
        free += (hosts & !*matched).count_ones();
    }
    free
}

/// Matches the first of these hosts that are not matched.
fn match_first(row: &mut [[u64; 2]], hosts: &[u64], mut count: u32) {
    for ([_, matched], hosts) in row.iter_mut().zip(hosts) {
        let mut free = hosts & !*matched;
        while count > 0 && free != 0 {
            *matched |= free & free.wrapping_neg();
            free &= free - 1;
            count -= 1;
        }
    }
}
