//! Solving the links of an instance.

use std::time::Duration;

use rayon::prelude::*;

use super::host_links::attaining;
use super::problem::{Attaining, LinkSolver, Scratch, Solution, Unsolved};
use super::side::{Ends, SideLink};
use super::subtrees::Subtrees;
use super::{LinkBound, WorstCase, WorstCaseError};
use crate::certificate::Cover;
use crate::load::{LinkGraph, LinkPairs, PairCounts};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::shards::Units;
use crate::topology::{Host, LinkId, Topology, link_number};
use crate::traffic::Rows;

/// Time allowed after a stop for covers without search, and for the traffic of the worst link.
const COVERING: Duration = Duration::from_millis(150);

impl WorstCase {
    /// Starts with the host link known to have the largest load, the first one among equals.
    pub(super) fn start(&mut self, topology: &Topology) {
        let known = self.links.iter().flatten();
        let worst =
            known.reduce(|worst, bound| if bound.load > worst.load { bound } else { worst });
        if let Some(bound) = worst {
            self.worst = bound.cover.link;
            self.demands = attaining(topology, self.quantity, bound);
        }
    }

    /// Solves the links that are open, subtree by subtree where that is possible. What a stop leaves
    /// open stays so.
    pub(super) fn solve(
        &mut self,
        instance: &Instance,
        solver: &dyn LinkSolver,
        units: &Units,
        progress: &Progress,
    ) {
        let open = self.open();
        let capacity = solver.capacities();
        // The cuts of subtrees bound only what leaves and enters them once.
        let takes_part = solver.of_disjoint(0, &Rational::ONE).is_some()
            && (capacity.is_none() || instance.is_by_spec());
        let tree = instance.topology.tree().filter(|_| takes_part);
        let subtrees = tree.and_then(|tree| Subtrees::new(instance, tree, capacity, &open));
        if units.are_shared() {
            return self.solve_shared(instance, solver, subtrees.as_ref(), units, progress);
        }
        let Some(subtrees) = subtrees else {
            return self.solve_between(instance, solver, Between::all(instance, open), progress);
        };
        match subtrees.ends(progress) {
            Err(Stopped) => {}
            Ok(None) => {
                self.solve_between(instance, solver, Between::all(instance, open), progress);
            }
            Ok(Some(mut ends)) => {
                subtrees.rematch(&mut ends, progress);
                self.by_subtrees(instance, solver, &subtrees, &ends, progress);
            }
        }
    }

    /// Which links have no bound yet, and are the lowest of their class.
    pub(super) fn open(&self) -> Vec<bool> {
        let links = (0..).zip(&self.links);
        links.map(|(link, bound)| bound.is_none() && self.is_representative(link)).collect()
    }

    /// Settles the links whose ends suffice, then the others, and finds traffic for the worst one.
    fn by_subtrees(
        &mut self,
        instance: &Instance,
        solver: &dyn LinkSolver,
        subtrees: &Subtrees<'_>,
        ends: &[Ends],
        progress: &Progress,
    ) {
        self.by_ends = true;
        for ends in ends {
            let bound = settled(ends, solver, &instance.topology);
            self.links[ends.link as usize] = bound;
        }
        // The pairs of the subtree's open links are collected only now.
        let quiet = Progress::silent().stopped_by(progress.stop());
        for (number, side) in subtrees.sides.iter().enumerate() {
            let is_open = |link: &SideLink| self.links[link.link as usize].is_none();
            let slots: Vec<bool> = side.links.iter().map(is_open).collect();
            if slots.contains(&true) {
                let mut open = vec![false; self.links.len()];
                let links = side.links.iter().zip(&slots).filter(|(_, open)| **open);
                links.for_each(|(link, _)| open[link.link as usize] = true);
                let between = Between { open, rows: subtrees.rows_of(number, &slots, &quiet) };
                self.solve_between(instance, solver, between, &quiet);
            }
        }
        let rows_of = |link| subtrees.rows_of_link(link, &quiet);
        self.take_worst(instance, solver, &rows_of, progress);
    }

    /// Solves some links.
    fn solve_between(
        &mut self,
        instance: &Instance,
        solver: &dyn LinkSolver,
        between: Between,
        progress: &Progress,
    ) {
        let take = &mut |batch: &Batch<'_>| self.take(batch, progress);
        each_batch(instance, solver, PairCounts::BUDGET, between, progress, take);
    }

    /// Adopts the first link with the largest attained load, with its traffic; all its pairs are among the given
    /// ones.
    pub(super) fn take_worst(
        &mut self,
        instance: &Instance,
        solver: &dyn LinkSolver,
        rows_of: &dyn Fn(LinkId) -> Rows,
        progress: &Progress,
    ) {
        let attained = self.links.iter().flatten().filter(|bound| bound.attained);
        let most = attained.map(|bound| &bound.load).max();
        let Some(most) = most.filter(|most| *most >= self.lower()).cloned() else { return };
        let is_worst = |bound: &Option<LinkBound>| {
            bound.as_ref().is_some_and(|b| b.attained && b.load == most)
        };
        let Some(first) = self.links.iter().position(is_worst) else { return };
        if first == self.worst as usize && !self.demands.is_empty() {
            return;
        }
        let link = link_number(first);
        let mut only = vec![false; self.links.len()];
        only[first] = true;
        // After a stop too: the link is known to be the worst so far.
        let late = progress.afterwards(COVERING);
        let late = Progress::silent().stopped_by(late.stop());
        let counts = PairCounts::of_rows(instance, only, rows_of(link), &late);
        let Some(counts) = counts else { return };
        let range = link..link + 1;
        let Some(pairs) = LinkPairs::collect(instance, &counts, range, &late) else { return };
        let batch = Batch { topology: &instance.topology, solver, pairs: &pairs, open: Vec::new() };
        if let Ok(demands) = batch.traffic(link, &progress.afterwards(COVERING)) {
            (self.worst, self.demands) = (link, demands);
        }
    }

    /// Solves the links of a batch, and takes their bounds and the traffic of the worst link.
    fn take(&mut self, batch: &Batch<'_>, progress: &Progress) {
        let mut best = self.lower().clone();
        let mut found = None;
        for (bound, unsolved) in batch.bounds(progress) {
            let link = bound.cover.link;
            if bound.attained && bound.load > best {
                best = bound.load.clone();
                found = Some(link);
            }
            self.links[link as usize] = Some(bound);
            self.unsolved = self.unsolved.take().or(unsolved);
        }
        if let Some(link) = found
            && let Ok(demands) = batch.traffic(link, &progress.afterwards(COVERING))
        {
            (self.worst, self.demands) = (link, demands);
        }
    }
}

/// Links that are open, all of whose pairs are among the given ones.
pub(super) struct Between {
    pub(super) open: Vec<bool>,
    pub(super) rows: Rows,
}

impl Between {
    /// Open links with the pairs of all hosts.
    pub(super) fn all(instance: &Instance, open: Vec<bool>) -> Self {
        let hosts: Vec<Host> = instance.topology.host_numbers().collect();
        Self { open, rows: Rows::all(&hosts, hosts.clone()) }
    }
}

/// The bounds of open links; `take` gets them batch by batch, each with the reason for which it could not be
/// solved. The memory for pairs is that for one of `callers`.
pub(super) fn bounds_between(
    instance: &Instance,
    solver: &dyn LinkSolver,
    callers: usize,
    between: Between,
    progress: &Progress,
    take: &mut dyn FnMut(LinkBound, Option<WorstCaseError>),
) {
    let most = PairCounts::BUDGET / callers as u64;
    each_batch(instance, solver, most, between, progress, &mut |batch| {
        batch.bounds(progress).into_iter().for_each(|(bound, unsolved)| take(bound, unsolved));
    });
}

/// Calls `take` with the open links and their pairs, as many links at a time as have `most` pairs at most; not to the end
/// after a stop.
fn each_batch(
    instance: &Instance,
    solver: &dyn LinkSolver,
    most: u64,
    between: Between,
    progress: &Progress,
    take: &mut dyn FnMut(&Batch<'_>),
) {
    let Between { open, rows } = between;
    let counts = PairCounts::of_rows(instance, open.clone(), rows, progress);
    let Some(counts) = counts else { return };
    for range in counts.batches_of(most) {
        let collected = LinkPairs::collect(instance, &counts, range.clone(), progress);
        let Some(pairs) = collected else { break };
        let open = range.filter(|link| open[*link as usize]).collect();
        take(&Batch { topology: &instance.topology, solver, pairs: &pairs, open });
    }
}

/// The bound on a link of which as many node-disjoint pairs were found as it has sources or
/// destinations: these are its cover, so none is written down; or as many as the cut below it lets
/// through.
pub(super) fn settled(
    ends: &Ends,
    solver: &dyn LinkSolver,
    topology: &Topology,
) -> Option<LinkBound> {
    let share = ends.share.as_ref()?;
    let cover = if ends.fewer == Some(ends.disjoint) {
        Cover::default()
    } else if ends.fills_cut {
        solver.cover_of_cut(ends.link, share)?
    } else {
        return None;
    };
    let traffic = solver.of_disjoint(ends.disjoint.into(), share)?;
    let cover = Box::new(Cover { link: ends.link, ..cover });
    let load = topology.load_of(ends.link, &traffic);
    Some(LinkBound { load, attained: true, cover })
}

/// Links whose SD pairs are in memory, to be solved.
struct Batch<'a> {
    topology: &'a Topology,
    solver: &'a dyn LinkSolver,
    pairs: &'a LinkPairs,
    open: Vec<LinkId>,
}

impl<'a> Batch<'a> {
    /// The bounds of the open links, in order. After a stop, a grace period is left for covers that
    /// need no search.
    fn bounds(&self, progress: &Progress) -> Vec<(LinkBound, Option<WorstCaseError>)> {
        let late = progress.afterwards(COVERING);
        let fresh = || (Scratch::default(), LinkGraph::for_hosts(self.topology.hosts()));
        let links = self.open.par_iter().map_init(fresh, |(scratch, problem), link| {
            (!late.cancelled()).then(|| self.bound(*link, problem, scratch, progress))
        });
        let bounds: Vec<Option<_>> = links.collect();
        bounds.into_iter().flatten().collect()
    }

    /// The bound of one link, and why it could not be solved.
    fn bound(
        &self,
        link: LinkId,
        problem: &mut LinkGraph<'a>,
        scratch: &mut Scratch,
        progress: &Progress,
    ) -> (LinkBound, Option<WorstCaseError>) {
        problem.load(link, self.pairs.of(link));
        let asked = progress.check().map_err(Unsolved::from);
        let found = asked.and_then(|()| self.solver.solve(problem, scratch, progress));
        let (solution, unsolved) = match found {
            Ok(solution) => (solution, None),
            Err(why) => (self.solver.trivial(problem), why.error(link)),
        };
        (solution.bound(link, self.topology), unsolved)
    }

    /// Traffic that loads a link as much as its bound says.
    fn traffic(&self, link: LinkId, progress: &Progress) -> Attaining {
        let mut problem = LinkGraph::for_hosts(self.topology.hosts());
        problem.load(link, self.pairs.of(link));
        self.solver.traffic(&problem, progress)
    }
}

impl Solution {
    fn bound(self, link: LinkId, topology: &Topology) -> LinkBound {
        let load = topology.load_of(link, &self.traffic);
        let cover = Box::new(Cover { link, ..self.cover });
        LinkBound { load, attained: self.attained, cover }
    }
}
