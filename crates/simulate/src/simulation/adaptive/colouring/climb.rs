//! Local search: flows move to other paths, never to worse ones.
//!
//! The flows of one host of a least cover of a link (Kőnig) are what its contention is less by one
//! without, so these move together. A move is taken where it lowers the maximum contention, the
//! number of links that have it, or the sum of all squares, in this order; where there is none for a
//! link, one that changes none of the three. So the paths that the search has are at any time the
//! best that it had.

use rand::seq::SliceRandom;

use super::choices::Choices;
use super::routes::Routes;
use crate::prelude::*;

/// Rounds in a row that may pass without a better measure.
const PATIENCE: u32 = 48;

/// Lowers the maximum contention, to `least` at most, until `most_steps`.
pub(super) fn lower_contention(
    routes: &mut Routes<'_>,
    least: u64,
    most_steps: u64,
    stream: &mut Stream,
    progress: &Progress,
) -> Result<(), Stopped> {
    let mut idle = 0;
    while idle < PATIENCE {
        let before = routes.contentions.measure();
        let mut links = routes.most_contended();
        links.shuffle(stream);
        let mut has_moved = false;
        for link in links {
            progress.check()?;
            let most = routes.contentions.measure().most;
            if most <= least || routes.steps > most_steps {
                return Ok(());
            }
            if u64::from(routes.contention(link)) == most {
                has_moved |= relieve(routes, link, stream);
            }
        }
        if !has_moved {
            return Ok(());
        }
        idle = if routes.contentions.measure() < before { 0 } else { idle + 1 };
    }
    Ok(())
}

/// Moves the flows of one host away from a link; returns whether any moved.
fn relieve(routes: &mut Routes<'_>, link: LinkId, stream: &mut Stream) -> bool {
    let tree = routes.problem.tree;
    let step = tree.place_of_link(link).step;
    let before = routes.contentions.measure();
    let mut groups = routes.cover(link);
    groups.shuffle(stream);
    // Single flows last: they relieve the link less often, but they are what is left where both hosts
    // of a flow cover others.
    groups.extend(routes.flows(link).iter().map(|flow| vec![*flow]));
    let mut sideways: Option<(usize, Vec<u32>)> = None;
    let mut equal = 0_u32;
    for (at, group) in groups.iter().enumerate() {
        let choices: Vec<_> = Choices::new(tree, step, stream).collect();
        for first in choices {
            if group.first().is_none_or(|flow| routes.up(*flow)[..step] == first) {
                continue;
            }
            routes.shift(group, &first);
            routes.count();
            let after = routes.contentions.measure();
            if after < before {
                return true;
            }
            routes.undo();
            if after == before {
                equal += 1;
                if stream.random_range(0..equal) == 0 {
                    sideways = Some((at, first));
                }
            }
        }
    }
    let Some((at, first)) = sideways else { return false };
    routes.shift(&groups[at], &first);
    routes.count();
    true
}

/// Lowers the maximum load by moving single flows, with no more contention, until `most_steps`.
pub(super) fn lower_load(
    routes: &mut Routes<'_>,
    most_steps: u64,
    stream: &mut Stream,
    progress: &Progress,
) -> Result<(), Stopped> {
    let most = routes.contentions.measure().most;
    while routes.steps <= most_steps {
        progress.check()?;
        let Some(link) = routes.most_loaded() else { return Ok(()) };
        let mut flows = routes.flows(link).to_vec();
        flows.shuffle(stream);
        if !flows.iter().any(|flow| unload(routes, *flow, most, stream)) {
            return Ok(());
        }
    }
    Ok(())
}

/// Moves a flow to a path where the loads are better and no contention is above `most`; returns whether
/// there was one.
fn unload(routes: &mut Routes<'_>, flow: u32, most: u64, stream: &mut Stream) -> bool {
    let before = routes.loads.measure();
    let level = routes.problem.flow(flow).level;
    for up in Choices::new(routes.problem.tree, level, stream) {
        routes.shift(&[flow], &up);
        routes.steps += 1;
        if routes.loads.measure() < before {
            routes.count();
            if routes.contentions.measure().most <= most {
                return true;
            }
        }
        routes.undo();
    }
    false
}
