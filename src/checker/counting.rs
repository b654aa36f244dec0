#![doc = include_str!("COUNTING.md")]

use std::cmp::Reverse;
use std::sync::atomic::{AtomicI64, Ordering};

use itertools::Itertools;
use rayon::prelude::*;

use super::Refusal;
use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};

/// Maximum additions of a count.
const MAX_WORK: u64 = 1 << 32;

/// Weights are in eighths.
const EIGHTHS: i64 = 8;

/// Subtrees joined by one port: the part of a tree that the SD pairs through that port share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Star {
    /// n, hosts of a subtree; at least 1.
    pub hosts: u32,
    /// r, number of subtrees; at least 2.
    pub subtrees: u32,
}

impl Star {
    /// An upper bound on the number of SD pairs between different subtrees of which every link
    /// of the star carries at most `most` node-disjoint ones: the T(X) of \[OR\] Lemma 8 and
    /// \[NB\] Lemma 2, X = `most`.
    ///
    /// O(X³·r³·X²), in integers; for X = 1 it is (r−1)·max(r,2n) for all n and r.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`] when that is more than 2^32 additions, or the number above 64 bits.
    ///
    /// ```
    /// use routebound::checker::Star;
    /// // FT(6,2): a root carries at most 30 pairs with X = 1; three roots cannot carry 270.
    /// assert_eq!(Star { hosts: 3, subtrees: 6 }.most_pairs(1)?, 30);
    /// # Ok::<(), routebound::checker::Refusal>(())
    /// ```
    pub fn most_pairs(self, most: u32) -> Result<u64, Refusal> {
        self.most_pairs_until(most, &Progress::silent())
    }

    /// The same, as long as `progress` allows.
    ///
    /// # Errors
    /// As [`Self::most_pairs`], and [`Refusal::Stopped`].
    pub fn most_pairs_until(self, most: u32, progress: &Progress) -> Result<u64, Refusal> {
        if most.min(self.hosts) == 1 {
            return Ok(self.most_single_pairs()?);
        }
        // Covers of all hosts of a subtree carry everything.
        let weight = self.most_weight(most.min(self.hosts), EIGHTHS, progress)?;
        Ok((weight / EIGHTHS).cast_unsigned())
    }

    /// T(n,r,1) = (r−1)·max(r,2n), proved above.
    fn most_single_pairs(self) -> Result<u64, TooLarge> {
        let (hosts, subtrees) = (u128::from(self.hosts), u128::from(self.subtrees));
        let count = subtrees.saturating_sub(1) * subtrees.max(2 * hosts);
        within("number of pairs of a port", Some(count), u64::MAX, "choose a smaller tree")
    }

    /// The same for pairs that continue through stars of larger subtrees, which together carry at
    /// most `larger` of the pairs from the sets A to the sets C of this star. The count ends when
    /// it is known to be at most `enough`.
    ///
    /// # Errors
    /// As [`Self::most_pairs_until`].
    pub(super) fn most_nested_pairs(
        self,
        most: u32,
        larger: u128,
        enough: u128,
        progress: &Progress,
    ) -> Result<u128, Refusal> {
        let mut best = self.pairs();
        if most > self.hosts {
            return Ok(best);
        }
        self.check_work(most)?;
        let nested = |own: i64, part: i64| {
            let above = u128::from((EIGHTHS - part).cast_unsigned()) * larger;
            (u128::from(own.cast_unsigned()) + above) / u128::from(EIGHTHS.cast_unsigned())
        };
        // The most promising part comes first; those that cannot be better are skipped.
        let promised = |part| (nested(self.equal_weight(most, part), part), part);
        for (at_least, part) in (0..EIGHTHS).map(promised).sorted() {
            if best > enough && at_least < best {
                best = best.min(nested(self.most_weight(most, part, progress)?, part));
            }
        }
        Ok(best)
    }

    /// A lower bound on what [`Self::most_pairs`] counts: with covers of equal sizes at all
    /// subtrees. O(X²).
    ///
    /// # Errors
    /// [`TooLarge`] where [`Self::most_pairs`] is refused.
    ///
    /// ```
    /// use routebound::checker::Star;
    /// assert_eq!(Star { hosts: 3, subtrees: 6 }.most_equal_pairs(1)?, 30);
    /// # Ok::<(), routebound::limit::TooLarge>(())
    /// ```
    pub fn most_equal_pairs(self, most: u32) -> Result<u64, TooLarge> {
        if most.min(self.hosts) == 1 {
            self.most_single_pairs()?;
        } else {
            self.check_work(most)?;
        }
        Ok((self.equal_weight(most.min(self.hosts), EIGHTHS) / EIGHTHS).cast_unsigned())
    }

    /// The same for pairs that continue through larger stars, which carry `larger` of those from A
    /// to C.
    ///
    /// # Errors
    /// As [`Self::most_equal_pairs`].
    pub fn most_equal_nested_pairs(self, most: u32, larger: u128) -> Result<u128, TooLarge> {
        if most > self.hosts {
            return Ok(self.pairs());
        }
        self.check_work(most)?;
        let nested = |part: i64| {
            let above = u128::from((EIGHTHS - part).cast_unsigned()) * larger;
            let own = u128::from(self.equal_weight(most, part).cast_unsigned());
            (own + above) / u128::from(EIGHTHS.cast_unsigned())
        };
        Ok((1..EIGHTHS).map(nested).fold(nested(0), u128::min))
    }

    /// The greatest weight of covers of equal sizes at all subtrees.
    fn equal_weight(self, most: u32, core: i64) -> i64 {
        let weight = |(a, c): (u32, u32)| {
            let all = |one: u32| u64::from(one) * u64::from(self.subtrees);
            let cut_off =
                |one: u32| u32::try_from(all(one)).map_or(2 * most, |all| all.min(2 * most));
            let (sources, targets) = (cut_off(a), cut_off(c));
            let gain = Count { star: self, most, sources, targets, core }.gain(a, c);
            let joined = all(a).cast_signed().saturating_mul(all(c).cast_signed());
            let own = i64::from(self.subtrees).saturating_mul(gain);
            core.saturating_mul(joined).saturating_add(own)
        };
        let weights = (0..=most).cartesian_product(0..=most).map(weight);
        weights.max().expect("there is a cover of no host").max(0)
    }

    /// An upper bound, in eighths, where a pair counts 1, but only `core` eighths when its
    /// source is in A and its destination in C.
    fn most_weight(self, most: u32, core: i64, progress: &Progress) -> Result<i64, Refusal> {
        self.check_work(most)?;
        let few = 2 * most;
        let count = |(sources, targets)| Count { star: self, most, sources, targets, core };
        // Potentially largest first: others may then not need to be counted.
        let counts = (0..=few).cartesian_product(0..=few).map(count);
        let counts = counts.map(|count| (count.limit_of_sum(), count));
        let counts: Vec<(i64, Count)> =
            counts.sorted_by_key(|(limit, _)| Reverse(*limit)).collect();
        let best = AtomicI64::new(0);
        counts.par_iter().try_for_each(|(limit, count)| -> Result<(), Stopped> {
            if *limit > best.load(Ordering::Relaxed) {
                best.fetch_max(count.best(progress)?, Ordering::Relaxed);
            }
            Ok(())
        })?;
        Ok(best.into_inner())
    }

    /// Number of SD pairs between different subtrees.
    #[must_use]
    pub fn pairs(self) -> u128 {
        let (hosts, subtrees) = (u128::from(self.hosts), u128::from(self.subtrees));
        subtrees * (subtrees - 1) * hosts * hosts
    }

    /// Maximum additions of [`Self::most_pairs`] for X > 1, and of the weighted counts for any X;
    /// X is capped at n.
    #[must_use]
    pub fn work(self, most: u32) -> u128 {
        let (most, subtrees) = (u128::from(most.min(self.hosts)), u128::from(self.subtrees));
        let all = subtrees * most + 1;
        let few = 2 * most + 1;
        let table = (all + few * few).saturating_pow(2);
        (subtrees * (most + 1).pow(2)).saturating_mul(table)
    }

    fn check_work(self, most: u32) -> Result<(), TooLarge> {
        let (work, remedy) = (Some(self.work(most)), "choose a smaller tree or ratio");
        within("work of the count", work, MAX_WORK, remedy)?;
        Ok(())
    }
}

/// The count over all stars whose totals A and C, each capped at 2X, have these values.
struct Count {
    star: Star,
    most: u32,
    /// min(A, 2X).
    sources: u32,
    /// min(C, 2X).
    targets: u32,
    /// Weight of a pair from A to C in eighths.
    core: i64,
}

/// The number of hosts in covers at a row or a column of the table.
fn hosts_of(place: usize) -> u32 {
    u32::try_from(place).expect("the table ends at a sum of cover sizes, which is a u32")
}

/// Anything below half of it is below every sum, with any gains.
const NONE: i64 = i64::MIN / 2;

impl Count {
    /// Largest possible total of one kind: all there may be, or exactly the value below the cap.
    fn limit(&self, cut_off: u32) -> usize {
        let all = self.star.subtrees * self.most;
        if cut_off < 2 * self.most { cut_off.min(all) as usize } else { all as usize }
    }

    /// At least the sum that any choice gives: the best gain everywhere, with the largest totals.
    fn limit_of_sum(&self) -> i64 {
        let own = (0..=self.most).cartesian_product(0..=self.most);
        let gain = own.map(|(a, c)| self.gain(a, c)).max().expect("there is a cover of no host");
        let total = |cut_off| (self.limit(cut_off) as u64).cast_signed();
        let joined = self.core * total(self.sources) * total(self.targets);
        joined + i64::from(self.star.subtrees) * gain
    }

    /// The most pairs. One subtree after the other; a row for every A, a column for every C.
    fn best(&self, progress: &Progress) -> Result<i64, Stopped> {
        let (rows, columns) = (self.limit(self.sources) + 1, self.limit(self.targets) + 1);
        let mut sums = vec![NONE; rows * columns];
        sums[0] = 0;
        for done in 0..self.star.subtrees as usize {
            let reached = (done * self.most as usize + 1).min(rows);
            sums = self.with_one_more(&sums[..reached * columns], rows, columns, progress)?;
        }
        let mut best = 0;
        for (place, sum) in sums.into_iter().enumerate().filter(|(_, sum)| *sum > NONE / 2) {
            let (a, c) = (hosts_of(place / columns), hosts_of(place % columns));
            if self.is_of_class(a, c) {
                best = best.max(self.core * i64::from(a) * i64::from(c) + sum);
            }
        }
        Ok(best)
    }

    fn is_of_class(&self, a: u32, c: u32) -> bool {
        let few = 2 * self.most;
        a.min(few) == self.sources && c.min(few) == self.targets
    }

    fn with_one_more(
        &self,
        sums: &[i64],
        rows: usize,
        columns: usize,
        progress: &Progress,
    ) -> Result<Vec<i64>, Stopped> {
        let mut next = vec![NONE; rows * columns];
        for a in 0..=(self.most as usize).min(rows - 1) {
            for c in 0..=(self.most as usize).min(columns - 1) {
                progress.check()?;
                let gain = self.gain(hosts_of(a), hosts_of(c));
                // The last rows would be above the limit.
                for (old, row) in sums.chunks(columns).zip(a..rows) {
                    let new = &mut next[row * columns + c..][..columns - c];
                    for (new, old) in new.iter_mut().zip(old) {
                        *new = (*new).max(old + gain);
                    }
                }
            }
        }
        Ok(next)
    }

    /// What a subtree with a sources and c destinations of its own in covers adds, besides its
    /// part of A·C.
    fn gain(&self, a: u32, c: u32) -> i64 {
        let (a, c) = (i64::from(a), i64::from(c));
        let (most, hosts) = (i64::from(self.most), i64::from(self.star.hosts));
        let (sources, targets) = (i64::from(self.sources), i64::from(self.targets));
        let good = (most - a).min(targets - c);
        let poor = most - a - good;
        let columns = good * (hosts - a) + poor * most.min(hosts - a);
        let rows = (most - c).min(sources - a) * (hosts - c);
        EIGHTHS * (columns + rows) - self.core * a * c
    }
}

#[cfg(test)]
mod tests;
