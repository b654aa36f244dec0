//! Sets of messages that a search begins with.

use rand::seq::SliceRandom as _;

use super::room::Room;
use super::{AttackError, Construction, Target};
use crate::prelude::*;

/// A pair of hosts, and the number of its messages.
pub(super) type Entry = ((Host, Host), u64);

/// A set that grows within a load factor and a number of messages.
pub(super) struct Growing<'t> {
    pub(super) room: Room<'t>,
    pub(super) entries: Vec<Entry>,
    /// Messages that may still be added.
    pub(super) left: u64,
}

impl Growing<'_> {
    /// Adds up to `count` messages of a pair, as far as there is room; returns how many.
    pub(super) fn add(&mut self, pair: (Host, Host), count: u64) -> u64 {
        let count = count.min(self.left).min(self.room.free(pair));
        if count > 0 {
            self.room.add(pair, count);
            self.left -= count;
            match self.entries.iter_mut().find(|(known, _)| *known == pair) {
                Some((_, known)) => *known += count,
                None => self.entries.push((pair, count)),
            }
        }
        count
    }
}

/// Parameters that all starts of a search share.
pub(super) struct Starts<'t> {
    pub(super) target: &'t Target<'t>,
    pub(super) lambda: u64,
    pub(super) to: Option<Host>,
    /// The set of Theorem 9, where there is one.
    pub(super) bad: Vec<Entry>,
}

impl<'t> Starts<'t> {
    /// Makes the bad set of Theorem 9, where the tree has one and it is within the limit.
    pub(super) fn new(
        target: &'t Target<'t>,
        lambda: u64,
        messages: u64,
        to: Option<Host>,
        progress: &Progress,
    ) -> Result<Self, AttackError> {
        let construction = Construction { trials: 8, ..Construction::of(lambda) };
        let bad = match target.shape.map(|shape| construction.make(shape, target.loss, progress)) {
            None | Some(Err(AttackError::NotStandard { .. } | AttackError::SmallLambda { .. })) => {
                Vec::new()
            }
            Some(made) => made?.messages.iter().map(|(s, d, count)| ((s, d), count)).collect(),
        };
        let total: u64 = bad.iter().map(|(_, count)| count).sum();
        let goes_there = bad.iter().all(|((_, d), _)| to.is_none_or(|to| to == *d));
        let bad = if total <= messages && goes_there { bad } else { Vec::new() };
        Ok(Self { target, lambda, to, bad })
    }

    /// The set that restart `number` begins with: that of Theorem 9, random pairs, a hot spot or a
    /// permutation, in turn.
    pub(super) fn fill(&self, number: u64, set: &mut Growing<'_>, random: &mut Stream) {
        match number % 4 {
            0 if !self.bad.is_empty() => {
                self.bad.iter().for_each(|(pair, count)| {
                    set.add(*pair, *count);
                });
            }
            1 => self.towards(random.random_range(0..self.hosts()), set),
            2 => self.permutation(set, random),
            _ => self.pairs(set, random),
        }
    }

    fn hosts(&self) -> Host {
        host_number(self.target.tree.hosts())
    }

    /// A random pair that may have messages.
    pub(super) fn pair(&self, random: &mut Stream) -> (Host, Host) {
        let s = random.random_range(0..self.hosts());
        (s, self.to.unwrap_or_else(|| random.random_range(0..self.hosts())))
    }

    /// As many messages as there is room for, from hosts in turn.
    fn towards(&self, spot: Host, set: &mut Growing<'_>) {
        let spot = self.to.unwrap_or(spot);
        for s in (0..self.hosts()).filter(|s| *s != spot) {
            set.add((s, spot), self.lambda);
        }
    }

    fn permutation(&self, set: &mut Growing<'_>, random: &mut Stream) {
        let mut image: Vec<Host> = (0..self.hosts()).collect();
        image.shuffle(random);
        for (s, d) in (0..).zip(image).filter(|(s, d)| s != d) {
            set.add((s, self.to.unwrap_or(d)), self.lambda);
        }
    }

    fn pairs(&self, set: &mut Growing<'_>, random: &mut Stream) {
        for _ in 0..4 * self.target.tree.hosts() {
            let (s, d) = self.pair(random);
            if s != d {
                set.add((s, d), 1 + random.random_range(0..self.lambda));
            }
        }
    }
}
