//! What the routings with a formula would give on the same shape.

use crate::assessment::{Assess, AssessByDigits};
use crate::bounds::Bounds;
use crate::by_digits::ByDigits;
use crate::certificate::Quantity;
use crate::progress::Progress;
use crate::routing::{self, Instance};
use crate::topology::Topology;
use crate::worst_case::{self, Analyse, Scope};

/// Maximum number of SD pairs times paths of a routing that is tried pair by pair: more takes minutes.
const MAX_PATHS: u64 = 1 << 27;

/// A routing and its worst case.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// Spec of the routing.
    pub routing: String,
    /// Whether every pair has one path, as forwarding tables without several LIDs give.
    pub is_single_path: bool,
    /// The maximum max load of a permutation.
    pub permutation_load: Bounds,
    /// sup of max load ÷ optu over all traffic.
    pub oblivious_ratio: Bounds,
}

/// Assesses every routing that needs no argument and fits the network, without linear programs; with
/// certificates on named trees, for one path per pair and for splits over shortest paths; elsewhere these would
/// hold several paths of every pair. Those that cannot be assessed are left out, and after a stop all that follow.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{fabric::alternatives, progress::Progress, topology::generate};
/// let found = alternatives(&generate("ft(8,2)")?, &Progress::silent());
/// let load = |name: &str| found.iter().find(|one| one.routing == name).map(|one| one.permutation_load.to_string());
/// assert_eq!(load("dmodk").as_deref(), Some("4 (proven)"));
/// assert_eq!(load("osrm2").as_deref(), Some("2 (proven)"));
/// # Ok::<(), routebound::topology::TopologyError>(())
/// ```
#[must_use]
pub fn alternatives(topology: &Topology, progress: &Progress) -> Vec<Alternative> {
    let names = routing::KINDS.iter().filter(|kind| kind.needs_nothing());
    let mut found = Vec::new();
    for kind in names {
        if progress.cancelled() {
            break;
        }
        let Ok(routing) = routing::build(kind.name, topology) else { continue };
        let instance = Instance::trusted(topology.clone(), routing);
        found.extend(alternative(&instance, progress));
    }
    found
}

/// Paths of all pairs, if every pair had as many as the farthest ones.
fn paths(instance: &Instance) -> Option<u64> {
    let last = instance.topology.host_numbers().last().filter(|last| *last > 0)?;
    let (mut count, mut links) = (0_u64, Vec::new());
    instance.routing.for_each_path(0, last, &mut links, &mut |_, _| count += 1);
    let hosts = u64::from(last) + 1;
    hosts.checked_mul(hosts)?.checked_mul(count)
}

/// The worst case of an instance without linear programs; `None` where it cannot be assessed, or takes too long.
fn alternative(instance: &Instance, progress: &Progress) -> Option<Alternative> {
    let quiet = Progress::silent().stopped_by(progress.stop());
    let assess = Assess::new().linear_programs(false).progress(&quiet);
    let is_small = || paths(instance).is_some_and(|n| n <= MAX_PATHS);
    let (permutation_load, oblivious_ratio) = if let Some(found) = by_digits(instance, &quiet) {
        found
    } else if !instance.routing.is_single_path() && !is_small() {
        return None;
    } else if instance.topology.is_named_tree() {
        proven(instance, assess.by_class(false))?
    } else if instance.routing.is_single_path()
        || instance.routing.shortest_split(&instance.topology).is_some()
    {
        proven(instance, assess)?
    } else {
        claimed(instance, &quiet)?
    };
    Some(Alternative {
        routing: instance.routing.spec().to_string(),
        is_single_path: instance.routing.is_single_path(),
        permutation_load,
        oblivious_ratio,
    })
}

/// Both without a look at any pair, where a named tree has digit rules.
fn by_digits(instance: &Instance, progress: &Progress) -> Option<(Bounds, Bounds)> {
    let Instance { topology, routing, .. } = instance;
    let form = topology.is_named_tree().then(|| ByDigits::named(topology.spec(), routing.spec()));
    let found = AssessByDigits::new().progress(progress).run(&form?.ok()?).ok()?;
    Some((found.permutation_load, found.oblivious_ratio))
}

fn proven(instance: &Instance, assess: Assess<'_>) -> Option<(Bounds, Bounds)> {
    let found = assess.run(instance).ok()?;
    Some((found.permutation_load, found.oblivious_ratio))
}

/// Both without a certificate, which would hold every path.
fn claimed(instance: &Instance, progress: &Progress) -> Option<(Bounds, Bounds)> {
    let worst = |quantity| {
        let analyse = Analyse::of(quantity).scope(Scope::WorstLink);
        analyse.progress(progress).run(instance).ok()
    };
    let ratio = worst_case::prove(instance, &worst(Quantity::ObliviousRatio)?);
    let load = match ratio.permutation_load {
        Some(load) => load,
        None => worst_case::prove(instance, &worst(Quantity::PermutationLoad)?).bounds,
    };
    Some((load, ratio.bounds))
}
