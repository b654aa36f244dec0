//! The search for a best routing: master and traffic in turn, with their results confirmed exactly.

use std::time::Duration;

use super::allowed::Allowed;
use super::exact::{self, LowerBound};
use super::floor::{Confirmed, Floor};
use super::master::{Master, Solution};
use super::separation::{LinkCase, Separation};
use super::smooth::Smooth;
use super::vertex::Exact;
use super::{KeepRouting, OptimalError, OptimalRouting, Stats, TOLERANCE};
use crate::bounds::DualDemand;
use crate::lp::program::SolveError;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

/// How far between the best routing and the master's the traffic is generated: 0 is the best one.
const STEP: f64 = 0.5;

/// With more pairs than this the optimum is approached before vertices are asked for.
const MAX_VERTEX_PAIRS: usize = 150;

/// Relative gap between the bounds at which the optimum counts as approached.
const APPROACHED: f64 = 0.01;

/// Fraction of the gap by which loads are smoothed at first.
const SMOOTHED: f64 = 0.25;

/// Lowest fraction of the gap by which loads are smoothed, once more smoothing adds nothing.
const LEAST_SMOOTHED: f64 = 1e-4;

/// Maximum number of rounds of the approach.
const MAX_SMOOTH_ROUNDS: usize = 300;

/// Rounds of new paths before traffic is generated again.
const PATH_ROUNDS: u64 = 2;

/// Time allowed after a stop for the exact lower bound.
const BOUNDING: Duration = Duration::from_millis(150);

/// The search for a best routing.
pub(super) struct RoutingSearch<'a> {
    pub(super) separation: Separation<'a>,
    /// All SD pairs.
    pub(super) pairs: Vec<(Host, Host)>,
    /// The paths that those may use that determine a routing.
    pub(super) allowed: &'a Allowed,
    /// The traffic of every cut of the master.
    pub(super) cuts: Vec<DualDemand>,
}

/// The best routing so far: its shares by path, and its worst case with the evidence.
#[derive(Default)]
struct Best {
    shares: Vec<f64>,
    value: f64,
    /// The least value taken so far, against which later ones are measured.
    least: f64,
    /// Links, and the prices that bound the load of each.
    prices: Vec<(LinkId, Vec<f64>)>,
    worst: Option<DualDemand>,
}

impl Best {
    /// Takes a routing, with its worst case on every link, where it is as good or better.
    fn take(&mut self, shares: &[f64], cases: &mut [LinkCase]) {
        let worst = cases.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let value = worst.map_or(0.0, |case| case.value);
        if value > self.least * (1.0 + TOLERANCE) {
            return;
        }
        // The evidence is about these shares, so they belong together.
        self.worst = worst.and_then(|case| case.dual_demand.clone());
        let prices = |case: &mut LinkCase| (case.link, std::mem::take(&mut case.prices));
        self.prices = cases.iter_mut().map(prices).collect();
        (self.shares, self.value) = (shares.to_vec(), value);
        self.least = self.least.min(value);
    }
}

/// The state of the search.
#[derive(Default)]
struct Found {
    last: Solution,
    floor: Floor,
    confirmed: Confirmed,
    best: Best,
    complete: bool,
    stats: Stats,
}

impl RoutingSearch<'_> {
    /// `keep` gets the best routings on the way.
    pub(super) fn run(
        mut self,
        keep: &mut KeepRouting<'_>,
    ) -> Result<OptimalRouting, OptimalError> {
        let Separation { network, reduction, progress, .. } = self.separation;
        let mut master = Master::new(network, reduction.pairs.clone(), self.allowed)?;
        let start = master.even_shares();
        let (value, prices) = (f64::INFINITY, Vec::new());
        let best = Best { shares: start.clone(), value, least: value, prices, worst: None };
        let mut found = Found { best, ..Found::default() };
        let mut going = self.improve(&mut master, &start, None, &mut found.best)?.is_some();
        // A max load is never below optu: nothing is better than 1.
        found.complete = !self.separation.demands.hose && found.best.value <= 1.0 + TOLERANCE;
        going &= !found.complete;
        if going && master.pairs_count() > MAX_VERTEX_PAIRS {
            going = self.approach(&mut master, &mut found, keep)?;
        }
        while going {
            let settled = self.settled(&mut master, &mut found.stats, &mut found.floor)?;
            let Some((solution, settled)) = settled else { break };
            progress.inc(1);
            self.confirm_floor(&found.floor, &mut found.confirmed);
            let added = self.separate(&mut master, &solution, &mut found.best)?;
            found.last = solution;
            found.complete = settled && added == Some(false);
            going = !found.complete && added.is_some();
            if going {
                keep(found.best.value, &|| self.so_far(&master.paths, &found));
            }
        }
        let stats = &mut found.stats;
        stats.cuts = master.cuts.len();
        stats.paths = master.paths.len();
        stats.iterations = master.iterations;
        Ok(self.confirm(&master.paths, found))
    }

    /// Comes near the optimum of a large network, where vertices of the master would jump about for
    /// long. Returns whether the search is to continue.
    fn approach(
        &mut self,
        master: &mut Master<'_>,
        found: &mut Found,
        keep: &mut KeepRouting<'_>,
    ) -> Result<bool, SolveError> {
        let progress = self.separation.progress;
        let (mut smooth, mut part) = (Smooth::new(), SMOOTHED);
        for _ in 0..MAX_SMOOTH_ROUNDS {
            let gap = found.best.value - found.floor.value;
            if gap <= APPROACHED * found.best.value || part < LEAST_SMOOTHED {
                break;
            }
            let slack = part * gap;
            let Some(solution) = smooth.solve(master, slack, progress) else { return Ok(false) };
            found.stats.rounds += 1;
            progress.inc(1);
            let extension = master.extend(&solution.weights, &solution.worth)?;
            found.floor.raise(&solution.weights, extension.cost);
            self.confirm_floor(&found.floor, &mut found.confirmed);
            let (shares, answer) = (&solution.shares, Some(&solution));
            let added = self.improve(master, shares, answer, &mut found.best)?;
            found.last = solution;
            match added {
                None => return Ok(false),
                Some(0) if extension.added == 0 => part /= 2.0,
                Some(_) => {}
            }
            keep(found.best.value, &|| self.so_far(&master.paths, found));
        }
        Ok(true)
    }

    /// Confirms the floating-point lower bound in rounds 1, 2, 4, 8 and so on, so that it costs
    /// little time.
    fn confirm_floor(&self, floor: &Floor, confirmed: &mut Confirmed) {
        confirmed.round += 1;
        if confirmed.round < confirmed.next {
            return;
        }
        confirmed.next = 2 * confirmed.round;
        let weights = exact::roundings(&floor.weights);
        confirmed.take(self.lower_bound().best(weights, self.separation.progress));
    }

    /// The traffic that proves a bound, with its weights; mirror images have the same.
    fn evidence(&self, weights: Vec<Rational>) -> Vec<(Rational, DualDemand)> {
        let weighted = weights.into_iter().zip(&self.cuts).filter(|(weight, _)| !weight.is_zero());
        let images = weighted.flat_map(|(weight, cut)| {
            let images = self.separation.reduction.images(cut.clone());
            images.into_iter().map(move |image| (weight.clone(), image))
        });
        images.collect()
    }

    fn lower_bound(&self) -> LowerBound<'_> {
        let Self { separation: Separation { topology, network, reduction, .. }, .. } = self;
        LowerBound { topology, network, reduction, allowed: self.allowed, cuts: &self.cuts }
    }

    /// The best routing so far in exact arithmetic, with the lower bound that is confirmed by now.
    fn so_far(&self, paths: &[(usize, Vec<LinkId>)], found: &Found) -> OptimalRouting {
        let Separation { network, reduction, demands, .. } = &self.separation;
        let Found { confirmed, best, stats, .. } = found;
        let records = exact::routing(&reduction.pairs, paths, &best.shares);
        let paths = reduction.lift(network, &self.pairs, records);
        let known = (confirmed.lower.clone(), confirmed.weights.clone());
        let (lower, weights) = at_least_optu(known, demands.hose);
        let dual_demands = self.evidence(weights);
        let (hose, orbits) = (demands.hose, &reduction.orbits);
        let prices = if hose { Vec::new() } else { orbits.of_all_links(best.prices.clone()) };
        let (claimed, worst, complete, stats) = (best.value, best.worst.clone(), false, *stats);
        OptimalRouting { paths, lower, dual_demands, claimed, prices, worst, complete, stats }
    }

    /// Confirms the findings in exact arithmetic.
    fn confirm(mut self, paths: &[(usize, Vec<LinkId>)], found: Found) -> OptimalRouting {
        let Found { mut last, mut floor, confirmed, best, complete, stats } = found;
        // Cuts of the last round are not part of the last solution.
        let with_cuts = last.weights.len().max(floor.weights.len());
        let Separation { topology, network, reduction, demands, progress, .. } = self.separation;
        self.cuts.truncate(with_cuts);
        for weights in [&mut last.weights, &mut floor.weights] {
            weights.resize(with_cuts, 0.0);
        }
        let exact = Exact { topology, reduction, paths, cuts: &self.cuts };
        let mut weights = exact::roundings(&floor.weights);
        let at_vertex = complete && !last.shares.is_empty();
        weights.extend(if at_vertex { exact.weights(&last) } else { None });
        let shares = if at_vertex { exact.shares(&last) } else { None };
        let late = progress.afterwards(BOUNDING);
        let now = self.lower_bound().best(weights, &late);
        let (lower, weights) = at_least_optu(confirmed.or(now), demands.hose);
        let paths = match shares {
            Some(shares) => exact::listed(&reduction.pairs, paths, &shares),
            None => exact::routing(&reduction.pairs, paths, &best.shares),
        };
        let paths = reduction.lift(network, &self.pairs, paths);
        let dual_demands = self.evidence(weights);
        // On the star of the hosts, prices say nothing about links.
        let orbits = &reduction.orbits;
        let prices = if demands.hose { Vec::new() } else { orbits.of_all_links(best.prices) };
        let (claimed, worst) = (best.value, best.worst);
        OptimalRouting { paths, lower, dual_demands, claimed, prices, worst, complete, stats }
    }

    /// An optimum of the master, and whether it is one over all paths: after a few rounds of new
    /// paths, new traffic is more effective. `None` when stopped.
    fn settled(
        &self,
        master: &mut Master<'_>,
        stats: &mut Stats,
        floor: &mut Floor,
    ) -> Result<Option<(Solution, bool)>, SolveError> {
        let mut rounds = 0;
        loop {
            let Some(solution) = master.vertex(self.separation.progress)? else { return Ok(None) };
            stats.rounds += 1;
            rounds += 1;
            let extension = master.extend(&solution.weights, &solution.worth)?;
            let settled = extension.added == 0;
            floor.raise(&solution.weights, extension.cost);
            if settled || rounds >= PATH_ROUNDS {
                return Ok(Some((solution, settled)));
            }
        }
    }

    /// Adds traffic against routings between the best one and the master's; returns whether any
    /// was added, or `None` when stopped.
    fn separate(
        &mut self,
        master: &mut Master<'_>,
        solution: &Solution,
        best: &mut Best,
    ) -> Result<Option<bool>, SolveError> {
        best.shares.resize(solution.shares.len(), 0.0);
        let between = best.shares.iter().zip(&solution.shares);
        let between: Vec<f64> = between.map(|(b, m)| b + STEP * (m - b)).collect();
        let closed = solution.value >= best.value * (1.0 - TOLERANCE);
        for shares in [&between, &solution.shares].into_iter().skip(usize::from(closed)) {
            match self.improve(master, shares, Some(solution), best)? {
                None => return Ok(None),
                Some(0) => {}
                Some(_) => return Ok(Some(true)),
            }
        }
        // No traffic loads the master's own answer more than its value.
        Ok(Some(false))
    }

    /// Finds the worst-case traffic of a routing on every link, and adds what loads the master's
    /// `answer` more than its value, or everything without an answer. Returns the number of
    /// cuts added; `None` when stopped.
    fn improve(
        &mut self,
        master: &mut Master<'_>,
        shares: &[f64],
        answer: Option<&Solution>,
        best: &mut Best,
    ) -> Result<Option<usize>, SolveError> {
        let cases = self.separation.worst_cases(&master.paths, shares)?;
        let Some(mut cases) = cases else { return Ok(None) };
        best.take(shares, &mut cases);
        let before = master.cuts.len();
        for dual in cases.into_iter().filter_map(|case| case.dual_demand) {
            let cut = self.separation.cut(&dual);
            let new = |answer: &Solution| {
                master.load(&cut, &answer.shares) > answer.value * (1.0 + TOLERANCE)
            };
            if answer.is_none_or(new) {
                master.add_cut(cut)?;
                self.cuts.push(dual);
            }
        }
        Ok(Some(master.cuts.len() - before))
    }
}

/// A lower bound with its weights; against traffic with optu ≤ 1 it is at least 1, as no max load is below optu. That
/// needs no evidence.
fn at_least_optu(known: (Rational, Vec<Rational>), hose: bool) -> (Rational, Vec<Rational>) {
    if known.0 < Rational::ONE && !hose { (Rational::ONE, Vec::new()) } else { known }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(value: f64) -> LinkCase {
        LinkCase { link: 0, value, dual_demand: None, prices: vec![value] }
    }

    /// Prices are evidence only about the shares that they were found for.
    #[test]
    fn shares_and_evidence_belong_together() {
        let (value, prices) = (f64::INFINITY, Vec::new());
        let mut best = Best { shares: vec![0.0], value, least: value, prices, worst: None };
        best.take(&[1.0], &mut [case(2.0)]);
        assert_eq!((best.shares[0], best.prices[0].1[0]), (1.0, 2.0));
        // Worse by less than the tolerance counts as equally good, but such steps do not add up.
        let near = 2.0 * (1.0 + TOLERANCE / 2.0);
        best.take(&[0.5], &mut [case(near)]);
        assert_eq!((best.shares[0], best.prices[0].1[0]), (0.5, near));
        best.take(&[0.25], &mut [case(near * (1.0 + TOLERANCE))]);
        assert_eq!((best.shares[0], best.prices[0].1[0]), (0.5, near));
    }
}
