//! The count against its definition, and against covers.

use itertools::{Itertools as _, iproduct};

use super::*;
use crate::checker::Star;
use crate::progress::Stop;

const ALL: u8 = EIGHTHS;

fn quiet() -> Progress {
    Progress::silent()
}

fn star(hosts: u32, joined: u32, groups: u32) -> NestedStar {
    NestedStar { hosts, joined, groups }
}

/// With groups of one subtree and the whole core it is what a star carries.
#[test]
fn without_larger_stars_it_is_what_a_star_carries() {
    for (hosts, subtrees) in iproduct!(1..=6_u32, 2..=6_u32) {
        for most in 1..=hosts.min(4) {
            let counted = Gains::new(star(hosts, 1, subtrees), most).most(ALL, &quiet()).unwrap();
            let closed = Star { hosts, subtrees }.most_pairs(most).unwrap();
            assert_eq!(counted.cast_unsigned(), 8 * closed, "{hosts} {subtrees} {most}");
        }
    }
}

/// Numbers of a linear congruential generator (Knuth's MMIX), which is enough to climb by.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, count: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(((self.0 >> 32) * u64::from(count)) >> 32).unwrap()
    }
}

/// Hosts of subtree t are t·n..(t+1)·n; sets of hosts are bits. Covers are those of links up, then
/// of links down.
struct Covers {
    star: NestedStar,
    up: Vec<u32>,
    down: Vec<u32>,
}

impl Covers {
    fn random(star: NestedStar, most: u32, words: &mut Numbers) -> Self {
        let subtrees = star.joined * star.groups;
        let mut cover = |_| {
            (0..most)
                .map(|_| 1 << words.below(subtrees * star.hosts))
                .fold(0, |all, one: u32| all | one)
        };
        let up = (0..subtrees).map(&mut cover).collect();
        Self { star, up, down: (0..subtrees).map(cover).collect() }
    }

    /// The weight of all pairs between groups, in eighths, where those of the core count `core`.
    fn weight(&self, core: u8) -> i64 {
        let NestedStar { hosts: n, joined, groups } = self.star;
        let all = || 0..n * joined * groups;
        let pairs = iproduct!(all(), all()).filter(|(s, d)| s / n / joined != d / n / joined);
        let has = |set: u32, host: u32| set >> host & 1 == 1;
        let weights = pairs.map(|(s, d)| {
            let (up, down) = (self.up[(s / n) as usize], self.down[(d / n) as usize]);
            let is_carried = (has(up, s) || has(up, d)) && (has(down, d) || has(down, s));
            let is_core = has(up, s) && has(down, d);
            i64::from(is_carried) * i64::from(if is_core { core } else { ALL })
        });
        weights.sum()
    }

    /// The cover of a link, links up first.
    fn cover(&mut self, link: u32) -> &mut u32 {
        let up = u32::try_from(self.up.len()).unwrap();
        let (covers, place) =
            if link < up { (&mut self.up, link) } else { (&mut self.down, link - up) };
        &mut covers[place as usize]
    }

    /// Changes one host of one cover as long as the weight does not fall.
    fn climb(&mut self, core: u8, steps: u32, words: &mut Numbers) -> i64 {
        let subtrees = self.star.joined * self.star.groups;
        let mut best = self.weight(core);
        for _ in 0..steps {
            let (link, host) = (words.below(2 * subtrees), words.below(subtrees * self.star.hosts));
            let before = *self.cover(link);
            let out = words.below(before.count_ones());
            let members = (0..32).filter(|host| before >> host & 1 == 1);
            let out = 1 << members.into_iter().nth(out as usize).unwrap();
            *self.cover(link) = before & !out | 1 << host;
            let weight = self.weight(core);
            if weight < best {
                *self.cover(link) = before;
            }
            best = best.max(weight);
        }
        best
    }
}

/// Covers found by climbing never carry more, and often as much.
#[test]
fn no_covers_carry_more() {
    let mut reached = 0;
    for (at, (hosts, joined, groups, most)) in (0..).zip([
        (2, 2, 2, 1),
        (3, 2, 2, 1),
        (3, 2, 2, 2),
        (2, 2, 3, 1),
        (2, 3, 2, 2),
        (4, 2, 3, 2),
    ]) {
        let star = star(hosts, joined, groups);
        let gains = Gains::new(star, most);
        for core in [0, 3, 6, 8] {
            let bound = gains.most(core, &quiet()).unwrap();
            let mut words = Numbers(at);
            for _ in 0..20 {
                let found = Covers::random(star, most, &mut words).climb(core, 400, &mut words);
                assert!(found <= bound, "{star:?} {most} {core}: {found} of {bound}");
                reached += u32::from(found == bound);
            }
        }
    }
    assert!(reached >= 10, "{reached}");
}

/// The count by its definition: every choice of a and c for every subtree.
fn by_definition(star: NestedStar, most: u32, core: u8) -> i64 {
    let own: Vec<(u32, u32)> = iproduct!(0..=most, 0..=most).collect();
    let choices = std::iter::repeat_n(own.iter().copied(), (star.joined * star.groups) as usize);
    choices.multi_cartesian_product().map(|chosen| weight(star, most, core, &chosen)).max().unwrap()
}

/// The expression of `COUNTING.md` for these sizes.
fn weight(star: NestedStar, most: u32, core: u8, sizes: &[(u32, u32)]) -> i64 {
    let (x, n) = (i64::from(most), i64::from(star.hosts));
    let sizes: Vec<(i64, i64)> = sizes.iter().map(|(a, c)| ((*a).into(), (*c).into())).collect();
    let total =
        |of: &[(i64, i64)]| of.iter().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    let (all_a, all_c) = total(&sizes);
    let outside = |all: i64, own: i64| if all >= 2 * x { x } else { all - own };
    let mut weight = i64::from(core) * all_a * all_c;
    for group in sizes.chunks(star.joined as usize) {
        let (group_a, group_c) = total(group);
        weight -= i64::from(core) * group_a * group_c;
        for (a, c) in group {
            let good = outside(all_c, group_c).min(x - a);
            let down = outside(all_a, group_a).min(x - c);
            weight += 8 * (good * (n - a) + (x - a - good) * x.min(n - a) + down * (n - c));
        }
    }
    weight
}

#[test]
fn leaving_out_what_cannot_be_best_changes_nothing() {
    for (hosts, joined, groups, most) in [
        (1, 1, 2, 1),
        (3, 1, 5, 1),
        (3, 2, 3, 1),
        (4, 1, 3, 2),
        (5, 2, 2, 2),
        (9, 1, 3, 3),
        (6, 1, 2, 6),
    ] {
        let star = star(hosts, joined, groups);
        let gains = Gains::new(star, most);
        for core in 0..=ALL {
            let found = gains.most(core, &quiet()).unwrap();
            assert_eq!(found, by_definition(star, most, core), "{star:?} {most} {core}");
            let equal =
                |(a, c)| weight(star, most, core, &vec![(a, c); (joined * groups) as usize]);
            let equal = iproduct!(0..=most, 0..=most).map(equal).max().unwrap();
            assert_eq!(gains.of_equal(core), equal, "{star:?} {most} {core}");
            assert!(equal <= found, "{star:?} {most} {core}");
        }
    }
}

/// The least over all parts, as `COUNTING.md` states it.
#[test]
fn nested_counts_are_the_least_over_all_parts() {
    for (hosts, joined, groups, most) in [(1, 1, 3, 1), (2, 1, 3, 2), (3, 2, 2, 2), (5, 1, 4, 1)] {
        let star = star(hosts, joined, groups);
        for larger in [0_u32, 1, 5, 12, 17, 1000] {
            let of_part = |core: u8| {
                let own = by_definition(star, most, core) + i64::from(8 - core) * i64::from(larger);
                u128::from(own.cast_unsigned()) / 8
            };
            let defined = (0..8).map(of_part).min().unwrap().min(star.pairs());
            let found = star.most_pairs(most, larger.into(), 0, &quiet()).unwrap();
            assert_eq!(found, defined, "{star:?} {most} {larger}");
            assert!(star.most_equal_pairs(most, larger.into()).unwrap() <= found);
        }
    }
    // With X = n not all pairs are carried, if nothing passes the larger stars; with X = n + 1 they
    // are, whatever passes.
    let star = star(2, 1, 3);
    assert!(star.most_pairs(2, 0, 0, &quiet()).unwrap() < star.pairs());
    assert_eq!(star.most_pairs(3, 0, 0, &quiet()).unwrap(), star.pairs());
    assert_eq!(star.most_equal_pairs(3, 0).unwrap(), star.pairs());
}

#[test]
fn nested_stars_by_hand() {
    // FT(4,4), X = 2. A port of step 3 has subtrees of 4 hosts, two in each of four groups of 8. With
    // two sources and two destinations in each cover of step 3, a star of step 4 sees 4 hosts per
    // group and carries 48 pairs: 96 in two of them, of the 192 required.
    let low = star(4, 2, 4);
    assert_eq!(Star { hosts: 4, subtrees: 4 }.most_pairs(2), Ok(48));
    assert_eq!(low.pairs(), 4 * 192);
    let nested = low.most_pairs(2, 96, 0, &quiet()).unwrap();
    assert!((96..192).contains(&nested), "{nested}");
    // Stars above that carry everything leave what covers of this height carry between groups: two
    // sources and two destinations everywhere.
    assert_eq!(low.most_pairs(2, 1 << 40, 0, &quiet()).unwrap(), low.pairs());
    assert_eq!(Gains::new(low, 2).most(ALL, &quiet()).unwrap(), 8 * 4 * 48);
}

/// Otherwise a count that is the best could be left out, and too low a bound be believed.
#[test]
fn no_count_is_above_what_it_promises() {
    for (hosts, joined, groups, most) in [(1, 1, 3, 1), (3, 2, 2, 2), (2, 1, 5, 2), (4, 3, 3, 3)] {
        let star = star(hosts, joined, groups);
        let gains = Gains::new(star, most);
        for (sources, targets) in iproduct!(0..=2 * most, 0..=2 * most) {
            let class = Class { sources, targets };
            for core in 0..=ALL {
                let best = gains.best(class, core, &quiet()).unwrap();
                assert!(
                    best <= gains.limit_of_sum(class, core),
                    "{star:?} {most} {sources} {targets} {core}"
                );
            }
        }
    }
}

#[test]
fn work_by_hand() {
    // R(gX + 1)² = 3·25 times (RgX + 1 + X(2X + 1))² = 23².
    assert_eq!(star(5, 2, 3).work(2), 75 * 23 * 23);
    // Nothing is counted where covers hold all hosts of a subtree and one more.
    assert_eq!(star(5, 2, 3).work(6), 0);
    let large = star(u32::MAX, u32::MAX, u32::MAX);
    assert!(matches!(large.most_pairs(1 << 20, 0, 0, &quiet()), Err(Refusal::TooLarge(_))));
    assert!(large.most_equal_pairs(1 << 20, 0).is_err());
}

#[test]
fn a_nested_count_ends_when_it_is_low_enough() {
    let low = star(4, 2, 4);
    let least = low.most_pairs(2, 96, 0, &quiet()).unwrap();
    assert!(low.most_pairs(2, 96, 200, &quiet()).unwrap() >= least);
    assert!(low.most_equal_pairs(2, 96).unwrap() <= least);
}

#[test]
fn a_count_is_stopped() {
    let stop = Stop::at(None);
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    let found = star(50, 2, 25).most_pairs(4, 0, 0, &stopped);
    assert_eq!(found, Err(Refusal::Stopped(Stopped)));
}
