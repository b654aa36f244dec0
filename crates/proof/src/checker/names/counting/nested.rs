//! Pairs that pass stars of two heights.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI64, Ordering};

use super::super::{Refusal, parallel};
use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};

/// Maximum additions of a count.
const MAX_WORK: u64 = 1 << 32;

/// Weights are in eighths.
const EIGHTHS: u8 = 8;

/// Anything below half of it is below every sum, with any gains.
const NONE: i64 = i64::MIN / 2;

/// The star of a port whose subtrees are grouped in larger ones: the SD pairs between different
/// groups pass stars of the groups too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NestedStar {
    /// n, hosts of a subtree; at least 1.
    pub hosts: u32,
    /// g, subtrees of a group; at least 1.
    pub joined: u32,
    /// R, number of groups; at least 2.
    pub groups: u32,
}

impl NestedStar {
    /// Number of SD pairs between different groups.
    #[must_use]
    pub fn pairs(self) -> u128 {
        let (hosts, groups) = (u128::from(self.hosts), u128::from(self.groups));
        let hosts = hosts * u128::from(self.joined);
        (groups * groups.saturating_sub(1)).saturating_mul(hosts * hosts)
    }

    /// An upper bound on the number of SD pairs between different groups of which every link of the
    /// star carries at most X = `most` node-disjoint ones, when the stars of the groups together
    /// carry at most `larger` of those from the sets A to the sets C. The count ends when it is
    /// known to be at most `enough`.
    ///
    /// O(R·g²X²·(RgX + X²)²), in integers.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`] when that is more than 2^32 additions, [`Refusal::Stopped`] when
    /// `progress` ends it.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::{checker::NestedStar, progress::Progress};
    /// // FT(4,5) with X = 3, heights 3 and 4: two stars of height 4 carry 108 pairs each, of the
    /// // 384 that a port of height 3 would have to carry.
    /// let star = NestedStar { hosts: 8, joined: 2, groups: 4 };
    /// assert_eq!(star.most_pairs(3, 216, 0, &Progress::silent())?, 378);
    /// # Ok::<(), routebound::checker::Refusal>(())
    /// ```
    pub fn most_pairs(
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
        let gains = Gains::new(self, most);
        // The most promising part comes first; those that cannot be better are skipped.
        let promised = |core| (nested(gains.of_equal(core), core, larger), core);
        for (at_least, core) in (0..EIGHTHS).map(promised).collect::<BTreeSet<_>>() {
            if best > enough && at_least < best {
                best = best.min(nested(gains.most(core, progress)?, core, larger));
            }
        }
        Ok(best)
    }

    /// A lower bound on what [`Self::most_pairs`] finds: with covers of equal sizes at all subtrees.
    /// O(g²X³).
    ///
    /// # Errors
    /// [`TooLarge`] where [`Self::most_pairs`] is refused.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::checker::NestedStar;
    /// let star = NestedStar { hosts: 8, joined: 2, groups: 4 };
    /// assert_eq!(star.most_equal_pairs(3, 216)?, 351);
    /// # Ok::<(), routebound::limit::TooLarge>(())
    /// ```
    pub fn most_equal_pairs(self, most: u32, larger: u128) -> Result<u128, TooLarge> {
        if most > self.hosts {
            return Ok(self.pairs());
        }
        self.check_work(most)?;
        let gains = Gains::new(self, most);
        let counts = (0..EIGHTHS).map(|core| nested(gains.of_equal(core), core, larger));
        Ok(counts.fold(self.pairs(), u128::min))
    }

    /// Maximum additions of [`Self::most_pairs`] for one part of the core.
    #[must_use]
    pub fn work(self, most: u32) -> u128 {
        if most > self.hosts {
            return 0;
        }
        let [most, joined, groups] = [most, self.joined, self.groups].map(u128::from);
        let of_group = joined * most + 1;
        // The largest totals of all classes, summed up.
        let all = groups.saturating_mul(joined * most);
        let totals = all.saturating_add(1 + most * (2 * most + 1));
        let of_group = groups.saturating_mul(of_group.saturating_pow(2));
        of_group.saturating_mul(totals.saturating_pow(2))
    }

    fn check_work(self, most: u32) -> Result<(), TooLarge> {
        let (work, remedy) = (Some(self.work(most)), "choose a smaller tree or ratio");
        within("work of the count", work, MAX_WORK, remedy)?;
        Ok(())
    }
}

/// The pairs where a pair from A to C counts `core` eighths: `own` in eighths, and the rest of at
/// most `larger` such pairs.
fn nested(own: i64, core: u8, larger: u128) -> u128 {
    let above = u128::from(EIGHTHS - core).saturating_mul(larger);
    u128::from(own.max(0).cast_unsigned()).saturating_add(above) / u128::from(EIGHTHS)
}

/// What the subtrees of a group add besides the pairs from A to C, by the total of their own hosts
/// in covers.
struct Gains {
    star: NestedStar,
    most: u32,
    /// By min(X, what C has outside the group), then by the total of the a.
    up: Vec<Vec<i64>>,
    /// By min(X, what A has outside the group), then by the total of the c.
    down: Vec<Vec<i64>>,
}

/// All stars whose totals A and C, each capped at 2X, have these values.
#[derive(Clone, Copy)]
struct Class {
    sources: u32,
    targets: u32,
}

impl Gains {
    fn new(star: NestedStar, most: u32) -> Self {
        let [x, n] = [most, star.hosts].map(i64::from);
        let up = |a: i64, outside: i64| {
            let good = outside.min(x - a);
            good * (n - a) + (x - a - good) * x.min(n - a)
        };
        let down = |c: i64, outside: i64| outside.min(x - c) * (n - c);
        let by_outside = |gain: &dyn Fn(i64, i64) -> i64| {
            (0..=x).map(|outside| of_group(star.joined, x, |own| gain(own, outside))).collect()
        };
        Self { star, most, up: by_outside(&up), down: by_outside(&down) }
    }

    /// The maximum weight in eighths, subject to totals of one class after the other.
    fn most(&self, core: u8, progress: &Progress) -> Result<i64, Refusal> {
        let few = 2 * self.most;
        let classes = pairs(few, few).map(|(sources, targets)| {
            let class = Class { sources, targets };
            (self.limit_of_sum(class, core), class)
        });
        // Potentially largest first: others may then not need to be counted.
        let mut classes: Vec<(i64, Class)> = classes.collect();
        classes.sort_by_key(|(limit, _)| Reverse(*limit));
        let best = AtomicI64::new(0);
        let counted = parallel::map(&classes, |(limit, class)| {
            if *limit > best.load(Ordering::Relaxed) {
                progress.check()?;
                best.fetch_max(self.best(*class, core, progress)?, Ordering::Relaxed);
            }
            Ok(())
        });
        counted.into_iter().collect::<Result<(), Stopped>>()?;
        Ok(best.into_inner())
    }

    /// The maximum weight of covers of equal sizes at all subtrees.
    fn of_equal(&self, core: u8) -> i64 {
        let [joined, groups] = [self.star.joined, self.star.groups].map(i64::from);
        let few = 2 * i64::from(self.most);
        let weight = |(a, c): (u32, u32)| {
            let [a, c] = [a, c].map(|one| i64::from(one) * joined);
            let cut_off = |one: i64| u32::try_from((groups * one).min(few)).unwrap_or(u32::MAX);
            let class = Class { sources: cut_off(a), targets: cut_off(c) };
            let own = self.gain(class, a, c, core)?;
            Some(groups * own + i64::from(core) * (groups * a) * (groups * c))
        };
        pairs(self.most, self.most).filter_map(weight).max().unwrap_or(0)
    }

    /// What a group with these totals adds, besides its part of A·C; `None` where the totals of all
    /// groups are smaller.
    fn gain(&self, class: Class, a: i64, c: i64, core: u8) -> Option<i64> {
        let few = 2 * self.most;
        let outside = |all: u32, own: i64| {
            let capped = if all == few { i64::from(self.most) } else { i64::from(all) - own };
            usize::try_from(capped.min(self.most.into())).ok()
        };
        let up = &self.up[outside(class.targets, c)?];
        let down = &self.down[outside(class.sources, a)?];
        let [row, column] = [a, c].map(usize::try_from);
        let own = up[row.ok()?] + down[column.ok()?];
        Some(i64::from(EIGHTHS) * own - i64::from(core) * a * c)
    }

    /// Largest possible total of one kind: all there may be, or exactly the value below the cap.
    fn limit(&self, cut_off: u32) -> usize {
        let all = self.star.groups * self.star.joined * self.most;
        if cut_off < 2 * self.most { cut_off.min(all) as usize } else { all as usize }
    }

    /// At least the sum that any choice gives: the best gains everywhere, with the largest totals.
    fn limit_of_sum(&self, class: Class, core: u8) -> i64 {
        let greatest = |gains: &[Vec<i64>]| gains.iter().flatten().copied().max().unwrap_or(0);
        let gain = i64::from(EIGHTHS) * (greatest(&self.up) + greatest(&self.down));
        let total = |cut_off| (self.limit(cut_off) as u64).cast_signed();
        let joined = i64::from(core) * total(class.sources) * total(class.targets);
        joined + i64::from(self.star.groups) * gain
    }

    /// The maximum weight of a class. One group after the other; a row for every A, a column for
    /// every C.
    fn best(&self, class: Class, core: u8, progress: &Progress) -> Result<i64, Stopped> {
        let (rows, columns) = (self.limit(class.sources) + 1, self.limit(class.targets) + 1);
        let of_group = (self.star.joined * self.most) as usize;
        let mut sums = vec![NONE; rows * columns];
        sums[0] = 0;
        for done in 0..self.star.groups as usize {
            let reached = &sums[..(done * of_group + 1).min(rows) * columns];
            let mut next = vec![NONE; rows * columns];
            for (a, c) in pairs(of_group.min(rows - 1), of_group.min(columns - 1)) {
                progress.check()?;
                let [own_a, own_c] = [a, c].map(|own| (own as u64).cast_signed());
                let Some(gain) = self.gain(class, own_a, own_c, core) else { continue };
                add_group(reached, &mut next, columns, (a, c), gain);
            }
            sums = next;
        }
        let few = 2 * self.most as usize;
        let is_of_class = |total: usize, cut_off: u32| total.min(few) == cut_off as usize;
        let joined = |(place, sum): (usize, i64)| {
            let (a, c) = (place / columns, place % columns);
            let is_one =
                sum > NONE / 2 && is_of_class(a, class.sources) && is_of_class(c, class.targets);
            is_one.then(|| i64::from(core) * ((a * c) as u64).cast_signed() + sum)
        };
        Ok(sums.into_iter().enumerate().filter_map(joined).max().unwrap_or(0))
    }
}

/// All (a,c) with 0 ≤ a ≤ `most` and 0 ≤ c ≤ `of_other`.
fn pairs<N: Copy>(most: N, of_other: N) -> impl Iterator<Item = (N, N)>
where
    RangeInclusive<N>: Iterator<Item = N>,
    u8: Into<N>,
{
    let upto = |most: N| 0.into()..=most;
    upto(most).flat_map(move |a| upto(of_other).map(move |c| (a, c)))
}

/// The best sums with one more group of these totals. The last rows would be above the limit.
fn add_group(sums: &[i64], next: &mut [i64], columns: usize, (a, c): (usize, usize), gain: i64) {
    for (old, new) in sums.chunks(columns).zip(next.chunks_mut(columns).skip(a)) {
        for (new, old) in new[c..].iter_mut().zip(old) {
            *new = (*new).max(old + gain);
        }
    }
}

/// The most that `count` subtrees gain, by the total of their own hosts in covers, of which each has
/// 0..=x.
fn of_group(count: u32, x: i64, gain: impl Fn(i64) -> i64) -> Vec<i64> {
    let gains: Vec<i64> = (0..=x).map(gain).collect();
    let mut best = vec![0];
    for _ in 0..count {
        let mut next = vec![NONE; best.len() + gains.len() - 1];
        for (total, sum) in best.iter().enumerate() {
            for (own, gain) in gains.iter().enumerate() {
                next[total + own] = next[total + own].max(sum + gain);
            }
        }
        best = next;
    }
    best
}

#[cfg(test)]
mod tests;
