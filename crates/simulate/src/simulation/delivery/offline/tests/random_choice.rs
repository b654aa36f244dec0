//! Theorem 3 of `OFFLINE.md`: messages in any order choose at random among the cycles that have room for them.

use rand::seq::{IndexedRandom, SliceRandom};

use crate::integer::index32;
use crate::sampling::Streams;

/// Capacities of the channels, and the channels of the path of every pair.
struct Tree {
    capacities: Vec<u32>,
    paths: Vec<Vec<usize>>,
}

/// Two hosts: up and down of either.
fn two_hosts(wires: u32) -> Tree {
    Tree { capacities: vec![wires; 4], paths: vec![vec![0, 3], vec![2, 1]] }
}

/// Two subtrees of two hosts: up and down of the hosts, then of the subtrees.
fn four_hosts(host: u32, subtree: u32) -> Tree {
    let mut paths = Vec::new();
    for (s, d) in (0..4).flat_map(|s| (0..4).map(move |d| (s, d))).filter(|(s, d)| s != d) {
        let mut path = vec![2 * s, 2 * d + 1];
        if s / 2 != d / 2 {
            path.extend([8 + 2 * (s / 2), 8 + 2 * (d / 2) + 1]);
        }
        paths.push(path);
    }
    Tree { capacities: [vec![host; 8], vec![subtree; 4]].concat(), paths }
}

impl Tree {
    /// The maximum sum of 1/cap over a path.
    fn sum(&self) -> f64 {
        let of =
            |path: &Vec<usize>| path.iter().map(|c| 1.0 / f64::from(self.capacities[*c])).sum();
        self.paths.iter().map(of).fold(0.0, f64::max)
    }

    /// λ of `messages` messages of every pair.
    fn load_factor(&self, messages: u32) -> f64 {
        let load = |channel: usize| {
            let paths = self.paths.iter().filter(|path| path.contains(&channel)).count();
            f64::from(messages) * paths as f64 / f64::from(self.capacities[channel])
        };
        (0..self.capacities.len()).map(load).fold(0.0, f64::max)
    }

    /// The least T of the theorem for this S and δ.
    fn cycles(&self, sum: f64, messages: u32, delta: f64) -> u32 {
        let by_load = 4.0 * 1.0_f64.exp().powi(3) * sum * self.load_factor(messages);
        let by_channels = 2.0 * sum * (self.capacities.len() as f64 / delta).ln();
        // Rounded up.
        (0..100_000).find(|cycles| f64::from(*cycles) >= by_load.max(by_channels)).unwrap()
    }

    /// In how many cycles some message can find a channel of its path full, whatever the others choose.
    fn most_full(&self, messages: u32) -> u32 {
        let full = |channel: &usize| {
            let paths = self.paths.iter().filter(|path| path.contains(channel)).count();
            (messages * index32(paths) - 1) / self.capacities[*channel]
        };
        let of_path = |path: &Vec<usize>| path.iter().map(full).sum::<u32>();
        self.paths.iter().map(of_path).max().unwrap()
    }

    /// Whether every message finds a cycle.
    fn all_fit(&self, messages: u32, cycles: u32, seed: u64) -> bool {
        let mut random = Streams::new(seed).at(0);
        let mut left = vec![self.capacities.clone(); cycles as usize];
        let mut order: Vec<usize> = (0..messages).flat_map(|_| 0..self.paths.len()).collect();
        order.shuffle(&mut random);
        order.into_iter().all(|pair| {
            let path = &self.paths[pair];
            let room = |cycle: &usize| path.iter().all(|channel| left[*cycle][*channel] > 0);
            let cycles: Vec<usize> = (0..left.len()).filter(room).collect();
            let chosen = cycles.choose(&mut random);
            if let Some(cycle) = chosen {
                for channel in path {
                    left[*cycle][*channel] -= 1;
                }
            }
            chosen.is_some()
        })
    }
}

#[test]
fn random_choices_find_cycles_with_the_stated_probability() {
    let delta = 0.5;
    for (tree, messages) in [
        (two_hosts(1), 5),
        (two_hosts(200), 600),
        (four_hosts(1, 1), 5),
        (four_hosts(1, 2), 5),
        (four_hosts(8, 4), 20),
        (four_hosts(50, 100), 60),
    ] {
        let cycles = tree.cycles(tree.sum().max(0.5), messages, delta);
        let failed = (0..20).filter(|seed| !tree.all_fit(messages, cycles, *seed)).count();
        assert!(failed <= 10, "{:?}: {failed} of 20", tree.capacities);
    }
}

/// All small trees, narrow and wide, with many loads: enough cycles for any choices where S is at least 1/2, and where
/// it is the sum alone, on wide channels fewer than the load factor.
#[test]
fn the_least_sum_is_what_wide_channels_need() {
    let wires = [1, 2, 3, 40, 200, 1000];
    let four = wires.into_iter().flat_map(|host| wires.map(|subtree| four_hosts(host, subtree)));
    let (mut certain, mut too_few) = (0, 0);
    for tree in wires.into_iter().map(two_hosts).chain(four) {
        let narrowest = tree.capacities.iter().copied().min().unwrap();
        for messages in [1, 7, 50, narrowest, 7 * narrowest, 50 * narrowest] {
            for (sum, delta) in [(0.5, 0.01), (0.5, 0.9), (0.7, 0.5), (4.0, 0.5)] {
                let cycles = tree.cycles(tree.sum().max(sum), messages, delta);
                assert!(tree.most_full(messages) < cycles, "{:?} {messages}", tree.capacities);
                certain += 1;
            }
            if f64::from(tree.cycles(tree.sum(), messages, 0.5)) < tree.load_factor(messages) {
                assert!(tree.sum() < 0.5, "{:?} {messages}", tree.capacities);
                too_few += 1;
            }
        }
    }
    assert_eq!(certain, 42 * 6 * 4);
    assert!(too_few > 0);
}

/// The step of the proof that S is needed for: the logarithm of the probability that a channel of a number of wires is the
/// first bad one is at most −T/2S.
#[test]
fn the_step_of_the_proof_holds_from_one_over_e_on() {
    let e = 1.0_f64.exp();
    let holds = |sum: f64, wires: u32, load_factor: f64| {
        let cycles = 4.0 * e.powi(3) * sum * load_factor;
        let wires = f64::from(wires);
        let each = (cycles / (2.0 * e * load_factor)).ln() - (2.0 * e * sum * wires).ln() / wires;
        each > 1.0 - 1e-9
    };
    for sum in [1.0 / e, 0.4, 0.5, 0.7, 1.0, 10.0] {
        for load_factor in [0.01, 1.0, 100.0] {
            assert!((1..=5000).all(|wires| holds(sum, wires, load_factor)), "{sum} {load_factor}");
        }
    }
    assert!(!holds(0.36, 2, 1.0) && !holds(0.01, 200, 100.0));
}

/// With a smaller S the conditions allow fewer cycles than the load factor.
#[test]
fn channels_of_many_wires_need_the_least_sum() {
    let (tree, messages) = (two_hosts(200), 20_000);
    assert!((tree.load_factor(messages) - 100.0).abs() < 1e-9);
    let cycles = tree.cycles(tree.sum(), messages, 0.5);
    assert_eq!(cycles, 81);
    assert!(!tree.all_fit(messages, cycles, 1));
    assert!(tree.cycles(0.5, messages, 0.5) > 100);
}
