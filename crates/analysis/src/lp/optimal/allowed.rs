//! The paths that a routing may use.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{MAX_USES, OptimalError};
use crate::limit::within;
use crate::optimum::shortest::{Adjacency, Tree};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Routing;
use crate::symmetry::Images;
use crate::topology::{Host, LinkId, NodeId, Topology, link_number};

/// The allowed paths of every SD pair, by the pair's index.
pub enum Allowed {
    /// All paths.
    All,
    /// Paths over links that are open to the pair, by link.
    Links(Vec<Vec<bool>>),
    /// The listed paths.
    Listed(Vec<Vec<Vec<LinkId>>>),
}

/// Calls `each` with the paths with the fewest links from every source, and the pairs of the
/// source. O(hosts·links·log nodes) and what `each` does.
fn from_every_source(
    topology: &Topology,
    network: &Adjacency,
    pairs: &[(Host, Host)],
    progress: &Progress,
    mut each: impl FnMut(&Tree, &[(Host, Host)]),
) -> Result<(), OptimalError> {
    let (unit, mut tree) = (vec![1; network.links()], Tree::default());
    for own in pairs.chunk_by(|a, b| a.0 == b.0) {
        progress.check()?;
        tree.search(network, own[0].0, &unit);
        if let Some(&(s, d)) = own.iter().find(|(_, d)| tree.distance(*d).is_none()) {
            let called = Box::new([s, d].map(|host| topology.host_label(host)));
            return Err(OptimalError::Unreachable { s, d, called });
        }
        each(&tree, own);
    }
    Ok(())
}

/// Whether every pair has a path. O(hosts·links·log nodes).
///
/// # Errors
/// [`OptimalError::Unreachable`] for a pair without one, [`OptimalError::Stopped`] when
/// `progress` does not leave the time.
pub fn all_reachable(
    topology: &Topology,
    network: &Adjacency,
    pairs: &[(Host, Host)],
    progress: &Progress,
) -> Result<(), OptimalError> {
    from_every_source(topology, network, pairs, progress, |_, _| {})
}

impl Allowed {
    /// The paths with the fewest links. O(hosts·links·log nodes + pairs·links); memory for a byte
    /// per pair and link, which the caller has limited.
    ///
    /// # Errors
    /// [`OptimalError::Unreachable`] for a pair without a path, [`OptimalError::Stopped`] when
    /// `progress` does not leave the time.
    pub fn shortest(
        topology: &Topology,
        network: &Adjacency,
        pairs: &[(Host, Host)],
        progress: &Progress,
    ) -> Result<Self, OptimalError> {
        let mut open = Vec::with_capacity(pairs.len());
        from_every_source(topology, network, pairs, progress, |tree, own| {
            let far = |link: &LinkId| tree.distance(network.ends(*link).1);
            // The links that a shortest path may use, those far from the source first.
            let mut steps: Vec<LinkId> = (0..link_number(network.links()))
                .filter(|link| tree.distance(network.ends(*link).0).map(|d| d + 1) == far(link))
                .collect();
            steps.sort_by_key(|link| Reverse(far(link)));
            let mut leads = vec![false; network.nodes()];
            for &(_, d) in own {
                leads.fill(false);
                leads[d as usize] = true;
                let mut on = vec![false; network.links()];
                for link in &steps {
                    let (tail, head) = network.ends(*link);
                    if leads[head as usize] {
                        leads[tail as usize] = true;
                        on[*link as usize] = true;
                    }
                }
                open.push(on);
            }
        })?;
        Ok(Self::Links(open))
    }

    /// The allowed paths of some of `pairs`; `None` where they are the same for all pairs, or are wanted of all
    /// pairs.
    pub fn only(&self, pairs: &[(Host, Host)], some: &[(Host, Host)]) -> Option<Self> {
        if pairs == some {
            return None;
        }
        let place = |pair| pairs.binary_search(pair).expect("they are among all pairs");
        let places = some.iter().map(place);
        match self {
            Self::All => None,
            Self::Links(open) => Some(Self::Links(places.map(|at| open[at].clone()).collect())),
            Self::Listed(paths) => Some(Self::Listed(places.map(|at| paths[at].clone()).collect())),
        }
    }

    /// The paths of a routing, whatever their shares.
    ///
    /// # Errors
    /// [`OptimalError::TooLarge`] when they have more than [`MAX_USES`] links in total.
    pub fn of(routing: &dyn Routing, pairs: &[(Host, Host)]) -> Result<Self, OptimalError> {
        let (mut scratch, mut uses) = (Vec::new(), 0_u64);
        let mut listed = Vec::with_capacity(pairs.len());
        for (s, d) in pairs {
            let mut own: Vec<Vec<LinkId>> = Vec::new();
            routing.for_each_path(*s, *d, &mut scratch, &mut |_, links| {
                uses = uses.saturating_add(links.len() as u64);
                // Beyond the limit only the count matters.
                if uses <= MAX_USES {
                    own.push(links.to_vec());
                }
            });
            own.sort_unstable();
            own.dedup();
            listed.push(own);
        }
        let remedy = "allow fewer paths, such as kpath(k=4)";
        within("number of links on the given paths", Some(uses.into()), MAX_USES, remedy)?;
        Ok(Self::Listed(listed))
    }

    /// Whether paths of a pair may use a link.
    #[must_use]
    pub fn open(&self, pair: usize, link: LinkId) -> bool {
        match self {
            Self::Links(open) => open[pair][link as usize],
            Self::All | Self::Listed(_) => true,
        }
    }

    /// Whether an automorphism takes allowed paths to allowed paths, as all of them do where paths are not listed.
    pub fn is_kept_by(&self, pairs: &[(Host, Host)], images: &Images) -> bool {
        let Self::Listed(paths) = self else { return true };
        pairs.iter().zip(paths).all(|(pair, own)| {
            let Ok(image) = pairs.binary_search(&images.pair(*pair)) else { return false };
            let mut moved: Vec<Vec<LinkId>> = own.iter().map(|links| images.path(links)).collect();
            moved.sort_unstable();
            moved == paths[image]
        })
    }

    /// The paths of a pair, where they are listed.
    #[must_use]
    pub fn listed(&self, pair: usize) -> Option<&[Vec<LinkId>]> {
        match self {
            Self::Listed(paths) => Some(&paths[pair]),
            Self::All | Self::Links(_) => None,
        }
    }

    /// The cost of a pair's cheapest path under the given link prices; links not named cost 0. Uses
    /// Dijkstra's algorithm where paths are not listed.
    #[must_use]
    pub fn distance(
        &self,
        network: &Adjacency,
        (place, pair): (usize, (Host, Host)),
        prices: &[(LinkId, Rational)],
    ) -> Rational {
        if prices.is_empty() {
            return Rational::ZERO;
        }
        let mut price = vec![Rational::ZERO; network.links()];
        for (link, part) in prices {
            price[*link as usize] += part;
        }
        let Some(paths) = self.listed(place) else {
            return self.search(network, (place, pair), &price);
        };
        let cost = |links: &Vec<LinkId>| links.iter().map(|link| &price[*link as usize]).sum();
        paths.iter().map(cost).min().unwrap_or(Rational::ZERO)
    }

    fn search(
        &self,
        network: &Adjacency,
        (place, (s, d)): (usize, (Host, Host)),
        price: &[Rational],
    ) -> Rational {
        let mut done = vec![false; network.nodes()];
        let mut queue: BinaryHeap<Reverse<(Rational, NodeId)>> = BinaryHeap::new();
        queue.push(Reverse((Rational::ZERO, s)));
        while let Some(Reverse((reach, node))) = queue.pop() {
            if node == d {
                return reach;
            }
            if std::mem::replace(&mut done[node as usize], true) {
                continue;
            }
            for (head, link) in network.out(node) {
                if self.open(place, *link) && !done[*head as usize] {
                    queue.push(Reverse((&reach + &price[*link as usize], *head)));
                }
            }
        }
        Rational::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;
    use crate::topology::{NetworkBuilder, sd_pairs};

    /// Two hosts, and switches with a cable to each of them.
    fn between(switches: usize) -> Topology {
        let mut network = NetworkBuilder::new();
        let (first, last) = (network.host("first"), network.host("last"));
        for number in 0..switches {
            let switch = network.switch(format!("s{number}"));
            network.cable(first, switch, Rational::ONE);
            network.cable(switch, last, Rational::ONE);
        }
        network.build("between").unwrap()
    }

    /// A link is on a shortest path when it and the distances before and after it add up.
    #[test]
    fn links_of_shortest_paths_are_those_that_distances_tell() {
        for spec in ["ft(4,2)", "xgft(2;3,2;1,4)", "kary(2,3)"] {
            let topology = crate::topology::generate(spec).unwrap();
            let network = Adjacency::new(&topology);
            let pairs: Vec<_> = sd_pairs(topology.hosts()).collect();
            let unit = vec![1; network.links()];
            let distances = |from| {
                let mut tree = Tree::default();
                tree.search(&network, from, &unit);
                topology.node_numbers().map(|node| tree.distance(node).unwrap()).collect()
            };
            let far: Vec<Vec<u64>> = topology.node_numbers().map(distances).collect();
            let apart = |a: NodeId, b: NodeId| far[a as usize][b as usize];
            let quiet = Progress::silent();
            let allowed = Allowed::shortest(&topology, &network, &pairs, &quiet).unwrap();
            for (place, (s, d)) in pairs.iter().enumerate() {
                for link in topology.link_numbers() {
                    let (tail, head) = network.ends(link);
                    let on = apart(*s, tail) + 1 + apart(head, *d) == apart(*s, *d);
                    assert_eq!(allowed.open(place, link), on, "{spec} {s} {d} {link}");
                }
            }
            let some: Vec<_> = pairs.iter().copied().filter(|(s, d)| s < d).collect();
            let only = allowed.only(&pairs, &some).unwrap();
            let place = pairs.iter().position(|pair| *pair == some[3]).unwrap();
            for link in topology.link_numbers() {
                assert_eq!(only.open(3, link), allowed.open(place, link));
            }
            assert!(allowed.only(&pairs, &pairs).is_none());
        }
    }

    /// Distances between all nodes would take 12.8 GB.
    #[test]
    fn many_switches_need_little_memory() {
        let topology = between(40_000);
        let (network, quiet) = (Adjacency::new(&topology), Progress::silent());
        let pairs = [(0, 1), (1, 0)];
        let allowed = Allowed::shortest(&topology, &network, &pairs, &quiet).unwrap();
        // Each cable is a link forth and a link back.
        for link in topology.link_numbers() {
            assert_eq!(
                [0, 1].map(|place| allowed.open(place, link)),
                [link % 2 == 0, link % 2 == 1]
            );
        }
    }

    #[test]
    fn a_stop_ends_the_preparations() {
        let (topology, stop) = (between(2), Stop::at(None));
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let (network, pairs) = (Adjacency::new(&topology), [(0, 1), (1, 0)]);
        let reached = all_reachable(&topology, &network, &pairs, &progress);
        assert!(matches!(reached, Err(OptimalError::Stopped(_))));
        let allowed = Allowed::shortest(&topology, &network, &pairs, &progress);
        assert!(matches!(allowed, Err(OptimalError::Stopped(_))));
    }
}
