//! Schedules with a proven length: every message gets its wires, and then the first cycle in which they
//! are free (`OFFLINE.md`, Theorem 1).

use rand::seq::SliceRandom;

use super::super::DeliveryError;
use super::MAX_SHARES;
use super::ends::Ends;
use super::forest::Forest;
use super::pieces::{NONE, Pieces};
use super::schedule::{Schedule, Share};
use super::taken::Taken;
use crate::channel_tree::{DOWN, UP, Way, WireTree};
use crate::prelude::*;

/// A schedule of at most max(1, 4⌈λ⌉ − 5) cycles. Messages whose paths turn at the same node come in
/// random order, drawn from the stream with its rank. O(pieces · (levels + runs of a wire)), where an
/// entry is as many pieces as it needs wires.
pub(super) fn by_wires(
    tree: &WireTree,
    ends: &Ends,
    streams: &Streams,
    progress: &Progress,
) -> Result<Schedule, DeliveryError> {
    let pieces = Pieces::of(tree, ends)?;
    let up = Forest::of(tree, ends, &pieces, UP, progress)?;
    let down = Forest::of(tree, ends, &pieces, DOWN, progress)?;
    let mut fitting = Fitting::new(&pieces, [up, down]);
    let mut order: Vec<u32> = (0..index32(pieces.len())).collect();
    // The apex nearest the root first: a node has a lower rank than all below it.
    let apex = |piece: u32| ends.apex[pieces.of_entry(piece)];
    order.sort_by_key(|piece| apex(*piece));
    let mut from = 0;
    while let Some(first) = order.get(from) {
        progress.check()?;
        let node = apex(*first);
        let same = order[from..].iter().take_while(|piece| apex(**piece) == node);
        let until = from + same.count();
        let of_apex = &mut order[from..until];
        of_apex.shuffle(&mut streams.at(node.into()));
        fitting.apex(of_apex, progress)?;
        from = until;
    }
    drop(order);
    Ok(fitting.schedule(ends.entries()))
}

/// Messages with their cycles, up to some apex.
struct Fitting<'p> {
    pieces: &'p Pieces,
    forests: [Forest; 2],
    /// Runs of cycles from 0, and for every piece where its own begin and how many they are.
    runs: Vec<[u64; 2]>,
    of: Vec<[u32; 2]>,
    /// The cycles in which the wires next to the present apex are taken, and their places there.
    taken: Vec<Taken>,
    places: [Vec<u32>; 2],
    wires: Vec<(Way, u32)>,
}

impl<'p> Fitting<'p> {
    fn new(pieces: &'p Pieces, forests: [Forest; 2]) -> Self {
        let places = [UP, DOWN].map(|way| vec![NONE; forests[way].load.len()]);
        Self {
            pieces,
            forests,
            runs: Vec::with_capacity(pieces.len()),
            of: vec![[0, 0]; pieces.len()],
            // The first is for pieces without a channel in one of the directions.
            taken: vec![Taken::default()],
            places,
            wires: Vec::new(),
        }
    }

    /// All messages that turn at one node.
    fn apex(&mut self, pieces: &[u32], progress: &Progress) -> Result<(), DeliveryError> {
        let mut free = Vec::new();
        for piece in pieces.iter().map(|piece| *piece as usize) {
            progress.check()?;
            let places = [UP, DOWN].map(|way| self.place(piece, way));
            let [one, other] = places.map(|place| &self.taken[place]);
            Taken::first_free(one, other, self.pieces.count[piece], &mut free);
            let most = (self.runs.len() + free.len()) as u128;
            within("number of runs of cycles in a schedule", Some(most), MAX_SHARES, FEWER)?;
            self.of[piece] = [index32(self.runs.len()), index32(free.len())];
            self.runs.extend_from_slice(&free);
            for place in places.into_iter().filter(|place| *place > 0) {
                for run in &free {
                    self.taken[place].add(*run);
                }
            }
            progress.inc(self.pieces.count[piece]);
        }
        for (way, wire) in self.wires.drain(..) {
            self.places[way][wire as usize] = NONE;
        }
        self.taken.truncate(1);
        Ok(())
    }

    /// Where the topmost wire of a piece has its cycles.
    fn place(&mut self, piece: usize, way: Way) -> usize {
        let wire = self.forests[way].top[piece];
        if wire == NONE {
            return 0;
        }
        let place = &mut self.places[way][wire as usize];
        if *place == NONE {
            *place = index32(self.taken.len());
            self.wires.push((way, wire));
            // A message that has cycles already turns nearer the root, and so is on this wire.
            let before = self.forests[way].leading_to(wire);
            let runs = before.iter().flat_map(|piece| {
                let [begin, number] = self.of[*piece as usize];
                &self.runs[begin as usize..(begin + number) as usize]
            });
            self.taken.push(Taken::of(runs.copied().collect()));
        }
        *place as usize
    }

    fn schedule(self, entries: usize) -> Schedule {
        // A schedule is as large as the runs: make room first.
        drop((self.forests, self.places, self.taken));
        let shares = (0..self.pieces.len()).flat_map(|piece| {
            let [begin, number] = self.of[piece];
            let entry = self.pieces.entry[piece];
            self.runs[begin as usize..(begin + number) as usize].iter().map(move |[from, until]| {
                (entry, Share { first: from + 1, cycles: until - from, each: 1 })
            })
        });
        Schedule::of(entries, shares)
    }
}

const FEWER: &str = "send fewer messages";
