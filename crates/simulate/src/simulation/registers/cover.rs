//! The fewest rows of FI, LI and MR that match some addresses and not others.
//!
//! For every mask the largest intervals that match no forbidden address are listed: any row is
//! within one of these, so the fewest of them are the fewest rows. They are found by deepening: a
//! row for the address with the fewest candidates, then the next one. The search is bounded by a number of
//! steps; what is left then are bounds.

use std::collections::{BTreeMap, HashSet};

use super::{Interval, Masks, Row, all_bits};
use crate::prelude::*;

/// Addresses below 64.
pub(super) type Set = u64;

/// Maximum number of steps of the search for one port.
const MAX_STEPS: u32 = 1 << 20;

/// Rows that match all wanted addresses.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub rows: Vec<Row>,
    /// No fewer rows suffice than these.
    pub lower: usize,
}

/// A row, and which of the wanted addresses it matches.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    set: Set,
    row: Row,
}

/// The fewest rows that match all of `wanted`, which is not empty, and none of `forbidden`, which has
/// no address in common with it.
pub(super) fn cover(
    hosts: u32,
    masks: Masks,
    wanted: Set,
    forbidden: Set,
    progress: &Progress,
) -> Result<Cover, Stopped> {
    progress.check()?;
    let candidates = candidates(hosts, masks, wanted, forbidden);
    let greedy = greedy(wanted, &candidates);
    let widest = candidates.iter().map(|candidate| candidate.set.count_ones()).max().unwrap_or(1);
    let mut search =
        Search { candidates: &candidates, widest, progress, steps: 0, chosen: Vec::new() };
    let first = wanted.count_ones().div_ceil(widest) as usize;
    for rows in first..greedy.len() {
        progress.check()?;
        match search.within(wanted, index32(rows)) {
            None => return Ok(Cover { rows: greedy, lower: rows }),
            Some(true) => return Ok(Cover { rows: search.chosen, lower: rows }),
            Some(false) => {}
        }
    }
    Ok(Cover { lower: greedy.len(), rows: greedy })
}

/// The rows that no other one replaces, the widest first.
fn candidates(hosts: u32, masks: Masks, wanted: Set, forbidden: Set) -> Vec<Candidate> {
    let all = all_bits(hosts);
    let mut found = runs(all, wanted, forbidden);
    if masks == Masks::Any {
        // Few bits first: of rows that match the same, the first one is kept.
        let mut others: Vec<u32> = (0..all).collect();
        others.sort_by_key(|mask| mask.count_ones());
        found.extend(others.into_iter().flat_map(|mask| runs(mask, wanted, forbidden)));
    }
    let mut seen = HashSet::new();
    found.retain(|candidate| seen.insert(candidate.set));
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.set.count_ones()));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in found {
        if kept.iter().all(|wider| candidate.set & !wider.set != 0) {
            kept.push(candidate);
        }
    }
    kept
}

/// The largest intervals of masked addresses that hold no forbidden one.
fn runs(mask: u32, wanted: Set, forbidden: Set) -> Vec<Candidate> {
    // By masked address, the wanted ones; `None` where a forbidden one has it.
    let mut values: BTreeMap<u32, Option<Set>> = BTreeMap::new();
    for address in (0..Set::BITS).filter(|address| (wanted | forbidden) >> address & 1 == 1) {
        let value = values.entry(address & mask).or_insert(Some(0));
        let is_wanted = wanted >> address & 1 == 1;
        *value = value.filter(|_| is_wanted).map(|set| set | 1 << address);
    }
    let values: Vec<(u32, Option<Set>)> = values.into_iter().collect();
    // From behind the first forbidden one, around.
    let start = values.iter().position(|(_, set)| set.is_none()).map_or(0, |at| at + 1);
    let (before, after) = values.split_at(start);
    let around: Vec<(u32, Option<Set>)> = after.iter().chain(before).copied().collect();
    let candidate = |run: &[(u32, Option<Set>)]| {
        let interval = Interval { first: run.first()?.0, last: run.last()?.0 };
        let set = run.iter().filter_map(|(_, set)| *set).fold(0, |all, set| all | set);
        Some(Candidate { set, row: Row { interval, mask } })
    };
    around.split(|(_, set)| set.is_none()).filter_map(candidate).collect()
}

/// Rows that match all of `wanted`, each with the most addresses that those before it leave.
fn greedy(wanted: Set, candidates: &[Candidate]) -> Vec<Row> {
    let (mut left, mut rows) = (wanted, Vec::new());
    while left != 0 {
        let best = candidates.iter().rev().max_by_key(|other| (other.set & left).count_ones());
        // With the full mask every wanted address is in some run.
        let best = best.expect("there is a row for every address");
        left &= !best.set;
        rows.push(best.row);
    }
    rows
}

struct Search<'a> {
    candidates: &'a [Candidate],
    /// Maximum number of addresses of a candidate.
    widest: u32,
    progress: &'a Progress,
    steps: u32,
    chosen: Vec<Row>,
}

impl Search<'_> {
    /// Whether `rows` more rows match all of `left`, and then which, `chosen`; `None` after too many
    /// steps, or when stopped.
    fn within(&mut self, left: Set, rows: u32) -> Option<bool> {
        if left == 0 {
            return Some(true);
        }
        if left.count_ones() > rows * self.widest {
            return Some(false);
        }
        self.steps += 1;
        if self.steps > MAX_STEPS || self.progress.cancelled() {
            return None;
        }
        let candidates = self.candidates;
        let matching = |address: u32| candidates.iter().filter(move |c| c.set >> address & 1 == 1);
        let addresses = (0..Set::BITS).filter(|address| left >> address & 1 == 1);
        let rarest = addresses.min_by_key(|address| matching(*address).count())?;
        for candidate in matching(rarest) {
            self.chosen.push(candidate.row);
            match self.within(left & !candidate.set, rows - 1) {
                Some(false) => self.chosen.pop(),
                found => return found,
            };
        }
        Some(false)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use rand::Rng as _;

    use super::*;
    use crate::sampling::Streams;

    /// Every row there is on a power of two of addresses, as the set that it matches.
    pub fn every_row(hosts: u32, masks: Masks) -> HashSet<Set> {
        let rows = (0..hosts).flat_map(|mask| {
            let last = move |first| (0..hosts).map(move |last| Interval { first, last });
            (0..hosts).flat_map(last).map(move |interval| Row { interval, mask })
        });
        let allowed = |row: &Row| masks == Masks::Any || row.mask == hosts - 1;
        let set = |row: Row| (0..hosts).filter(|d| row.matches(*d)).fold(0, |set, d| set | 1 << d);
        rows.filter(allowed).map(set).collect()
    }

    /// The fewest rows whose union is each set, by trying all unions of a number of rows.
    pub fn unions(hosts: u32, masks: Masks) -> BTreeMap<Set, usize> {
        let rows = every_row(hosts, masks);
        let mut least = BTreeMap::from([(0, 0)]);
        for count in 1..=hosts as usize {
            let known: Vec<Set> = least.keys().copied().collect();
            for union in known.iter().flat_map(|union| rows.iter().map(move |row| union | row)) {
                least.entry(union).or_insert(count);
            }
        }
        least
    }

    #[test]
    fn covers_are_the_fewest() {
        let mut random = Streams::new(7).at(0);
        for masks in [Masks::Any, Masks::Full] {
            let unions = unions(8, masks);
            for _ in 0..200 {
                let bits = u64::from(random.next_u32());
                let (wanted, other) = (bits % 255 + 1, bits >> 16 & 255);
                let forbidden = other & !wanted;
                let fits = |union: &Set| union & wanted == wanted && union & forbidden == 0;
                let fewest = unions.iter().filter(|(union, _)| fits(union)).map(|(_, rows)| *rows);
                let found = cover(8, masks, wanted, forbidden, &Progress::silent()).unwrap();
                assert_eq!(Some(found.lower), fewest.min(), "{wanted:b} {forbidden:b}");
                assert_eq!(found.rows.len(), found.lower);
                let matching = (0..8).filter(|d| found.rows.iter().any(|row| row.matches(*d)));
                assert!(fits(&matching.fold(0, |set, d| set | 1 << d)));
            }
        }
    }

    /// Even addresses: one row by the last bit, one row each without masks.
    #[test]
    fn a_mask_saves_rows() {
        let rows = |masks| {
            let found = cover(8, masks, 0b0101_0101, 0b1010_1010, &Progress::silent());
            found.unwrap().rows
        };
        assert_eq!(rows(Masks::Any), [Row { interval: Interval { first: 0, last: 0 }, mask: 1 }]);
        assert_eq!(rows(Masks::Full).len(), 4);
    }
}
