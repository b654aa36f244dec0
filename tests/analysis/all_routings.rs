//! All single-path routings of small trees: the count against plain enumeration, the ratio
//! against the analysis, and the claims of the theorems.

#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use routebound::assessment::Assess;
use routebound::integer::{as_size, index32};
use routebound::progress::{Interrupted, Progress};
use routebound::rational::Rational;
use routebound::routing::{Instance, Listed, Routing};
use routebound::synth::enumerate::{Tree, count};
use routebound::topology::{self, host_number};
use routebound::traffic::PathRecord;

/// A tree ftree(n,m,r), its pairs of different leaf switches, and its automorphisms' generators as
/// permutations of top switches and of pairs.
struct Plain {
    n: usize,
    m: usize,
    pairs: Vec<(usize, usize)>,
}

impl Plain {
    fn new(n: usize, m: usize, r: usize) -> Self {
        let hosts = n * r;
        let pairs = (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d)));
        Self { n, m, pairs: pairs.filter(|(s, d)| s / n != d / n).collect() }
    }

    fn routings(&self) -> u64 {
        (self.m as u64).pow(index32(self.pairs.len()))
    }

    /// The top switches of routing number `number`.
    fn tops(&self, mut number: u64) -> Vec<usize> {
        let digit = |_: &(usize, usize)| {
            let top = number % self.m as u64;
            number /= self.m as u64;
            as_size(top)
        };
        self.pairs.iter().map(digit).collect()
    }

    fn number(&self, tops: &[usize]) -> u64 {
        tops.iter().rev().fold(0, |number, top| number * self.m as u64 + *top as u64)
    }

    /// The largest mds of a link, at most m: by augmenting paths.
    fn ratio(&self, tops: &[usize]) -> usize {
        let mut links: BTreeMap<(usize, usize, bool), Vec<(usize, usize)>> = BTreeMap::new();
        for ((s, d), top) in self.pairs.iter().zip(tops) {
            links.entry((s / self.n, *top, true)).or_default().push((*s, *d));
            links.entry((d / self.n, *top, false)).or_default().push((*s, *d));
        }
        links.values().map(|pairs| matching(pairs)).max().unwrap_or(1).min(self.m)
    }

    /// Generators: neighbouring hosts of a leaf, neighbouring leaves, neighbouring top switches.
    fn neighbours(&self, tops: &[usize]) -> Vec<Vec<usize>> {
        let hosts = self.pairs.iter().map(|(s, _)| s + 1).max().unwrap_or(0);
        let mut images = Vec::new();
        let mut swaps: Vec<Vec<usize>> = Vec::new();
        for host in (0..hosts).filter(|host| host % self.n + 1 < self.n) {
            let mut names: Vec<usize> = (0..hosts).collect();
            names.swap(host, host + 1);
            swaps.push(names);
        }
        for leaf in 0..hosts / self.n - 1 {
            let mut names: Vec<usize> = (0..hosts).collect();
            for host in leaf * self.n..(leaf + 1) * self.n {
                names.swap(host, host + self.n);
            }
            swaps.push(names);
        }
        for names in swaps {
            let at = |pair: (usize, usize)| self.pairs.iter().position(|p| *p == pair).unwrap();
            let image = self.pairs.iter().map(|(s, d)| tops[at((names[*s], names[*d]))]);
            images.push(image.collect());
        }
        for top in 0..self.m - 1 {
            let swap = |t: &usize| match *t {
                t if t == top => top + 1,
                t if t == top + 1 => top,
                t => t,
            };
            images.push(tops.iter().map(swap).collect());
        }
        images
    }

    /// Routings and classes by ratio, routing by routing.
    fn count(&self) -> BTreeMap<usize, (u128, u128)> {
        let mut seen = vec![false; as_size(self.routings())];
        let mut counts: BTreeMap<usize, (u128, u128)> = BTreeMap::new();
        for number in 0..self.routings() {
            if std::mem::replace(&mut seen[as_size(number)], true) {
                continue;
            }
            let ratio = self.ratio(&self.tops(number));
            let (mut open, mut size) = (vec![number], 0);
            while let Some(number) = open.pop() {
                size += 1;
                for image in self.neighbours(&self.tops(number)) {
                    let image = self.number(&image);
                    if !std::mem::replace(&mut seen[as_size(image)], true) {
                        open.push(image);
                    }
                }
            }
            let entry = counts.entry(ratio).or_default();
            *entry = (entry.0 + size, entry.1 + 1);
        }
        counts
    }
}

/// Size of a maximum matching, by augmenting paths.
fn matching(pairs: &[(usize, usize)]) -> usize {
    fn augment(
        s: usize,
        pairs: &[(usize, usize)],
        seen: &mut Vec<usize>,
        mate: &mut BTreeMap<usize, usize>,
    ) -> bool {
        for d in pairs.iter().filter(|pair| pair.0 == s).map(|pair| pair.1) {
            if seen.contains(&d) {
                continue;
            }
            seen.push(d);
            if mate.get(&d).copied().is_none_or(|other| augment(other, pairs, seen, mate)) {
                mate.insert(d, s);
                return true;
            }
        }
        false
    }
    let mut mate = BTreeMap::new();
    let mut sources: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
    sources.sort_unstable();
    sources.dedup();
    sources.iter().filter(|s| augment(**s, pairs, &mut Vec::new(), &mut mate)).count()
}

/// Numbers of routings and of classes, by ratio.
type Counts = BTreeMap<usize, (u128, u128)>;

/// The counts of a tree, which are made once for all tests.
fn counted(n: usize, m: usize, r: usize) -> Counts {
    static KNOWN: Mutex<BTreeMap<[usize; 3], Counts>> = Mutex::new(BTreeMap::new());
    let count = || {
        let found = count(&Tree::new(n, m, r).unwrap(), &Progress::silent()).unwrap();
        found.into_iter().map(|c| (c.ratio, (c.routings, c.classes.unwrap()))).collect()
    };
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry([n, m, r]).or_insert_with(count).clone()
}

#[test]
fn counts_equal_plain_enumeration() {
    for (n, m, r) in
        [(1, 1, 2), (1, 2, 3), (1, 3, 3), (2, 1, 2), (2, 1, 3), (2, 2, 2), (2, 3, 2), (2, 4, 2)]
    {
        assert_eq!(counted(n, m, r), Plain::new(n, m, r).count(), "ftree({n},{m},{r})");
    }
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a minute")]
fn counts_equal_plain_enumeration_of_larger_trees() {
    for (n, m, r) in [(3, 2, 2), (1, 3, 4), (2, 2, 3)] {
        assert_eq!(counted(n, m, r), Plain::new(n, m, r).count(), "ftree({n},{m},{r})");
    }
}

/// ftree(2,4,4) has nonblocking routings, all alike up to 17 classes.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a minute")]
fn the_nonblocking_routings_of_ftree_2_4_4() {
    assert_eq!(counted(2, 4, 4)[&1], (29_184, 17));
}

/// The ratio from plain enumeration is the proven oblivious ratio, on slimmed trees too.
#[test]
fn the_ratio_is_the_oblivious_ratio() {
    for (n, m, r) in [(2, 2, 3), (2, 2, 4), (2, 3, 2), (3, 3, 2), (3, 2, 2), (3, 2, 3), (2, 1, 3)] {
        let plain = Plain::new(n, m, r);
        let tree = topology::generate(&format!("ftree({n},{m},{r})")).unwrap();
        let labels = tree.tree().unwrap().clone();
        for sample in 0..20_u64 {
            // Any spread of numbers will do.
            let spread = |i: usize| (sample + 1).wrapping_mul(0x9e37_79b9).rotate_left(index32(i));
            let tops: Vec<usize> = (0..plain.pairs.len()).map(|i| as_size(spread(i)) % m).collect();
            let top = |s: usize, d: usize| {
                plain.pairs.iter().position(|p| *p == (s, d)).map_or(0, |at| tops[at])
            };
            let hosts = host_number(tree.hosts());
            let pairs = (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d)));
            let records = pairs.filter(|(s, d)| s != d).map(|(s, d)| {
                let mut links = Vec::new();
                let digits = [0, index32(top(s as usize, d as usize))];
                let level = labels.nca_level(s, d);
                labels.push_path(s, d, &digits[..level], &mut links);
                PathRecord { s, d, share: Rational::ONE, links }
            });
            let routing = Listed::new("sample".into(), tree.hosts(), records.collect()).unwrap();
            let instance = Instance::trusted(tree.clone(), Box::new(routing) as Box<dyn Routing>);
            let found = Assess::new().embedded().run(&instance).unwrap();
            let expected = Rational::from(plain.ratio(&tops) as u64);
            assert_eq!(found.oblivious_ratio.exact(), Some(&expected), "ftree({n},{m},{r})");
        }
    }
}

/// \[OR\] Theorems 2 and 3 from the other side: no routing of FT(4,2) = ftree(2,2,4) or EFT2(4,3) =
/// ftree(2,2,3) has ratio 1. \[NB\]: the least m of a nonblocking ftree(2,m,r) is 2 for r = 2 and 4
/// for r = 3, that of ftree(3,m,2) is 3.
#[test]
fn the_lower_bounds_are_reached_and_not_passed() {
    let least = |n, m, r| *counted(n, m, r).first_key_value().unwrap().0;
    assert_eq!(counted(2, 2, 4), BTreeMap::from([(2, (1 << 48, 366_870_407_176))]));
    assert_eq!(counted(2, 2, 3), BTreeMap::from([(2, (1 << 24, 178_216))]));
    assert_eq!([least(2, 2, 2), least(2, 2, 3), least(2, 3, 3), least(2, 4, 3)], [1, 2, 2, 1]);
    assert_eq!([least(3, 2, 2), least(3, 3, 2)], [2, 1]);
}

/// The sentences below the table of `results/all-routings`.
#[test]
fn the_findings_hold() {
    assert_eq!(counted(2, 2, 2)[&1], (16, 4));
    assert_eq!(counted(2, 3, 3).keys().copied().collect::<Vec<_>>(), [2]);
    assert_eq!(counted(2, 4, 3)[&1], (4_952_832, 5027));
    let counts = counted(3, 3, 2);
    assert_eq!((counts[&1].0, counts.values().map(|c| c.0).sum::<u128>()), (144, 387_420_489));
    assert!((0.74..0.76).contains(&(counts[&3].0 as f64 / 387_420_489.0)));
    for r in [2, 3] {
        assert_eq!(counted(3, 2, r).keys().copied().collect::<Vec<_>>(), [2]);
    }
}

#[test]
fn what_is_too_large_says_so() {
    let error = Tree::new(4, 4, 4).unwrap_err().to_string();
    assert!(error.contains("number of hosts of a leaf switch is 4"), "{error}");
    let error = Tree::new(3, 5, 6).unwrap_err().to_string();
    assert!(error.contains("number of bits of the number of routings"), "{error}");
    let progress = Progress::silent();
    let stop = routebound::progress::Stop::default();
    stop.request();
    let progress = progress.stopped_by(stop);
    let found = count(&Tree::new(2, 2, 3).unwrap(), &progress);
    assert!(matches!(found, Err(Interrupted::Stopped(_))));
}
