//! Matchings of the links that a greedy one leaves open, where routing is by tables.
//!
//! Sources that enter tables at the same node reach a destination by the same links. So the pairs of a link join *runs*
//! of such sources with destinations, and a matching may use a run once for each of its sources. Where the largest
//! matching has as many pairs as the link has sources, or destinations, these are its cover. Pairs are collected only for
//! the other links, and only with the destinations that their runs reach through them.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Ends, NOT_WANTED, Subtrees};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::ByDestination;
use crate::topology::{Host, NodeId};
use crate::traffic::Rows;

/// Maximum number of runs times destinations, for which paths are followed.
const MAX_PATHS: usize = 1 << 22;

/// Number of destinations to which paths are followed by one thread.
const BLOCK: usize = 1 << 9;

/// Sources that enter tables at the same node, or a single source, which is this node.
struct Run {
    entry: NodeId,
    /// Ascending.
    sources: Vec<Host>,
}

/// The pairs of a side's open links.
struct RunPairs {
    runs: Vec<Run>,
    /// By slot, numbers of runs with destinations, sorted by the latter.
    pairs: Vec<Vec<(u32, Host)>>,
}

impl Subtrees<'_> {
    /// Finds the largest matchings of the links that [`Self::ends`] leaves open; a stop leaves them as they are.
    pub(in crate::worst_case) fn rematch(&self, ends: &mut [Ends], progress: &Progress) {
        let (mut sides, mut rest) = (Vec::new(), ends);
        for side in (0..self.sides.len()).step_by(2).chain((1..self.sides.len()).step_by(2)) {
            let (own, others) = rest.split_at_mut(self.sides[side].links.len());
            sides.push((side, own));
            rest = others;
        }
        sides.into_par_iter().for_each(|(side, ends)| self.rematch_of(side, ends, progress));
    }

    /// As [`Self::rematch`] for the links of one side.
    pub(in crate::worst_case) fn rematch_of(
        &self,
        side: usize,
        ends: &mut [Ends],
        progress: &Progress,
    ) {
        let is_open = |ends: &Ends| {
            let is_whole = ends.share == Some(Rational::ONE);
            is_whole && ends.fewer.is_some_and(|fewer| ends.disjoint < fewer)
        };
        let open: Vec<bool> = ends.iter().map(is_open).collect();
        if !open.contains(&true) {
            return;
        }
        let Some(RunPairs { runs, pairs }) = self.run_pairs(side, &open, progress) else { return };
        let sizes: Vec<usize> = runs.iter().map(|run| run.sources.len()).collect();
        for ((ends, pairs), _) in ends.iter_mut().zip(&pairs).zip(open).filter(|(_, open)| *open) {
            if progress.cancelled() {
                return;
            }
            let enough = ends.fewer.unwrap_or(0);
            ends.disjoint = Matching::most(pairs, &sizes, enough).max(ends.disjoint);
        }
    }

    /// Pairs among which are all those of some links of a side, which are the places in `open`.
    pub(in crate::worst_case) fn rows_of(
        &self,
        side: usize,
        open: &[bool],
        progress: &Progress,
    ) -> Rows {
        let Some(RunPairs { runs, pairs }) = self.run_pairs(side, open, progress) else {
            return self.all_rows_of(side);
        };
        let mut sets = vec![Vec::new(); runs.len()];
        for (run, d) in pairs.into_iter().flatten() {
            sets[run as usize].push(d);
        }
        for set in &mut sets {
            set.sort_unstable();
            set.dedup();
        }
        let runs = runs.iter().enumerate();
        let sources = runs.flat_map(|(number, run)| run.sources.iter().map(move |s| (*s, number)));
        let mut sources: Vec<(Host, usize)> = sources.collect();
        sources.sort_unstable();
        Rows { sets, sources }
    }

    /// All pairs that links of a side may have.
    pub(super) fn all_rows_of(&self, side: usize) -> Rows {
        let (sources, destinations) = self.hosts_of(side);
        Rows::all(&sources, destinations)
    }

    /// The pairs of a side's open links, none of which may leave or enter a host; `None` where the routing is not by
    /// tables, more than hosts limits the traffic, or sources of a run differ.
    fn run_pairs(&self, side: usize, open: &[bool], progress: &Progress) -> Option<RunPairs> {
        let next = self.instance.routing.next_links().filter(|_| self.room.is_none())?;
        let mut links = self.sides[side].links.iter().zip(open);
        if links.any(|(link, open)| *open && link.below == 1) {
            return None;
        }
        let (sources, destinations) = self.hosts_of(side);
        let runs = self.runs(&sources);
        runs.len().checked_mul(destinations.len()).filter(|paths| *paths <= MAX_PATHS)?;
        let found = destinations.par_chunks(BLOCK).map(|destinations| {
            let mut pairs = vec![Vec::new(); open.len()];
            for d in destinations {
                progress.check().ok()?;
                for (number, run) in (0..).zip(&runs).filter(|(_, run)| run.sources != [*d]) {
                    let take = |slot: usize| pairs[slot].push((number, *d));
                    self.follow((side, open), next, (run, *d), take)?;
                }
            }
            Some(pairs)
        });
        let mut pairs = vec![Vec::new(); open.len()];
        for found in found.collect::<Vec<Option<Vec<Vec<_>>>>>() {
            pairs.iter_mut().zip(found?).for_each(|(all, more)| all.extend(more));
        }
        Some(RunPairs { runs, pairs })
    }

    /// Calls `take` with the open links of a side on the path from a run to a destination, by their slots; `None` where
    /// it does not arrive, or its sources differ.
    #[inline]
    fn follow(
        &self,
        (side, open): (usize, &[bool]),
        next: &dyn ByDestination,
        (run, d): (&Run, Host),
        mut take: impl FnMut(usize),
    ) -> Option<()> {
        let mut at = run.entry;
        for _ in 0..2 * self.tree.height() {
            if at == d {
                break;
            }
            let (link, head) = next.next(at, d)?;
            at = head;
            let (own, slot) = self.place[link as usize];
            let is_inside = own as usize == side;
            if is_inside && slot != NOT_WANTED && open[slot as usize] {
                take(slot as usize);
                // They reach their own hosts below the link.
                run.sources.binary_search(&d).is_err().then_some(())?;
            }
            if !is_inside && side.is_multiple_of(2) {
                // What has left the subtree does not come back.
                break;
            }
        }
        (at == d || side.is_multiple_of(2)).then_some(())
    }

    /// Sources by the node at which they enter tables.
    fn runs(&self, sources: &[Host]) -> Vec<Run> {
        let (mut runs, mut of_entry) = (Vec::new(), BTreeMap::new());
        for s in sources {
            let entry = self.instance.routing.enters_at(*s).unwrap_or(*s);
            let place = *of_entry.entry(entry).or_insert_with(|| {
                runs.push(Run { entry, sources: Vec::new() });
                runs.len() - 1
            });
            runs[place].sources.push(*s);
        }
        runs
    }
}

/// Destinations matched with runs.
struct Matching<'m> {
    /// By destination, the runs that reach it.
    of: Vec<&'m [(u32, Host)]>,
    /// By destination, its run.
    run: Vec<Option<usize>>,
    /// By run, how many more destinations it may have, and which it has.
    room: Vec<usize>,
    taken: Vec<Vec<usize>>,
    /// By run, the destination from which a search came to it.
    seen: Vec<Option<usize>>,
}

impl<'m> Matching<'m> {
    /// The size of a largest matching of pairs sorted by destination, with runs of these sizes; no more than `enough`.
    fn most(pairs: &'m [(u32, Host)], sizes: &[usize], enough: u32) -> u32 {
        let of: Vec<&[(u32, Host)]> = pairs.chunk_by(|a, b| a.1 == b.1).collect();
        let (run, room) = (vec![None; of.len()], sizes.to_vec());
        let (taken, seen) = (vec![Vec::new(); sizes.len()], vec![None; sizes.len()]);
        let mut matching = Self { of, run, room, taken, seen };
        let (mut size, mut left) = (0, Vec::new());
        for d in 0..matching.of.len() {
            let runs = matching.of[d].iter().map(|(run, _)| *run as usize);
            let widest = runs.max_by_key(|run| matching.room[*run]);
            match widest.filter(|run| matching.room[*run] > 0) {
                Some(run) => {
                    matching.give(run, d);
                    size += 1;
                }
                None => left.push(d),
            }
        }
        for d in left {
            if size >= enough {
                break;
            }
            size += u32::from(matching.augment(d));
        }
        size.min(enough)
    }

    fn give(&mut self, run: usize, d: usize) {
        self.room[run] -= 1;
        self.taken[run].push(d);
        self.run[d] = Some(run);
    }

    /// Whether an augmenting path leads from a destination without a run. Runs that a search in vain has seen stay so:
    /// no later path leads through them.
    fn augment(&mut self, start: usize) -> bool {
        let (mut queue, mut at, mut met) = (vec![start], 0, Vec::new());
        while let Some(d) = queue.get(at).copied() {
            at += 1;
            for (run, _) in self.of[d] {
                let run = *run as usize;
                if self.seen[run].is_some() {
                    continue;
                }
                self.seen[run] = Some(d);
                met.push(run);
                if self.room[run] > 0 {
                    self.shift(run);
                    for run in met {
                        self.seen[run] = None;
                    }
                    return true;
                }
                queue.extend(&self.taken[run]);
            }
        }
        false
    }

    /// Gives a run with room the destination from which it was seen, that one's run another, and so on.
    fn shift(&mut self, mut run: usize) {
        while let Some(d) = self.seen[run] {
            let before = self.run[d].take();
            self.give(run, d);
            let Some(before) = before else { return };
            self.taken[before].retain(|other| *other != d);
            self.room[before] += 1;
            run = before;
        }
    }
}
