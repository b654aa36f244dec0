#![doc = include_str!("COUNTING.md")]

use crate::limit::{TooLarge, within};

/// Most additions of a count.
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
    /// O(X³·r³·X²), in integers.
    ///
    /// # Errors
    /// [`TooLarge`] when that is more than 2^32 additions.
    ///
    /// ```
    /// use routebound::checker::Star;
    /// // FT(6,2): a root carries at most 30 pairs with X = 1; three roots cannot carry 270.
    /// assert_eq!(Star { hosts: 3, subtrees: 6 }.most_pairs(1)?, 30);
    /// # Ok::<(), routebound::limit::TooLarge>(())
    /// ```
    pub fn most_pairs(self, most: u32) -> Result<u64, TooLarge> {
        // Covers of all hosts of a subtree carry everything.
        Ok((self.most_weight(most.min(self.hosts), EIGHTHS)? / EIGHTHS).cast_unsigned())
    }

    /// The same for pairs that go on through stars of larger subtrees, which together carry at
    /// most `larger` of the pairs from the sets A to the sets C of this star.
    ///
    /// # Errors
    /// [`TooLarge`] as [`Self::most_pairs`].
    pub(super) fn most_nested_pairs(self, most: u32, larger: u128) -> Result<u128, TooLarge> {
        let mut best = self.pairs();
        if most > self.hosts {
            return Ok(best);
        }
        for part in 0..EIGHTHS {
            let own = u128::from(self.most_weight(most, part)?.cast_unsigned());
            let above = u128::from((EIGHTHS - part).cast_unsigned()) * larger;
            best = best.min((own + above) / u128::from(EIGHTHS.cast_unsigned()));
        }
        Ok(best)
    }

    /// An upper bound, in eighths, where a pair counts 1, but only `core` eighths when its
    /// source is in A and its destination in C.
    fn most_weight(self, most: u32, core: i64) -> Result<i64, TooLarge> {
        self.check_work(most)?;
        let few = 2 * most;
        let class = (0..=few).flat_map(|a| (0..=few).map(move |c| (a, c)));
        let count = |(sources, targets)| Count { star: self, most, sources, targets, core };
        let best = class.map(|class| count(class).best()).max();
        Ok(best.unwrap_or(0))
    }

    /// Number of SD pairs between different subtrees.
    #[must_use]
    pub fn pairs(self) -> u128 {
        let (hosts, subtrees) = (u128::from(self.hosts), u128::from(self.subtrees));
        subtrees * (subtrees - 1) * hosts * hosts
    }

    fn check_work(self, most: u32) -> Result<(), TooLarge> {
        let (most, subtrees) = (u128::from(most), u128::from(self.subtrees));
        let all = subtrees * most + 1;
        let few = 2 * most + 1;
        let work = subtrees * (most + 1).pow(2) * (all + few * few).pow(2);
        within("work of the count", Some(work), MAX_WORK, "choose a smaller tree or ratio")?;
        Ok(())
    }
}

/// The count over all stars whose totals A and C, each cut off at 2X, are these.
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

/// Less than any sum.
const NONE: i64 = i64::MIN;

impl Count {
    /// Largest possible total of a kind: all there may be, or just the number cut off.
    fn limit(&self, cut_off: u32) -> usize {
        let all = self.star.subtrees * self.most;
        if cut_off < 2 * self.most { cut_off.min(all) as usize } else { all as usize }
    }

    /// The most pairs. One subtree after the other; a row for every A, a column for every C.
    fn best(&self) -> i64 {
        let (rows, columns) = (self.limit(self.sources) + 1, self.limit(self.targets) + 1);
        let mut sums = vec![NONE; rows * columns];
        sums[0] = 0;
        for _ in 0..self.star.subtrees {
            sums = self.with_one_more(&sums, rows, columns);
        }
        let mut best = 0;
        for (place, sum) in sums.into_iter().enumerate().filter(|(_, sum)| *sum != NONE) {
            let (a, c) = ((place / columns) as u32, (place % columns) as u32);
            if self.is_of_class(a, c) {
                best = best.max(self.core * i64::from(a) * i64::from(c) + sum);
            }
        }
        best
    }

    fn is_of_class(&self, a: u32, c: u32) -> bool {
        let few = 2 * self.most;
        a.min(few) == self.sources && c.min(few) == self.targets
    }

    fn with_one_more(&self, sums: &[i64], rows: usize, columns: usize) -> Vec<i64> {
        let mut next = vec![NONE; rows * columns];
        for a in 0..=(self.most as usize).min(rows - 1) {
            for c in 0..=(self.most as usize).min(columns - 1) {
                let gain = self.gain(a as u32, c as u32);
                for row in a..rows {
                    let old = &sums[(row - a) * columns..][..columns - c];
                    let new = &mut next[row * columns + c..][..columns - c];
                    for (new, old) in new.iter_mut().zip(old).filter(|(_, old)| **old != NONE) {
                        *new = (*new).max(old + gain);
                    }
                }
            }
        }
        next
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
mod tests {
    use super::*;

    /// Hosts of a subtree are bits; a cover is (own hosts, other hosts).
    struct Brute {
        star: Star,
        covers: Vec<Vec<(u32, u32)>>,
    }

    impl Brute {
        fn new(star: Star, most: u32) -> Self {
            let all = star.hosts * star.subtrees;
            let own = |t: u32| ((1 << star.hosts) - 1) << (t * star.hosts);
            let sets = || (0..1_u32 << all).filter(|set| set.count_ones() == most.min(all));
            let split = |t| sets().map(|set| (set & own(t), set & !own(t))).collect();
            Self { star, covers: (0..star.subtrees).map(split).collect() }
        }

        /// The most pairs, over all covers of the links down, given those of the links up.
        fn most_pairs(&self, up: &[(u32, u32)]) -> u32 {
            let down = |t: usize| {
                let counts = self.covers[t].iter().map(|cover| self.pairs_down(up, t, *cover));
                counts.max().unwrap_or(0)
            };
            (0..self.star.subtrees as usize).map(down).sum()
        }

        /// Pairs that go down to subtree t.
        fn pairs_down(&self, up: &[(u32, u32)], t: usize, (own, other): (u32, u32)) -> u32 {
            let n = self.star.hosts;
            let mut count = 0;
            for d in (t as u32 * n)..(t as u32 + 1) * n {
                for (from, (sources, targets)) in up.iter().enumerate().filter(|(f, _)| *f != t) {
                    for s in (from as u32 * n)..(from as u32 + 1) * n {
                        let is_up = sources >> s & 1 == 1 || targets >> d & 1 == 1;
                        let is_down = own >> d & 1 == 1 || other >> s & 1 == 1;
                        count += u32::from(is_up && is_down);
                    }
                }
            }
            count
        }

        fn search(&self, up: &mut Vec<(u32, u32)>) -> u32 {
            if up.len() == self.star.subtrees as usize {
                return self.most_pairs(up);
            }
            let mut best = 0;
            for cover in &self.covers[up.len()] {
                up.push(*cover);
                best = best.max(self.search(up));
                up.pop();
            }
            best
        }
    }

    #[test]
    fn never_below_the_exhaustive_count() {
        for (hosts, subtrees, most, exact, bound) in [
            (2, 2, 1, 4, 4),
            (3, 2, 1, 6, 6),
            (3, 2, 2, 12, 12),
            (4, 2, 2, 16, 16),
            (4, 2, 3, 24, 24),
            (2, 3, 1, 8, 8),
            (1, 4, 1, 12, 12),
            (3, 3, 1, 12, 12),
        ] {
            let star = Star { hosts, subtrees };
            let found = Brute::new(star, most).search(&mut Vec::new());
            let counted = star.most_pairs(most).unwrap();
            assert_eq!((u64::from(found), counted), (exact, bound), "{star:?} {most}");
        }
    }

    #[test]
    fn printed_bounds_hold() {
        for hosts in 1..=9_u32 {
            for subtrees in 2..=12_u32 {
                let star = Star { hosts, subtrees };
                let (n, r) = (u64::from(hosts), u64::from(subtrees));
                // [NB] Lemma 2.
                let printed = if r > 2 * n { r * (r - 1) } else { 2 * n * r };
                assert!(star.most_pairs(1).unwrap() <= printed, "{star:?}");
                // [OR] Lemma 8.
                for most in (1..=hosts).filter(|most| most * subtrees >= 2 * hosts) {
                    let printed = r * (r - 1) * u64::from(most).pow(2);
                    assert!(star.most_pairs(most).unwrap() <= printed, "{star:?} {most}");
                }
            }
        }
    }

    #[test]
    fn nested_stars_by_hand() {
        // FT(4,4), X = 2. A port of step 3 has subtrees of 4 hosts, 8 of them; of step 4, 4 of 8
        // hosts. With two sources and two destinations in each cover of step 3, a star of step 4
        // sees 4 hosts a subtree and carries 48 pairs. 96 in two of them, of 192 wanted.
        let (low, high) = (Star { hosts: 4, subtrees: 8 }, Star { hosts: 4, subtrees: 4 });
        assert_eq!((low.most_pairs(2).unwrap(), high.most_pairs(2).unwrap()), (224, 48));
        let nested = low.most_nested_pairs(2, 96).unwrap();
        assert!((96..192).contains(&nested), "{nested}");
        // Stars above that carry everything change nothing.
        assert!(low.most_nested_pairs(2, 1 << 40).unwrap() >= 224);
    }

    #[test]
    fn all_pairs_fit_when_covers_hold_all_hosts() {
        let star = Star { hosts: 3, subtrees: 4 };
        assert_eq!(u128::from(star.most_pairs(3).unwrap()), star.pairs());
        assert_eq!(star.most_pairs(9).unwrap(), star.most_pairs(3).unwrap());
    }

    #[test]
    fn too_much_work_is_refused() {
        assert!(Star { hosts: 1 << 20, subtrees: 1 << 20 }.most_pairs(1 << 10).is_err());
    }
}
