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

#[cfg(test)]
mod tests {
    use itertools::Itertools as _;

    use super::*;
    use crate::topology::{Host, host_number};

    /// The largest load over all permutations and links, each added up path by path.
    fn by_permutations(instance: &Instance) -> Rational {
        let topology = instance.topology();
        let hosts = host_number(topology.hosts());
        let of_permutation = |image: Vec<Host>| {
            let mut loads = vec![Rational::ZERO; topology.links()];
            for (s, d) in (0..hosts).zip(image).filter(|(s, d)| s != d) {
                instance.routing.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
                    for link in links {
                        let load = &mut loads[*link as usize];
                        *load = &*load + share;
                    }
                });
            }
            let links = (0..link_number(topology.links())).zip(&loads);
            links.map(|(link, traffic)| topology.load_of(link, traffic)).max().unwrap()
        };
        (0..hosts).permutations(topology.hosts()).map(of_permutation).max().unwrap()
    }

    #[test]
    fn no_permutation_puts_more_on_a_link() {
        let mut found = Vec::new();
        for topology in ["ftree(2,2,3)", "xgft(2;2,3;1,2)", "torus(5,1)", "rails(3,2)"] {
            for routing in
                ["ecmp-hash(flows=3)", "ecmp-hash(flows=2,switch-seed=each)", "ecmp", "hash"]
            {
                let Ok(instance) = Instance::named(topology, routing) else { continue };
                let most = by_permutations(&instance);
                let highest = highest_load(&instance, &Progress::silent()).unwrap();
                assert_eq!(
                    highest,
                    HighestLoad { load: most, is_exact: true },
                    "{routing} on {topology}"
                );
                found.push(highest.load);
            }
        }
        assert!(found.len() > 10 && !found.iter().all_equal(), "{found:?}");
    }
}
