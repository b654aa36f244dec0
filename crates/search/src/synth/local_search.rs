//! Routings by randomised local search.
//!
//! The state is a cover of exactly X hosts for every link. A path serves its pair when the source
//! or the destination is in the cover of each of its links; when every pair has such a path, the
//! covers prove that routing's worst case. The search minimises the number of pairs without one. A
//! move takes one of these pairs and the path that lacks least for it, and puts the source or
//! destination into the cover of a link that lacks it, in place of another host. Moves that make
//! things worse are accepted at random, ever more rarely.

use super::walk::Walk;
use crate::prelude::*;

/// Entries that one search may visit, per entry of its state: those that succeed mostly do so
/// early.
const WORK_PER_ENTRY: u64 = 1 << 10;

/// Maximum entries that one search may visit.
const MAX_WORK: u64 = 1 << 27;

/// Number of searches, if they are short.
const RESTARTS: u64 = 1 << 7;

/// Entries that all searches together may visit: some 10 s on one core.
const ALL_WORK: u64 = 1 << 30;

/// Maximum entries of a state.
const MAX_ENTRIES: u64 = 1 << 20;

/// The up-digits of every pair, at index s·N + d, of a routing under which `most` hosts cover the
/// pairs of every link, if one of the searches, each with its own random stream, finds one: that of
/// the first search that does, on any number of threads.
pub(super) fn search(
    tree: &Xgft,
    most: u32,
    seed: u64,
    progress: &Progress,
) -> Option<Vec<Vec<u32>>> {
    let entries = (tree.hosts() as u64).pow(2) * u64::from(tree.shortest_paths(tree.height()));
    if entries > MAX_ENTRIES {
        return None;
    }
    let work = MAX_WORK.min(entries * WORK_PER_ENTRY);
    let streams = Streams::new(seed);
    (0..RESTARTS.min(ALL_WORK / work)).into_par_iter().find_map_first(|restart| {
        let mut words = streams.at(restart);
        let mut walk = Walk::new(tree, most, &mut words)?;
        anneal(&mut walk, work, &mut words, progress).then(|| walk.up_digits())
    })
}

/// Moves until every pair is served; false when the work is used up first.
fn anneal(walk: &mut Walk, work: u64, words: &mut Stream, progress: &Progress) -> bool {
    while walk.unserved() > 0 {
        if walk.work > work || progress.cancelled() {
            return false;
        }
        let before = walk.unserved();
        let exchange = walk.propose(words);
        walk.exchange(exchange);
        let worse = walk.unserved().saturating_sub(before);
        // From 1 down to 0.8 pairs.
        let temperature = 1.0 - 0.2 * (walk.work as f64 / work as f64);
        let chance = libm::exp(-(worse as f64) / temperature);
        if worse > 0 && words.random::<f64>() >= chance {
            walk.exchange(exchange.undone());
        }
    }
    true
}
