//! Solving the links of an instance in units that several processes share.
//!
//! On a tree a unit is a side: the links of a subtree in one direction, whose pairs concern no other
//! side. What one process visits once for two sides is visited once for each here: twice the paths,
//! but the same bounds, since every side sees its pairs in the same order. Elsewhere a unit is a
//! link, and the pairs are visited once for all links that a process solves.

use serde::{Deserialize, Serialize};

use super::links::{bounds_between, settled};
use super::problem::LinkSolver;
use super::subtrees::Subtrees;
use super::{LinkBound, WorstCase, WorstCaseError};
use crate::distribution::{Found, Units, Work};
use crate::integer::as_size;
use crate::progress::{Progress, Stopped};
use crate::routing::Instance;
use crate::topology::Host;

/// What is found out about a side.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SideBounds {
    /// A path leads up or down in another subtree: sides are not independent.
    strays: bool,
    /// The bounds of its links that were open, ascending.
    links: Vec<LinkBound>,
    #[serde(skip)]
    unsolved: Option<WorstCaseError>,
}

/// The sides of all subtrees.
struct Sides<'a> {
    instance: &'a Instance,
    solver: &'a dyn LinkSolver,
    subtrees: &'a Subtrees<'a>,
    progress: &'a Progress,
}

impl Work for Sides<'_> {
    type Result = SideBounds;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), unit: u64) -> Found<SideBounds> {
        let side = as_size(unit);
        let ends = match self.subtrees.ends_of(side, self.progress) {
            Err(Stopped) => return Found::Stopped,
            Ok(None) => return Found::Final(SideBounds { strays: true, ..SideBounds::default() }),
            Ok(Some(ends)) => ends,
        };
        let topology = &self.instance.topology;
        let (mut found, mut open) = (SideBounds::default(), vec![false; topology.links()]);
        for ends in &ends {
            match settled(ends, self.solver, topology) {
                Some(bound) => found.links.push(bound),
                None => open[ends.link as usize] = true,
            }
        }
        if open.contains(&true) {
            let (sources, destinations) = self.subtrees.hosts_of(side);
            let quiet = Progress::silent().stopped_by(self.progress.stop());
            let between = (open, sources, destinations);
            bounds_between(
                (self.instance, self.solver),
                between,
                &quiet,
                &mut |bound, unsolved| {
                    found.links.push(bound);
                    found.unsolved = found.unsolved.take().or(unsolved);
                },
            );
        }
        found.links.sort_by_key(|bound| bound.cover.link);
        if found.unsolved.is_some() || self.progress.cancelled() {
            return Found::Passing(found);
        }
        Found::Final(found)
    }

    fn fits(&self, unit: u64, result: &SideBounds) -> bool {
        let mut wanted: Vec<_> =
            self.subtrees.sides[as_size(unit)].links.iter().map(|link| link.link).collect();
        wanted.sort_unstable();
        result.strays || result.links.iter().map(|bound| bound.cover.link).eq(wanted)
    }
}

/// Single links.
struct Links;

impl Work for Links {
    type Result = LinkBound;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), _unit: u64) -> Found<LinkBound> {
        // They are solved together.
        Found::Stopped
    }

    fn fits(&self, unit: u64, result: &LinkBound) -> bool {
        u64::from(result.cover.link) == unit
    }
}

impl WorstCase {
    /// Solves the open links where `units` says, with the same bounds as
    /// [`solve`](Self::solve).
    pub(super) fn solve_shared(
        &mut self,
        (instance, solver): (&Instance, &dyn LinkSolver),
        subtrees: Option<&Subtrees<'_>>,
        units: &Units,
        progress: &Progress,
    ) {
        let Some(subtrees) = subtrees else {
            return self.solve_links((instance, solver), units, progress);
        };
        let work = Sides { instance, solver, subtrees, progress };
        let stage = format!("sides of the {}", self.quantity.name());
        let sides = units.each(&stage, 0..subtrees.sides.len() as u64, &work);
        if sides.iter().flatten().any(|side| side.strays) {
            return self.solve_links((instance, solver), units, progress);
        }
        self.by_ends = true;
        for side in sides.into_iter().flatten() {
            for bound in side.links {
                let link = bound.cover.link as usize;
                self.links[link] = Some(bound);
            }
            self.unsolved = self.unsolved.take().or(side.unsolved);
        }
        if units.part().is_none() {
            let of_link = |link| subtrees.hosts_of(subtrees.side_of(link));
            self.take_worst(instance, solver, &of_link, progress);
        }
    }

    /// Solves the open links one by one.
    fn solve_links(
        &mut self,
        (instance, solver): (&Instance, &dyn LinkSolver),
        units: &Units,
        progress: &Progress,
    ) {
        let hosts: Vec<Host> = instance.topology.host_numbers().collect();
        let open = self.open();
        let numbers = (0..).zip(&open).filter(|(_, open)| **open).map(|(link, _)| link);
        let numbers: Vec<u64> = numbers.collect();
        let stage = format!("links of the {}", self.quantity.name());
        let mut why = None;
        let found = units.together(&stage, &numbers, &Links, |mine, take| {
            let mut open = vec![false; open.len()];
            mine.iter().for_each(|link| open[as_size(*link)] = true);
            let between = (open, hosts.clone(), hosts.clone());
            bounds_between((instance, solver), between, progress, &mut |bound, unsolved| {
                let is_final = unsolved.is_none() && !progress.cancelled();
                why = why.take().or(unsolved);
                let link = u64::from(bound.cover.link);
                take(link, if is_final { Found::Final(bound) } else { Found::Passing(bound) });
            });
        });
        self.unsolved = self.unsolved.take().or(why);
        let before = self.lower().clone();
        for (link, bound) in numbers.into_iter().zip(found) {
            self.links[as_size(link)] = bound;
        }
        let rises = |bound: &LinkBound| bound.attained && bound.load > before;
        if units.part().is_none() && self.links.iter().flatten().any(rises) {
            let all = |_| (hosts.clone(), hosts.clone());
            self.take_worst(instance, solver, &all, progress);
        }
    }
}
