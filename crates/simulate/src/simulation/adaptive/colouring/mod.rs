//! Single paths with little contention for any traffic on a labelled tree, as the pattern-aware scheme
//! Colored of \[RO\] VII gives.
//!
//! The search begins with D-mod-k, S-mod-k, an edge colouring of the flows level by level
//! (`split.rs`) and paths chosen one by one (`starts.rs`), and moves flows from these on
//! (`climb.rs`). What it minimises is the maximum network contention of a link (\[RO\] IV), then the
//! maximum load. Counting over subtrees gives a bound from below (`lower.rs`); where the two meet, no
//! single shortest paths are better. Its effort is counted in flows looked at, so results depend on
//! neither time nor threads.

mod choices;
mod climb;
mod lower;
mod problem;
mod profile;
mod routes;
mod split;
mod starts;

use problem::Problem;
use profile::Measure;
use routes::Routes;

use super::{PatternError, RoutedTraffic};
use crate::bounds::{Bounds, Evidence};
use crate::prelude::*;
use crate::sums::Sums;
use crate::traffic::{Demand, PathRecord, TrafficMatrix};

/// Limits of a search.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Effort {
    /// Seed of the random choices.
    pub seed: u64,
    /// Flows that are looked at, about.
    pub steps: u64,
}

/// Paths for all demands.
pub(super) fn route(
    tree: &Xgft,
    traffic: &TrafficMatrix,
    effort: Effort,
    progress: &Progress,
) -> Result<RoutedTraffic, PatternError> {
    let problem = Problem::new(tree, traffic)?;
    progress.check()?;
    let least = lower::least_contention(&problem, progress)?;
    let mut search = Search { problem: &problem, least, effort, steps: 0, starts: Vec::new() };
    let stopped = search.run(progress).is_err();
    let best = search.starts.into_iter().min_by_key(Start::rank).ok_or(Stopped)?;
    let routes = Routes::with(&problem, &best.up);
    let paths = paths(&problem, traffic, &best.up);
    let most = routes.contentions.measure().most;
    let evidence = Evidence::Claimed("counting over subtrees, and these paths".into());
    Ok(RoutedTraffic {
        contention: Bounds { lower: least.into(), upper: most.into(), evidence },
        by_link: routes.contention_by_link().to_vec(),
        max_load: max_load(&problem, traffic, &paths),
        paths,
        start: best.name,
        steps: search.steps,
        stopped,
    })
}

/// Paths, and how bad they are by contention and by load.
struct Start {
    name: &'static str,
    measure: (Measure, Measure),
    up: Vec<u32>,
}

impl Start {
    /// How bad the paths are as a result.
    fn rank(&self) -> (u64, Measure) {
        (self.measure.0.most, self.measure.1)
    }
}

struct Search<'p> {
    problem: &'p Problem<'p>,
    least: u64,
    effort: Effort,
    steps: u64,
    starts: Vec<Start>,
}

impl Search<'_> {
    fn run(&mut self, progress: &Progress) -> Result<(), Stopped> {
        let streams = Streams::new(self.effort.seed);
        self.offer("D-mod-k", starts::modulo(self.problem, false));
        progress.check()?;
        self.offer("S-mod-k", starts::modulo(self.problem, true));
        if !self.is_reached() {
            self.offer("edge colouring", split::coloured(self.problem, progress)?);
        }
        if !self.is_reached() {
            let share = self.effort.steps / 4;
            let (up, steps) =
                starts::one_by_one(self.problem, share, &mut streams.at(0), progress)?;
            self.steps += steps;
            if let Some(up) = up {
                self.offer("one by one", up);
            }
        }
        self.climb(&streams, progress)
    }

    fn is_reached(&self) -> bool {
        self.starts.iter().any(|start| start.measure.0.most <= self.least)
    }

    fn offer(&mut self, name: &'static str, up: Vec<u32>) {
        let routes = Routes::with(self.problem, &up);
        self.steps += routes.steps;
        let measure = (routes.contentions.measure(), routes.loads.measure());
        self.starts.push(Start { name, measure, up });
    }

    /// Improves the starts, best first, each with an equal share of what is left, until one is as good
    /// as can be; then the load of the best.
    fn climb(&mut self, streams: &Streams, progress: &Progress) -> Result<(), Stopped> {
        self.starts.sort_by_key(|start| start.measure);
        let (all, mut number) = (self.starts.len(), 1);
        for at in 0..all {
            if self.is_reached() {
                break;
            }
            let left = (self.effort.steps / 2).saturating_sub(self.steps) / (all - at) as u64;
            let least = self.least;
            self.improve(at, |routes| {
                let stream = &mut streams.at(number);
                climb::lower_contention(routes, least, left, stream, progress)
            })?;
            number += 1;
        }
        self.starts.sort_by_key(Start::rank);
        let left = (self.effort.steps / 4).max(self.effort.steps.saturating_sub(self.steps));
        self.improve(0, |routes| climb::lower_load(routes, left, &mut streams.at(number), progress))
    }

    /// Lets `search` move flows of a start; what it has at a stop counts.
    fn improve(
        &mut self,
        at: usize,
        search: impl FnOnce(&mut Routes<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let start = &mut self.starts[at];
        let mut routes = Routes::with(self.problem, &start.up);
        routes.steps = 0;
        let end = search(&mut routes);
        start.up = routes.all_up().to_vec();
        start.measure = (routes.contentions.measure(), routes.loads.measure());
        self.steps += routes.steps;
        end
    }
}

fn paths(problem: &Problem<'_>, traffic: &TrafficMatrix, up: &[u32]) -> Vec<PathRecord> {
    let flows = problem.numbers().zip(up.chunks(problem.tree.height()));
    let path = |((flow, up), demand): ((u32, &[u32]), &Demand)| {
        let mut links = Vec::new();
        problem.path(flow, up, &mut links);
        PathRecord { s: demand.s, d: demand.d, share: Rational::ONE, links }
    };
    flows.zip(traffic.demands()).map(path).collect()
}

/// The exact max load.
fn max_load(problem: &Problem<'_>, traffic: &TrafficMatrix, paths: &[PathRecord]) -> Rational {
    let mut sums = Sums::new(problem.links);
    for (path, demand) in paths.iter().zip(traffic.demands()) {
        sums.add(path.links.iter().copied(), &demand.amount);
    }
    let load = |link: LinkId| {
        let step = problem.tree.place_of_link(link).step;
        sums.get(link).checked_div(problem.tree.capacity(step)).unwrap_or_default()
    };
    let used = paths.iter().flat_map(|path| path.links.iter().copied());
    let mut used: Vec<LinkId> = used.collect();
    used.sort_unstable();
    used.dedup();
    used.into_iter().map(load).max().unwrap_or_default()
}

#[cfg(test)]
mod tests;
