//! All shortest paths by the lengths of links, split evenly at every node over its next hops.
//!
//! For every destination one backward search by Dijkstra gives each node its distance. A link (v,x) is
//! on a shortest path exactly when the distance of v is that of x and the length of the link. Lengths
//! are positive integers of any size and distances are exact, so a tie is one. The paths need not be
//! shortest by hops, not even on a tree.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use dashu_int::UBig;
use rayon::prelude::*;

use super::shortest::{Extremes, check};
use super::{Routing, RoutingError, UseScratch, Visit};
use crate::integer::index32;
use crate::limit::within;
use crate::rational::Rational;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

/// Maximum number of hosts × links, each of which may be a next hop.
const MAX_ENTRIES: u64 = 1 << 26;

/// The even split per hop over all shortest paths by length.
pub(super) struct WeightedPaths {
    spec: String,
    /// By destination.
    ways: Vec<Ways>,
    single_path: bool,
}

/// The ways of all nodes to one destination.
struct Ways {
    /// The next hops of node v, by link number, are `hops[first[v]..first[v + 1]]`.
    first: Vec<u32>,
    /// Links with the nodes that they lead to.
    hops: Vec<(LinkId, NodeId)>,
    /// Nodes in the order of their distances: a next hop has a lower place.
    place: Vec<u32>,
}

impl WeightedPaths {
    /// The split of all pairs. O(hosts · links · log(links)).
    ///
    /// # Errors
    /// [`RoutingError::DoesNotFit`] when a pair has no path, [`RoutingError::TooLarge`] when
    /// the table or the number of paths of a pair is too large.
    pub(super) fn new(
        spec: &Spec,
        topology: &Topology,
        lengths: &[UBig],
    ) -> Result<Self, RoutingError> {
        let entries = Some(topology.hosts() as u128 * topology.links() as u128);
        within("hosts × links", entries, MAX_ENTRIES, "analyse a part of the network")?;
        let hosts = (0..topology.hosts()).into_par_iter();
        let found: Vec<(Ways, Extremes)> =
            hosts.map(|d| Ways::search(topology, lengths, host_number(d))).collect();
        let (ways, extremes): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let single_path = check(spec, topology, &extremes)?;
        Ok(Self { spec: spec.to_string(), ways, single_path })
    }

    /// The next hops of a node to `d`, by link number.
    pub(super) fn hops(&self, node: NodeId, d: Host) -> &[(LinkId, NodeId)] {
        self.ways[d as usize].hops(node)
    }
}

/// The distances of all nodes to `d` by links that `allowed` lets pass, and the nodes that reach it in
/// the order of their distances; of those up to `until` alone where that is given.
/// O(links · log(links)).
pub(super) fn distances(
    topology: &Topology,
    lengths: &[UBig],
    d: NodeId,
    until: Option<NodeId>,
    allowed: impl Fn(LinkId, NodeId) -> bool,
) -> (Vec<Option<UBig>>, Vec<NodeId>) {
    let mut found: Vec<Option<UBig>> = vec![None; topology.nodes()];
    let mut order = Vec::new();
    let mut open = BinaryHeap::from([Reverse((UBig::ZERO, d))]);
    while let Some(Reverse((distance, node))) = open.pop() {
        if found[node as usize].is_some() {
            continue;
        }
        for link in topology.links_to(node) {
            let Some((tail, _)) = topology.ends(link) else { continue };
            if found[tail as usize].is_none() && allowed(link, tail) {
                open.push(Reverse((&distance + &lengths[link as usize], tail)));
            }
        }
        found[node as usize] = Some(distance);
        order.push(node);
        if until == Some(node) {
            break;
        }
    }
    (found, order)
}

/// The links out of a node by which it is nearest to the destination of these distances, by number,
/// with the nodes that they lead to.
pub(super) fn tight_links(
    topology: &Topology,
    lengths: &[UBig],
    distances: &[Option<UBig>],
    node: NodeId,
) -> Vec<(LinkId, NodeId)> {
    let Some(own) = &distances[node as usize] else { return Vec::new() };
    let tight = |link: LinkId| {
        let (_, head) = topology.ends(link)?;
        let rest = distances[head as usize].as_ref()?;
        (rest + &lengths[link as usize] == *own).then_some((link, head))
    };
    let mut hops: Vec<_> = topology.links_from(node).filter_map(tight).collect();
    hops.sort_unstable();
    hops
}

impl Ways {
    fn search(topology: &Topology, lengths: &[UBig], d: Host) -> (Self, Extremes) {
        let (distances, order) = distances(topology, lengths, d, None, |_, _| true);
        let (mut first, mut hops) = (vec![0], Vec::new());
        for node in topology.node_numbers() {
            hops.extend(tight_links(topology, lengths, &distances, node));
            first.push(index32(hops.len()));
        }
        let mut place = vec![0; topology.nodes()];
        for (at, node) in (0..).zip(&order) {
            place[*node as usize] = at;
        }
        let ways = Self { first, hops, place };
        let extremes = ways.extremes(topology, d, &order);
        (ways, extremes)
    }

    fn hops(&self, node: NodeId) -> &[(LinkId, NodeId)] {
        &self.hops[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    /// Fewest and most paths of a host, `order` being that of the distances.
    fn extremes(&self, topology: &Topology, d: Host, order: &[NodeId]) -> Extremes {
        let mut paths = vec![0_u32; topology.nodes()];
        paths[d as usize] = 1;
        for node in order.iter().filter(|node| **node != d) {
            let of_hops = self.hops(*node).iter().map(|(_, head)| paths[*head as usize]);
            paths[*node as usize] = of_hops.fold(0, u32::saturating_add);
        }
        let hosts = || topology.host_numbers().zip(&paths);
        let fewest = hosts().map(|(host, paths)| (*paths, host)).min().unwrap_or((1, d));
        (fewest, hosts().map(|(_, paths)| *paths).max().unwrap_or(1))
    }
}

/// An equal part of a share for each of some next hops.
fn part(share: &Rational, hops: &[(LinkId, NodeId)]) -> Rational {
    share.checked_div(&Rational::from(hops.len() as u64)).expect("a link leads towards d")
}

impl Routing for WeightedPaths {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.single_path
    }

    fn has_detours(&self) -> bool {
        true
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.ways.len())
    }

    /// Depth first, next hops by link number.
    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        links.clear();
        let ways = &self.ways[d as usize];
        let hops = ways.hops(s);
        let mut open = vec![(hops.iter(), part(&Rational::ONE, hops))];
        while let Some((hops, share)) = open.last_mut() {
            let Some((link, head)) = hops.next() else {
                open.pop();
                links.pop();
                continue;
            };
            links.push(*link);
            if *head == d {
                visit(share, links);
                links.pop();
            } else {
                let hops = ways.hops(*head);
                let share = part(share, hops);
                open.push((hops.iter(), share));
            }
        }
    }

    /// Node by node, the most distant first.
    fn uses_in_order(&self) -> bool {
        true
    }

    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        let ways = &self.ways[d as usize];
        let links = &mut scratch.links;
        let mut open = BTreeMap::from([((ways.place[s as usize], s), Rational::ONE)]);
        while let Some(((_, node), share)) = open.pop_last() {
            let hops = ways.hops(node);
            if node == d || hops.is_empty() {
                continue;
            }
            let share = part(&share, hops);
            links.clear();
            links.extend(hops.iter().map(|(link, _)| *link));
            visit(&share, links);
            for (_, head) in hops {
                *open.entry((ways.place[*head as usize], *head)).or_insert(Rational::ZERO) +=
                    &share;
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::routing::{Instance, build};
    use crate::topology::{NetworkBuilder, sd_pairs};

    /// Routers joined by cables (u, v, weight) of capacity 1.
    pub(in crate::routing) fn network(routers: usize, cables: &[(usize, usize, u64)]) -> Topology {
        let mut network = NetworkBuilder::new();
        let names = (0..routers).map(|at| format!("r{at}"));
        let routers: Vec<_> = names.map(|name| network.host(name)).collect();
        for (u, v, weight) in cables {
            network.cable(routers[*u], routers[*v], Rational::ONE);
            network.weigh(Rational::from(*weight));
        }
        network.build("made").unwrap()
    }

    /// All paths of a pair without loops.
    pub(in crate::routing) fn simple_paths(
        network: &Topology,
        s: NodeId,
        d: NodeId,
    ) -> Vec<Vec<LinkId>> {
        let mut paths = Vec::new();
        let mut open = vec![(vec![s], Vec::new())];
        while let Some((nodes, path)) = open.pop() {
            let last = nodes[nodes.len() - 1];
            if last == d {
                paths.push(path);
                continue;
            }
            for link in network.links_from(last) {
                let head = network.ends(link).unwrap().1;
                if !nodes.contains(&head) {
                    open.push(([&nodes[..], &[head]].concat(), [&path[..], &[link]].concat()));
                }
            }
        }
        paths
    }

    /// The shares of a pair with the nodes of its paths.
    fn paths(routing: &str, topology: &Topology, s: Host, d: Host) -> Vec<(String, Vec<NodeId>)> {
        let routing = build(routing, topology).unwrap();
        let mut found = Vec::new();
        routing.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
            let heads = links.iter().map(|link| topology.ends(*link).unwrap().1);
            found.push((share.to_string(), heads.collect()));
        });
        found
    }

    /// From 0 to 3: by 1 and 2, by 4 and 2, and by 1 and 5 it is 6 far, the direct cable has 7.
    fn meshed() -> Topology {
        let cables = [(0, 1, 2), (1, 2, 3), (2, 3, 1), (0, 4, 4), (4, 2, 1), (1, 5, 1), (5, 3, 3)];
        network(6, &[&cables[..], &[(0, 3, 7)]].concat())
    }

    #[test]
    fn shares_multiply_hop_by_hop_along_the_lightest_paths() {
        let expected = [("1/4", vec![1, 2, 3]), ("1/4", vec![1, 5, 3]), ("1/2", vec![4, 2, 3])];
        let expected = expected.map(|(share, nodes)| (share.to_string(), nodes));
        for spec in ["ecmp", "ecmp(weights=file)"] {
            assert_eq!(paths(spec, &meshed(), 0, 3), expected, "{spec}");
        }
        let direct = [("1".to_string(), vec![3])];
        assert_eq!(paths("ecmp(weights=hops)", &meshed(), 0, 3), direct);
        assert_eq!(paths("ecmp(weights=inverse-capacity)", &meshed(), 0, 3), direct);
    }

    #[test]
    fn what_is_used_is_said() {
        let notes = |spec: &str| build(spec, &meshed()).unwrap().notes();
        assert_eq!(
            notes("ecmp"),
            ["ecmp(weights=file) takes paths that are shortest by link weights"]
        );
        assert_eq!(
            notes("ecmp(weights=hops)"),
            ["ecmp(weights=hops) does not use the link weights"]
        );
        assert_eq!(notes("omrmn"), ["omrmn does not use the link weights"]);
        let even = network(3, &[(0, 1, 5), (1, 2, 5)]);
        assert!(build("ecmp", &even).unwrap().notes().is_empty());
    }

    /// A tree with one heavy cable between switches: by weight there may be detours, so nothing follows
    /// from its labels.
    #[test]
    fn nothing_is_inferred_from_a_tree_with_weights() {
        let mut network = NetworkBuilder::new();
        let tops = ["x", "y"].map(|name| network.switch(name));
        for leaf in ["a", "b", "c"] {
            let switch = network.switch(leaf);
            for host in 0..2 {
                let host = network.host(format!("{leaf}{host}"));
                network.cable(host, switch, Rational::ONE);
                network.weigh(Rational::ONE);
            }
            for (top, name) in tops.into_iter().zip(["x", "y"]) {
                network.cable(switch, top, Rational::ONE);
                network.weigh(Rational::from(if leaf == "a" && name == "x" { 9 } else { 1 }));
            }
        }
        let tree = network.build("tree").unwrap().recognised();
        assert!(tree.tree().is_some());
        let instance =
            |spec: &str| Instance::new(tree.clone(), build(spec, &tree).unwrap()).unwrap();
        assert!(instance("ecmp(weights=hops)").is_by_spec());
        assert!(instance("ecmp(weights=inverse-capacity)").is_by_spec());
        assert!(!instance("ecmp").is_by_spec());
        assert!(!instance("ecmp").routing().is_single_path());
    }

    proptest! {
        /// Equal weights are hops: what Dijkstra finds is what the search by breadth finds.
        #[test]
        fn equal_weights_are_hops(
            routers in 3_usize..8,
            more in prop::collection::vec((0_usize..8, 0_usize..8), 0..8),
            weight in 1_u64..5,
        ) {
            let line = (1..routers).map(|at| (at - 1, at, weight));
            let more = more.iter().map(|(u, v)| (u % routers, v % routers, weight));
            let cables: Vec<_> = line.chain(more.filter(|(u, v, _)| u != v)).collect();
            let topology = network(routers, &cables);
            let by_hops = build("ecmp", &topology).unwrap();
            let lengths = vec![UBig::from(weight); topology.links()];
            let spec = Spec::parse("ecmp").unwrap();
            let own = WeightedPaths::new(&spec, &topology, &lengths).unwrap();
            let found = |routing: &dyn Routing, (s, d)| {
                let (mut paths, mut uses) = (Vec::new(), Vec::new());
                routing.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
                    paths.push((share.clone(), links.to_vec()));
                });
                routing.for_each_use(s, d, &mut UseScratch::default(), &mut |share, links| {
                    uses.extend(links.iter().map(|link| (*link, share.clone())));
                });
                uses.sort_unstable();
                (paths, uses)
            };
            prop_assert_eq!(own.is_single_path(), by_hops.is_single_path());
            for pair in sd_pairs(routers) {
                prop_assert_eq!(found(&own, pair), found(&*by_hops, pair));
            }
        }
    }
}
