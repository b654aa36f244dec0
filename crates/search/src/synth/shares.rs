//! The least ratio of k paths per pair with any shares, on two-level trees.
//!
//! From below by a theorem ([`LeastLoad`]): no routing with k paths per pair has less than √(k·m/2)/k on FT(m,2),
//! whatever its paths and shares. The certificate of the best routing states that too ([`FewPaths`], with the proof).
//!
//! From above by local search over designs by index ([`Design`]), in which root ρ has the share x_ρ(i,j) of every pair
//! whose source and destination have the places i and j below their leaf switches, and then by the ordinary analysis
//! with its certificate. The worst permutation puts Σ_i max_j x_ρ(i,j) on a link up to ρ and Σ_j max_i x_ρ(i,j) on one
//! down to a leaf, since every index is that of hosts of enough other leaves. So a design puts at most X on every link
//! exactly when there are *caps*, A_ρ(i) for sources and B_ρ(j) for destinations, that sum to at most X for each root
//! and side, with x_ρ(i,j) ≤ min(A_ρ(i), B_ρ(j)); and given caps there is such a design exactly when in every cell
//! (i,j) the k largest of these minima sum to 1 or more. The search is over caps in whole units, a part of 1: a move
//! takes units from one index to another within one link, what it minimises is the number of units that cells lack,
//! and moves that make things worse are accepted at random, ever more rarely. What it misses proves nothing.
//!
//! The equal shares of `kpath(k=K,choice=grid)` come first; what the search must be below is their ratio. On FT(10,2)
//! these have 2 with two paths, and the search finds 5/3, where the theorem says 1.5811 at least.

mod both_sides;
mod bound;
mod caps;
mod design;

pub use both_sides::certify;
pub use bound::LeastLoad;
pub use design::Design;

use std::time::Duration;

use crate::certificate::{Certificate, FewPaths, Quantity};
use crate::prelude::*;
use crate::routing;

use super::known::Candidate;
use super::{Answer, MAX_HOSTS, Method, Options, SynthError};
use caps::{Caps, Goal};

/// Maximum hosts of a leaf switch for which designs are searched.
const MAX_INDICES: usize = 32;

/// Fraction of the time that the search may take: the rest is for the proof of what it finds.
const SEARCH: f64 = 0.7;

/// Time after a stop in which what was found is proven, and then the bound on all routings beside it.
const LAST: Duration = Duration::from_millis(350);
const BOTH: Duration = Duration::from_millis(500);

/// Moves between two looks at the clock.
const POLL: u64 = 1 << 7;

/// First and last temperature, in units that are lacking.
const TEMPERATURES: (f64, f64) = (1.5, 0.3);

/// Limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Parts of 1 of which shares consist.
    pub units: u32,
    /// Searches for a ratio, each with its own random stream.
    pub restarts: u64,
    /// Moves of each.
    pub moves: u64,
}

impl Default for Effort {
    /// Some seconds for five hosts per leaf switch.
    fn default() -> Self {
        Self { units: 60, restarts: 4, moves: 1 << 20 }
    }
}

/// A ratio that was searched for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// No more than this.
    pub ratio: Rational,
    /// The outcome.
    pub answer: Answer,
}

/// The least ratio of a tree's routings with k paths per pair.
pub struct BestShares {
    /// k.
    pub paths: u32,
    /// A bound that no such routing is below.
    pub least: LeastLoad,
    /// Bounds of the least ratio, with the evidence for both sides.
    pub optimum: Bounds,
    /// The bounds of the ratio of the best routing found.
    pub found: Bounds,
    /// The best routing found, with its tree.
    pub best: Instance,
    /// Proves the bounds of the best routing, and those of the least ratio where both sides are proven.
    pub certificate: Option<Certificate>,
    /// The ratios that were searched for, in order.
    pub tried: Vec<Tried>,
    /// Why the bounds are wider than they might be, other than by a stop.
    pub notes: Vec<String>,
    /// Whether the search ran to its end.
    pub complete: bool,
}

/// Bounds of the least ratio without a certificate of both sides.
fn argued(least: &LeastLoad, found: &Bounds) -> Bounds {
    let Bounds { upper, evidence, .. } = found;
    let lower = least.rounded_down();
    // A max load is never below optu: that the checker proves too.
    let is_whole = *evidence != Evidence::Proven || lower <= Rational::ONE;
    let argued = "the upper bound is proven; the lower one is a theorem, which this certificate does not hold";
    let evidence = if is_whole { evidence.clone() } else { Evidence::Claimed(argued.into()) };
    Bounds { lower, upper: upper.clone(), evidence }
}

/// The tree and the bound, if the theorem is about it.
fn subject(topology: &Topology, paths: u32) -> Result<(&Xgft, LeastLoad), SynthError> {
    let tree = topology.plain_tree();
    let least = tree.and_then(|tree| LeastLoad::of(tree, paths));
    let refused = || SynthError::Shares { network: topology.spec().to_string(), paths };
    tree.zip(least).ok_or_else(refused)
}

/// Searches for the least ratio of routings with at most `paths` paths per pair, with any shares.
///
/// # Errors
/// [`SynthError`] when the topology is not a two-level tree as [`LeastLoad`] needs it, or is too large.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{progress::Progress, synth::{Method, Options, shares}, topology};
/// let options = Options { method: Method::Count, ..Options::default() };
/// let quiet = Progress::silent();
/// let best = shares::least_ratio(&topology::generate("ft(16,2)")?, 2, &options, &quiet)?;
/// // Two equal shares are as good as any two.
/// assert_eq!((best.found.upper, best.least.exact()), (2.into(), Some(2.into())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn least_ratio(
    topology: &Topology,
    paths: u32,
    options: &Options,
    progress: &Progress,
) -> Result<BestShares, SynthError> {
    if options.quantity == Quantity::HoseLoad {
        return Err(SynthError::Quantity(options.quantity.name()));
    }
    let (tree, least) = subject(topology, paths)?;
    within("number of hosts", Some(topology.hosts() as u128), MAX_HOSTS, "choose a smaller tree")?;
    let mut best = Candidate::new(equal(topology, paths)?, options.quantity, progress)?;
    let (mut tried, mut notes) = (Vec::new(), Vec::new());
    let is_wanted = options.method != Method::Count;
    if is_wanted && least.indices() > MAX_INDICES {
        notes.push(format!("shares are searched for up to {MAX_INDICES} hosts per leaf switch"));
    } else if is_wanted && best.is_proven() {
        let (below, part) = (&best.bounds.upper, progress.part(SEARCH));
        let design;
        (design, tried) = find(&least, below, paths, Effort::default(), options.seed, &part);
        if let Some(design) = design {
            let instance = design.instance(topology, tree, &options.stem)?;
            let found = Candidate::new(instance, options.quantity, &progress.afterwards(LAST))?;
            best = if found.improves(&best) { found } else { best };
        }
    }
    let is_stopped = tried.iter().any(|tried| tried.answer == Answer::Stopped);
    let complete = best.is_proven() && !is_stopped;
    let Candidate { instance, bounds: found, certificate } = best;
    let bound = FewPaths { quantity: options.quantity, lower: least.rounded_down(), paths };
    let whole = certify(certificate.as_ref(), bound, &progress.afterwards(BOTH))?;
    let (optimum, certificate) = match whole {
        Some((optimum, whole)) => (optimum, Some(whole)),
        None => (argued(&least, &found), certificate),
    };
    Ok(BestShares {
        paths,
        least,
        optimum,
        found,
        best: instance,
        certificate,
        tried,
        notes,
        complete,
    })
}

/// The best choice of k paths of equal share.
fn equal(topology: &Topology, paths: u32) -> Result<Instance, SynthError> {
    let routing = routing::build(&format!("kpath(k={paths},choice=grid)"), topology)?;
    Ok(Instance::trusted(topology.clone(), routing))
}

/// The best design with at most `paths` roots per cell that is found below a ratio, given the bound and that ratio, and
/// what was tried: by bisection, since what is missed at one ratio is hardly found below.
#[must_use]
pub fn find(
    least: &LeastLoad,
    below: &Rational,
    paths: u32,
    effort: Effort,
    seed: u64,
    progress: &Progress,
) -> (Option<Design>, Vec<Tried>) {
    let units = effort.units;
    let goal = Goal { indices: least.indices(), paths: as_size(paths.into()), units, most: 0 };
    let (mut missed, mut open) = limits(least, below, units);
    let (mut best, mut tried) = (None, Vec::new());
    while missed < open {
        let most = missed + (open - missed).div_ceil(2);
        let found = search(Goal { most, ..goal }, effort, seed, progress);
        let answer = match &found {
            Some(_) => Answer::Found,
            None if progress.cancelled() => Answer::Stopped,
            None => Answer::Missed,
        };
        let ratio = Rational::new(most.into(), units.into()).unwrap_or(Rational::ONE);
        tried.push(Tried { ratio, answer });
        match (found, answer) {
            (Some(found), _) => {
                open = found.most_units().min(most) - 1;
                best = Some(found);
            }
            (None, Answer::Stopped) => break,
            (None, _) => missed = most,
        }
    }
    (best, tried)
}

/// The most units that the bound excludes, at least those below 1, and the most below a ratio.
fn limits(least: &LeastLoad, below: &Rational, units: u32) -> (u32, u32) {
    let is_below =
        |most: &u32| Rational::new((*most).into(), units.into()).is_some_and(|r| r < *below);
    let is_excluded = |most: &u32| least.exceeds((*most).into(), units.into());
    let excluded = (units..=u32::MAX).take_while(is_excluded).last();
    let excluded = excluded.unwrap_or(units.saturating_sub(1));
    (excluded, (excluded + 1..=u32::MAX).take_while(is_below).last().unwrap_or(excluded))
}

/// A design with at most the given number of units on every link: that of the first search that has one, on any number of threads.
fn search(goal: Goal, effort: Effort, seed: u64, progress: &Progress) -> Option<Design> {
    let streams = Streams::new(seed);
    let first = u64::from(goal.most) * effort.restarts;
    (0..effort.restarts).into_par_iter().find_map_first(|restart| {
        let mut words = streams.at(first + restart);
        anneal(goal, effort.moves, &mut words, progress)
    })
}

/// Moves until no cell lacks any; `None` when the moves are used up first.
fn anneal(goal: Goal, moves: u64, words: &mut Stream, progress: &Progress) -> Option<Design> {
    let mut caps = Caps::new(goal, words);
    let (first, last) = TEMPERATURES;
    for step in 0..moves {
        if caps.lacking() == 0 {
            return Some(Design::new(goal, caps.cells()));
        }
        if step % POLL == 0 && progress.cancelled() {
            return None;
        }
        let Some(made) = caps.propose(words) else { continue };
        let more = caps.attempt(made);
        let chance = || {
            let temperature = first * libm::pow(last / first, step as f64 / moves as f64);
            libm::exp(-(more as f64) / temperature)
        };
        if more <= 0 || words.random::<f64>() < chance() {
            caps.keep(more);
        } else {
            caps.take_back(made);
        }
    }
    None
}

#[cfg(test)]
mod tests;
