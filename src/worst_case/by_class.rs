//! The worst case by classes of hosts that are alike ([`HostClasses`]): pairs of their first hosts stand for
//! all pairs, and a link is a transportation problem between classes.
//!
//! One pass over these pairs bounds every link by its ends: by all sources of its pairs, or all destinations,
//! each with its largest share. Links are then solved in the order of these bounds, until what some traffic
//! attains is no less than all bounds that are left.

use std::cmp::Reverse;
use std::ops::Range;
use std::time::Duration;

use rayon::prelude::*;

use super::alike_links::alike_links;
use super::class_problem::{ClassSolution, ClassSolver};
use super::problem::Unsolved;
use super::{LinkBound, WorstCase, WorstCaseError};
use crate::certificate::Cover;
use crate::load::{HostClasses, LinkGraph, LinkPairs, PairCounts};
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::routing::Instance;
use crate::topology::{LinkId, Topology, link_number};

/// Most pairs of classes in memory, with their links.
const BUDGET: u64 = 1 << 25;

/// The usual [`Extent::few`].
pub(super) const FEW: u64 = 1 << 21;

/// Links that are solved between two looks at what is left to do.
const BATCH: usize = 16;

/// Time allowed after a stop for the traffic of the worst link.
const LATE: Duration = Duration::from_millis(150);

/// What is wanted of an analysis by class.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Up to so many pairs of classes, over all links, every link is solved.
    pub(super) few: u64,
    /// Nothing but the links of hosts.
    pub(super) hosts_only: bool,
}

/// An analysis by class.
struct Analysis<'a> {
    instance: &'a Instance,
    solver: ClassSolver<'a>,
    progress: &'a Progress,
}

impl WorstCase {
    /// The bounds of all links that are wanted.
    pub(super) fn by_class(
        mut self,
        (instance, classes): (&Instance, &HostClasses),
        extent: Extent,
        progress: &Progress,
    ) -> Result<Self, WorstCaseError> {
        let solver = ClassSolver::new(&instance.topology, classes, self.unit.as_ref())?;
        self.classes = classes.hosts().to_vec();
        self.ends = vec![None; self.links.len()];
        self.by_ends = true;
        self.take_host_links(&instance.topology, &solver);
        if !extent.hosts_only {
            Analysis { instance, solver, progress }.run(&mut self, extent.few);
        }
        Ok(self)
    }

    /// The links of hosts that are alike to others: all traffic of a host is divided evenly among those out
    /// of it, and among those into it.
    fn take_host_links(&mut self, topology: &Topology, solver: &ClassSolver<'_>) {
        let mut known = Vec::new();
        for host in solver.classes.hosts().iter().filter(|hosts| hosts.len() > 1).flatten() {
            let links: [Vec<LinkId>; 2] =
                [topology.links_from(*host).collect(), topology.links_to(*host).collect()];
            for (way, links) in links.into_iter().enumerate() {
                let most = solver.most_of_host(*host, way);
                let share = Ratio::new(1, links.len() as u64).unwrap_or_default();
                for link in links {
                    let mut cover = Cover { link, ..Cover::default() };
                    let side = if way == 0 { &mut cover.sources } else { &mut cover.destinations };
                    side.push((*host, share.clone()));
                    let load = topology.load_of(link, &(&most * &share));
                    self.ends[link as usize] = Some(load.clone());
                    self.links[link as usize] = Some(LinkBound { load, attained: true, cover });
                    known.push(link);
                }
            }
        }
        self.start(topology);
        for link in known {
            if let Some(bound) = &mut self.links[link as usize] {
                bound.cover = Cover { link, ..Cover::default() };
            }
        }
    }

    /// The load of a link as far as it is known.
    fn load(&self, link: LinkId) -> Option<&Ratio> {
        self.links[link as usize].as_ref().map(|bound| &bound.load)
    }
}

/// What is left to do.
struct Search {
    /// The largest load that some traffic attains.
    best: Ratio,
    /// Whether every link is to be solved.
    every: bool,
    /// Why links were not solved.
    unsolved: Vec<(LinkId, WorstCaseError)>,
}

impl Analysis<'_> {
    fn run(&self, worst: &mut WorstCase, few: u64) {
        let open: Vec<bool> = worst.links.iter().map(Option::is_none).collect();
        let Some(counts) = self.counts(open) else { return };
        let ranges = counts.batches_of(BUDGET);
        let mut kept = None;
        for range in &ranges {
            let pairs = LinkPairs::collect(self.instance, &counts, range.clone(), self.progress);
            let Some(pairs) = pairs else { return };
            self.bound_by_ends(worst, &pairs, range.clone());
            kept = Some(pairs).filter(|_| ranges.len() == 1);
        }
        let links = 0..link_number(worst.links.len());
        let mut order: Vec<LinkId> = links.clone().filter(|link| counts.of(*link) > 0).collect();
        order.sort_by_key(|link| (Reverse(worst.load(*link).cloned()), *link));
        let all: u64 = order.iter().map(|link| counts.of(*link)).sum();
        let every = all <= few;
        let mut search = Search { best: worst.lower().clone(), every, unsolved: Vec::new() };
        match &kept {
            Some(pairs) => {
                self.search(worst, &mut search, (pairs, &order));
            }
            None => self.search_in_parts(worst, &mut search, (&counts, &order)),
        }
        self.take_worst(worst, kept.as_ref());
        let lower = worst.lower().clone();
        let matters = |link: LinkId| every || worst.load(link).is_some_and(|load| *load > lower);
        worst.unsolved =
            search.unsolved.into_iter().find(|(link, _)| matters(*link)).map(|(_, why)| why);
    }

    /// The pairs of the first hosts of classes, counted on every link that is wanted.
    fn counts(&self, wanted: Vec<bool>) -> Option<PairCounts> {
        let firsts = self.solver.classes.firsts();
        PairCounts::between(self.instance, wanted, (firsts.clone(), firsts), self.progress)
    }

    /// Bounds the open links of a range by their ends; links without pairs carry nothing.
    fn bound_by_ends(&self, worst: &mut WorstCase, pairs: &LinkPairs, range: Range<LinkId>) {
        let open = range.filter(|link| worst.links[*link as usize].is_none());
        let open: Vec<LinkId> = open.collect();
        let bounds = open.into_par_iter().map(|link| {
            let traffic = self.solver.by_ends(pairs.of(link));
            (link, self.instance.topology.load_of(link, &traffic))
        });
        for (link, load) in bounds.collect::<Vec<_>>() {
            worst.ends[link as usize] = Some(load.clone());
            let (attained, cover) = (load.is_zero(), Cover { link, ..Cover::default() });
            worst.links[link as usize] = Some(LinkBound { load, attained, cover });
        }
    }

    /// Solves links in the given order, which is that of their bounds; whether there may be more to do.
    fn search(
        &self,
        worst: &mut WorstCase,
        search: &mut Search,
        (pairs, order): (&LinkPairs, &[LinkId]),
    ) -> bool {
        let groups = alike_links(&self.instance.topology, pairs, order);
        for batch in groups.chunks(BATCH) {
            let may_be_worst =
                |group: &&Vec<LinkId>| search.every || worst.load(group[0]) > Some(&search.best);
            let batch: Vec<&Vec<LinkId>> = batch.iter().filter(may_be_worst).collect();
            if batch.is_empty() || self.progress.cancelled() {
                return false;
            }
            let enough = (!search.every).then(|| search.best.clone());
            let fresh = || LinkGraph::for_hosts(self.instance.topology.hosts());
            let found = batch.into_par_iter().map_init(fresh, |problem, group| {
                (group, self.solve((pairs, group[0]), problem, enough.as_ref()))
            });
            for (group, found) in found.collect::<Vec<_>>() {
                self.take(worst, search, group, found);
            }
        }
        true
    }

    /// The same where only the pairs of some links fit into memory.
    fn search_in_parts(
        &self,
        worst: &mut WorstCase,
        search: &mut Search,
        (counts, order): (&PairCounts, &[LinkId]),
    ) {
        let mut order = order;
        while !order.is_empty() {
            let mut room = BUDGET;
            let fits = order.iter().take_while(|link| {
                let left = room.checked_sub(counts.of(**link));
                room = left.unwrap_or(0);
                left.is_some()
            });
            let (part, rest) = order.split_at(fits.count().max(1));
            order = rest;
            let Some(pairs) = self.pairs_of(worst, part, self.progress) else { return };
            if !self.search(worst, search, (&pairs, part)) {
                return;
            }
        }
    }

    /// The pairs of some links.
    fn pairs_of(
        &self,
        worst: &WorstCase,
        links: &[LinkId],
        progress: &Progress,
    ) -> Option<LinkPairs> {
        let mut wanted = vec![false; worst.links.len()];
        for link in links {
            wanted[*link as usize] = true;
        }
        let all = 0..link_number(wanted.len());
        let quiet = Progress::silent().stopped_by(progress.stop());
        let this =
            Analysis { instance: self.instance, solver: self.solver.clone(), progress: &quiet };
        LinkPairs::collect(self.instance, &this.counts(wanted)?, all, &quiet)
    }

    fn solve<'p>(
        &self,
        (pairs, link): (&'p LinkPairs, LinkId),
        problem: &mut LinkGraph<'p>,
        enough: Option<&Ratio>,
    ) -> Result<ClassSolution, Unsolved> {
        self.progress.check()?;
        problem.load(link, pairs.of(link));
        let capacity = &self.instance.topology.link(link).capacity;
        self.solver.solve(problem, enough.map(|load| load * capacity).as_ref(), self.progress)
    }

    /// Adopts the bound of links that are alike.
    fn take(
        &self,
        worst: &mut WorstCase,
        search: &mut Search,
        group: &[LinkId],
        found: Result<ClassSolution, Unsolved>,
    ) {
        let ClassSolution { traffic, attained, is_rounded, cover } = match found {
            Ok(solution) => solution,
            Err(why) => {
                let link = group[0];
                search.unsolved.extend(why.error(link).map(|why| (link, why)));
                return;
            }
        };
        if is_rounded {
            search.unsolved.push((group[0], WorstCaseError::Shares(group[0])));
        }
        let load = self.instance.topology.load_of(group[0], &traffic);
        if attained && load > search.best {
            search.best = load.clone();
        }
        for link in group {
            let cover = Cover { link: *link, ..cover.clone() };
            worst.links[*link as usize] = Some(LinkBound { load: load.clone(), attained, cover });
        }
    }

    /// Adopts the first link with the largest attained load, and its traffic.
    fn take_worst(&self, worst: &mut WorstCase, kept: Option<&LinkPairs>) {
        let attained = worst.links.iter().flatten().filter(|bound| bound.attained);
        let most = attained.map(|bound| &bound.load).max();
        let Some(most) = most.filter(|most| *most > worst.lower()).cloned() else { return };
        let is_worst = |bound: &LinkBound| bound.attained && bound.load == most;
        let first = worst.links.iter().flatten().find(|bound| is_worst(bound));
        let Some(link) = first.map(|bound| bound.cover.link) else { return };
        // After a stop too: the link is known to be the worst so far.
        let late = self.progress.afterwards(LATE);
        let own = if kept.is_some() { None } else { self.pairs_of(worst, &[link], &late) };
        let Some(pairs) = kept.or(own.as_ref()) else { return };
        let mut problem = LinkGraph::for_hosts(self.instance.topology.hosts());
        problem.load(link, pairs.of(link));
        if let Ok(demands) = self.solver.demands(&problem, &late) {
            (worst.worst, worst.demands) = (link, demands);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Quantity;
    use crate::failure::{at_random, fail};
    use crate::routing::build;
    use crate::topology::generate;
    use crate::worst_case::Method;

    /// Damaged trees, whose links are all solved or only those that may be the worst one.
    #[test]
    fn links_that_are_left_are_not_worse() {
        let silent = Progress::silent();
        let mut left = 0;
        for seed in 0..6 {
            let tree = generate("ft(8,3)").unwrap();
            let cables = at_random(&tree, 1 + 3 * seed, seed).unwrap();
            let routing = build(if seed % 2 == 0 { "ecmp" } else { "omrmn" }, &tree).unwrap();
            let instance = fail(&tree, routing.into(), &cables).unwrap();
            let classes = HostClasses::of(&instance).unwrap();
            let analysed = |few| {
                let quantity = Quantity::PermutationLoad;
                let worst = WorstCase::new(&instance, quantity, Method::HostClasses).unwrap();
                let extent = Extent { few, hosts_only: false };
                worst.by_class((&instance, &classes), extent, &silent).unwrap()
            };
            let (whole, short) = (analysed(u64::MAX), analysed(0));
            assert!(whole.is_exact_by_link() && short.is_complete());
            assert_eq!(short.lower(), whole.lower());
            assert_eq!(short.upper(), whole.upper());
            for (short, whole) in short.links.iter().flatten().zip(whole.links.iter().flatten()) {
                left += usize::from(!short.attained);
                assert!(if short.attained {
                    short.load == whole.load
                } else {
                    short.load >= whole.load
                });
            }
        }
        assert!(left > 0);
    }
}
