//! The search for a best routing: master and traffic in turn, with their results confirmed exactly.

mod start;

use std::time::{Duration, Instant};

use super::allowed::Allowed;
use super::best::Best;
use super::compact::{Approached, Compact};
use super::exact::{self, LowerBound};
use super::floor::{Confirmed, Floor};
use super::gradient::Gradient;
use super::master::{Master, Solution};
use super::separation::Separation;
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

/// Where bounds meet in floats, vertices are sought for exact ones up to this many rounds.
const MAX_EXACT_ROUNDS: u64 = 1000;

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

/// The state of the search.
#[derive(Default)]
struct Found {
    last: Solution,
    floor: Floor,
    confirmed: Confirmed,
    best: Best,
    complete: bool,
    /// Whether [`Self::last`] is an optimum over all traffic.
    at_vertex: bool,
    stats: Stats,
}

impl Found {
    /// Whether the bounds meet, in floats.
    fn has_met(&self) -> bool {
        self.best.value <= self.floor.value * (1.0 + TOLERANCE)
    }
}

impl RoutingSearch<'_> {
    /// `keep` gets the best routings on the way.
    pub(super) fn run(
        mut self,
        keep: &mut KeepRouting<'_>,
    ) -> Result<OptimalRouting, OptimalError> {
        let Separation { network, reduction, progress, .. } = self.separation;
        let mut master = Master::new(network, reduction.pairs.clone(), self.allowed)?;
        let mut found = Found::default();
        let mut going = self.begin(&mut master, &mut found, keep)?;
        if going {
            going = self.approach(&mut master, &mut found, keep)?;
        }
        while going {
            let settled = self.settled(&mut master, &mut found.stats, &mut found.floor)?;
            let Some((solution, settled)) = settled else { break };
            progress.inc(1);
            self.confirm_floor(&found.floor, &mut found.confirmed);
            let added = self.separate(&mut master, &solution, &mut found.best)?;
            found.last = solution;
            found.at_vertex = settled && added == Some(false);
            let is_enough = found.has_met() && found.stats.rounds >= MAX_EXACT_ROUNDS;
            found.complete = found.at_vertex || is_enough;
            going = !found.complete && added.is_some();
            if going {
                keep(found.best.value, &|| self.so_far(&master.paths, &found));
            }
        }
        let stats = &mut found.stats;
        stats.cuts = master.cuts.len();
        stats.paths = master.paths.len();
        stats.columns = stats.columns.max(stats.paths + 1);
        stats.iterations += master.iterations;
        stats.solving += master.solving + self.separation.solving;
        stats.solver += master.solving + Duration::from_secs_f64(self.separation.solver);
        Ok(self.confirm(&master.paths, found))
    }

    /// Comes near the optimum, as vertices of the master jump about for long. Returns whether the search is to go on.
    fn approach(
        &mut self,
        master: &mut Master<'_>,
        found: &mut Found,
        keep: &mut KeepRouting<'_>,
    ) -> Result<bool, SolveError> {
        let begun = Instant::now();
        let compact = Compact::new(&self.separation, self.allowed);
        found.stats.solving += begun.elapsed();
        let Some(compact) = compact else {
            let is_large = master.pairs_count() > MAX_VERTEX_PAIRS;
            return if is_large { self.approach_smoothly(master, found, keep) } else { Ok(true) };
        };
        found.stats.columns = compact.columns();
        let mut gradient = compact.gradient();
        let is_limited = self.separation.progress.time_left().is_some();
        for effort in compact.efforts(is_limited).iter().copied() {
            let (begun, before) = (Instant::now(), steps(gradient.as_ref()));
            let solved = match &mut gradient {
                Some(gradient) => compact.step(&self.separation, effort, gradient),
                None => compact.solve(&self.separation, effort),
            };
            found.stats.attempt(begun.elapsed());
            let near = match solved {
                Ok(Some(near)) => near,
                Ok(None) => {
                    found.stats.solver += begun.elapsed();
                    found.stats.iterations += steps(gradient.as_ref()) - before;
                    return Ok(false);
                }
                // Where one method fails, another may not, and the search ends without any.
                Err(error) => {
                    found.stats.failure = Some(error);
                    continue;
                }
            };
            let is_cut = near.is_cut;
            if !self.take(master, near, found)? {
                return Ok(false);
            }
            let is_met = found.has_met() && exact::is_simple(&found.confirmed.lower);
            found.complete = is_met && !is_cut;
            if found.complete {
                return Ok(false);
            }
            keep(found.best.value, &|| self.so_far(&master.paths, found));
            if is_cut {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes a solution of the whole program; returns whether the search is to continue.
    fn take(
        &mut self,
        master: &mut Master<'_>,
        near: Approached,
        found: &mut Found,
    ) -> Result<bool, SolveError> {
        let shares = master.take_paths(near.routing)?;
        found.stats.iterations += near.iterations;
        found.stats.solver += Duration::from_secs_f64(near.seconds);
        self.separation.progress.inc(1);
        self.take_bound(near.traffic, found);
        Ok(self.improve(master, &shares, None, &mut found.best)?.is_some())
    }

    /// Takes the bound of weighted traffic. As cuts of the master this would make vertices of long fractions: it is a mean
    /// of much.
    fn take_bound(&self, traffic: Vec<(DualDemand, f64)>, found: &mut Found) {
        let (cuts, weights): (Vec<DualDemand>, Vec<f64>) = traffic.into_iter().unzip();
        let bound = LowerBound { cuts: &cuts, ..self.lower_bound() };
        let lower = bound.best(exact::roundings(&weights), self.separation.progress);
        found.floor.value = found.floor.value.max(lower.0.to_f64());
        found.confirmed.take_other(lower, cuts);
    }

    /// Comes near the optimum of a network that is too large for the whole program. Returns whether the search is to
    /// continue.
    fn approach_smoothly(
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
            let begun = Instant::now();
            let solved = smooth.solve(master, slack, progress);
            found.stats.attempt(begun.elapsed());
            found.stats.solver += begun.elapsed();
            let Some(solution) = solved else { return Ok(false) };
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
    fn evidence(
        &self,
        weights: Vec<Rational>,
        other: Option<&[DualDemand]>,
    ) -> Vec<(Rational, DualDemand)> {
        let cuts = other.unwrap_or(&self.cuts);
        let weighted = weights.into_iter().zip(cuts).filter(|(weight, _)| !weight.is_zero());
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
        let dual_demands = self.evidence(weights, confirmed.cuts.as_deref());
        let (hose, orbits) = (demands.hose, &reduction.orbits);
        let prices = if hose { Vec::new() } else { orbits.of_all_links(best.prices.clone()) };
        let (claimed, worst, complete, stats) = (best.value, best.worst.clone(), false, *stats);
        OptimalRouting { paths, lower, dual_demands, claimed, prices, worst, complete, stats }
    }

    /// Confirms the findings in exact arithmetic.
    fn confirm(mut self, paths: &[(usize, Vec<LinkId>)], found: Found) -> OptimalRouting {
        let Found { mut last, mut floor, confirmed, best, complete, at_vertex, stats } = found;
        // Cuts of the last round are not part of the last solution.
        let with_cuts = last.weights.len().max(floor.weights.len());
        let Separation { topology, network, reduction, demands, progress, .. } = self.separation;
        self.cuts.truncate(with_cuts);
        for weights in [&mut last.weights, &mut floor.weights] {
            weights.resize(with_cuts, 0.0);
        }
        let exact = Exact { topology, reduction, paths, cuts: &self.cuts };
        let mut weights = exact::roundings(&floor.weights);
        weights.extend(if at_vertex { exact.weights(&last) } else { None });
        let shares = if at_vertex { exact.shares(&last) } else { None };
        let late = progress.afterwards(BOUNDING);
        let now = self.lower_bound().best(weights, &late);
        let proven = confirmed.or(now);
        let (lower, weights) = at_least_optu((proven.lower, proven.weights), demands.hose);
        let paths = match shares {
            Some(shares) => exact::listed(&reduction.pairs, paths, &shares),
            None => exact::routing(&reduction.pairs, paths, &best.shares),
        };
        let paths = reduction.lift(network, &self.pairs, paths);
        let dual_demands = self.evidence(weights, proven.cuts.as_deref());
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
            stats.rounds += 1;
            let Some(solution) = master.vertex(self.separation.progress)? else { return Ok(None) };
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

/// The gradient steps so far.
fn steps(gradient: Option<&Gradient>) -> u64 {
    gradient.map_or(0, |gradient| gradient.steps)
}

/// A lower bound with its weights; against traffic with optu ≤ 1 it is at least 1, as no max load is below optu. That
/// needs no evidence.
fn at_least_optu(known: (Rational, Vec<Rational>), hose: bool) -> (Rational, Vec<Rational>) {
    if known.0 < Rational::ONE && !hose { (Rational::ONE, Vec::new()) } else { known }
}
