//! What a port carries, against exhaustive counts and printed bounds.

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
fn it_is_the_exhaustive_count() {
    for (hosts, subtrees, most, exact) in [
        (2, 2, 1, 4),
        (3, 2, 1, 6),
        (3, 2, 2, 12),
        (4, 2, 2, 16),
        (4, 2, 3, 24),
        (2, 3, 1, 8),
        (1, 4, 1, 12),
        (3, 3, 1, 12),
        (2, 4, 1, 12),
        (3, 4, 1, 18),
        (1, 5, 1, 20),
    ] {
        let star = Star { hosts, subtrees };
        let found = Brute::new(star, most).search(&mut Vec::new());
        assert_eq!(
            (u64::from(found), star.most_pairs(most)),
            (exact, Ok(exact)),
            "{star:?} {most}"
        );
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
fn all_pairs_fit_when_covers_hold_all_hosts() {
    let star = Star { hosts: 3, subtrees: 4 };
    assert_eq!(u128::from(star.most_pairs(3).unwrap()), star.pairs());
    assert_eq!(star.most_pairs(9).unwrap(), star.most_pairs(3).unwrap());
    assert_eq!(star.most_pairs(0).unwrap(), 0);
}

/// Ports of every number that carry all pairs by construction are not too small.
#[test]
fn what_carries_all_pairs_is_not_too_small() {
    let fits = |n, r, ports, most, times| {
        !Star { hosts: n, subtrees: r }.is_too_small(ports, most, times).unwrap()
    };
    for (n, r) in itertools::iproduct!(1..=6, 2..=9) {
        let ports = u64::from(n) * u64::from(n);
        // One port for each pair of places of the two hosts in their subtrees.
        assert!(fits(n, r, ports, 1, 1), "{n} {r}");
        // One for each host, for what it sends to higher subtrees and receives from them.
        assert!(fits(n, r, u64::from(n) * u64::from(r - 1), 1, 1), "{n} {r}");
        // One for each host, for all that it sends and receives: every pair twice.
        assert!(fits(n, r, u64::from(n) * u64::from(r), 1, 2), "{n} {r}");
        assert!(!fits(n, r, 0, 1, 1), "{n} {r}");
    }
}

#[test]
fn full_ports_do_not_fit_together() {
    let eft2 = Star { hosts: 9, subtrees: 4 };
    assert_eq!(eft2.least_ports(2, 1), Ok(10));
    // Every host sends and receives through a port of its own, which is each pair twice.
    assert_eq!(eft2.least_ports(2, 2), Ok(18));
    assert_eq!(eft2.least_ports(2, 3), Ok(28));
    // From rX = 2n on every subtree can have sources and destinations; two subtrees can share.
    assert_eq!(Star { hosts: 2, subtrees: 4 }.least_ports(1, 1), Ok(4));
    assert_eq!(Star { hosts: 3, subtrees: 2 }.least_ports(1, 1), Ok(3));
    assert_eq!(Star { hosts: 3, subtrees: 3 }.least_ports(1, 1), Ok(5));
    assert_eq!(Star { hosts: 3, subtrees: 4 }.least_ports(1, 1), Ok(7));
}

/// Sizes are refused before any arithmetic overflows.
#[test]
fn stars_of_any_size_are_counted_or_refused() {
    let large = u32::MAX;
    for (hosts, subtrees, most) in itertools::iproduct!([1, 2, large], [2, large], [0, 1, large]) {
        let star = Star { hosts, subtrees };
        let pairs = u128::from(subtrees) * u128::from(subtrees - 1) * u128::from(hosts).pow(2);
        assert_eq!(star.pairs(), pairs);
        let x = u128::from(most.min(hosts));
        let count =
            u128::from(subtrees - 1) * x * (u128::from(subtrees) * x).max(2 * u128::from(hosts));
        assert_eq!(star.most_pairs(most).ok(), u64::try_from(count).ok(), "{star:?} {most}");
        assert_eq!(star.is_too_small(u64::MAX, most, large).is_ok(), star.most_pairs(most).is_ok());
    }
}
