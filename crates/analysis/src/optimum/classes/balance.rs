//! Traffic moved from loaded to less loaded shortest paths.
//!
//! Every arc has a price that grows exponentially with its load, ever more steeply from round to round. Where paths to
//! a gate part, the parts of the arcs are multiplied by a power of mean price ÷ own price of the way over them, with an
//! exponent that falls as the prices become steeper: multiplicative weights of the ways from a node, for all traffic to
//! a gate at once. (Gallager, IEEE Transactions on Communications 25(1), 1977, divides traffic node by node and
//! destination by destination in the same way.) Floats guide only. Detours are not tried: where optu needs them, the
//! bounds stay apart.

use std::time::Duration;

use super::cuts::{Proven, best_cut};
use super::dag::Dag;
use super::network::{Arc, Classes};
use super::prices::Priced;
use super::rounding::{exact_load, factor};
use crate::progress::Progress;
use crate::rational::Rational;

/// Steepness of prices at first: a load 1/20 less has a price e times smaller.
const FIRST_STEEPNESS: f64 = 20.0;
/// Growth of the steepness per round.
const GROWTH: f64 = 1.05;
/// Largest steepness.
const MOST_STEEPNESS: f64 = 1e4;
/// Steepness · exponent of a step: from about 1 on parts swing.
const STEP: f64 = 0.8;
/// Largest |log| of a ratio of prices that counts.
const MOST_LOG: f64 = 5.0;
/// Rounds at most, those without an improvement at most, and those from one bound by prices to the next.
const ROUNDS: u64 = 200;
const IDLE_ROUNDS: u64 = 30;
const BOUND_EVERY: u64 = 20;
/// Maximum number of gates that get traffic times arcs: there is a place and a part, twice or three times, for up
/// to half of these, about 500 MB.
const MAX_ENTRIES: usize = 1 << 25;
/// Time after a stop for the exact load of what was found.
const EXACT: Duration = Duration::from_millis(300);

/// A search for a good routing over shortest paths, with the best bounds so far.
pub struct Balancing<'c, 't> {
    classes: &'c Classes<'t>,
    /// The paths to every gate, divided as in this round.
    dags: Vec<Dag>,
    /// Amount on every arc, in units.
    amounts: Vec<f64>,
    /// Buffer: amount at every node.
    at: Vec<f64>,
    steepness: f64,
    lower: Proven,
    /// Max load of the best round, as floats see it, and how traffic was divided.
    best: (f64, Vec<Vec<f64>>),
    /// The round of it.
    best_round: u64,
    upper: Rational,
    rounds: u64,
    factor: u128,
}

impl<'c, 't> Balancing<'c, 't> {
    /// Starts with the even split over shortest paths and the bounds by cuts; `None` when some traffic has no path, or
    /// there are too many gates and arcs to hold the paths to every gate. O(gates · links).
    #[must_use]
    pub fn new(classes: &'c Classes<'t>) -> Option<Self> {
        let groups = 0..classes.demands().len();
        if groups.len().saturating_mul(classes.arcs().len()) > MAX_ENTRIES {
            return None;
        }
        let dags = groups.map(|group| Dag::even(classes, group)).collect::<Option<Vec<_>>>()?;
        let factor = factor(classes);
        let mut search = Self {
            classes,
            amounts: vec![0.0; classes.arcs().len()],
            at: vec![0.0; classes.topology().nodes()],
            steepness: FIRST_STEEPNESS,
            lower: best_cut(classes),
            best: (f64::INFINITY, Vec::new()),
            best_round: 0,
            upper: exact_load(classes, &dags, factor, &Progress::silent())?,
            dags,
            rounds: 0,
            factor,
        };
        search.measure();
        Some(search)
    }

    /// The best lower bound, with the lengths that prove it.
    #[must_use]
    pub fn lower(&self) -> &Proven {
        &self.lower
    }

    /// The max load of the best routing.
    #[must_use]
    pub fn upper(&self) -> &Rational {
        &self.upper
    }

    /// Number of rounds.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of parts of a unit in which the best routing has integers.
    #[must_use]
    pub fn factor(&self) -> u128 {
        self.factor
    }

    /// The division of traffic in the best routing that [`Self::search`] found.
    #[must_use]
    pub fn dags(&self) -> &[Dag] {
        &self.dags
    }

    /// Moves traffic until the bounds are within `gap`, `progress` is cancelled or nothing improves; `keep` gets lower
    /// and upper bounds on the way. O(gates · links) per round.
    pub fn search(
        &mut self,
        gap: f64,
        progress: &Progress,
        keep: &mut dyn FnMut(&Rational, &Rational),
    ) {
        keep(&self.lower.0, &self.upper);
        let exact = progress.afterwards(EXACT);
        let mut priced = None;
        while !self.is_done(gap) && !progress.cancelled() {
            self.shift();
            self.measure();
            self.rounds += 1;
            progress.inc(1);
            // Where a cut is tight there is nothing to gain from prices.
            let is_due = self.rounds.is_multiple_of(BOUND_EVERY) || self.is_done(gap);
            if is_due && !self.is_within(gap) {
                let priced = priced.get_or_insert_with(|| Priced::new(self.classes));
                let bound = priced.bound(&self.prices(), progress);
                if let Some(bound) = bound.filter(|bound| bound.0 > self.lower.0) {
                    self.lower = bound;
                }
                self.take_upper(&exact);
                keep(&self.lower.0, &self.upper);
            }
        }
        if self.rounds > 0 {
            self.take_upper(&exact);
            keep(&self.lower.0, &self.upper);
        }
        self.restore();
    }

    fn is_done(&self, gap: f64) -> bool {
        let is_idle = self.rounds - self.best_round > IDLE_ROUNDS;
        is_idle || self.rounds >= ROUNDS || self.is_within(gap)
    }

    /// Whether the best round is good enough, as floats see it.
    fn is_within(&self, gap: f64) -> bool {
        self.best.0 <= self.classes.relative(&self.lower.0) * (1.0 + gap)
    }

    /// The exact max load of the best round, if that is better than what is known, unless `progress` is cancelled.
    fn take_upper(&mut self, progress: &Progress) {
        let now: Vec<_> = self.dags.iter().map(|dag| dag.parts.clone()).collect();
        self.restore();
        let upper = exact_load(self.classes, &self.dags, self.factor, progress);
        if let Some(upper) = upper.filter(|upper| *upper < self.upper) {
            self.upper = upper;
        }
        for (dag, parts) in self.dags.iter_mut().zip(now) {
            dag.parts = parts;
        }
    }

    /// Divides traffic as the best round does.
    fn restore(&mut self) {
        for (dag, parts) in self.dags.iter_mut().zip(&self.best.1) {
            dag.parts.clone_from(parts);
        }
    }

    /// Sums up the traffic of this round, and keeps how it divides if that is the best so far.
    fn measure(&mut self) {
        self.amounts.fill(0.0);
        let (amounts, at) = (&mut self.amounts, &mut self.at);
        for dag in &self.dags {
            dag.send(self.classes, at, |arc, amount| amounts[arc as usize] += amount);
        }
        let most = self.most();
        if most < self.best.0 {
            self.best = (most, self.dags.iter().map(|dag| dag.parts.clone()).collect());
            self.best_round = self.rounds;
        }
    }

    /// The max load of this round, links of hosts included, in units ÷ relative capacity.
    fn most(&self) -> f64 {
        let loads = self.amounts.iter().zip(self.classes.arcs());
        let loads = loads.map(|(amount, arc)| amount / arc.capacity);
        loads.fold(self.classes.relative(&self.classes.baseload().0), f64::max)
    }

    /// The price of a unit on every arc.
    fn prices(&self) -> Vec<f64> {
        let most = self.most().max(f64::MIN_POSITIVE);
        let price = |(amount, arc): (&f64, &Arc)| {
            let below = amount / arc.capacity / most - 1.0;
            (self.steepness * below).max(-500.0).exp() / arc.capacity
        };
        self.amounts.iter().zip(self.classes.arcs()).map(price).collect()
    }

    /// Divides traffic anew by the prices of this round.
    fn shift(&mut self) {
        let (prices, exponent) = (self.prices(), STEP / self.steepness);
        let arcs = self.classes.arcs();
        let way = &mut self.at;
        for dag in &mut self.dags {
            let root = self.classes.gates().node(self.classes.demands()[dag.group].source);
            way[root as usize] = 0.0;
            for place in dag.places.iter().rev() {
                let out = &dag.arcs[place.arcs.clone()];
                let parts = &mut dag.parts[place.arcs.clone()];
                let price = |arc: u32| prices[arc as usize] + way[arcs[arc as usize].head as usize];
                let mean = out.iter().zip(&*parts).map(|(arc, part)| price(*arc) * part).sum();
                reweigh(parts, out.iter().map(|arc| price(*arc)), mean, exponent);
                way[place.node as usize] = mean;
            }
        }
        way.fill(0.0);
        self.steepness = (self.steepness * GROWTH).min(MOST_STEEPNESS);
    }
}

/// Multiplies parts by (mean ÷ price)^exponent, and makes them sum to 1 again.
fn reweigh(parts: &mut [f64], prices: impl Iterator<Item = f64>, mean: f64, exponent: f64) {
    if parts.len() < 2 || mean <= 0.0 {
        return;
    }
    for (part, price) in parts.iter_mut().zip(prices) {
        let log = (mean / price.max(f64::MIN_POSITIVE)).ln().clamp(-MOST_LOG, MOST_LOG);
        *part *= (exponent * log).exp();
    }
    let all: f64 = parts.iter().sum();
    for part in parts {
        *part /= all;
    }
}
