//! The worst case by classes of hosts that are alike ([`HostClasses`]): pairs of their first hosts stand for
//! all pairs, and a link is a transportation problem between classes.
//!
//! Two passes over these pairs bound every link by its ends: by all sources of its pairs, and by all
//! destinations, each with its largest share. Links are then solved in the order of these bounds, until what
//! some traffic attains is no less than all bounds that are left; the pairs of others are never collected.
//!
//! Where there are few links, all are solved: numbers of pairs decide that, never time or threads. Parts of shards
//! leave links that need not be solved to the merge, as there is little to share. Covers name the first host of a class
//! for all of it; `WorstCase::by_hosts` turns them into covers by host before linear programs change them.

use std::cmp::Reverse;
use std::time::Duration;

use rayon::prelude::*;

use super::alike_links::alike_links;
use super::candidate_cuts::Cuts;
use super::class_cuts::CutSolver;
use super::class_problem::{ClassSolution, ClassSolver};
use super::problem::Unsolved;
use super::{LinkBound, WorstCase, WorstCaseError};
use crate::certificate::Cover;
use crate::load::{HostClasses, LinkGraph, LinkPairs, PairCounts, sums_by_destination};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{LinkId, Topology, link_number};
use crate::traffic::Demand;

/// Maximum number of pairs of classes in memory, with their links.
const BUDGET: u64 = 1 << 25;

/// The usual [`Extent::few`].
pub(super) const FEW: u64 = 1 << 21;

/// As many for the first links that are solved, which often are all.
const FIRST: u64 = 1 << 22;

/// Links that are solved between two looks at what is left to do.
const BATCH: usize = 16;

/// Time allowed after a stop for the traffic of the worst link.
const LATE: Duration = Duration::from_millis(150);

/// The extent of an analysis by class.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Up to a given number of pairs of classes, over all links, every link is solved.
    pub(super) few: u64,
    /// Nothing but the links of hosts.
    pub(super) hosts_only: bool,
}

/// An analysis by class.
pub(super) struct Analysis<'a> {
    pub(super) instance: &'a Instance,
    pub(super) solver: ClassSolver<'a>,
    /// Cuts that limit the traffic, if any are looked at.
    pub(super) cuts: Option<Cuts>,
    pub(super) progress: &'a Progress,
}

impl WorstCase {
    /// The bounds of all links that are wanted.
    pub(super) fn by_class(
        mut self,
        instance: &Instance,
        classes: &HostClasses,
        extent: Extent,
        progress: &Progress,
    ) -> Result<Self, WorstCaseError> {
        let solver = ClassSolver::new(&instance.topology, classes, self.unit.as_ref())?;
        self.classes = classes.hosts().to_vec();
        self.ends = vec![None; self.links.len()];
        self.by_ends = true;
        self.take_host_links(&instance.topology, &solver);
        if !extent.hosts_only {
            Analysis { instance, solver, cuts: None, progress }.run(&mut self, extent.few);
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
                let share = Rational::new(1, links.len() as u64).unwrap_or_default();
                for link in links {
                    let mut cover = Cover { link, ..Cover::default() };
                    let side = if way == 0 { &mut cover.sources } else { &mut cover.destinations };
                    side.push((*host, share.clone()));
                    let load = topology.load_of(link, &(&most * &share));
                    self.ends[link as usize] = Some(load.clone());
                    let cover = Box::new(cover);
                    self.links[link as usize] = Some(LinkBound { load, attained: true, cover });
                    known.push(link);
                }
            }
        }
        self.start(topology);
        for link in known {
            if let Some(bound) = &mut self.links[link as usize] {
                *bound.cover = Cover { link, ..Cover::default() };
            }
        }
    }

    /// The load of a link as far as it is known.
    pub(super) fn load(&self, link: LinkId) -> Option<&Rational> {
        self.links[link as usize].as_ref().map(|bound| &bound.load)
    }
}

/// The work that is left.
#[derive(Default)]
pub(super) struct Search {
    /// The largest load that some traffic attains, or the largest bound that cuts leave.
    pub(super) best: Rational,
    /// Whether every link is to be solved.
    pub(super) every: bool,
    /// Why links were not solved.
    pub(super) unsolved: Vec<(LinkId, WorstCaseError)>,
    /// Under cuts, the link with the largest bound, traffic against it, and what that puts there.
    pub(super) traffic: Option<(LinkId, Vec<Demand>, Rational)>,
}

impl Analysis<'_> {
    fn run(&self, worst: &mut WorstCase, few: u64) {
        let Some(counts) = self.bound_by_ends(worst) else { return };
        let links = 0..link_number(worst.links.len());
        let mut order: Vec<LinkId> = links.filter(|link| counts.of(*link) > 0).collect();
        order.sort_by_key(|link| (Reverse(worst.load(*link).cloned()), *link));
        let all: u64 = order.iter().map(|link| counts.of(*link)).sum();
        let every = all <= few;
        let mut search = Search { best: worst.lower().clone(), every, ..Search::default() };
        self.search_in_parts(worst, &mut search, &counts, &order);
        let lower = worst.lower().clone();
        let matters = |link: LinkId| every || worst.load(link).is_some_and(|load| *load > lower);
        worst.unsolved =
            search.unsolved.into_iter().find(|(link, _)| matters(*link)).map(|(_, why)| why);
    }

    /// Bounds the open links by their ends, and counts the pairs of the first hosts of classes on them; links
    /// without pairs carry nothing. `None` when cancelled, after the bounds by sources perhaps.
    fn bound_by_ends(&self, worst: &mut WorstCase) -> Option<PairCounts> {
        let open: Vec<bool> = worst.links.iter().map(Option::is_none).collect();
        let firsts = self.solver.classes.firsts();
        let (counts, sent) = PairCounts::with_sums(
            self.instance,
            open.clone(),
            &firsts,
            firsts.clone(),
            &|host| self.solver.room(host, 0),
            self.progress,
        )?;
        self.take_ends(worst, &open, &sent);
        let rooms: Vec<_> = firsts.iter().map(|host| (*host, self.solver.room(*host, 1))).collect();
        let received = sums_by_destination(self.instance, &firsts, &rooms, self.progress)?;
        self.take_ends(worst, &open, &received);
        Some(counts)
    }

    /// Adopts bounds on the open links, in units of traffic, where they are lower.
    fn take_ends(&self, worst: &mut WorstCase, open: &[bool], sums: &[Rational]) {
        let links = (0..).zip(open.iter().zip(sums)).filter(|(_, (open, _))| **open);
        for (link, (_, units)) in links {
            let load = self.instance.topology.load_of(link, &self.solver.traffic(units));
            if worst.load(link).is_none_or(|known| load < *known) {
                worst.ends[link as usize] = Some(load.clone());
                let cover = Box::new(Cover { link, ..Cover::default() });
                let attained = load.is_zero();
                worst.links[link as usize] = Some(LinkBound { load, attained, cover });
            }
        }
    }

    /// Solves links in the given order, which is that of their bounds; whether there may be more to do.
    fn search(
        &self,
        worst: &mut WorstCase,
        search: &mut Search,
        pairs: &LinkPairs,
        order: &[LinkId],
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
                (group, self.solve(pairs, group[0], problem, enough.as_ref()))
            });
            for (group, found) in found.collect::<Vec<_>>() {
                self.take(worst, search, group, found);
            }
        }
        true
    }

    /// Searches with as many pairs in memory as fit, few at first.
    pub(super) fn search_in_parts(
        &self,
        worst: &mut WorstCase,
        search: &mut Search,
        counts: &PairCounts,
        order: &[LinkId],
    ) {
        let (mut order, mut budget) = (order, if search.every { BUDGET } else { FIRST });
        while let Some(first) = order.first() {
            if !search.every && worst.load(*first) <= Some(&search.best) {
                return;
            }
            let mut room = budget;
            let fits = order.iter().take_while(|link| {
                let left = room.checked_sub(counts.of(**link));
                room = left.unwrap_or(0);
                left.is_some()
            });
            let (part, rest) = order.split_at(fits.count().max(1));
            (order, budget) = (rest, BUDGET);
            let Some(pairs) = self.pairs_of(counts, part) else { return };
            let continues = self.search(worst, search, &pairs, part);
            match &self.cuts {
                Some(cuts) => self.take_traffic(worst, search, cuts, &pairs, part),
                None => self.take_worst(worst, &pairs, part),
            }
            if !continues {
                return;
            }
        }
    }

    /// The pairs of some links.
    fn pairs_of(&self, counts: &PairCounts, links: &[LinkId]) -> Option<LinkPairs> {
        let quiet = Progress::silent().stopped_by(self.progress.stop());
        let all = 0..link_number(self.instance.topology.links());
        LinkPairs::collect(self.instance, &counts.only(links), all, &quiet)
    }

    fn solve<'p>(
        &self,
        pairs: &'p LinkPairs,
        link: LinkId,
        problem: &mut LinkGraph<'p>,
        enough: Option<&Rational>,
    ) -> Result<ClassSolution, Unsolved> {
        self.progress.check()?;
        problem.load(link, pairs.of(link));
        let capacity = &self.instance.topology.link(link).capacity;
        let enough = enough.map(|load| load * capacity);
        match &self.cuts {
            Some(cuts) => {
                let solver = CutSolver { solver: &self.solver, cuts };
                solver.solve(problem, enough.as_ref(), self.progress)
            }
            None => self.solver.solve(problem, enough.as_ref(), self.progress),
        }
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
            let cover = Box::new(Cover { link: *link, ..cover.clone() });
            worst.links[*link as usize] = Some(LinkBound { load: load.clone(), attained, cover });
        }
    }

    /// Adopts the first of some links with the largest attained load, and its traffic, where it is more than
    /// what is known.
    fn take_worst(&self, worst: &mut WorstCase, pairs: &LinkPairs, links: &[LinkId]) {
        let bounds = links.iter().filter_map(|link| worst.links[*link as usize].as_ref());
        let attained = bounds.filter(|bound| bound.attained && bound.load > *worst.lower());
        let most = attained.max_by_key(|bound| (&bound.load, Reverse(bound.cover.link)));
        let Some(link) = most.map(|bound| bound.cover.link) else { return };
        // After a stop too: the link is known to be the worst so far.
        let late = self.progress.afterwards(LATE);
        let mut problem = LinkGraph::for_hosts(self.instance.topology.hosts());
        problem.load(link, pairs.of(link));
        if let Ok(demands) = self.solver.demands(&problem, &late) {
            (worst.worst, worst.demands) = (link, demands);
        }
    }

    /// Finds traffic under cuts against the link with the largest bound, if it is among these.
    fn take_traffic(
        &self,
        worst: &WorstCase,
        search: &mut Search,
        cuts: &Cuts,
        pairs: &LinkPairs,
        links: &[LinkId],
    ) {
        let bounds = links.iter().filter_map(|link| worst.links[*link as usize].as_ref());
        let mut largest = bounds.filter(|bound| bound.attained && bound.load == search.best);
        let Some(link) = largest.next().map(|bound| bound.cover.link) else { return };
        let mut problem = LinkGraph::for_hosts(self.instance.topology.hosts());
        problem.load(link, pairs.of(link));
        let solver = CutSolver { solver: &self.solver, cuts };
        if let Ok((traffic, demands)) = solver.demands(&problem, self.progress) {
            search.traffic = Some((link, demands, traffic));
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
                worst.by_class(&instance, &classes, extent, &silent).unwrap()
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
