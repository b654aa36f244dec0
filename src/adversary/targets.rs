//! Links worth aiming at: their SD pairs, and what counting says of their worst load.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::AdversaryError;
use super::arena::Arena;
use crate::load::{LinkPairs, PairCounts};
use crate::progress::{Progress, Stopped};
use crate::topology::{Host, LinkId, Topology};

/// Most pairs of all targets together.
const MOST_PAIRS: u64 = 1 << 22;

/// A link with its SD pairs.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) link: LinkId,
    /// No permutation loads it more, in units: each source sends one pair, each destination
    /// receives one.
    pub(super) bound: u64,
    pub(super) pairs: Vec<(Host, Host)>,
    /// Load of each pair in units.
    pub(super) units: Vec<u64>,
}

/// The links, greatest bound first, as many as fit [`MOST_PAIRS`]; with the greatest bound of
/// those left out. O(N²·path length).
pub(super) fn targets(
    arena: &Arena<'_>,
    progress: &Progress,
) -> Result<(Vec<Target>, u64), AdversaryError> {
    let mut order = survey(arena, &between_switches(arena.topology()), progress)?;
    if order.is_empty() {
        order = survey(arena, &vec![true; arena.topology().links()], progress)?;
    }
    order.sort_unstable();
    let (mut kept, mut total, mut left) = (vec![false; arena.topology().links()], 0, 0);
    for (index, (bound, link, pairs)) in order.iter().enumerate() {
        total += pairs;
        if index > 0 && total > MOST_PAIRS {
            left = bound.0;
            break;
        }
        kept[*link as usize] = true;
    }
    let mut targets = Vec::new();
    for_each_target(arena, &kept, progress, |target| targets.push(target))?;
    targets.sort_by_key(|target| (Reverse(target.bound), target.link));
    Ok((targets, left))
}

/// Bound, number and number of pairs of the wanted links that carry some.
fn survey(
    arena: &Arena<'_>,
    wanted: &[bool],
    progress: &Progress,
) -> Result<Vec<(Reverse<u64>, LinkId, u64)>, AdversaryError> {
    let mut order = Vec::new();
    for_each_target(arena, wanted, progress, |target| {
        order.push((Reverse(target.bound), target.link, target.pairs.len() as u64));
    })?;
    Ok(order)
}

/// Links that belong to no host alone: on the others no permutation has load above 1 host's.
fn between_switches(topology: &Topology) -> Vec<bool> {
    let lone = |node| {
        (node as usize) < topology.hosts()
            && topology.links_from(node).count() <= 1
            && topology.links_to(node).count() <= 1
    };
    let inner = |link| topology.ends(link).is_some_and(|(from, to)| !lone(from) && !lone(to));
    (0..topology.links() as LinkId).map(inner).collect()
}

/// The wanted links that carry pairs, by number.
fn for_each_target(
    arena: &Arena<'_>,
    wanted: &[bool],
    progress: &Progress,
    mut visit: impl FnMut(Target),
) -> Result<(), AdversaryError> {
    let counts = PairCounts::collect(arena.instance, wanted.to_vec(), progress).ok_or(Stopped)?;
    for range in counts.batches() {
        let pairs = LinkPairs::collect(arena.instance, &counts, range.clone(), progress);
        let pairs = pairs.ok_or(Stopped)?;
        let links: Vec<LinkId> = range.filter(|link| wanted[*link as usize]).collect();
        // A few links at a time: their pairs are copied.
        for some in links.chunks(64) {
            let made: Vec<Target> =
                some.par_iter().map(|link| Target::new(arena, *link, &pairs)).collect();
            made.into_iter().filter(|target| !target.pairs.is_empty()).for_each(&mut visit);
        }
    }
    Ok(())
}

impl Target {
    fn new(arena: &Arena<'_>, link: LinkId, pairs: &LinkPairs) -> Self {
        let (mut target, mut into) =
            (Self { link, bound: 0, pairs: Vec::new(), units: Vec::new() }, vec![0; arena.hosts()]);
        let (mut out, mut source, mut most) = (0, None, 0);
        for pair in pairs.of(link) {
            let units = arena.uses.units(link, pair.share);
            if source != Some(pair.s) {
                out += std::mem::take(&mut most);
                source = Some(pair.s);
            }
            most = units.max(most);
            into[pair.d as usize] = units.max(into[pair.d as usize]);
            target.pairs.push((pair.s, pair.d));
            target.units.push(units);
        }
        target.bound = into.iter().sum::<u64>().min(out + most);
        target
    }
}
