//! The best oblivious routing of a network.
//!
//! Over all multi-path routings, the least worst case: minimise θ such that no traffic with
//! optu ≤ 1 loads a link more than θ (Azar, Cohen, Fiat, Kaplan and Räcke, STOC 2003). Stated in
//! one piece this is a programme of about links·(links + N²) columns (Applegate and Cohen,
//! SIGCOMM 2003). Here it is solved from both sides: a master over paths and the traffic known so
//! far ([`master`]), and the programme of one link ([`super::worst_demand`]) that finds the
//! traffic that hurts the master's routing most. Both begin where they were.
//!
//! Traffic is asked for not at the master's routing alone but between it and the best routing
//! so far: the master's last answer jumps about, the best one does not (the in-out method of
//! Ben-Ameur and Neto, Networks 49(1), 2007, <https://doi.org/10.1002/net.20137>).
//!
//! The routing returned has exact shares. Its worst case is the upper bound; the lower is
//! evaluated in exact arithmetic from the master's duals and traffic in exact amounts.

mod demands;
mod exact;
pub mod master;
mod vertex;

use rayon::prelude::*;

use crate::limit::{TooLarge, within};
use crate::lp::program::SolveError;
use crate::lp::worst_demand::exact::routable;
use crate::lp::worst_demand::packing::{LinkTask, Packing};
use crate::optimum::shortest::Adjacency;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, Topology, TopologyError};
use crate::traffic::{Demand, PathRecord};
use demands::{Demands, shortest_links};
use exact::Against;
use master::{Cut, Master, Solution};
use vertex::Exact;

/// Most SD pairs.
pub const MAX_PAIRS: u64 = 1 << 15;

/// Most SD pairs × links.
pub const MAX_USES: u64 = 1 << 24;

/// Parallel programmes of links.
const LANES: usize = 8;

/// Traffic that violates a cut by less than this part of θ is none.
const TOLERANCE: f64 = 1e-8;

/// How far from the best routing to the master's the traffic is asked for.
const STEP: f64 = 0.5;

/// Rounds of new paths before traffic is asked for again.
const PATH_ROUNDS: u64 = 2;

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Only paths of fewest links.
    pub shortest: bool,
    /// Against all traffic that hosts can send and receive (the hose set), instead of all
    /// traffic with optu ≤ 1.
    pub hose: bool,
}

/// What the work took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Solves of the master.
    pub rounds: u64,
    /// Its cuts and paths at the end.
    pub cuts: usize,
    /// Its paths.
    pub paths: usize,
    /// Iterations of the solver on the master.
    pub iterations: u64,
}

/// A routing, and how good any routing can be.
#[derive(Clone, Debug)]
pub struct Optimal {
    /// Explicit paths of all SD pairs.
    pub paths: Vec<PathRecord>,
    /// No routing has a smaller worst case: exact, from traffic that is routed exactly.
    pub lower: Ratio,
    /// The worst case of `paths` in the floats of the solver.
    pub claimed: f64,
    /// Whether the work went to its end.
    pub complete: bool,
    /// What it took.
    pub stats: Stats,
}

/// Why there is no routing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObliviousError {
    /// A pair without a path.
    #[error("no path leads from host {s} to host {d}: a routing needs a connected network")]
    Unreachable {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
    },
    /// A host alone.
    #[error("the network has one host only: there is nothing to route")]
    OneHost,
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// A host that cannot send or receive has no hose.
    #[error("{0}")]
    Topology(#[from] TopologyError),
    /// The solver.
    #[error("{0}")]
    Solve(#[from] SolveError),
}

/// The search for a best routing.
struct Search<'a> {
    topology: &'a Topology,
    network: &'a Adjacency,
    pairs: Vec<(Host, Host)>,
    demands: &'a Demands,
    progress: &'a Progress,
    /// Paths of the links' programmes, by lane.
    known: Vec<Vec<(Host, Host, Vec<LinkId>)>>,
    cuts: Vec<Against>,
}

/// The best routing so far: its shares by path, and its worst case.
struct Best {
    shares: Vec<f64>,
    value: f64,
}

/// The traffic that hurts a routing most on one link, in floats and exactly.
struct Hurt {
    value: f64,
    against: Option<Against>,
}

/// Finds a best oblivious routing of `topology`. When `progress` is cancelled, the best one so
/// far, with the lower bound that is known.
///
/// # Errors
/// [`ObliviousError`] when a pair has no path, the network is too large or the solver fails.
///
/// ```
/// use routebound::{lp::oblivious::{Options, optimal}, progress::Progress, topology};
/// // A tree of full bisection: the even split over all shortest paths has ratio 1.
/// let tree = topology::generate("ft(4,2)")?;
/// let best = optimal(&tree, Options::default(), &Progress::silent())?;
/// assert_eq!(best.lower.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn optimal(
    topology: &Topology,
    options: Options,
    progress: &Progress,
) -> Result<Optimal, ObliviousError> {
    let (hosts, links) = (topology.hosts() as u128, topology.links() as u128);
    if hosts < 2 {
        return Err(ObliviousError::OneHost);
    }
    let remedy = "route a smaller network";
    within("number of SD pairs", Some(hosts * (hosts - 1)), MAX_PAIRS, remedy)?;
    within("number of SD pairs times links", Some(hosts * hosts * links), MAX_USES, remedy)?;
    let network = Adjacency::new(topology);
    let hosts = 0..topology.hosts() as Host;
    let pairs = hosts.clone().flat_map(|s| hosts.clone().map(move |d| (s, d)));
    let pairs: Vec<_> = pairs.filter(|(s, d)| s != d).collect();
    let shortest = shortest_links(&network, &pairs)?;
    let allowed = options.shortest.then_some(shortest);
    let demands =
        if options.hose { Demands::hose(topology)? } else { Demands::new(topology.clone()) };
    let search = Search {
        topology,
        network: &network,
        pairs,
        demands: &demands,
        progress,
        known: vec![Vec::new(); LANES],
        cuts: Vec::new(),
    };
    search.run(allowed.as_deref())
}

impl Search<'_> {
    fn run(mut self, allowed: Option<&[Vec<bool>]>) -> Result<Optimal, ObliviousError> {
        let mut master = Master::new(self.network, self.pairs.clone(), allowed.map(<[_]>::to_vec))?;
        let start = vec![1.0; master.paths.len()];
        let mut best = Best { shares: start.clone(), value: f64::INFINITY };
        let mut last = Solution::default();
        let mut stats = Stats::default();
        let mut complete = false;
        let mut going = self.improve(&mut master, &start, None, &mut best)?.is_some();
        while going {
            let Some((solution, settled)) = self.settled(&mut master, &mut stats)? else { break };
            self.progress.inc(1);
            let added = self.separate(&mut master, &solution, &mut best)?;
            last = solution;
            complete = settled && added == Some(false);
            going = !complete && added.is_some();
        }
        stats.cuts = master.cuts.len();
        stats.paths = master.paths.len();
        stats.iterations = master.iterations;
        // Cuts of the last round are no part of the last solution.
        self.cuts.truncate(last.weights.len());
        let exact = Exact {
            topology: self.topology,
            pairs: &self.pairs,
            paths: &master.paths,
            cuts: &self.cuts,
        };
        let mut weights = exact::roundings(&last.weights);
        weights.extend(if complete { exact.weights(&last) } else { None });
        let network = (self.topology, self.network);
        let lower = exact::lower_bound(network, &self.pairs, allowed, &self.cuts, &weights);
        let shares = if complete { exact.shares(&last) } else { None };
        let paths = match shares {
            Some(shares) => exact::listed(&self.pairs, &master.paths, &shares),
            None => exact::routing(&self.pairs, &master.paths, &best.shares),
        };
        Ok(Optimal { paths, lower, claimed: best.value, complete, stats })
    }

    /// An optimum of the master, and whether it is one over all paths: after a few rounds of new
    /// paths, new traffic moves it further. `None` when stopped.
    fn settled(
        &self,
        master: &mut Master<'_>,
        stats: &mut Stats,
    ) -> Result<Option<(Solution, bool)>, SolveError> {
        let mut rounds = 0;
        loop {
            let Some(solution) = master.solve(self.progress)? else { return Ok(None) };
            stats.rounds += 1;
            rounds += 1;
            let settled = master.extend(&solution.weights, &solution.worth)? == 0;
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
        best.shares.clone_from(&solution.shares);
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
        let Some(hurts) = self.hurts(&tasks)? else { return Ok(None) };
        let worst = hurts.iter().map(|hurt| hurt.value).fold(0.0, f64::max);
        if worst < best.value {
            *best = Best { shares: shares.to_vec(), value: worst };
        }
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
            return Ok(Some(Hurt { value: 0.0, against: None }));
        }
        let packed = packing.solve(task, 0.0, self.progress)?;
        if !packed.finished {
            return Ok(None);
        }
        let capacity = self.topology.link(link).capacity.to_f64();
        let value = packed.bound * self.demands.largest / capacity;
        let demands = routable(&self.demands.topology, &packed.traffic);
        Ok(Some(Hurt { value, against: demands.map(|demands| Against { link, demands }) }))
    }
}
