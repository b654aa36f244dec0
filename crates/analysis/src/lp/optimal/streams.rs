//! Flows of a pair in floats, taken apart into paths.

use std::collections::VecDeque;

use crate::optimum::shortest::Adjacency;
use crate::topology::{Host, LinkId, NodeId};

/// Parts of a share or of an amount of traffic below this count as nothing.
pub(super) const NOISE: f64 = 1e-9;

/// Shares that sum to less are not those of a routing, nor near it.
const LEAST_TOTAL: f64 = 0.5;

/// Paths of a pair with their shares, or amounts.
pub(super) type Paths = Vec<(Vec<LinkId>, f64)>;

/// The paths of a pair with their shares, which sum to 1, from those of links or of paths; `None` where these are far
/// from a routing.
pub(super) fn shares_of<'l>(
    network: &Adjacency,
    pair: (Host, Host),
    columns: impl Iterator<Item = (&'l Vec<LinkId>, f64)>,
) -> Option<Paths> {
    let mut paths = Paths::new();
    let mut flow = vec![0.0; network.links()];
    for (links, share) in columns.filter(|(_, share)| *share > NOISE) {
        let is_whole = network.ends(links[0]).0 == pair.0
            && links.last().is_some_and(|last| network.ends(*last).1 == pair.1);
        if is_whole {
            paths.push((links.clone(), share));
        } else {
            for link in links {
                flow[*link as usize] += share;
            }
        }
    }
    paths.extend(take_paths(network, pair, &mut flow, 1.0));
    let total: f64 = paths.iter().map(|(_, share)| share).sum();
    if total < LEAST_TOTAL {
        return None;
    }
    for (_, share) in &mut paths {
        *share /= total;
    }
    Some(paths)
}

/// Takes paths of a pair off a flow, up to `most` in total, those with the fewest links first.
pub(super) fn take_paths(
    network: &Adjacency,
    (s, d): (Host, Host),
    flow: &mut [f64],
    most: f64,
) -> Paths {
    let (mut paths, mut left) = (Paths::new(), most);
    while left > NOISE {
        let Some(links) = path(network, (s, d), flow) else { break };
        let amount = links.iter().map(|link| flow[*link as usize]).fold(left, f64::min);
        for link in &links {
            flow[*link as usize] -= amount;
        }
        left -= amount;
        paths.push((links, amount));
    }
    paths
}

/// A path of the fewest links that carry something.
fn path(network: &Adjacency, (s, d): (Host, Host), flow: &[f64]) -> Option<Vec<LinkId>> {
    let mut came: Vec<Option<LinkId>> = vec![None; network.nodes()];
    let mut queue = VecDeque::from([s as NodeId]);
    while came[d as usize].is_none() {
        let node = queue.pop_front()?;
        for (head, link) in network.out(node) {
            let is_new = *head != s && came[*head as usize].is_none();
            if is_new && flow[*link as usize] > NOISE {
                came[*head as usize] = Some(*link);
                queue.push_back(*head);
            }
        }
    }
    let (mut links, mut at) = (Vec::new(), d);
    while let Some(link) = came[at as usize] {
        links.push(link);
        at = network.ends(link).0;
    }
    links.reverse();
    Some(links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{self, Topology};

    fn network(spec: &str) -> (Topology, Adjacency) {
        let topology = topology::generate(spec).unwrap();
        let network = Adjacency::new(&topology);
        (topology, network)
    }

    /// A flow of a pair is taken apart into paths; what goes in cycles, and what is missing, leaves shares that sum to 1.
    #[test]
    fn shares_are_those_of_a_routing() {
        let (ring, network) = network("torus(4,1)");
        let from = |s, d| ring.link_numbers().find(|link| network.ends(*link) == (s, d)).unwrap();
        let flow = [(0, 1, 0.6), (1, 2, 0.6), (0, 3, 0.3), (3, 2, 0.8), (2, 3, 0.5)];
        let columns: Vec<(Vec<LinkId>, f64)> =
            flow.iter().map(|(s, d, share)| (vec![from(*s, *d)], *share)).collect();
        let shares = |columns: &[(Vec<LinkId>, f64)]| {
            shares_of(&network, (0, 2), columns.iter().map(|(links, share)| (links, *share)))
        };
        let paths = shares(&columns).unwrap();
        let (one, other) = (vec![from(0, 1), from(1, 2)], vec![from(0, 3), from(3, 2)]);
        let links: Vec<_> = paths.iter().map(|(links, _)| links.clone()).collect();
        assert_eq!(links, [one.clone(), other]);
        assert!(paths.iter().zip([2.0 / 3.0, 1.0 / 3.0]).all(|((_, a), b)| (a - b).abs() < 1e-12));
        assert_eq!(shares(&[(one.clone(), 0.75)]), Some(vec![(one.clone(), 1.0)]));
        assert_eq!((shares(&[(one, 0.25)]), shares(&[])), (None, None));
    }
}
