//! The patterns that need most configurations of NONBLOCKINGADAPTIVE.
//!
//! Source switches are routed independently and share the configurations, so the worst permutation is
//! the worst pattern of one source switch: a set of at most n destinations that leaves out some
//! switch, the source switch. All of them are enumerated where they are few; else they are searched
//! among sets whose coordinates take few values, since the first partition of a configuration takes
//! as many pairs as the coordinate with most values has.
//!
//! # At most
//! [`most_configurations`] holds whichever largest sets are chosen. Let X pairs wait when u
//! partitions of a configuration are unused, and let L_j be how many pairs the used partition j took:
//! as many as there were values of coordinate j, of which there are no more now. Coordinates
//! determine a destination, so X ≤ Π L_j · v^u, where v is the most values that an unused coordinate
//! takes, and the next partition takes v pairs, at least ⌈(X / Π L_j)^(1/u)⌉ of them. What a
//! configuration takes at least is the minimum over all L_j that satisfy this.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::numbering::{Numbering, Scratch};
use crate::bounds::{Bounds, Evidence};
use crate::integer::ceil_root;
use crate::prelude::*;
use crate::traffic::Permutation;

/// Destinations of one source switch, each a switch and a place there.
pub type Destinations = Vec<(u32, u32)>;

/// Maximum number of sets of destinations that are enumerated: seconds.
pub const MAX_PATTERNS: u64 = 1 << 21;

/// Sets of each kind that are searched where there are more.
const TRIALS: u64 = 1 << 12;

/// Maximum number of destinations in these, except in the first sets.
const MAX_DRAWN: u64 = 1 << 22;

/// Maximum number of pairs for which [`configuration_bounds`] takes all partitions into account.
const EXACT_PAIRS: u32 = 64;

/// Bounds on the worst pattern of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstPattern {
    /// Maximum number of configurations of a permutation.
    pub configurations: Bounds,
    /// Destinations that need the lower bound; `None` where no pair leaves its switch.
    pub pattern: Option<Destinations>,
}

/// The worst over all permutations of a tree of `r` switches. Exponential in n where it enumerates,
/// at most [`MAX_PATTERNS`] sets.
///
/// # Errors
/// [`Stopped`].
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::progress::Progress;
/// use routebound::simulation::adaptive::{Numbering, worst};
/// let numbering = Numbering::of(4, 4).ok_or("n = 1")?;
/// let found = worst(numbering, 4, 1, &Progress::silent())?;
/// // Two configurations of (c+1)n = 8 top switches, as many as n^2.
/// assert_eq!(found.configurations.exact(), Some(&2.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn worst(
    numbering: Numbering,
    r: u32,
    seed: u64,
    progress: &Progress,
) -> Result<WorstPattern, Stopped> {
    let upper = if r > 1 { most_configurations(numbering, numbering.n()) } else { 0 };
    let (found, evidence, is_all) = if let Some(count) = patterns(numbering.n(), r) {
        let how = format!("all {count} sets of destinations of one source switch");
        (enumerated(numbering, r, progress)?, how, true)
    } else {
        let trials = (MAX_DRAWN / u64::from(numbering.n())).clamp(16, TRIALS);
        let how = format!(
            "at least by {} sets of destinations, seed {seed}, at most by counting",
            2 * trials
        );
        let few = sampled(numbering, r, Drawn::FewValues, trials, seed, progress)?;
        let any = sampled(numbering, r, Drawn::Any, trials, seed, progress)?;
        (few.max(any), how, false)
    };
    let (lower, pattern) = found.map_or((0, None), |(count, pattern)| (count, Some(pattern)));
    let upper = if is_all { lower } else { upper };
    let evidence = Evidence::Claimed(evidence);
    Ok(WorstPattern {
        configurations: Bounds { lower: lower.into(), upper: upper.into(), evidence },
        pattern,
    })
}

/// A permutation of the tree in which only one switch sends, to these destinations; `None` unless
/// the tree has them and a switch without any.
#[must_use]
pub fn of_tree(tree: &Xgft, destinations: &[(u32, u32)]) -> Option<Permutation> {
    let (n, r) = (tree.children(1), tree.children(2));
    let source = (0..r).find(|switch| destinations.iter().all(|(other, _)| other != switch))?;
    let hosts = tree.hosts_in_order();
    let host = |(switch, p): (u32, u32)| hosts.get((switch * n + p) as usize).copied();
    let pairs: Option<Vec<(Host, Host)>> =
        (0..n).zip(destinations).map(|(p, d)| Some((host((source, p))?, host(*d)?))).collect();
    Permutation::new(tree.hosts(), pairs?).ok()
}

/// Number of sets of 1 to n hosts of n·r; `None` above [`MAX_PATTERNS`], where [`worst`]
/// searches.
#[must_use]
pub fn patterns(n: u32, r: u32) -> Option<u64> {
    let hosts = u64::from(n) * u64::from(r);
    let (mut sets, mut all) = (1_u64, 0_u64);
    for size in 1..=u64::from(n) {
        sets = sets.checked_mul(hosts + 1 - size)? / size;
        all = all.checked_add(sets)?;
        if all > MAX_PATTERNS {
            return None;
        }
    }
    Some(all)
}

/// Whether some switch is not a destination.
fn leaves_one_out(destinations: &[(u32, u32)], r: u32) -> bool {
    let hit: HashSet<u32> = destinations.iter().map(|(switch, _)| *switch).collect();
    hit.len() < r as usize
}

/// The first of all sets with most configurations.
fn enumerated(
    numbering: Numbering,
    r: u32,
    progress: &Progress,
) -> Result<Option<(u64, Destinations)>, Stopped> {
    let hosts = numbering.n() * r;
    let of_first = |first: u32| {
        let mut search = Enumeration::new(numbering, r);
        search.extend(first, progress)?;
        Ok(search.best)
    };
    let found: Vec<Option<(u64, Destinations)>> =
        (0..hosts).into_par_iter().map(of_first).collect::<Result<_, Stopped>>()?;
    let numbered = found.into_iter().enumerate().filter_map(|(at, best)| Some((at, best?)));
    Ok(numbered.max_by_key(|(at, (count, _))| (*count, Reverse(*at))).map(|(_, best)| best))
}

/// All sets with one lowest destination.
struct Enumeration {
    numbering: Numbering,
    r: u32,
    stack: Destinations,
    scratch: Scratch,
    tops: Vec<u32>,
    best: Option<(u64, Destinations)>,
}

impl Enumeration {
    fn new(numbering: Numbering, r: u32) -> Self {
        let (stack, scratch, tops) = (Vec::new(), Scratch::default(), Vec::new());
        Self { numbering, r, stack, scratch, tops, best: None }
    }

    /// The sets that add `host` to the stack and then only higher ones.
    fn extend(&mut self, host: u32, progress: &Progress) -> Result<(), Stopped> {
        let n = self.numbering.n();
        self.stack.push((host / n, host % n));
        if leaves_one_out(&self.stack, self.r) {
            let count = self.numbering.allot(&self.stack, &mut self.scratch, &mut self.tops);
            if self.best.as_ref().is_none_or(|(most, _)| count > *most) {
                self.best = Some((count, self.stack.clone()));
            }
            if self.stack.len() < n as usize {
                progress.check()?;
                for next in host + 1..n * self.r {
                    self.extend(next, progress)?;
                }
            }
        }
        self.stack.pop();
        Ok(())
    }
}

/// The sets of destinations that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// Every coordinate takes ⌈n^(1/(c+1))⌉ values, or one more.
    FewValues,
    /// Any n destinations.
    Any,
}

/// The first of `trials` sets of n destinations, drawn by the seed, with most configurations.
///
/// # Errors
/// [`Stopped`].
pub fn sampled(
    numbering: Numbering,
    r: u32,
    drawn: Drawn,
    trials: u64,
    seed: u64,
    progress: &Progress,
) -> Result<Option<(u64, Destinations)>, Stopped> {
    let streams = Streams::new(seed);
    let trial = |scratch: &mut (Scratch, Vec<u32>), index: u64| {
        progress.check()?;
        let destinations = draw(numbering, r, drawn, &streams, index);
        if destinations.is_empty() || !leaves_one_out(&destinations, r) {
            return Ok(None);
        }
        let count = numbering.allot(&destinations, &mut scratch.0, &mut scratch.1);
        Ok(Some((count, Reverse(index))))
    };
    let found: Vec<Option<(u64, Reverse<u64>)>> = (0..trials)
        .into_par_iter()
        .map_init(<(Scratch, Vec<u32>)>::default, trial)
        .collect::<Result<_, Stopped>>()?;
    let best = found.into_iter().flatten().max();
    Ok(best.map(|(count, Reverse(index))| (count, draw(numbering, r, drawn, &streams, index))))
}

/// Set number `index`.
fn draw(numbering: Numbering, r: u32, drawn: Drawn, streams: &Streams, index: u64) -> Destinations {
    let (n, c) = (numbering.n(), numbering.c());
    let mut generator = streams.at(index);
    if drawn == Drawn::Any {
        let hosts = u64::from(n) * u64::from(r);
        return distinct(n, r, || {
            let host = generator.random_range(0..hosts);
            (host / u64::from(n), index32(as_size(host % u64::from(n))))
        });
    }
    let values = as_size((ceil_root(n.into(), c + 1) + index % 2).min(n.into()));
    let mut some = || {
        let mut all: Vec<u32> = (0..n).collect();
        all.shuffle(&mut generator);
        all.truncate(values);
        all
    };
    let allowed: Vec<Vec<u32>> = (0..=c).map(|_| some()).collect();
    distinct(n, r, || {
        let of = |set: &Vec<u32>| set[generator.random_range(0..values)];
        numbering.host(&allowed.iter().map(of).collect::<Vec<u32>>())
    })
}

/// The first n different hosts of the tree that `next` draws, or fewer where it draws too few often
/// enough.
fn distinct(n: u32, r: u32, mut next: impl FnMut() -> (u64, u32)) -> Destinations {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    // Enough to meet every one of n hosts many times.
    for _ in 0..64 * u64::from(n) {
        if found.len() == n as usize {
            break;
        }
        let (switch, p) = next();
        if switch < u64::from(r) && seen.insert((switch, p)) {
            found.push((index32(as_size(switch)), p));
        }
    }
    found
}

/// An upper bound on the configurations that `pairs` pairs of one switch need, whichever largest
/// sets are chosen: see the head of this file. O(pairs).
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::adaptive::{Numbering, most_configurations};
/// let most = |n, c| most_configurations(Numbering::with_digits(n, c), n);
/// assert_eq!([most(3, 1), most(4, 1), most(5, 2), most(6, 2)], [1, 2, 1, 2]);
/// ```
#[must_use]
pub fn most_configurations(numbering: Numbering, pairs: u32) -> u64 {
    let bounds = configuration_bounds(numbering.c(), pairs);
    bounds.last().copied().unwrap_or(0)
}

/// Upper bounds on the configurations of 0, 1, …, `pairs` pairs: n plays no part. Up to 64 pairs all partitions of a
/// configuration are counted; above, the first takes ⌈X^(1/(c+1))⌉ of X pairs and each of the others
/// one.
#[must_use]
pub fn configuration_bounds(c: u32, pairs: u32) -> Vec<u64> {
    let (mut known, mut counts) = (HashMap::new(), vec![0]);
    for x in 1..=pairs {
        let taken = if x <= EXACT_PAIRS {
            least_taken(Waiting { pairs: x, product: 1, unused: c + 1 }, &mut known)
        } else {
            index32(as_size(ceil_root(x.into(), c + 1))).saturating_add(c)
        };
        // With what an earlier number needs, since fewer pairs need not need fewer.
        let (before, rest) = (counts[x as usize - 1], x.saturating_sub(taken));
        counts.push(before.max(1 + counts[rest as usize]));
    }
    counts
}

/// Pairs that wait for partitions of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Waiting {
    /// Number of pairs, x.
    pairs: u32,
    /// The product of the L_j that the used partitions took, or more than x.
    product: u32,
    /// Number of unused partitions.
    unused: u32,
}

/// The fewest of the waiting pairs that the unused partitions take.
fn least_taken(waiting: Waiting, known: &mut HashMap<Waiting, u32>) -> u32 {
    let Waiting { pairs: x, product, unused } = waiting;
    if x == 0 || unused == 0 {
        return 0;
    }
    if let Some(taken) = known.get(&waiting) {
        return *taken;
    }
    let least = index32(as_size(ceil_root(x.div_ceil(product).into(), unused)));
    let taken = (least..=x).map(|l| {
        let rest = x - l;
        let product = (product * l).min(rest.max(1));
        l + least_taken(Waiting { pairs: rest, product, unused: unused - 1 }, known)
    });
    let taken = taken.min().unwrap_or(x);
    known.insert(waiting, taken);
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_sets_by_hand() {
        // 6 + 15; 12 + 66 + 220.
        assert_eq!((patterns(2, 3), patterns(3, 4)), (Some(21), Some(298)));
        assert_eq!(patterns(64, 64), None);
    }

    #[test]
    fn searched_sets_are_within_the_tree_and_reach_the_enumerated() {
        for (n, r) in [(2, 3), (3, 5), (4, 4)] {
            let numbering = Numbering::of(n, r).unwrap();
            let all = worst(numbering, r, 1, &Progress::silent()).unwrap();
            let some = sampled(numbering, r, Drawn::FewValues, 400, 1, &Progress::silent())
                .unwrap()
                .unwrap();
            assert_eq!(all.configurations.exact(), Some(&some.0.into()), "{n} {r}");
            assert!(some.1.iter().all(|(switch, p)| *switch < r && *p < n));
        }
    }

    #[test]
    fn a_pattern_is_sent_by_a_switch_that_it_leaves_out() {
        let tree = crate::topology::generate("ftree(2,4,3)").unwrap();
        let tree = tree.tree().unwrap();
        let sent = of_tree(tree, &[(0, 1), (2, 0)]).unwrap();
        assert_eq!(sent.pairs().collect::<Vec<_>>(), [(2, 1), (3, 4)]);
        assert!(of_tree(tree, &[(0, 0), (1, 0), (2, 0)]).is_none());
    }
}
