//! All orders of a small job.

use rayon::prelude::*;

use super::bundles::Bundles;
use super::pattern::Pattern;
use super::state::State;
use super::walk::{Goal, Record};
use crate::integer::index32;
use crate::jobs::collectives::{Collective, Rank};
use crate::progress::Progress;

/// Maximum number of nodes of which all orders are tried.
const MAX_NODES: Rank = 8;

/// Evaluations between checks of the clock.
const LOOK: u64 = 64;

/// Number of first ranks that are not permuted: one, and before it the one on node 0 where a rotated order
/// costs the same. `None` where there are too many orders to try all.
pub(super) fn fixed_ranks(collective: &Collective) -> Option<usize> {
    let rotates = collective.is_rotation_invariant();
    let fits = collective.ranks <= MAX_NODES + Rank::from(rotates);
    fits.then_some(1 + usize::from(rotates))
}

/// The best of all orders, up to rotation where rank 0 and one more are fixed, and whether all were tried.
pub(super) fn all(
    bundles: &Bundles<'_>,
    pattern: &Pattern,
    goal: Goal,
    fixed: usize,
    progress: &Progress,
) -> Option<(Record, bool)> {
    let count = bundles.nodes();
    let first = index32(fixed - 1);
    let of_unit = |node: u32| {
        let others = (0..index32(count)).filter(|other| *other != node && *other >= first);
        let start: Vec<u32> = (0..first).chain([node]).chain(others).collect();
        below(&mut State::new(bundles, pattern, &start), goal, fixed, progress)
    };
    let units: Vec<(Record, bool)> = (first..index32(count)).into_par_iter().map(of_unit).collect();
    units.into_iter().reduce(|(mut best, all), (next, also)| {
        best.append(goal, next);
        (best, all && also)
    })
}

/// All orders that begin with the same ranks, by Heap's algorithm.
fn below(state: &mut State<'_>, goal: Goal, fixed: usize, progress: &Progress) -> (Record, bool) {
    let mut record = Record::of(state);
    let free = state.nodes().len() - fixed;
    let rank = |place: usize| index32(fixed + place);
    let (mut counts, mut at) = (vec![0; free], 1);
    while at < free {
        if counts[at] == at {
            counts[at] = 0;
            at += 1;
            continue;
        }
        if record.evaluations.is_multiple_of(LOOK) && progress.cancelled() {
            return (record, false);
        }
        let other = if at % 2 == 0 { 0 } else { counts[at] };
        state.swap(rank(other), rank(at));
        record.see(goal, state.score(), state);
        counts[at] += 1;
        at = 1;
    }
    progress.inc(record.evaluations);
    (record, true)
}
