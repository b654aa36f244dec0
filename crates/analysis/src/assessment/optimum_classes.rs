//! Bounds on the optimal load by cuts and balanced shortest paths, for networks of many hosts.

use std::time::Instant;

use super::checked::PROVING;
use super::optimum_found::Found;
use super::optimum_search::{APPROXIMATE_GAP, FREE_CHECK, even_load};
use crate::bounds::{Bounds, Evidence, RoutedTraffic};
use crate::optimum::classes::host_paths::host_paths;
use crate::optimum::classes::{Balancing, Classes};
use crate::optimum::optu::OptuStats;
use crate::progress::{Interrupted, Progress};
use crate::rational::Rational;
use crate::topology::Topology;
use crate::traffic::{Demand, TrafficView};

const METHOD: &str = "cuts and balanced shortest paths";

/// Sources times links from which a linear program takes long.
const LARGE: u128 = 1 << 22;

/// Part of the gap that is good enough at which a search aims: it gets there quickly or not at all.
const FINER: f64 = 0.1;

/// Whether a linear program for this traffic would take long, or, unless `by_lp`, multiplicative weights. Hosts count
/// as sources, as far as there are demands.
pub(super) fn is_large(topology: &Topology, traffic: TrafficView<'_>, by_lp: bool) -> bool {
    let (demands, links) = (u128::from(traffic.len()), topology.links() as u128);
    let sources = demands.min(topology.hosts() as u128);
    sources * links >= LARGE || (!by_lp && demands * links > FREE_CHECK)
}

/// Whether bounds are as near as `gap` says, or a per cent if it is 0.
pub(super) fn is_near(lower: &Rational, upper: &Rational, gap: f64) -> bool {
    upper <= lower || upper.to_f64() * (1.0 - good_enough(gap)) <= lower.to_f64()
}

fn good_enough(gap: f64) -> f64 {
    if gap > 0.0 { gap } else { APPROXIMATE_GAP }
}

/// Balances traffic until bounds are near or `progress` is cancelled; `None` where some traffic has no path or the
/// network is too large for it. `keep` gets bounds on the way.
pub(super) fn balanced<'c, 't>(
    classes: &'c Classes<'t>,
    gap: f64,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Option<(Balancing<'c, 't>, OptuStats)> {
    let begun = Instant::now();
    let mut search = Balancing::new(classes)?;
    let mut keep = |lower: &Rational, upper: &Rational| {
        let evidence = Evidence::Claimed(format!("{METHOD}, stopped early"));
        keep(&Bounds { lower: lower.clone(), upper: upper.clone(), evidence });
    };
    search.search(good_enough(gap) * FINER, progress, &mut keep);
    let stats = OptuStats {
        method: METHOD,
        rounds: search.rounds(),
        stopped: progress.cancelled() && !is_near(&search.lower().0, search.upper(), gap),
        seconds: begun.elapsed().as_secs_f64(),
        ..OptuStats::default()
    };
    Some((search, stats))
}

/// Bounds of the optu of listed demands, with a routing of them unless that has too many paths or `progress` ended long
/// ago.
pub(super) fn found(
    topology: &Topology,
    demands: &[Demand],
    gap: f64,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Option<Found> {
    let begun = Instant::now();
    let classes = Classes::new(topology, demands)?;
    let (search, mut stats) = balanced(&classes, gap, progress, keep)?;
    let upper = search.upper().clone();
    // Without a round the routing is an even split, which needs no list of paths.
    let even = (stats.rounds == 0).then(|| even_load(topology, demands)).flatten();
    let (upper, flow) = match even.filter(|even| *even <= upper) {
        Some(even) => (even, Ok(RoutedTraffic::Even)),
        None => by_paths(&classes, &search, demands, progress),
    };
    stats.stopped |= matches!(flow, Err(Interrupted::Stopped(_)));
    stats.seconds = begun.elapsed().as_secs_f64();
    let (lower, lengths) = search.lower().clone();
    Some(Found { lower, upper, flow, lengths, method: stats.method, stats: Some(stats) })
}

/// The paths of a routing and its max load.
fn by_paths(
    classes: &Classes<'_>,
    search: &Balancing<'_, '_>,
    demands: &[Demand],
    progress: &Progress,
) -> (Rational, Result<RoutedTraffic, Interrupted>) {
    let progress = progress.afterwards(PROVING);
    match host_paths(classes, search.dags(), demands, search.factor(), &progress) {
        Ok((upper, paths)) => (upper, Ok(RoutedTraffic::Paths(paths))),
        Err(error) => (search.upper().clone(), Err(error)),
    }
}
