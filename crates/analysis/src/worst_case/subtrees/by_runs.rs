//! Matchings of the links that a greedy one leaves open, where routing is by tables.
//!
//! Sources that enter tables at the same node reach a destination by the same links. So the pairs of a link join *runs*
//! of such sources with destinations, and a matching may use a run once for each of its sources. Where the largest
//! matching has as many pairs as the link has sources, or destinations, these are its cover. Pairs are collected only for
//! the other links, and only with the destinations that their runs reach through them.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::by_tables::TopAncestors;
use super::{Ends, NOT_WANTED, Subtrees};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::ByDestination;
use crate::topology::{Host, LinkId, NodeId};
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

/// The number of a run with a destination.
type RunPair = (u32, Host);

/// The pairs of a side's open links.
struct RunPairs {
    runs: Vec<Run>,
    /// Where the pairs of every slot begin, and the end.
    start: Vec<usize>,
    /// By slot, those of each sorted by destination.
    pairs: Vec<RunPair>,
}

impl RunPairs {
    /// Parts of pairs with their slots, one after another by destination.
    fn new(runs: Vec<Run>, slots: usize, parts: &[Vec<(u32, RunPair)>]) -> Self {
        let mut start = vec![0; slots + 1];
        for (slot, _) in parts.iter().flatten() {
            start[*slot as usize + 1] += 1;
        }
        let mut total = 0;
        for end in &mut start {
            total += *end;
            *end = total;
        }
        let (mut next, mut pairs) = (start.clone(), vec![(0, 0); total]);
        for (slot, pair) in parts.iter().flatten() {
            let place = &mut next[*slot as usize];
            pairs[*place] = *pair;
            *place += 1;
        }
        Self { runs, start, pairs }
    }

    fn of(&self, slot: usize) -> &[RunPair] {
        &self.pairs[self.start[slot]..self.start[slot + 1]]
    }
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
        let Some(pairs) = self.run_pairs(side, &open, progress) else { return };
        let sizes: Vec<usize> = pairs.runs.iter().map(|run| run.sources.len()).collect();
        for (slot, ends) in ends.iter_mut().enumerate().filter(|(slot, _)| open[*slot]) {
            if progress.cancelled() {
                return;
            }
            let enough = ends.fewer.unwrap_or(0);
            ends.disjoint = Matching::most(pairs.of(slot), &sizes, enough).max(ends.disjoint);
        }
    }

    /// Pairs among which are all those of some links of a side, which are the places in `open`.
    pub(in crate::worst_case) fn rows_of(
        &self,
        side: usize,
        open: &[bool],
        progress: &Progress,
    ) -> Rows {
        let Some(RunPairs { runs, pairs, .. }) = self.run_pairs(side, open, progress) else {
            return self.all_rows_of(side);
        };
        let mut sets = vec![Vec::new(); runs.len()];
        for (run, d) in pairs {
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
        let follow = Follow { subtrees: self, top: self.top_ancestors(), side, open, next };
        let places: Vec<_> = runs.iter().map(|run| (run, follow.locate(run.sources[0]))).collect();
        let found = destinations.par_chunks(BLOCK).map(|destinations| {
            let mut pairs = Vec::new();
            for d in destinations {
                progress.check().ok()?;
                follow.all_to(*d, &places, &mut pairs)?;
            }
            Some(pairs)
        });
        let found: Vec<_> = found.collect::<Option<_>>()?;
        Some(RunPairs::new(runs, open.len(), &found))
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

/// What follows paths along the open links of a side.
struct Follow<'f> {
    subtrees: &'f Subtrees<'f>,
    top: Option<&'f TopAncestors>,
    side: usize,
    open: &'f [bool],
    next: &'f dyn ByDestination,
}

/// Where a host is in the tree.
struct Located {
    /// Its subtree below the top, and its place there.
    subtree: usize,
    place: usize,
    /// Of the open side's links out of the subtrees around it, or into them, the first of each height from 1 on.
    first: Vec<LinkId>,
}

impl Follow<'_> {
    fn leads_up(&self) -> bool {
        self.side.is_multiple_of(2)
    }

    fn locate(&self, host: Host) -> Located {
        let Subtrees { tree, .. } = self.subtrees;
        let (position, top) = (tree.position(host), tree.height() - 1);
        let first = |height: usize| {
            let (up, down) = tree.link_id(height, tree.subtree(host, height), 0, 0);
            if self.leads_up() { up } else { down }
        };
        Located {
            subtree: (position / tree.subtree_hosts(top)) as usize,
            place: (position % tree.subtree_hosts(top)) as usize,
            first: (1..=top).map(first).collect(),
        }
    }

    /// The slot of a link of the side that is open.
    #[inline]
    fn open_slot(&self, link: LinkId) -> Option<u32> {
        let (side, slot) = self.subtrees.place[link as usize];
        let is_open = side as usize == self.side && slot != NOT_WANTED && self.open[slot as usize];
        is_open.then_some(slot)
    }

    /// Adds the pairs of all runs with a destination; `None` where a path does not arrive, or sources of a run differ.
    fn all_to(
        &self,
        d: Host,
        runs: &[(&Run, Located)],
        pairs: &mut Vec<(u32, RunPair)>,
    ) -> Option<()> {
        let to = self.locate(d);
        for (number, (run, from)) in (0..).zip(runs).filter(|(_, (run, _))| run.sources != [d]) {
            let top = self.top.filter(|_| from.subtree != to.subtree);
            let over =
                top.and_then(|top| Some((top, top.number(run.entry, (to.subtree, to.place))?)));
            let Some((top, ancestor)) = over else {
                self.to((run, d), |slot| pairs.push((slot, (number, d))))?;
                continue;
            };
            let first = if self.leads_up() { &from.first } else { &to.first };
            for (first, ancestors) in first.iter().zip(&top.ancestors_above) {
                let slot = self.open_slot(first + ancestor / ancestors);
                pairs.extend(slot.map(|slot| (slot, (number, d))));
            }
        }
        Some(())
    }

    /// Calls `take` with the slots of the open links on the path from a run to a destination, link by link.
    fn to(&self, (run, d): (&Run, Host), mut take: impl FnMut(u32)) -> Option<()> {
        let mut at = run.entry;
        for _ in 0..2 * self.subtrees.tree.height() {
            if at == d {
                break;
            }
            let (link, head) = self.next.next(at, d)?;
            at = head;
            if let Some(slot) = self.open_slot(link) {
                take(slot);
                // They reach their own hosts below the link.
                run.sources.binary_search(&d).is_err().then_some(())?;
            }
            if self.leads_up() && self.subtrees.place[link as usize].0 as usize != self.side {
                // What has left the subtree does not come back.
                break;
            }
        }
        (at == d || self.leads_up()).then_some(())
    }
}

/// Destinations matched with runs.
struct Matching<'m> {
    /// By destination, the runs that reach it.
    of: Vec<&'m [RunPair]>,
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
    fn most(pairs: &'m [RunPair], sizes: &[usize], enough: u32) -> u32 {
        let of: Vec<&[RunPair]> = pairs.chunk_by(|a, b| a.1 == b.1).collect();
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
