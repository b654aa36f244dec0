//! The count against its definition, exhaustive counts and printed bounds.

use super::*;
use crate::progress::Stop;

fn quiet() -> Progress {
    Progress::silent()
}

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
        let down = |t: u32| {
            let counts = self.covers[t as usize].iter().map(|cover| self.pairs_down(up, t, *cover));
            counts.max().unwrap_or(0)
        };
        (0..self.star.subtrees).map(down).sum()
    }

    /// Pairs that go down to subtree t.
    fn pairs_down(&self, up: &[(u32, u32)], t: u32, (own, other): (u32, u32)) -> u32 {
        let n = self.star.hosts;
        let mut count = 0;
        for d in (t * n)..(t + 1) * n {
            for (from, (sources, targets)) in (0..).zip(up).filter(|(f, _)| *f != t) {
                for s in (from * n)..(from + 1) * n {
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
        (2, 4, 1, 12, 12),
        (3, 4, 1, 18, 18),
        (1, 5, 1, 20, 20),
    ] {
        let star = Star { hosts, subtrees };
        let found = Brute::new(star, most).search(&mut Vec::new());
        let counted = star.most_pairs(most).unwrap();
        assert_eq!((u64::from(found), counted), (exact, bound), "{star:?} {most}");
    }
}

/// The closed form for X = 1 is the maximum that the count finds, and with all covers of equal sizes
/// no more.
#[test]
fn one_host_per_cover_is_a_closed_form() {
    for hosts in 1..=12_u32 {
        for subtrees in 2..=14_u32 {
            let star = Star { hosts, subtrees };
            let counted = star.most_weight(1, EIGHTHS, &quiet()).unwrap() / EIGHTHS;
            let closed = i64::from(subtrees - 1) * i64::from(subtrees.max(2 * hosts));
            assert_eq!(counted, closed, "{star:?}");
            assert_eq!(star.most_pairs(1).unwrap(), closed.cast_unsigned(), "{star:?}");
            assert!(star.most_equal_pairs(1).unwrap() <= closed.cast_unsigned(), "{star:?}");
        }
    }
    // Where a count would be refused.
    let large = Star { hosts: 1000, subtrees: 1_000_000 };
    assert_eq!(large.most_pairs(1).unwrap(), 999_999_000_000);
    let largest = Star { hosts: u32::MAX, subtrees: u32::MAX };
    assert!(matches!(largest.most_pairs(1), Err(Refusal::TooLarge(_))));
    assert!(largest.most_equal_pairs(1).is_err());
}

/// What any pairs can attain by the proof in `COUNTING.md` is what the count finds.
#[test]
fn any_number_of_hosts_per_cover_has_a_closed_form() {
    for (hosts, subtrees) in itertools::iproduct!(1..=6_u32, 2..=6_u32) {
        for most in 1..=hosts.min(4) {
            let star = Star { hosts, subtrees };
            let closed = (subtrees - 1) * most * (subtrees * most).max(2 * hosts);
            assert_eq!(star.most_pairs(most).unwrap(), u64::from(closed), "{star:?} {most}");
        }
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
    // FT(4,4), X = 2. A port of step 3 has subtrees of 4 hosts, 8 of them; of step 4, 4 of 8 hosts.
    // With two sources and two destinations in each cover of step 3, a star of step 4 sees 4 hosts
    // per subtree and carries 48 pairs: 96 in two of them, of the 192 required.
    let (low, high) = (Star { hosts: 4, subtrees: 8 }, Star { hosts: 4, subtrees: 4 });
    let pairs = |star: Star| star.most_pairs(2).unwrap();
    assert_eq!((pairs(low), pairs(high)), (224, 48));
    let nested = low.most_nested_pairs(2, 96, 0, &quiet()).unwrap();
    assert!((96..192).contains(&nested), "{nested}");
    // Stars above that carry everything change nothing.
    assert!(low.most_nested_pairs(2, 1 << 40, 0, &quiet()).unwrap() >= 224);
}

#[test]
fn all_pairs_fit_when_covers_hold_all_hosts() {
    let star = Star { hosts: 3, subtrees: 4 };
    assert_eq!(u128::from(star.most_pairs(3).unwrap()), star.pairs());
    assert_eq!(star.most_pairs(9).unwrap(), star.most_pairs(3).unwrap());
}

#[test]
fn too_much_work_is_refused() {
    let large = Star { hosts: 1 << 20, subtrees: 1 << 20 };
    assert!(matches!(large.most_pairs(1 << 10), Err(Refusal::TooLarge(_))));
}

/// The count by its definition: every choice of a and c for every subtree.
fn by_definition(star: Star, most: u32, core: i64) -> i64 {
    let own: Vec<(u32, u32)> = (0..=most).cartesian_product(0..=most).collect();
    let choices = std::iter::repeat_n(own.iter(), star.subtrees as usize);
    let weight = |chosen: Vec<&(u32, u32)>| {
        let (all_a, all_c) =
            chosen.iter().fold((0, 0), |(all_a, all_c), (a, c)| (all_a + a, all_c + c));
        let (sources, targets) = (all_a.min(2 * most), all_c.min(2 * most));
        let count = Count { star, most, sources, targets, core };
        let gains: i64 = chosen.iter().map(|(a, c)| count.gain(*a, *c)).sum();
        core * i64::from(all_a) * i64::from(all_c) + gains
    };
    choices.multi_cartesian_product().map(weight).max().unwrap()
}

#[test]
fn leaving_out_what_cannot_be_best_changes_nothing() {
    for (hosts, subtrees, most) in
        [(1, 2, 1), (3, 5, 1), (4, 3, 2), (5, 4, 2), (9, 3, 3), (6, 2, 6), (20, 3, 4)]
    {
        let star = Star { hosts, subtrees };
        for core in 0..=EIGHTHS {
            let found = star.most_weight(most, core, &quiet()).unwrap();
            assert_eq!(found, by_definition(star, most, core), "{star:?} {most} {core}");
            assert!(star.equal_weight(most, core) <= found, "{star:?} {most} {core}");
        }
    }
}

/// The same where all subtrees choose alike.
fn equal_by_definition(star: Star, most: u32, core: i64) -> i64 {
    let weight = |(a, c): (u32, u32)| {
        let (all_a, all_c) = (a * star.subtrees, c * star.subtrees);
        let (sources, targets) = (all_a.min(2 * most), all_c.min(2 * most));
        let gain = Count { star, most, sources, targets, core }.gain(a, c);
        core * i64::from(all_a) * i64::from(all_c) + i64::from(star.subtrees) * gain
    };
    (0..=most).cartesian_product(0..=most).map(weight).max().unwrap()
}

/// The least over all parts, as `COUNTING.md` states it.
fn nested_by_definition(weight: impl Fn(i64) -> i64, larger: i64) -> u128 {
    let nested = |part| (weight(part) + (EIGHTHS - part) * larger) / EIGHTHS;
    u128::from((0..EIGHTHS).map(nested).min().unwrap().cast_unsigned())
}

#[test]
fn nested_counts_are_the_least_over_all_parts() {
    for (hosts, subtrees, most) in
        [(1, 3, 1), (2, 3, 1), (2, 3, 2), (3, 4, 2), (5, 4, 1), (4, 2, 3)]
    {
        let star = Star { hosts, subtrees };
        for larger in [0, 1, 5, 12, 17, 1000] {
            let place = format!("{star:?} {most} {larger}");
            let wide = u128::try_from(larger).unwrap();
            let defined = nested_by_definition(|part| by_definition(star, most, part), larger);
            let found = star.most_nested_pairs(most, wide, 0, &quiet()).unwrap();
            assert_eq!(found, defined.min(star.pairs()), "{place}");
            let equal = nested_by_definition(|part| equal_by_definition(star, most, part), larger);
            assert_eq!(star.most_equal_nested_pairs(most, wide).unwrap(), equal, "{place}");
        }
    }
    // With X = n not all pairs are carried, if nothing passes the larger stars; with X = n + 1 they
    // are, whatever passes.
    let star = Star { hosts: 2, subtrees: 3 };
    assert!(star.most_nested_pairs(2, 0, 0, &quiet()).unwrap() < star.pairs());
    assert_eq!(star.most_nested_pairs(3, 0, 0, &quiet()).unwrap(), star.pairs());
    assert_eq!(star.most_equal_nested_pairs(3, 0).unwrap(), star.pairs());
}

#[test]
fn equal_covers_carry_no_more() {
    // [NB] Lemma 2: r(r - 1) pairs, which covers of one host each carry.
    assert_eq!(Star { hosts: 3, subtrees: 6 }.most_equal_pairs(1).unwrap(), 30);
    for (hosts, subtrees, most) in
        [(1, 2, 1), (3, 5, 1), (4, 3, 2), (5, 4, 2), (9, 4, 3), (20, 3, 5), (6, 2, 9)]
    {
        let star = Star { hosts, subtrees };
        let equal = equal_by_definition(star, most.min(hosts), EIGHTHS) / EIGHTHS;
        assert_eq!(star.most_equal_pairs(most).unwrap(), equal.cast_unsigned(), "{star:?} {most}");
        assert!(star.most_equal_pairs(most).unwrap() <= star.most_pairs(most).unwrap());
    }
}

/// Otherwise a count that is the best could be left out, and too low a bound be believed.
#[test]
fn no_count_is_above_what_it_promises() {
    for (hosts, subtrees, most) in [(1, 3, 1), (3, 4, 2), (2, 5, 2), (4, 3, 3), (5, 2, 4)] {
        let star = Star { hosts, subtrees };
        for (sources, targets) in (0..=2 * most).cartesian_product(0..=2 * most) {
            for core in 0..=EIGHTHS {
                let count = Count { star, most, sources, targets, core };
                let best = count.best(&quiet()).unwrap();
                assert!(best <= count.limit_of_sum(), "{star:?} {most} {sources} {targets} {core}");
            }
        }
    }
}

#[test]
fn gains_by_hand() {
    let gain = |hosts, most, (sources, targets), core, own: (u32, u32)| {
        let star = Star { hosts, subtrees: 3 };
        Count { star, most, sources, targets, core }.gain(own.0, own.1)
    };
    // n = 4, X = 3, C = 1: Y = 1 gives 1·4, and X − Y = 2 give min(X, n) = 3 each; A = 0, Z = 0.
    assert_eq!(gain(4, 3, (0, 1), EIGHTHS, (0, 0)), EIGHTHS * (4 + 6));
    // n = X = 3, a = 1, A = 1, C = 1: Y = 1 gives 2, and X − a − Y = 1 gives min(X, n − a) = 2.
    assert_eq!(gain(3, 3, (1, 1), EIGHTHS, (1, 0)), EIGHTHS * (2 + 2));
    // n = 4, X = 3, a = 1, c = 2, A = 4, C = 5: Y = 2 gives 2·3, Z = 1 gives 2; less a·c = 2.
    assert_eq!(gain(4, 3, (4, 5), 5, (1, 2)), EIGHTHS * (6 + 2) - 5 * 2);
}

#[test]
fn work_by_hand() {
    let star = Star { hosts: 5, subtrees: 3 };
    // r(X + 1)² = 27 times (rX + 1 + (2X + 1)²)² = 32².
    assert_eq!(star.work(2), 27 * 1024);
    // X is at most n = 5: 3·36 times (16 + 121)².
    assert_eq!((star.work(5), star.work(6)), (108 * 137 * 137, 108 * 137 * 137));
}

#[test]
fn a_nested_count_ends_when_it_is_low_enough() {
    let low = Star { hosts: 4, subtrees: 8 };
    let least = low.most_nested_pairs(2, 96, 0, &quiet()).unwrap();
    assert!(low.most_nested_pairs(2, 96, 200, &quiet()).unwrap() >= least);
    assert!(low.most_equal_nested_pairs(2, 96).unwrap() <= least);
}

#[test]
fn a_count_is_stopped() {
    let stop = Stop::at(None);
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    let large = Star { hosts: 50, subtrees: 50 }.most_pairs_until(8, &stopped);
    assert_eq!(large, Err(Refusal::Stopped(Stopped)));
}

/// Sizes that no table could have are refused before any arithmetic overflows.
#[test]
fn stars_of_any_size_are_counted_or_refused() {
    let most = u32::MAX;
    for hosts in [1, 2, most] {
        for subtrees in [2, most] {
            let star = Star { hosts, subtrees };
            let pairs = u128::from(subtrees) * u128::from(subtrees - 1) * u128::from(hosts).pow(2);
            assert_eq!(star.pairs(), pairs);
            for x in [0, 1, most] {
                let is_counted = if x.min(hosts) == 1 {
                    // (r − 1)·max(r,2n) is not counted, but has to fit.
                    (hosts, subtrees) != (most, most)
                } else {
                    star.work(x) <= u128::from(MAX_WORK)
                };
                assert_eq!(star.most_pairs(x).is_ok(), is_counted, "{star:?} {x}");
                assert_eq!(star.most_equal_pairs(x).is_ok(), is_counted, "{star:?} {x}");
            }
        }
    }
    assert!(Star { hosts: most, subtrees: most }.most_pairs(most).is_err());
    assert!(Star { hosts: most, subtrees: most }.most_equal_nested_pairs(most, 0).is_err());
}
