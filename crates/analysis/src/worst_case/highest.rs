//! The worst load of an instance alone, where that of every link is not asked for.

use rayon::prelude::*;

use super::by_baseload;
use super::host_links::host_links;
use super::problem::{Scratch, Unsolved};
use crate::certificate::Quantity;
use crate::load::{LinkGraph, LinkPairs};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{LinkId, link_number};

/// Links that are solved at a time, whatever the threads.
const AT_A_TIME: usize = 8;

/// What is known of the maximum load that a permutation puts on a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighestLoad {
    /// Some permutation puts this much on a link.
    pub load: Rational,
    /// Whether none puts more on any link. It is so unless the work was stopped.
    pub is_exact: bool,
}

/// The maximum load that a permutation puts on a link. Links come in the order of what the largest shares of their hosts
/// allow, until this is no more than what is attained: on most fabrics the first links settle all. `None` where that
/// needs too much memory, links cannot be solved one by one, or the work was stopped early: then [`super::Analyse`] says
/// what is known, or why nothing is. O(N²·path length + a matching for each of these links).
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, routing::Instance, worst_case::highest_load};
/// let instance = Instance::named("ftree(8,8,8)", "ecmp-hash(flows=16)")?;
/// let found = highest_load(&instance, &Progress::silent()).ok_or("too large")?;
/// assert_eq!((found.load.to_string().as_str(), found.is_exact), ("51/16", true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn highest_load(instance: &Instance, progress: &Progress) -> Option<HighestLoad> {
    let topology = &*instance.topology;
    let (_, method) = by_baseload(instance, Some(Rational::ONE)).ok()?;
    let known = match instance.routing.lost_pairs() {
        0 => host_links(topology, Quantity::PermutationLoad),
        _ => vec![None; topology.links()],
    };
    let wanted: Vec<bool> = known.iter().map(Option::is_none).collect();
    let pairs = LinkPairs::at_once(instance, &wanted, progress)?;
    let most = pairs.at_most(topology.hosts());
    let load = |link: LinkId, traffic: &Rational| topology.load_of(link, traffic);
    let most = (0..link_number(most.len())).zip(&most).map(|(link, most)| (load(link, most), link));
    let mut open: Vec<(Rational, LinkId)> =
        most.filter(|(_, link)| wanted[*link as usize]).collect();
    open.sort_unstable_by(|(a, first), (b, second)| b.cmp(a).then(first.cmp(second)));
    let of_hosts = known.into_iter().flatten().map(|bound| bound.load).max();
    let mut highest = of_hosts.unwrap_or(Rational::ZERO);
    let fresh = || (Scratch::default(), LinkGraph::for_hosts(topology.hosts()));
    for links in open.chunks(AT_A_TIME) {
        let higher: Vec<LinkId> =
            links.iter().filter(|(most, _)| *most > highest).map(|(_, link)| *link).collect();
        if higher.is_empty() {
            break;
        }
        let found = higher.into_par_iter().map_init(fresh, |(scratch, graph), link| {
            graph.load(link, pairs.of(link));
            method.solve(graph, scratch, progress).map(|solution| (link, solution))
        });
        for found in found.collect::<Vec<_>>() {
            match found {
                Ok((link, solution)) if solution.attained => {
                    highest = highest.max(load(link, &solution.traffic));
                }
                Err(Unsolved::Stopped) => {
                    return Some(HighestLoad { load: highest, is_exact: false });
                }
                Ok(_) | Err(Unsolved::TooLarge(_) | Unsolved::Shares) => return None,
            }
        }
    }
    Some(HighestLoad { load: highest, is_exact: true })
}
