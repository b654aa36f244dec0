//! The most dangerous sets of one size.

use super::{CLAIM, FailureSet, Ground, Peak, Verdict};
use crate::bounds::Evidence;
use crate::rational::Rational;

/// The sets of one size that have the highest worst loads.
///
/// Sets that cut hosts off are counted instead, and sets that add nothing to the worst load without failures are not
/// ranked.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// Number of elements in each set.
    pub size: u8,
    /// The highest loads first, of equal ones the first set; of equivalent sets the first one alone.
    pub sets: Vec<Ranked>,
    /// No set of this size that is neither here, nor equivalent to one, nor cuts hosts off has a higher load.
    pub others: Rational,
    /// Number of sets that cut hosts off, of those that were looked at.
    pub cutting: u64,
    /// The first of them.
    pub first_cutting: Option<FailureSet>,
    /// Whether `sets` are known to be the most dangerous ones, with exact loads.
    pub complete: bool,
}

/// A set in a ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The set at its worst.
    pub peak: Peak,
    /// Number of pairs that it leaves without a path.
    pub lost: u64,
    /// Number of other sets that automorphisms take it to.
    pub alike: u64,
    /// Its place among all sets.
    pub(super) at: usize,
}

/// The load that a set needs to be looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least<'a> {
    pub(super) load: &'a Rational,
    /// Whether this load is enough.
    pub(super) suffices: bool,
}

impl Least<'_> {
    /// Whether a load is high enough.
    pub(super) fn admits(self, load: &Rational) -> bool {
        load > self.load || (self.suffices && load == self.load)
    }
}

impl Ranking {
    /// Evidence of the loads of its sets: certificates are about the worst set alone.
    #[must_use]
    pub fn evidence() -> Evidence {
        Evidence::Claimed(CLAIM.into())
    }

    pub(super) fn new(size: u8, most: &Rational) -> Self {
        Self {
            size,
            sets: Vec::new(),
            others: most.clone(),
            cutting: 0,
            first_cutting: None,
            complete: false,
        }
    }

    /// What the set at a place needs to be one of at most `count`, where only loads above `whole` are ranked.
    pub(super) fn least<'a>(&'a self, at: usize, count: usize, whole: &'a Rational) -> Least<'a> {
        match self.sets.last().filter(|_| self.sets.len() >= count) {
            None => Least { load: whole, suffices: false },
            Some(last) => Least { load: &last.peak.load, suffices: at < last.at },
        }
    }

    /// Takes a set that is known to be one of the first `count`, if others do not displace it.
    pub(super) fn take(&mut self, set: Ranked, count: usize) {
        let is_before = |known: &Ranked| {
            known.peak.load > set.peak.load
                || (known.peak.load == set.peak.load && known.at < set.at)
        };
        let place = self.sets.partition_point(is_before);
        self.sets.insert(place, set);
        self.sets.truncate(count);
    }

    /// Counts a set that cuts hosts off.
    pub(super) fn cuts(&mut self, set: &[u32]) {
        self.cutting += 1;
        if self.first_cutting.as_ref().is_none_or(|first| set < first.as_slice()) {
            self.first_cutting = Some(set.to_vec());
        }
    }

    /// Bounds the sets that are not ranked, by what is known of all sets of this size, the first of which is at
    /// `start`. Without failures the worst load is at least `whole` and at most `most`.
    pub(super) fn bound(
        &mut self,
        (start, verdicts): (usize, &[Verdict]),
        count: usize,
        [whole, most]: [&Rational; 2],
    ) {
        let mut ranked: Vec<usize> = self.sets.iter().map(|set| set.at).collect();
        ranked.sort_unstable();
        let others = (start..).zip(verdicts).filter(|(at, verdict)| {
            let stands_alone = !matches!(verdict.by, Ground::Symmetry(_));
            stands_alone && verdict.cut_off == 0 && ranked.binary_search(at).is_err()
        });
        let others = others.map(|(_, verdict)| &verdict.most).max();
        self.others = others.map_or(most, |others| others.max(most)).clone();
        let last = self.sets.last().filter(|_| self.sets.len() >= count);
        let is_exact = self.sets.iter().all(|set| set.peak.load == set.peak.most);
        self.complete = is_exact && self.others <= *last.map_or(whole, |last| &last.peak.load);
    }
}
