//! The messages that wait, and which of them are sent.

use rand_distr::{Binomial, Distribution};

use super::chosen::{Coins, Jumps};
use super::network::Part;
use crate::prelude::*;

/// Messages of one entry expected to be sent from which on their number is drawn at once, and not
/// one message after the other.
const MANY: f64 = 8.0;

/// From this probability on, coins are thrown for 64 single messages at a time: that takes about as long
/// as to draw where the next one is that is sent.
const OFTEN: f64 = 1.0 / 64.0;

/// Messages that wait, by entry.
///
/// Entries with a single message are bits, which are examined by the word. For the others, and where
/// few are sent, a draw jumps from one message that is sent to the next, over *slots*: every entry has
/// as many as it has messages, rounded up to a power of two, so that a slot tells its entry by a shift.
/// Slots without a message send nothing. They are counted again when half of the messages are delivered.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// Messages left, by entry.
    left: Vec<u64>,
    total: u64,
    /// Entries with messages left when slots were counted, ascending; and then messages in all.
    live: Vec<u32>,
    counted: u64,
    /// The entries that had one message then, and have it still.
    single: Bits,
    /// The live entries with 2^k slots, ascending, for every k from 1 on.
    classes: Vec<Vec<u32>>,
}

/// A set of entries.
#[derive(Clone, Debug, Default)]
struct Bits {
    bits: Vec<u64>,
    /// The words with any, when they were counted.
    words: Vec<u32>,
}

impl Bits {
    fn insert(&mut self, entry: u32) {
        let word = entry / 64;
        if self.words.last() != Some(&word) {
            self.words.push(word);
        }
        self.bits[word as usize] |= 1 << (entry % 64);
    }

    /// Every one of them with probability `p` < 1.
    fn draw(&self, p: f64, random: &mut Stream, parts: &mut Vec<Part>) {
        if p >= OFTEN {
            let coins = Coins::new(p);
            for word in &self.words {
                let mut chosen = coins.choose(self.bits[*word as usize], random);
                while chosen != 0 {
                    parts.push(Part { entry: 64 * word + chosen.trailing_zeros(), count: 1 });
                    chosen &= chosen - 1;
                }
            }
            return;
        }
        let (jumps, slots) = (Jumps::new(p), 64 * self.words.len() as u64);
        let mut slot = jumps.next(random);
        while slot < slots {
            let (word, bit) = (self.words[as_size(slot / 64)], slot % 64);
            if self.bits[word as usize] >> bit & 1 == 1 {
                parts.push(Part { entry: 64 * word + index32(as_size(bit)), count: 1 });
            }
            slot = slot.saturating_add(jumps.next(random)).saturating_add(1);
        }
    }
}

impl Outbox {
    /// An outbox with `left` messages of each entry.
    #[must_use]
    pub fn new(left: Vec<u64>) -> Self {
        let live = (0..index32(left.len())).collect();
        let single = Bits { bits: vec![0; left.len().div_ceil(64)], words: Vec::new() };
        let mut outbox = Self { total: left.iter().sum(), left, live, single, ..Self::default() };
        outbox.count_slots();
        outbox
    }

    /// Number of messages that wait.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Messages of an entry that wait.
    #[must_use]
    pub fn left(&self, entry: u32) -> u64 {
        self.left[entry as usize]
    }

    fn count_slots(&mut self) {
        let left = &self.left;
        self.live.retain(|entry| left[*entry as usize] > 0);
        self.counted = self.total;
        self.single.words.clear();
        self.classes.iter_mut().for_each(Vec::clear);
        for entry in &self.live {
            let slots = left[*entry as usize].next_power_of_two();
            if slots == 1 {
                self.single.insert(*entry);
                continue;
            }
            let class = slots.trailing_zeros() as usize - 1;
            if self.classes.len() <= class {
                self.classes.resize(class + 1, Vec::new());
            }
            self.classes[class].push(*entry);
        }
    }

    /// Every message that waits. O(live entries).
    pub fn all(&self, parts: &mut Vec<Part>) {
        parts.clear();
        let live = self.live.iter().map(|entry| (*entry, self.left[*entry as usize]));
        let waiting = live.filter(|(_, count)| *count > 0);
        parts.extend(waiting.map(|(entry, count)| Part { entry, count }));
    }

    /// A p-subset: every message with probability `p`, independently of the others; all for p ≥ 1, none
    /// for p ≤ 0. O(messages sent), O(1) for those of one entry where many of them are sent; a few
    /// more steps for every 64 entries with one message where p is at least 1/64.
    pub fn subset(&self, p: f64, random: &mut Stream, parts: &mut Vec<Part>) {
        if p >= 1.0 {
            return self.all(parts);
        }
        parts.clear();
        if p <= 0.0 {
            return;
        }
        self.single.draw(p, random, parts);
        let mut kinds = usize::from(!parts.is_empty());
        for (class, entries) in (1..).zip(&self.classes) {
            let before = parts.len();
            let slots = 1_u64 << class;
            if slots as f64 * p > MANY {
                self.draw_counts(entries, p, random, parts);
            } else {
                self.draw_slots(entries, class, p, random, parts);
            }
            kinds += usize::from(parts.len() > before);
        }
        if kinds > 1 {
            parts.sort_unstable_by_key(|part| part.entry);
        }
    }

    /// The number sent of each of `entries`.
    fn draw_counts(&self, entries: &[u32], p: f64, random: &mut Stream, parts: &mut Vec<Part>) {
        for entry in entries {
            // p is a probability: a binomial distribution exists.
            let Ok(number) = Binomial::new(self.left[*entry as usize], p) else { continue };
            let count = number.sample(random);
            if count > 0 {
                parts.push(Part { entry: *entry, count });
            }
        }
    }

    /// The messages sent of entries with 2^class slots, one after the other.
    fn draw_slots(
        &self,
        entries: &[u32],
        class: usize,
        p: f64,
        random: &mut Stream,
        parts: &mut Vec<Part>,
    ) {
        let (jumps, slots) = (Jumps::new(p), (entries.len() as u64) << class);
        let mut slot = jumps.next(random);
        while slot < slots {
            let entry = entries[as_size(slot >> class)];
            if slot & ((1 << class) - 1) < self.left[entry as usize] {
                match parts.last_mut() {
                    Some(part) if part.entry == entry => part.count += 1,
                    _ => parts.push(Part { entry, count: 1 }),
                }
            }
            slot = slot.saturating_add(jumps.next(random)).saturating_add(1);
        }
    }

    /// Removes what arrived. Returns the number of messages; `None` when more arrived of an entry
    /// than waited.
    #[must_use]
    pub fn deliver(&mut self, arrived: &[Part]) -> Option<u64> {
        let mut delivered = 0;
        for Part { entry, count } in arrived {
            let left = &mut self.left[*entry as usize];
            *left = left.checked_sub(*count)?;
            if *left == 0 {
                self.single.bits[*entry as usize / 64] &= !(1 << (entry % 64));
            }
            delivered += count;
        }
        self.total -= delivered;
        if self.total <= self.counted / 2 {
            self.count_slots();
        }
        Some(delivered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often every message count of every entry is sent in many draws, against p·left, with the
    /// variance p(1−p)·left.
    #[test]
    fn every_message_is_sent_with_the_same_probability() {
        let left = vec![1, 0, 3, 1, 200, 1, 5, 1_000_000, 2];
        let mut outbox = Outbox::new(left.clone());
        // Slots are not counted again by this: entry 4 loses a few, entry 5 its only message.
        let gone = [Part { entry: 4, count: 60 }, Part { entry: 5, count: 1 }];
        assert_eq!(outbox.deliver(&gone), Some(61));
        for p in [0.3, 0.01] {
            let (draws, mut parts) = (20_000_u32, Vec::new());
            let (mut sums, mut squares) = ([0.0; 9], [0.0; 9]);
            for draw in 0..draws {
                outbox.subset(p, &mut Streams::new(5).at(draw.into()), &mut parts);
                assert!(parts.is_sorted_by_key(|part| part.entry));
                for part in &parts {
                    assert!(part.count <= outbox.left(part.entry));
                    sums[part.entry as usize] += part.count as f64;
                    squares[part.entry as usize] += (part.count as f64).powi(2);
                }
            }
            for entry in 0..9 {
                let (left, draws) = (outbox.left(entry) as f64, f64::from(draws));
                let (mean, wanted) = (sums[entry as usize] / draws, left * p);
                let variance = squares[entry as usize] / draws - mean * mean;
                let error = (left * p * (1.0 - p) / draws).sqrt();
                assert!((mean - wanted).abs() <= 4.5 * error, "{entry}: {mean}, not {wanted}");
                let wanted = left * p * (1.0 - p);
                assert!((variance - wanted).abs() <= 0.1 * wanted + 1e-9, "{entry}: {variance}");
            }
        }
    }

    /// Messages of different entries are sent independently: pairs of single messages together as
    /// often as p² says.
    #[test]
    fn messages_are_independent() {
        let outbox = Outbox::new(vec![1; 4]);
        let (mut both, mut parts) = (0_u32, Vec::new());
        for draw in 0..40_000 {
            outbox.subset(0.25, &mut Streams::new(2).at(draw), &mut parts);
            let has = |entry| parts.iter().any(|part| part.entry == entry);
            both += u32::from(has(0) && has(1));
        }
        // 2500 with a standard deviation of 48.
        assert!((2300..2700).contains(&both), "{both}");
    }

    /// The number sent of a thousand single messages is binomial, by coins and by jumps: every number
    /// within 5 standard deviations of as often as it should be. Some are gone, so that slots are empty.
    #[test]
    fn numbers_sent_are_binomial() {
        let mut outbox = Outbox::new(vec![1; 1400]);
        let gone = (0..400).map(|at| Part { entry: 3 * at + at % 3, count: 1 });
        assert_eq!(outbox.deliver(&gone.collect::<Vec<_>>()), Some(400));
        for p in [0.02, 0.01] {
            let (draws, mut parts) = (20_000_u32, Vec::new());
            let mut counts = vec![0_u32; 1001];
            for draw in 0..draws {
                outbox.subset(p, &mut Streams::new(6).at(draw.into()), &mut parts);
                assert!(parts.iter().all(|part| part.count == 1 && outbox.left(part.entry) == 1));
                counts[parts.len()] += 1;
            }
            let mut probability = (1.0_f64 - p).powi(1000);
            for (sent, count) in (0_u32..).zip(counts) {
                let (wanted, draws) = (probability * f64::from(draws), f64::from(draws));
                let deviation = (draws * probability * (1.0 - probability)).sqrt();
                let error = (f64::from(count) - wanted).abs();
                assert!(error <= 5.0 * deviation + 1.0, "{p}: {sent} {count}, not {wanted}");
                probability *= p / (1.0 - p) * f64::from(1000 - sent) / f64::from(sent + 1);
            }
        }
    }

    #[test]
    fn what_is_delivered_is_gone() {
        let mut outbox = Outbox::new(vec![2, 1, 4]);
        let mut parts = Vec::new();
        outbox.all(&mut parts);
        assert_eq!(parts.iter().map(|part| part.count).collect::<Vec<_>>(), [2, 1, 4]);
        assert_eq!(outbox.deliver(&[Part { entry: 2, count: 4 }]), Some(4));
        outbox.subset(1.0, &mut Streams::new(1).at(0), &mut parts);
        assert_eq!(parts, [Part { entry: 0, count: 2 }, Part { entry: 1, count: 1 }]);
        assert_eq!(outbox.deliver(&[Part { entry: 1, count: 2 }]), None);
    }
}
