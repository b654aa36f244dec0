//! The search for a best routing: master and traffic in turn, and what they found confirmed.

use std::time::Duration;

use rayon::prelude::*;

use super::allowed::Allowed;
use super::demands::Demands;
use super::exact;
use super::master::{Cut, Master, Solution};
use super::vertex::Exact;
use super::{LANES, ObliviousError, Optimal, Stats};
use crate::bounds::{DualDemand, Flow};
use crate::lp::programme::SolveError;
use crate::lp::worst_demand::exact::routable;
use crate::lp::worst_demand::packing::{LinkTask, Packing};
use crate::optimum::shortest::Adjacency;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, Topology};
use crate::traffic::Demand;

/// Traffic that violates a cut by less than this part of θ is none.
const TOLERANCE: f64 = 1e-8;

/// How far from the best routing to the master's the traffic is asked for.
const STEP: f64 = 0.5;

/// Rounds of new paths before traffic is asked for again.
const PATH_ROUNDS: u64 = 2;

/// Time after a stop for the exact lower bound.
const BOUNDING: Duration = Duration::from_millis(150);

/// The search for a best routing.
pub(super) struct Search<'a> {
    pub(super) topology: &'a Topology,
    pub(super) network: &'a Adjacency,
    pub(super) pairs: Vec<(Host, Host)>,
    pub(super) demands: &'a Demands,
    pub(super) progress: &'a Progress,
    /// Paths of the links' programmes, by lane.
    pub(super) known: Vec<Vec<(Host, Host, Vec<LinkId>)>>,
    pub(super) cuts: Vec<DualDemand>,
}

/// The best routing so far: its shares by path, and its worst case with the evidence.
struct Best {
    shares: Vec<f64>,
    value: f64,
    /// The least of the values that were taken, which later ones are measured by.
    least: f64,
    prices: Vec<Vec<f64>>,
    worst: Option<DualDemand>,
}

impl Best {
    /// Takes a routing, and what hurts it on every link, where it is as good or better.
    fn take(&mut self, shares: &[f64], hurts: &mut [Hurt]) {
        let worst = hurts.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let value = worst.map_or(0.0, |hurt| hurt.value);
        if value > self.least * (1.0 + TOLERANCE) {
            return;
        }
        // The evidence is of these shares, so that they belong together.
        self.worst = worst.and_then(|hurt| hurt.against.clone());
        self.prices = hurts.iter_mut().map(|hurt| std::mem::take(&mut hurt.prices)).collect();
        (self.shares, self.value) = (shares.to_vec(), value);
        self.least = self.least.min(value);
    }
}

/// The weights of cuts that bound all routings from below best.
#[derive(Default)]
struct Floor {
    weights: Vec<f64>,
    value: f64,
}

impl Floor {
    /// Takes the weights under which the cheapest paths cost `cost`, when they prove more. As
    /// good as before counts too: later weights are nearer to the optimum.
    fn raise(&mut self, weights: &[f64], cost: f64) {
        let value = cost / weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        if value >= self.value * (1.0 - TOLERANCE) {
            *self = Self { weights: weights.to_vec(), value };
        }
    }
}

/// The best lower bound that is confirmed in exact arithmetic, with its weights: what is left when a
/// stop leaves no time to confirm the last one.
#[derive(Default)]
struct Confirmed {
    lower: Ratio,
    weights: Vec<Ratio>,
    /// Rounds of the search, and the round in which it is confirmed next.
    round: u64,
    next: u64,
}

impl Confirmed {
    fn take(&mut self, (lower, weights): (Ratio, Vec<Ratio>)) {
        if lower > self.lower {
            (self.lower, self.weights) = (lower, weights);
        }
    }

    /// A last bound, unless what is confirmed is better.
    fn or(self, last: (Ratio, Vec<Ratio>)) -> (Ratio, Vec<Ratio>) {
        if self.lower > last.0 { (self.lower, self.weights) } else { last }
    }
}

/// The traffic that hurts a routing most on one link, in floats and exactly.
#[derive(Default)]
struct Hurt {
    value: f64,
    against: Option<DualDemand>,
    prices: Vec<f64>,
}

/// Where the search ended.
struct Found {
    last: Solution,
    floor: Floor,
    confirmed: Confirmed,
    best: Best,
    complete: bool,
    stats: Stats,
}

impl Search<'_> {
    pub(super) fn run(mut self, allowed: &Allowed) -> Result<Optimal, ObliviousError> {
        let mut master = Master::new(self.network, self.pairs.clone(), allowed)?;
        let start = vec![1.0; master.paths.len()];
        let (value, prices) = (f64::INFINITY, Vec::new());
        let mut best = Best { shares: start.clone(), value, least: value, prices, worst: None };
        let mut last = Solution::default();
        let (mut stats, mut floor) = (Stats::default(), Floor::default());
        let mut confirmed = Confirmed::default();
        let mut complete = false;
        let mut going = self.improve(&mut master, &start, None, &mut best)?.is_some();
        while going {
            let settled = self.settled(&mut master, &mut stats, &mut floor)?;
            let Some((solution, settled)) = settled else { break };
            self.progress.inc(1);
            self.confirm_floor(allowed, &floor, &mut confirmed);
            let added = self.separate(&mut master, &solution, &mut best)?;
            last = solution;
            complete = settled && added == Some(false);
            going = !complete && added.is_some();
        }
        stats.cuts = master.cuts.len();
        stats.paths = master.paths.len();
        stats.iterations = master.iterations;
        let found = Found { last, floor, confirmed, best, complete, stats };
        Ok(self.confirm(allowed, &master.paths, found))
    }

    /// Confirms the lower bound of the floats in rounds 1, 2, 4, 8 and so on, so that little time
    /// goes into it.
    fn confirm_floor(&self, allowed: &Allowed, floor: &Floor, confirmed: &mut Confirmed) {
        confirmed.round += 1;
        if confirmed.round < confirmed.next {
            return;
        }
        confirmed.next = 2 * confirmed.round;
        let network = (self.topology, self.network);
        let weights = exact::roundings(&floor.weights);
        let found =
            exact::lower_bound(network, &self.pairs, allowed, &self.cuts, weights, self.progress);
        confirmed.take(found);
    }

    /// What was found, in exact arithmetic.
    fn confirm(
        mut self,
        allowed: &Allowed,
        paths: &[(usize, Vec<LinkId>)],
        found: Found,
    ) -> Optimal {
        let Found { mut last, mut floor, confirmed, best, complete, stats } = found;
        // Cuts of the last round are no part of the last solution.
        let with_cuts = last.weights.len().max(floor.weights.len());
        self.cuts.truncate(with_cuts);
        for weights in [&mut last.weights, &mut floor.weights] {
            weights.resize(with_cuts, 0.0);
        }
        let exact = Exact { topology: self.topology, pairs: &self.pairs, paths, cuts: &self.cuts };
        let mut weights = exact::roundings(&floor.weights);
        weights.extend(if complete { exact.weights(&last) } else { None });
        let shares = if complete { exact.shares(&last) } else { None };
        let network = (self.topology, self.network);
        let late = self.progress.afterwards(BOUNDING);
        let now = exact::lower_bound(network, &self.pairs, allowed, &self.cuts, weights, &late);
        let (mut lower, mut weights) = confirmed.or(now);
        if lower < Ratio::ONE && !self.demands.hose {
            // A max load is never below optu: that needs no evidence.
            (lower, weights) = (Ratio::ONE, Vec::new());
        }
        let paths = match shares {
            Some(shares) => exact::listed(&self.pairs, paths, &shares),
            None => exact::routing(&self.pairs, paths, &best.shares),
        };
        let against = weights.into_iter().zip(self.cuts).filter(|(weight, _)| !weight.is_zero());
        let against = against.collect();
        // On the star of the hosts prices say nothing about links.
        let prices = if self.demands.hose { Vec::new() } else { best.prices };
        let (claimed, worst) = (best.value, best.worst);
        Optimal { paths, lower, against, claimed, prices, worst, complete, stats }
    }

    /// An optimum of the master, and whether it is one over all paths: after a few rounds of new
    /// paths, new traffic moves it further. `None` when stopped.
    fn settled(
        &self,
        master: &mut Master<'_>,
        stats: &mut Stats,
        floor: &mut Floor,
    ) -> Result<Option<(Solution, bool)>, SolveError> {
        let mut rounds = 0;
        loop {
            let Some(solution) = master.solve(self.progress)? else { return Ok(None) };
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

    /// Adds traffic against routings between the best one and the master's; whether some was
    /// added, or `None` when stopped.
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
        // Nothing hurts the master's own answer more than it knows.
        Ok(Some(false))
    }

    /// Finds the traffic that hurts a routing most on every link, and adds what is worse for the
    /// master's answer than it knows, or everything without one. The number added; `None` when
    /// stopped.
    fn improve(
        &mut self,
        master: &mut Master<'_>,
        shares: &[f64],
        answer: Option<&Solution>,
        best: &mut Best,
    ) -> Result<Option<usize>, SolveError> {
        let tasks = self.tasks(master, shares);
        let Some(mut hurts) = self.hurts(&tasks)? else { return Ok(None) };
        best.take(shares, &mut hurts);
        let before = self.cuts.len();
        for against in hurts.into_iter().filter_map(|hurt| hurt.against) {
            let capacity = self.topology.link(against.link).capacity.to_f64();
            let place = |demand: &Demand| {
                let pair = self.pairs.binary_search(&(demand.s, demand.d)).ok()?;
                Some((pair, demand.amount.to_f64() / capacity))
            };
            let demands = against.demands.iter().filter_map(place).collect();
            let cut = Cut { link: against.link, demands };
            let new = |answer: &Solution| {
                master.load(&cut, &answer.shares) > answer.value * (1.0 + TOLERANCE)
            };
            if answer.is_none_or(new) {
                master.add_cut(cut)?;
                self.cuts.push(against);
            }
        }
        Ok(Some(self.cuts.len() - before))
    }

    /// The pairs of every link with their shares.
    fn tasks(&self, master: &Master<'_>, shares: &[f64]) -> Vec<LinkTask> {
        let links = self.network.links();
        let mut sums = vec![vec![0.0; self.pairs.len()]; links];
        for ((pair, path), share) in master.paths.iter().zip(shares) {
            for link in path {
                sums[*link as usize][*pair] += share;
            }
        }
        let task = |sums: Vec<f64>| {
            let used = sums.into_iter().enumerate().filter(|(_, share)| *share > 1e-9);
            let (pairs, shares) = used.map(|(pair, share)| (self.pairs[pair], share)).unzip();
            LinkTask { pairs, shares }
        };
        sums.into_iter().map(task).collect()
    }

    fn hurts(&mut self, tasks: &[LinkTask]) -> Result<Option<Vec<Hurt>>, SolveError> {
        let known = std::mem::take(&mut self.known);
        let lanes: Vec<Result<_, SolveError>> = known
            .into_par_iter()
            .enumerate()
            .map(|(lane, known)| {
                let Demands { network, capacity, .. } = self.demands;
                let mut packing = Packing::with_paths(network, capacity, known)?;
                let mut hurts = Vec::new();
                for link in (lane..tasks.len()).step_by(LANES) {
                    let Some(hurt) = self.hurt(link as LinkId, &tasks[link], &mut packing)? else {
                        return Ok((hurts, packing.into_paths(), false));
                    };
                    hurts.push(hurt);
                }
                Ok((hurts, packing.into_paths(), true))
            })
            .collect();
        let (mut all, mut finished) = (Vec::new(), true);
        for lane in lanes {
            let (hurts, paths, done) = lane?;
            all.extend(hurts);
            self.known.push(paths);
            finished &= done;
        }
        Ok(finished.then_some(all))
    }

    fn hurt(
        &self,
        link: LinkId,
        task: &LinkTask,
        packing: &mut Packing<'_>,
    ) -> Result<Option<Hurt>, SolveError> {
        if task.pairs.is_empty() {
            return Ok(Some(Hurt::default()));
        }
        let packed = packing.solve(task, 0.0, self.progress)?;
        if !packed.finished {
            return Ok(None);
        }
        let capacity = self.topology.link(link).capacity.to_f64();
        let value = packed.bound * self.demands.largest / capacity;
        let against = routable(&self.demands.topology, &packed.traffic).map(|(demands, paths)| {
            // On the star of the hosts paths say nothing.
            let flow = (!self.demands.hose).then_some(Flow::Paths(paths));
            DualDemand { link, demands, flow }
        });
        Ok(Some(Hurt { value, against, prices: packed.prices }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hurt(value: f64) -> Hurt {
        Hurt { value, against: None, prices: vec![value] }
    }

    /// Prices say something about the shares that they were found for.
    #[test]
    fn shares_and_evidence_belong_together() {
        let (value, prices) = (f64::INFINITY, Vec::new());
        let mut best = Best { shares: vec![0.0], value, least: value, prices, worst: None };
        best.take(&[1.0], &mut [hurt(2.0)]);
        assert_eq!((best.shares[0], best.prices[0][0]), (1.0, 2.0));
        // Worse by less than the tolerance is as good, again and again by no more in all.
        let near = 2.0 * (1.0 + TOLERANCE / 2.0);
        best.take(&[0.5], &mut [hurt(near)]);
        assert_eq!((best.shares[0], best.prices[0][0]), (0.5, near));
        best.take(&[0.25], &mut [hurt(near * (1.0 + TOLERANCE))]);
        assert_eq!((best.shares[0], best.prices[0][0]), (0.5, near));
    }

    /// What a stop leaves unconfirmed is not less than what was confirmed before.
    #[test]
    fn confirmed_bounds_are_kept() {
        let weights = vec![Ratio::ONE];
        let mut confirmed = Confirmed::default();
        confirmed.take((Ratio::from(2), weights.clone()));
        confirmed.take((Ratio::ONE, Vec::new()));
        assert_eq!(confirmed.or((Ratio::ZERO, Vec::new())), (Ratio::from(2), weights));
        let better = (Ratio::from(3), vec![Ratio::from(5)]);
        let confirmed = Confirmed::default();
        assert_eq!(confirmed.or(better.clone()), better);
    }
}
