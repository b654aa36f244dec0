//! Limited multi-path routing: k of the shortest paths of a pair, with equal shares.
//!
//! \[OR\] VI asks what a network can achieve that supports a limited number of paths per pair, as
//! InfiniBand does (128). A pair with P = w1⋯wL shortest paths uses min(k, P) of them, numbered
//! like their ancestors: up-digits read as one number, W1 most significant. The choices:
//!
//! - `first`: paths 0..k, the lexicographically smallest up-digits;
//! - `random`: k paths, drawn for each pair, every set equally likely;
//! - `shift`: the path of D-mod-k and the k−1 that follow it, modulo P. Consecutive paths differ
//!   in the last digit, so they part as high up as possible;
//! - `disjoint`: path j has W_l = (D_l + j_l) mod w_l, where D are the digits of D-mod-k and
//!   j = j_1 + j_2·w1 + j_3·w1·w2 + …: the lowest digit varies fastest, so the paths part at
//!   the leaf switch. Any w1⋯wl consecutive j use every link of step l once. So no link of
//!   step l is on more than ⌈k/(w1⋯wl)⌉ of the k paths, which is the least possible;
//! - `grid`: paths whose ports at the top carry few sources and few destinations, as the ports of
//!   routing `grid` do for one path; the lowest digit of a port varies fastest.
//!
//! With k = 1, `shift` and `disjoint` are D-mod-k; with k ≥ P all choices are OMRMN. The links of
//! one step are ordered like the ancestor numbers, so the uses follow from the sorted numbers.

mod grid;

use std::num::NonZeroU64;

use rand::Rng;
use serde::Deserialize;

use super::dmodk::mod_k_digit;
use super::pair_table::write_digits;
use super::tree::{HostDigits, UpDigits, labels};
use super::{Routing, RoutingError, UseScratch, Visit};
use crate::limit::within;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::sampling::{Stream, Streams};
use crate::spec::{Spec, SpecError};
use crate::topology::{Host, LinkId, MAX_HEIGHT, Topology, Xgft};
use grid::Windows;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "kpath",
    usage: "kpath(k=K,choice=first|random|disjoint|shift|grid,seed=1)",
    about: "k shortest paths of a pair with equal shares; the seed is for choice=random",
    reference: "[OR] VI; Mahapatra, Yuan and Nienaber, IPDPSW 2012",
    examples: &[
        "kpath(k=2)",
        "kpath(k=3,choice=random,seed=7)",
        "kpath(k=3,choice=disjoint)",
        "kpath(k=2,choice=shift)",
        "kpath(k=1,choice=disjoint)",
        "kpath(k=2,choice=grid)",
    ],
    build: super::Family {
        build,
        digits: super::Digits::None("it is not by digits for every k and choice"),
        defined: true,
    },
};

/// Maximum number of host pairs × shortest paths that `random` draws from, at about 3 ns each.
const MAX_DRAWS: u64 = 1 << 32;

/// Which of the shortest paths a pair uses.
enum Choice {
    First,
    /// Source s owns stream s.
    Random(Box<Streams>),
    Disjoint,
    Shift,
    /// By level of the nearest common ancestors, from 1.
    Grid(Vec<Option<Windows>>),
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let (spec, k, mut choice) = read(spec)?;
    let tree = labels(&spec, topology)?;
    if let Choice::Grid(levels) = &mut choice {
        *levels = (1..=tree.height()).map(|level| Windows::of(tree, level, k)).collect();
    }
    if matches!(choice, Choice::Random(_)) {
        let paths = u128::from(tree.shortest_paths(tree.height()));
        let draws = (tree.hosts() as u128).pow(2) * paths;
        let remedy = "choose a smaller tree, or choice=disjoint";
        within("number of shortest paths to draw from", Some(draws), MAX_DRAWS, remedy)?;
    }
    let start = HostDigits::tabulate(tree, false, |host, l| mod_k_digit(tree, host, l));
    let (shares, spec, tree) = (shares(tree, k), spec.to_string(), tree.clone());
    Ok(Box::new(LimitedPaths { spec, tree, k, choice, start, shares }))
}

#[derive(Deserialize)]
struct Options {
    k: NonZeroU64,
    choice: ChoiceName,
    seed: u64,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum ChoiceName {
    First,
    Random,
    Disjoint,
    Shift,
    Grid,
}

/// The canonical spec, which shows every option that has an effect, with k and the choice. No
/// pair has as many paths as a k beyond 32 bits.
fn read(spec: &Spec) -> Result<(Spec, u32, Choice), SpecError> {
    let Options { k, choice, seed } = spec.read()?;
    let shown = spec.complete();
    let shown = if choice == ChoiceName::Random { shown } else { shown.without("seed") };
    let choice = match choice {
        ChoiceName::First => Choice::First,
        ChoiceName::Random => Choice::Random(Box::new(Streams::new(seed))),
        ChoiceName::Disjoint => Choice::Disjoint,
        ChoiceName::Shift => Choice::Shift,
        ChoiceName::Grid => Choice::Grid(Vec::new()),
    };
    Ok((shown, u32::try_from(k.get()).unwrap_or(u32::MAX), choice))
}

/// k paths per pair on a tree.
struct LimitedPaths {
    spec: String,
    tree: Xgft,
    k: u32,
    choice: Choice,
    /// The digits of D-mod-k.
    start: HostDigits,
    shares: Vec<Vec<Rational>>,
}

impl LimitedPaths {
    /// Number of paths used by a pair whose nearest common ancestors are at `level`.
    fn used(&self, level: usize) -> u32 {
        self.k.min(self.tree.shortest_paths(level))
    }

    /// Calls `visit` with the ancestor number of each path of (s,d).
    fn for_each_ancestor(&self, s: Host, d: Host, mut visit: impl FnMut(u32)) {
        let level = self.tree.nca_level(s, d);
        let (used, paths) = (self.used(level), self.tree.shortest_paths(level));
        let mut start = [0; MAX_HEIGHT];
        let start = &mut start[..level];
        self.start.up_digits(&self.tree, s, d, start);
        match &self.choice {
            Choice::First => (0..used).for_each(visit),
            _ if used == paths => (0..used).for_each(visit),
            Choice::Random(streams) => {
                // Two words per path of any pair.
                let most = self.tree.shortest_paths(self.tree.height());
                let mut words = streams.from_word(s.into(), 2 * u128::from(most) * u128::from(d));
                sample(&mut words, used, paths, visit);
            }
            Choice::Shift => {
                let first = self.number(start, 0);
                (0..used).for_each(|j| visit((first + j) % paths));
            }
            Choice::Disjoint => (0..used).for_each(|j| visit(self.number(start, j))),
            Choice::Grid(levels) => {
                start.fill(0);
                match levels[level - 1] {
                    Some(windows) => {
                        let ports = windows.ports(s, d).take(used as usize);
                        ports.for_each(|port| visit(self.number(start, port)));
                    }
                    None => (0..used).for_each(|port| visit(self.number(start, port))),
                }
            }
        }
    }

    /// The number of the ancestor with digits (D_l + j_l) mod w_l, `start` being D.
    fn number(&self, start: &[u32], mut j: u32) -> u32 {
        let mut number = 0;
        for (l, digit) in start.iter().enumerate() {
            let ports = self.tree.parents(l + 1);
            number = number * ports + (digit + j % ports) % ports;
            j /= ports;
        }
        number
    }
}

/// `used` of the numbers 0..paths, ascending, every set equally likely: number i is taken with
/// probability (numbers still wanted) ÷ (numbers still to come), to within 2^-42.
fn sample(words: &mut Stream, used: u32, paths: u32, mut visit: impl FnMut(u32)) {
    let mut wanted = used;
    for i in 0..paths {
        let draw = (u128::from(words.next_u64()) * u128::from(paths - i)) >> 64;
        if draw < u128::from(wanted) {
            visit(i);
            wanted -= 1;
        }
    }
}

/// The shares of 1 to k of the paths of a pair, by the level of its nearest common ancestors from 1.
fn shares(tree: &Xgft, k: u32) -> Vec<Vec<Rational>> {
    let of_level = |level| {
        let used = k.min(tree.shortest_paths(level));
        let share = |paths| Rational::new(u64::from(paths), used.into());
        (1..=used).filter_map(share).collect()
    };
    (1..=tree.height()).map(of_level).collect()
}

impl Routing for LimitedPaths {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.used(self.tree.height()) == 1
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let level = self.tree.nca_level(s, d);
        let share = &self.shares[level - 1][0];
        let mut up = [0; MAX_HEIGHT];
        let up = &mut up[..level];
        self.for_each_ancestor(s, d, |ancestor| {
            write_digits(&self.tree, ancestor, up);
            links.clear();
            self.tree.push_path(s, d, up, links);
            visit(share, links);
        });
    }

    /// A step has as many links in use as the ancestors' digits have distinct prefixes.
    /// O(k·log k + k·L).
    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        let UseScratch { links, ancestors, .. } = scratch;
        ancestors.clear();
        self.for_each_ancestor(s, d, |ancestor| ancestors.push(ancestor));
        ancestors.sort_unstable();
        let level = self.tree.nca_level(s, d);
        let mut step = |l: usize, end: Host, is_up: bool| {
            let (up, down) = self.tree.link_id(l, self.tree.subtree(end, l), 0, 0);
            let first = if is_up { up } else { down };
            let beyond = self.tree.shortest_paths(level) / self.tree.shortest_paths(l + 1);
            let mut carried = 0;
            links.clear();
            for run in ancestors.chunk_by(|a, b| a / beyond == b / beyond) {
                if run.len() != carried && !links.is_empty() {
                    visit(&self.shares[level - 1][carried - 1], links);
                    links.clear();
                }
                carried = run.len();
                links.push(first + run[0] / beyond);
            }
            visit(&self.shares[level - 1][carried - 1], links);
        };
        (0..level).for_each(|l| step(l, s, true));
        (0..level).rev().for_each(|l| step(l, d, false));
    }

    fn uses_in_order(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    fn checked(text: &str) -> Result<Spec, SpecError> {
        Spec::parse(text)?.checked(KIND.usage)
    }

    /// Ancestor numbers of (s,d), in the order in which they are chosen.
    fn ancestors(spec: &str, topology: &str, s: Host, d: Host) -> Vec<u32> {
        let topology = generate(topology).unwrap();
        let tree = topology.tree().unwrap();
        let (spec, k, choice) = read(&checked(spec).unwrap()).unwrap();
        let start = HostDigits::tabulate(tree, false, |host, l| mod_k_digit(tree, host, l));
        let (shares, tree, spec) = (shares(tree, k), tree.clone(), spec.to_string());
        let routing = LimitedPaths { spec, tree, k, choice, start, shares };
        let mut found = Vec::new();
        routing.for_each_ancestor(s, d, |ancestor| found.push(ancestor));
        found
    }

    /// FT(6,3) has w = (1,3,3). Host 53 has digits M = (2,2,5), so D-mod-k routes to it via
    /// W = (0,2,2), number 8; host 50 has M = (2,1,5), W = (0,2,1), number 7.
    #[test]
    fn the_choices_by_hand() {
        let of = |spec: &str, d| ancestors(spec, "ft(6,3)", 0, d);
        assert_eq!(of("kpath(k=4)", 53), [0, 1, 2, 3]);
        assert_eq!(of("kpath(k=4,choice=shift)", 53), [8, 0, 1, 2]);
        assert_eq!(of("kpath(k=4,choice=shift)", 50), [7, 8, 0, 1]);
        // (0,2,2), (0,0,2), (0,1,2), then the next W3: (0,2,0).
        assert_eq!(of("kpath(k=4,choice=disjoint)", 53), [8, 2, 5, 6]);
        assert_eq!(of("kpath(k=4,choice=disjoint)", 50), [7, 1, 4, 8]);
        // Nearest common ancestors at level 2: three paths; at level 1: one.
        assert_eq!(of("kpath(k=2,choice=disjoint)", 5), [2, 0]);
        assert_eq!(of("kpath(k=4,choice=shift)", 5), [0, 1, 2]);
        assert_eq!(of("kpath(k=4,choice=random)", 2), [0]);
    }

    /// Each of the six pairs of four paths has probability 1/6; over 2·992 pairs of two seeds
    /// the count of each stays within five standard deviations.
    #[test]
    fn random_sets_are_uniform() {
        let topology = generate("ft(8,2)").unwrap();
        let tree = topology.tree().unwrap();
        let mut counts = std::collections::BTreeMap::new();
        for seed in [1, 2] {
            let spec = format!("kpath(k=2,choice=random,seed={seed})");
            let routing = super::super::build(&spec, &topology).unwrap();
            for (s, d) in (0..32).flat_map(|s| (0..32).map(move |d| (s, d))) {
                if tree.nca_level(s, d) == 2 {
                    let mut set = Vec::new();
                    let mut note = |_: &Rational, links: &[LinkId]| set.push(links[1] % 4);
                    routing.for_each_path(s, d, &mut Vec::new(), &mut note);
                    *counts.entry(set).or_insert(0_i32) += 1;
                }
            }
        }
        assert_eq!(counts.len(), 6);
        let pairs: i32 = counts.values().sum();
        assert_eq!(pairs, 2 * 32 * 28);
        // Variance 1792·(1/6)·(5/6) is below 16².
        assert!(counts.values().all(|count| (count - pairs / 6).abs() < 5 * 16), "{counts:?}");
    }

    #[test]
    fn the_canonical_spec_shows_what_has_an_effect() {
        let canonical = |text: &str| read(&checked(text)?).map(|(spec, ..)| spec.to_string());
        assert_eq!(canonical("kpath(k=04)").unwrap(), "kpath(k=4,choice=first)");
        assert_eq!(canonical("kpath(choice=shift,k=2,seed=5)").unwrap(), "kpath(k=2,choice=shift)");
        let random = canonical("KPath( choice=Random, k=2 )").unwrap();
        assert_eq!(random, "kpath(k=2,choice=random,seed=1)");
        let huge = "kpath(k=99999999999,choice=first)";
        assert_eq!(canonical(huge).unwrap(), huge);
        for bad in [
            "kpath",
            "kpath(4)",
            "kpath(k=0)",
            "kpath(k=x)",
            "kpath(k=2,choice=best)",
            "kpath(k=2,seed=x)",
            "kpath(k=2,k=3)",
            "kpath(k=2,n=3)",
        ] {
            assert!(canonical(bad).is_err(), "{bad}");
        }
    }
}
