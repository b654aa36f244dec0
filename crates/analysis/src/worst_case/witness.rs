//! Traffic that loads a link, and a routing of it that bounds its optu.

use crate::bounds::{RoutedTraffic, Witness};
use crate::load::{LinkLoads, own_paths};
use crate::optimum::even_load;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, LinkId};
use crate::traffic::{Demand, complete};

/// The witness that `demands` load `link`: completed to a permutation where hosts are equal and
/// this does not raise its optu, and split evenly over all shortest paths. Where there are too many
/// of these to count, the routing itself carries the demands.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{rational::Rational, routing::Instance, traffic::Demand, worst_case::witness};
/// let instance = Instance::named("ft(4,2)", "dmodk")?;
/// let demands = vec![Demand { s: 0, d: 7, amount: Rational::ONE }];
/// let witness = witness(&instance, 0, demands);
/// assert_eq!((witness.demands.len(), witness.optu), (8, Rational::ONE));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn witness(instance: &Instance, link: LinkId, demands: Vec<Demand>) -> Witness {
    witness_within(instance, link, demands, &|_| true)
}

/// The same for traffic of which hosts may send and receive no more than their links carry.
pub(super) fn hose_witness(instance: &Instance, link: LinkId, demands: Vec<Demand>) -> Witness {
    let topology = &instance.topology;
    let can = |host, outgoing, amount: &Rational| topology.host_capacity(host, outgoing) >= *amount;
    let fits = |one: &Demand| can(one.s, true, &one.amount) && can(one.d, false, &one.amount);
    witness_within(instance, link, demands, &fits)
}

/// The witness, with further pairs that `fits` allows.
fn witness_within(
    instance: &Instance,
    link: LinkId,
    demands: Vec<Demand>,
    fits: &dyn Fn(&Demand) -> bool,
) -> Witness {
    let silent = Progress::silent();
    // Nothing stops this work, so treating an error as "not known" loses nothing.
    let split = |demands: &[Demand]| even_load(&instance.topology, demands, &silent).ok().flatten();
    let full = completed(instance.topology.hosts(), &demands);
    let full = if full.iter().all(fits) { full } else { demands.clone() };
    let (demands, optu) = match (split(&full), split(&demands)) {
        (Some(full_optu), bare) if bare.as_ref().is_none_or(|bare| full_optu <= *bare) => {
            (full, Some(full_optu))
        }
        (_, bare) => (demands, bare),
    };
    let (optu, flow) = match optu {
        Some(optu) => (optu, RoutedTraffic::Even),
        None => carried(instance, &demands, None, own_load(instance, &demands)),
    };
    Witness { link, demands, optu, flow }
}

fn own_load(instance: &Instance, demands: &[Demand]) -> Rational {
    let Instance { topology, routing, .. } = instance;
    let loads = LinkLoads::of(topology, &**routing, demands, &Progress::silent());
    loads.expect("nothing stops this work").max_load()
}

/// A routing of `demands` and its max load, which bounds their optu: the even split over all
/// shortest paths, or the routing of the instance where that is better. `even` and `own` are their
/// max loads. Where the routing has too many paths to list and the even split is not known, the
/// bound is the one that holds for every routing without detours, all demands on one link, and the
/// flow returned is not a proof of it.
#[must_use]
pub fn carried(
    instance: &Instance,
    demands: &[Demand],
    even: Option<Rational>,
    own: Rational,
) -> (Rational, RoutedTraffic) {
    match even {
        Some(even) if even <= own => (even, RoutedTraffic::Even),
        even => match (own_paths(&*instance.routing, demands), even) {
            (Ok(paths), _) => (own, RoutedTraffic::Paths(paths)),
            (Err(_), Some(even)) => (even, RoutedTraffic::Even),
            (Err(_), None) => {
                let total = demands.iter().map(|demand| &demand.amount).sum();
                (instance.topology.load_on_narrowest(&total).unwrap_or(total), RoutedTraffic::Even)
            }
        },
    }
}

/// The demands with further pairs between idle hosts, where the demands are a partial permutation
/// with equal amounts; otherwise the demands themselves.
fn completed(hosts: usize, demands: &[Demand]) -> Vec<Demand> {
    let Some(amount) = demands.first().map(|demand| &demand.amount) else { return Vec::new() };
    let (mut sends, mut receives) = (vec![false; hosts], vec![false; hosts]);
    let repeats = |busy: &mut [bool], host: Host| std::mem::replace(&mut busy[host as usize], true);
    for demand in demands {
        let again = repeats(&mut sends, demand.s) | repeats(&mut receives, demand.d);
        if again || demand.amount != *amount {
            return demands.to_vec();
        }
    }
    let pairs: Vec<_> = demands.iter().map(|demand| (demand.s, demand.d)).collect();
    let all = complete(hosts, &pairs).into_iter();
    all.map(|(s, d)| Demand { s, d, amount: amount.clone() }).collect()
}
