//! Solving the links of an instance in units that several processes share.
//!
//! On a tree a unit is a side: the links of a subtree in one direction, whose pairs concern no other
//! side. What one process visits once for two sides is visited once for each here: twice the paths,
//! but the same bounds, since every side sees its pairs in the same order. Elsewhere a unit is a
//! link, and the pairs are visited once for all links that a process solves.

use serde::{Deserialize, Serialize};

use super::links::{Between, bounds_between, settled};
use super::problem::LinkSolver;
use super::side::SideLink;
use super::subtrees::Subtrees;
use super::{LinkBound, WorstCase, WorstCaseError};
use crate::integer::as_size;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::shards::{Found, Units, Work};
use crate::topology::{Host, Topology};
use crate::traffic::Rows;

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
            Ok(Some(mut ends)) => {
                self.subtrees.rematch_of(side, &mut ends, self.progress);
                ends
            }
        };
        let topology = &self.instance.topology;
        let (mut found, mut open) = (SideBounds::default(), vec![false; topology.links()]);
        let mut slots = vec![false; ends.len()];
        for (ends, slot) in ends.iter().zip(&mut slots) {
            if let Some(bound) = settled(ends, self.solver, topology) {
                found.links.push(bound);
            } else {
                (open[ends.link as usize], *slot) = (true, true);
            }
        }
        if slots.contains(&true) {
            let quiet = Progress::silent().stopped_by(self.progress.stop());
            let between = Between { open, rows: self.subtrees.rows_of(side, &slots, &quiet) };
            // Every thread may have a side with open links.
            let threads = rayon::current_num_threads();
            bounds_between(
                self.instance,
                self.solver,
                threads,
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
        let mut wanted: Vec<&SideLink> = self.subtrees.sides[as_size(unit)].links.iter().collect();
        wanted.sort_unstable_by_key(|link| link.link);
        let topology = &self.instance.topology;
        let is_possible = |(bound, link): (&LinkBound, &SideLink)| {
            if bound.cover.link != link.link || !bound.cover.is_empty() {
                return bound.cover.link == link.link && is_proven(bound, topology, self.solver);
            }
            // All sources or destinations are its cover: no more than the hosts below it.
            let most = self.solver.of_disjoint(link.below.into(), &Rational::ONE);
            let most = most.map(|traffic| topology.load_of(link.link, &traffic));
            bound.attained && most.is_some_and(|most| bound.load <= most)
        };
        let same = result.links.len() == wanted.len();
        result.strays || same && result.links.iter().zip(wanted).all(is_possible)
    }
}

/// Whether the load of a link is what its cover allows, as that of every link is whose worst case is
/// known. That the cover is one is left to the checker.
fn is_proven(bound: &LinkBound, topology: &Topology, solver: &dyn LinkSolver) -> bool {
    let LinkBound { load, attained, cover } = bound;
    let hosts = cover.sources.iter().chain(&cover.destinations);
    let value = || solver.value(cover).map(|traffic| topology.load_of(cover.link, &traffic));
    *attained
        && hosts.map(|(host, _)| *host as usize).all(|host| host < topology.hosts())
        && value().as_ref() == Some(load)
}

/// Single links.
struct Links<'a> {
    topology: &'a Topology,
    solver: &'a dyn LinkSolver,
}

impl Work for Links<'_> {
    type Result = LinkBound;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), _unit: u64) -> Found<LinkBound> {
        // They are solved together.
        Found::Stopped
    }

    fn fits(&self, unit: u64, result: &LinkBound) -> bool {
        u64::from(result.cover.link) == unit && is_proven(result, self.topology, self.solver)
    }
}

impl WorstCase {
    /// Solves the open links where `units` says, with the same bounds as
    /// [`solve`](Self::solve).
    pub(super) fn solve_shared(
        &mut self,
        instance: &Instance,
        solver: &dyn LinkSolver,
        subtrees: Option<&Subtrees<'_>>,
        units: &Units,
        progress: &Progress,
    ) {
        let Some(subtrees) = subtrees else {
            return self.solve_links(instance, solver, units, progress);
        };
        let work = Sides { instance, solver, subtrees, progress };
        let stage = format!("sides of the {}", self.quantity.name());
        let sides = units.each(&stage, 0..subtrees.sides.len() as u64, &work);
        if sides.iter().flatten().any(|side| side.strays) {
            return self.solve_links(instance, solver, units, progress);
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
            let quiet = Progress::silent().stopped_by(progress.stop());
            let rows_of = |link| subtrees.rows_of_link(link, &quiet);
            self.take_worst(instance, solver, &rows_of, progress);
        }
    }

    /// Solves the open links one by one.
    fn solve_links(
        &mut self,
        instance: &Instance,
        solver: &dyn LinkSolver,
        units: &Units,
        progress: &Progress,
    ) {
        let hosts: Vec<Host> = instance.topology.host_numbers().collect();
        let open = self.open();
        let numbers = (0..).zip(&open).filter(|(_, open)| **open).map(|(link, _)| link);
        let numbers: Vec<u64> = numbers.collect();
        let stage = format!("links of the {}", self.quantity.name());
        let mut why = None;
        let work = Links { topology: &instance.topology, solver };
        let found = units.together(&stage, &numbers, &work, |mine, take| {
            let mut open = vec![false; open.len()];
            for link in mine {
                open[as_size(*link)] = true;
            }
            let between = Between::all(instance, open);
            bounds_between(instance, solver, 1, between, progress, &mut |bound, unsolved| {
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
            let all = |_| Rows::all(&hosts, hosts.clone());
            self.take_worst(instance, solver, &all, progress);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::certificate::Quantity;
    use crate::routing::{Listed, Routing};
    use crate::shards::{Command, Part, Parts, Shard};
    use crate::traffic::PathRecord;
    use crate::worst_case::subtrees::tests::some_tables;
    use crate::worst_case::{Analyse, Scope, analyse};

    /// D-mod-k on FT(4,2) but for one pair, whose path leads through a third leaf.
    fn with_a_detour() -> Instance {
        let dmodk = Instance::named("ft(4,2)", "dmodk").unwrap();
        let path = |s, d| {
            let mut found = Vec::new();
            dmodk.routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                found = links.to_vec();
            });
            found
        };
        let mut records = Vec::new();
        for (s, d) in crate::topology::sd_pairs(8) {
            let detour = || [&path(0, 4)[..3], &path(5, 3)[1..]].concat();
            let links = if (s, d) == (0, 3) { detour() } else { path(s, d) };
            records.push(PathRecord { s, d, share: Rational::ONE, links });
        }
        let listed: Box<dyn Routing> = Box::new(Listed::new("detour".into(), 8, records).unwrap());
        Instance::new(dmodk.topology, listed).unwrap()
    }

    /// What follows from the parts of this many shards.
    fn merged(instance: &Instance, quantity: Quantity, of: u64) -> WorstCase {
        let command = Command(vec!["ratio".into()]);
        let analyse = Analyse::of(quantity).scope(Scope::WorstLink);
        let text = |number| {
            let shard = Shard::new(number, of).unwrap();
            let part = Arc::new(Part::in_memory(command.clone(), shard));
            let units = Units::from(Arc::clone(&part));
            analyse.units(&units).run(instance).unwrap();
            assert!(part.finish(false).unwrap().finished);
            Ok((shard.to_string(), part.text().unwrap()))
        };
        let parts = Parts::read((1..=of).map(text)).unwrap();
        let units = Units::from(Arc::new(parts));
        let worst = analyse.units(&units).run(instance).unwrap();
        units.check().unwrap();
        worst
    }

    #[test]
    fn shards_find_what_one_process_finds() {
        let named = [
            ("ft(4,3)", "random(seed=1)"),
            ("ft(4,2)", "omrmn"),
            ("xgft(3;3,2,2;1,2,1)", "rnca-u(seed=8)"),
            ("xgft(2;4,4;2,3)", "kpath(k=2,choice=random)"),
            ("xgft(1;4;2)", "smodk"),
        ];
        let mut instances: Vec<Instance> = named
            .iter()
            .map(|(topology, routing)| Instance::named(topology, routing).unwrap())
            .collect();
        instances.push(some_tables("ft(6,3)", 1));
        instances.push(with_a_detour());
        for instance in &instances {
            for quantity in [Quantity::ObliviousRatio, Quantity::PermutationLoad] {
                let whole = Analyse::of(quantity).run(instance).unwrap();
                for of in [1, 2, 7] {
                    let merged = merged(instance, quantity, of);
                    let name = instance.routing.spec();
                    assert_eq!(merged.links, whole.links, "{name}, {of}");
                    assert_eq!(merged.worst, whole.worst, "{name}, {of}");
                    assert_eq!(merged.demands, whole.demands, "{name}, {of}");
                    assert_eq!(merged.by_ends, whole.by_ends, "{name}, {of}");
                }
            }
        }
        let detour = instances.last().unwrap();
        let whole = analyse(detour).unwrap();
        assert!(!whole.by_ends, "the path does not stray");
    }
}
