//! Algorithms for powers of two on any number of ranks: the excess ranks are folded into others.
//!
//! With e ranks more than a power of two, rank 2i sends its vector to 2i+1 beforehand, for i < e, and
//! takes no part; the others are numbered anew (Thakur, Rabenseifner and Gropp, 2005).

use super::{Phase, Rank};
use crate::rational::Rational;

/// Ranks of which a power of two takes part.
#[derive(Clone, Copy)]
pub(super) struct Folding {
    /// How many take part.
    pub(super) power: Rank,
    /// How many do not.
    pub(super) excess: Rank,
}

impl Folding {
    /// The folding of a number of ranks, at least 1.
    pub(super) fn of(ranks: Rank) -> Self {
        let power = 1 << ranks.ilog2();
        Self { power, excess: ranks - power }
    }

    /// The rank that has this number among those that take part.
    fn rank(self, number: Rank) -> Rank {
        if number < self.excess { 2 * number + 1 } else { number + self.excess }
    }

    /// Excess ranks send all that they have to the next ones; no phase where there are none.
    pub(super) fn fold(self) -> Option<Phase> {
        let sends = (0..self.excess).map(|i| (2 * i, 2 * i + 1));
        (self.excess > 0).then(|| Phase::new("fold", Rational::ONE, sends))
    }

    /// The phase in which the others get back a part of this size.
    pub(super) fn unfold(self, size: Rational) -> Option<Phase> {
        let sends = (0..self.excess).map(|i| (2 * i + 1, 2 * i));
        (self.excess > 0).then(|| Phase::new("unfold", size, sends))
    }

    /// The phase in which ranks that take part exchange with the number that differs in one bit.
    pub(super) fn exchange(self, distance: Rank, size: Rational) -> Phase {
        let sends = (0..self.power).map(|v| (self.rank(v), self.rank(v ^ distance)));
        Phase::new(format!("distance {distance}"), size, sends)
    }
}
