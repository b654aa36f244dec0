//! The traffic that loads a given routing most, link by link.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::LANES;
use super::demands::Demands;
use super::master::Cut;
use super::reduction::Reduction;
use crate::bounds::{DualDemand, RoutedTraffic};
use crate::lp::program::SolveError;
use crate::lp::worst_demand::exact::routable;
use crate::lp::worst_demand::packing::{LinkTask, Packing, PairPath};
use crate::optimum::shortest::Adjacency;
use crate::progress::Progress;
use crate::topology::{LinkId, Topology};

/// Paths of traffic.
type KnownPaths = Vec<PairPath>;

/// Shares below this count as zero.
const LEAST_SHARE: f64 = 1e-9;

/// The inputs from which the worst cases of a routing are computed.
pub(super) struct Separation<'a> {
    pub(super) topology: &'a Topology,
    pub(super) network: &'a Adjacency,
    pub(super) reduction: &'a Reduction,
    pub(super) demands: &'a Demands,
    pub(super) progress: &'a Progress,
    /// The paths that the worst traffic of every link took last.
    pub(super) known: Vec<KnownPaths>,
    /// Time spent on them, and seconds of all threads in the solver.
    pub(super) solving: Duration,
    pub(super) solver: f64,
}

/// The worst case of a routing on one link, in floats, with the exact traffic.
#[derive(Default)]
pub(super) struct LinkCase {
    pub(super) link: LinkId,
    pub(super) value: f64,
    pub(super) dual_demand: Option<DualDemand>,
    pub(super) prices: Vec<f64>,
    /// Seconds in the solver.
    pub(super) solver: f64,
}

impl Separation<'_> {
    /// The worst case of every link whose counterpart is not among them already, when `paths` have
    /// the given shares; `None` when stopped.
    pub(super) fn worst_cases(
        &mut self,
        paths: &[(usize, Vec<LinkId>)],
        shares: &[f64],
    ) -> Result<Option<Vec<LinkCase>>, SolveError> {
        let tasks = self.tasks(paths, shares);
        let begun = Instant::now();
        let search = &*self;
        let lanes: Vec<Result<_, SolveError>> = (0..LANES)
            .into_par_iter()
            .map(|lane| {
                let mut cases = Vec::new();
                for (link, task) in tasks.iter().skip(lane).step_by(LANES) {
                    let Some(case) = search.worst_case(*link, task)? else {
                        return Ok((cases, false));
                    };
                    cases.push(case);
                }
                Ok((cases, true))
            })
            .collect();
        self.solving += begun.elapsed();
        let (mut all, mut finished) = (Vec::new(), true);
        for lane in lanes {
            let (cases, done) = lane?;
            for (case, paths) in cases {
                self.solver += case.solver;
                self.known[case.link as usize] = paths;
                all.push(case);
            }
            finished &= done;
        }
        all.sort_by_key(|case: &LinkCase| case.link);
        Ok(finished.then_some(all))
    }

    /// The traffic against a link as a cut of the master.
    pub(super) fn cut(&self, dual: &DualDemand) -> Cut {
        let amounts = self.reduction.amounts(dual, &self.topology.link(dual.link).capacity);
        let mut sides: BTreeMap<LinkId, Vec<(usize, f64)>> = BTreeMap::new();
        for ((pair, link), amount) in amounts {
            sides.entry(link).or_default().push((pair, amount.to_f64()));
        }
        for amounts in sides.values_mut() {
            amounts.sort_unstable_by_key(|(pair, _)| *pair);
        }
        Cut { sides: sides.into_iter().collect() }
    }

    /// The pairs of links with their shares.
    fn tasks(&self, paths: &[(usize, Vec<LinkId>)], shares: &[f64]) -> Vec<(LinkId, LinkTask)> {
        let orbits = &self.reduction.orbits;
        let by_orbit = self.reduction.by_orbit(paths, shares);
        let task = |link: LinkId| {
            let pairs = (0..).zip(orbits.pairs());
            let shares = pairs.map(|(at, pair)| (*pair, by_orbit[orbits.of(at, link)]));
            let (pairs, shares) = shares.filter(|(_, share)| *share > LEAST_SHARE).unzip();
            (link, LinkTask { pairs, shares })
        };
        orbits.links().filter(|link| self.reduction.is_own(*link)).map(task).collect()
    }

    fn worst_case(
        &self,
        link: LinkId,
        task: &LinkTask,
    ) -> Result<Option<(LinkCase, KnownPaths)>, SolveError> {
        if task.pairs.is_empty() {
            return Ok(Some((LinkCase { link, ..LinkCase::default() }, Vec::new())));
        }
        let Demands { network, capacity, .. } = self.demands;
        let known = self.known[link as usize].clone();
        let mut packing = Packing::with_paths(network, capacity, known)?;
        let packed = packing.solve(task, 0.0, self.progress)?;
        if !packed.finished {
            return Ok(None);
        }
        let capacity = self.topology.link(link).capacity.to_f64();
        let value = packed.bound * self.demands.largest / capacity;
        let dual_demand =
            routable(&self.demands.topology, &packed.traffic).map(|(demands, paths)| {
                // On the star of the hosts, paths prove nothing.
                let flow = (!self.demands.hose).then_some(RoutedTraffic::Paths(paths));
                DualDemand { link, demands, flow }
            });
        let known = packed.traffic.into_iter().map(|(path, _)| path).collect();
        let (prices, solver) = (packed.prices, packing.spent());
        Ok(Some((LinkCase { link, value, dual_demand, prices, solver }, known)))
    }
}
