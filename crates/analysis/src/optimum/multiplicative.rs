//! Optu approximated by multiplicative weights, for networks too large for linear programming.
//!
//! Every link has a weight that grows with the load put on it. In each phase every source routes
//! all its traffic along shortest paths under the prices weight ÷ capacity, in steps that load no
//! link by more than the best known max load; the mean of the phases is a routing, and the prices
//! bound optu from below. (Garg and Könemann, FOCS 1998; Fleischer, SIAM J. Discrete
//! Math. 13(4), 2000, groups by source as here.) After a number of phases proportional to 1/ε, a
//! new stage begins with ε halved and the weights kept.
//!
//! Floats only guide the search: the bounds are computed from integer lengths and exact amounts
//! ([`OptuBounds::confirm`]).

use std::time::Instant;

use super::optu::{Found, OptuBounds, OptuStats};
use super::problem::{Group, OptuError, Problem};
use super::shortest::Tree;
use crate::integer::rounded;
use crate::limit::within;
use crate::progress::{Progress, Stopped};
use crate::topology::{LinkId, Topology, link_number};
use crate::traffic::Demand;

/// The point at which the computation stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// (upper − lower) ÷ upper, in (0, 1).
    pub gap: f64,
}

/// First step width.
const FIRST_STEP: f64 = 0.5;
/// Number of phases of a stage times its step width.
const STAGE: f64 = 8.0;
/// Smallest step width: below this, floats are not precise enough.
const LEAST_STEP: f64 = 1e-6;
/// Weights are at least this fraction of the largest, so that a link can become relevant again.
const LEAST_WEIGHT: f64 = 1e-9;
/// Maximum number of (source, link) entries, 8 bytes each.
const MAX_ENTRIES: u64 = 1 << 28;
/// Bits of the integer lengths used in searches.
const LENGTH_BITS: i32 = 40;

/// Bounds on the optu of `demands` with the gap of `goal`, or as close as `progress` allows.
/// O(sources·links·log nodes ÷ gap²) at worst.
///
/// # Errors
/// [`OptuError`] when a demand is not between two different hosts or has no path, or numbers have
/// too many digits.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::optimum::multiplicative::{Goal, optu};
/// use routebound::{progress::Progress, rational::Rational, topology, traffic};
/// let tree = topology::generate("xgft(2;8,4;1,2)")?;
/// let shift = traffic::generate("shift(8)", 32)?;
/// let bounds = optu(&tree, shift.demands(), &Goal { gap: 0.1 }, &Progress::silent())?;
/// assert!(bounds.lower <= Rational::from(4) && Rational::from(4) <= bounds.upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn optu(
    topology: &Topology,
    demands: &[Demand],
    goal: &Goal,
    progress: &Progress,
) -> Result<OptuBounds, OptuError> {
    optu_keeping(topology, demands, goal, progress, &mut |_, _| {})
}

/// Bounds optu by multiplicative weights; `keep` gets the lower and the upper bound in floats whenever one of them
/// is better. To make them exact takes a while, which a stop may not leave.
///
/// # Errors
/// As [`optu`].
pub fn optu_keeping(
    topology: &Topology,
    demands: &[Demand],
    goal: &Goal,
    progress: &Progress,
    keep: &mut dyn FnMut(f64, f64),
) -> Result<OptuBounds, OptuError> {
    let begun = Instant::now();
    let problem = Problem::new(topology, demands)?;
    let entries = problem.groups().len() as u128 * topology.links() as u128;
    within("number of sources times links", Some(entries), MAX_ENTRIES, "use fewer sources")?;
    let mut search = WeightSearch::new(&problem);
    let (mut stopped, mut kept) = (false, None);
    keep_better(&search, &mut kept, keep);
    while !search.is_near(goal.gap) && search.step >= LEAST_STEP {
        if search.phase(progress).is_err() {
            stopped = true;
            break;
        }
        progress.inc(1);
        keep_better(&search, &mut kept, keep);
    }
    let stats = OptuStats {
        method: "multiplicative weights",
        rounds: search.phases,
        stopped,
        ..OptuStats::default()
    };
    Ok(OptuBounds::confirm(&problem, &search.best, stats, begun)?)
}

/// Keeps the bounds of a search if they are not those that were kept last.
fn keep_better(
    search: &WeightSearch<'_>,
    kept: &mut Option<(u64, u64)>,
    keep: &mut dyn FnMut(f64, f64),
) {
    let known = Some((search.lower.to_bits(), search.upper.to_bits()));
    if *kept != known {
        *kept = known;
        keep(search.lower, search.upper);
    }
}

/// The weights, the routing of the current stage, and the best bounds so far.
struct WeightSearch<'p> {
    problem: &'p Problem<'p>,
    /// Per link; the largest is 1.
    weight: Vec<f64>,
    /// ε.
    step: f64,
    /// Phases in all, and in this stage.
    phases: u64,
    in_stage: u64,
    /// Traffic of every source and link since the stage began, and of every link.
    flows: Vec<Vec<f64>>,
    total: Vec<f64>,
    /// Sum of the prices of the stage.
    prices: Vec<f64>,
    best: Found,
    upper: f64,
    lower: f64,
    tree: Tree,
    amount: Vec<f64>,
}

impl<'p> WeightSearch<'p> {
    /// Starts from the even split over shortest paths.
    fn new(problem: &'p Problem<'p>) -> Self {
        let (links, nodes) = (problem.network().links(), problem.network().nodes());
        let flows: Vec<_> =
            problem.groups().iter().map(|group| problem.even_split(group)).collect();
        let mut total = vec![0.0; links];
        for (link, traffic) in flows.iter().flatten() {
            total[*link as usize] += traffic;
        }
        let upper = problem.max_load(&total);
        Self {
            problem,
            weight: vec![1.0; links],
            step: FIRST_STEP,
            phases: 0,
            in_stage: 0,
            flows: vec![vec![0.0; links]; flows.len()],
            total: vec![0.0; links],
            prices: vec![0.0; links],
            best: Found { flows, prices: vec![1.0; links] },
            upper,
            lower: 0.0,
            tree: Tree::default(),
            amount: vec![0.0; nodes],
        }
    }

    fn is_near(&self, gap: f64) -> bool {
        self.lower >= self.upper * (1.0 - gap)
    }

    /// Routes all traffic once. If stopped in the middle of this, the search must end.
    fn phase(&mut self, progress: &Progress) -> Result<(), Stopped> {
        for (index, group) in self.problem.groups().iter().enumerate() {
            progress.check()?;
            let mut rest = 1.0;
            while rest > 0.0 {
                rest -= self.route(index, group, rest);
            }
        }
        self.phases += 1;
        self.in_stage += 1;
        let capacity = self.problem.capacity();
        let offered: f64 = self.weight.iter().sum();
        for (price, (weight, capacity)) in
            self.prices.iter_mut().zip(self.weight.iter().zip(capacity))
        {
            *price += weight / capacity / offered;
        }
        let top = self.weight.iter().copied().fold(0.0, f64::max);
        for weight in &mut self.weight {
            *weight = (*weight / top).max(LEAST_WEIGHT);
        }
        if self.in_stage.is_power_of_two() || self.in_stage.is_multiple_of(16) {
            self.bound();
        }
        if self.in_stage as f64 * self.step >= STAGE {
            self.bound();
            self.next_stage();
        }
        Ok(())
    }

    /// Routes at most the fraction `rest` of a source's traffic along its shortest paths, and
    /// returns the fraction routed.
    fn route(&mut self, index: usize, group: &Group, rest: f64) -> f64 {
        let (network, capacity) = (self.problem.network(), self.problem.capacity());
        let prices = self.weight.iter().zip(capacity).map(|(weight, capacity)| weight / capacity);
        self.tree.search(network, group.source, &lengths(prices.collect()));
        for (d, units) in &group.sinks {
            self.amount[*d as usize] = self.problem.amount(*units);
        }
        let mut traffic: Vec<(LinkId, f64)> = Vec::new();
        self.tree.send(network, &mut self.amount, |link, amount| traffic.push((link, amount)));
        let load = |(link, amount): &(LinkId, f64)| amount / capacity[*link as usize];
        let worst = traffic.iter().map(load).fold(0.0, f64::max);
        let part = if worst > 0.0 { (self.upper / worst).min(rest) } else { rest };
        for (link, amount) in &traffic {
            let link = *link as usize;
            self.flows[index][link] += amount * part;
            self.total[link] += amount * part;
            self.weight[link] *= 1.0 + self.step * amount * part / capacity[link] / self.upper;
        }
        part
    }

    /// Takes the mean routing and the mean prices of the stage where they are better.
    fn bound(&mut self) {
        let phases = self.in_stage as f64;
        let upper = self.problem.max_load(&self.total) / phases;
        if upper < self.upper {
            self.upper = upper;
            let mean = |flow: &Vec<f64>| {
                let used = flow.iter().enumerate().filter(|(_, traffic)| **traffic > 0.0);
                used.map(|(link, traffic)| (link_number(link), traffic / phases)).collect()
            };
            self.best.flows = self.flows.iter().map(mean).collect();
        }
        let lower = self.price_bound();
        if lower > self.lower {
            self.lower = lower;
            self.best.prices.clone_from(&self.prices);
        }
    }

    /// Σ demand·distance ÷ Σ capacity·length under the mean prices.
    fn price_bound(&mut self) -> f64 {
        let lengths = lengths(self.prices.clone());
        let mut cost = 0.0;
        for group in self.problem.groups() {
            self.tree.search(self.problem.network(), group.source, &lengths);
            for (d, units) in &group.sinks {
                let distance = self.tree.distance(*d).expect("every sink is reached");
                cost += self.problem.amount(*units) * distance as f64;
            }
        }
        let capacity = self.problem.capacity();
        let volume: f64 = lengths.iter().zip(capacity).map(|(length, c)| *length as f64 * c).sum();
        cost / volume
    }

    fn next_stage(&mut self) {
        self.step *= 0.5;
        self.in_stage = 0;
        self.total.fill(0.0);
        self.prices.fill(0.0);
        for flow in &mut self.flows {
            flow.fill(0.0);
        }
    }
}

/// Integer lengths proportional to prices, at least 1 so that short paths win among free ones.
fn lengths(prices: Vec<f64>) -> Vec<u64> {
    let top = prices.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let scale = 2.0_f64.powi(LENGTH_BITS) / top;
    prices.into_iter().map(|price| rounded((price * scale).trunc()) + 1).collect()
}
