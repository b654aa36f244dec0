//! The events to come, by the cycle in which they happen.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles that the wheel reaches ahead; later events wait in a heap.
const REACH: u64 = 1 << 15;

/// An event of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// The packet at the head of the input queue of a link asks for an output.
    Request(u32),
    /// An output, numbered by its link, may be free for another packet.
    Wake(u32),
    /// The last flit of a packet has reached its destination.
    Arrive(u32),
    /// A host looks for a packet to send.
    Offer(u32),
}

/// A calendar of cycles. Events of one cycle come in the order in which they were scheduled, but for
/// those from far ahead, which come last: the same on every machine.
#[derive(Debug)]
pub(super) struct Wheel {
    now: u64,
    buckets: Vec<Vec<Event>>,
    /// A bit for each bucket with events.
    occupied: Vec<u64>,
    far: BinaryHeap<Reverse<(u64, u64, Event)>>,
    /// Number of events that were far ahead, for their order.
    numbered: u64,
}

impl Wheel {
    pub(super) fn new() -> Self {
        let size = 1 << 15;
        Self {
            now: 0,
            buckets: vec![Vec::new(); size],
            occupied: vec![0; size / 64],
            far: BinaryHeap::new(),
            numbered: 0,
        }
    }

    /// The cycle that was reached.
    pub(super) fn now(&self) -> u64 {
        self.now
    }

    /// Schedules an event for a cycle that is not past. An event for the current cycle whose events
    /// were taken already happens in it all the same, when they are taken again.
    #[inline]
    pub(super) fn push(&mut self, at: u64, event: Event) {
        debug_assert!(at >= self.now, "{event:?} at {at}, which is before {}", self.now);
        if at - self.now < REACH {
            let place = (at % REACH) as usize;
            self.buckets[place].push(event);
            self.occupied[place / 64] |= 1 << (place % 64);
        } else {
            self.numbered += 1;
            self.far.push(Reverse((at, self.numbered, event)));
        }
    }

    /// The next cycle with events, the current one included.
    pub(super) fn next(&self) -> Option<u64> {
        let far = self.far.peek().map(|Reverse((at, ..))| *at);
        [self.near(), far].into_iter().flatten().min()
    }

    /// The next cycle with events in a bucket.
    fn near(&self) -> Option<u64> {
        let words = self.occupied.len();
        let from = (self.now % REACH) as usize;
        let first = self.occupied[from / 64] & (!0 << (from % 64));
        let rest = (1..words).map(|step| (from / 64 + step) % words);
        // The last word is the first again: cycles that lie almost a turn ahead.
        let again = self.occupied[from / 64] & !(!0 << (from % 64));
        let found = std::iter::once((from / 64, first))
            .chain(rest.map(|word| (word, self.occupied[word])))
            .chain(std::iter::once((from / 64, again)))
            .find(|(_, bits)| *bits != 0);
        found.map(|(word, bits)| {
            let place = (word * 64) as u64 + u64::from(bits.trailing_zeros());
            self.now + (place + REACH - self.now % REACH) % REACH
        })
    }

    /// Advances to cycle `to`, at most [`Self::next`], and moves its events into `events`.
    pub(super) fn take(&mut self, to: u64, events: &mut Vec<Event>) {
        self.now = to;
        events.clear();
        let place = (to % REACH) as usize;
        std::mem::swap(events, &mut self.buckets[place]);
        self.occupied[place / 64] &= !(1 << (place % 64));
        while let Some(Reverse((at, _, event))) = self.far.peek()
            && *at == to
        {
            events.push(*event);
            self.far.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Streams;
    use rand::RngExt;

    /// Random events near and far, against a sorted list.
    #[test]
    fn events_come_in_the_order_of_their_cycles() {
        let mut random = Streams::new(3).at(0);
        let mut wheel = Wheel::new();
        let (mut wanted, mut found, mut events) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..2_000_u32 {
            let ahead = [3, 70, REACH - 1, REACH, 5 * REACH][number as usize % 5];
            let at = wheel.now() + random.random_range(0..=ahead);
            wheel.push(at, Event::Wake(number));
            wanted.push((at, number));
            if number % 3 == 0
                && let Some(next) = wheel.next()
            {
                wheel.take(next, &mut events);
                found.extend(events.iter().map(|event| (wheel.now(), *event)));
            }
        }
        while let Some(next) = wheel.next() {
            wheel.take(next, &mut events);
            found.extend(events.iter().map(|event| (wheel.now(), *event)));
        }
        assert!(found.is_sorted_by_key(|(at, _)| *at));
        let mut found: Vec<_> = found
            .into_iter()
            .map(
                |(at, event)| if let Event::Wake(number) = event { (at, number) } else { panic!() },
            )
            .collect();
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted);
    }
}
