//! The paths that a routing may use.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{MAX_USES, ObliviousError};
use crate::limit::within;
use crate::optimum::shortest::{Adjacency, Tree};
use crate::ratio::Ratio;
use crate::routing::Routing;
use crate::topology::{Host, LinkId, NodeId, link_number, node_number};

/// The allowed paths of every SD pair, by the pair's index.
pub enum Allowed {
    /// All paths.
    All,
    /// Those over links that are open to the pair, by link.
    Links(Vec<Vec<bool>>),
    /// The listed paths.
    Listed(Vec<Vec<Vec<LinkId>>>),
}

impl Allowed {
    /// The paths with the fewest links. O(nodes·links + pairs·links).
    ///
    /// # Errors
    /// [`ObliviousError::Unreachable`] for a pair without a path.
    pub fn shortest(network: &Adjacency, pairs: &[(Host, Host)]) -> Result<Self, ObliviousError> {
        let unit = vec![1; network.links()];
        let (mut from, mut tree) = (Vec::new(), Tree::default());
        for node in 0..node_number(network.nodes()) {
            tree.search(network, node, &unit);
            let distance = |node| tree.distance(node).unwrap_or(u64::from(u32::MAX));
            from.push((0..node_number(network.nodes())).map(distance).collect::<Vec<u64>>());
        }
        let far = u64::from(u32::MAX);
        if let Some((s, d)) = pairs.iter().find(|(s, d)| from[*s as usize][*d as usize] == far) {
            return Err(ObliviousError::Unreachable { s: *s, d: *d });
        }
        let on_path = |(s, d): &(Host, Host)| {
            let links = 0..link_number(network.links());
            let on = links.map(|link| {
                let (tail, head) = network.ends(link);
                let (start, end) =
                    (from[*s as usize][tail as usize], from[head as usize][*d as usize]);
                start + 1 + end == from[*s as usize][*d as usize]
            });
            on.collect()
        };
        Ok(Self::Links(pairs.iter().map(on_path).collect()))
    }

    /// The paths of a routing, whatever their shares.
    ///
    /// # Errors
    /// [`ObliviousError::TooLarge`] when they have more than [`MAX_USES`] links in total.
    pub fn of(routing: &dyn Routing, pairs: &[(Host, Host)]) -> Result<Self, ObliviousError> {
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
        prices: &[(LinkId, Ratio)],
    ) -> Ratio {
        if prices.is_empty() {
            return Ratio::ZERO;
        }
        let mut price = vec![Ratio::ZERO; network.links()];
        for (link, part) in prices {
            price[*link as usize] += part;
        }
        let Some(paths) = self.listed(place) else {
            return self.search(network, (place, pair), &price);
        };
        let cost = |links: &Vec<LinkId>| links.iter().map(|link| &price[*link as usize]).sum();
        paths.iter().map(cost).min().unwrap_or(Ratio::ZERO)
    }

    fn search(
        &self,
        network: &Adjacency,
        (place, (s, d)): (usize, (Host, Host)),
        price: &[Ratio],
    ) -> Ratio {
        let mut done = vec![false; network.nodes()];
        let mut queue: BinaryHeap<Reverse<(Ratio, NodeId)>> = BinaryHeap::new();
        queue.push(Reverse((Ratio::ZERO, s)));
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
        Ratio::ZERO
    }
}
