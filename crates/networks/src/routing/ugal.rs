//! The paths among which UGAL chooses, on any network: all shortest paths of a pair, and its Valiant paths, by a
//! shortest path to another node and a shortest path on from there (Singh, Load-balanced routing in interconnection
//! networks, PhD thesis, Stanford 2005; on dragonflies Kim, Dally, Scott and Abts, ISCA 2008).
//!
//! UGAL compares the queues of one of each for every packet: its paths depend on the traffic, as those of a routing do
//! not. Here all paths have equal shares. They are a set for others to choose the shares of, such as
//! `optimal --among`, and for the sender who knows the traffic. What would visit a node twice is left out: no path of a
//! host with one link leads through another, and none through a router that its own way back would pass. The shortest
//! paths alone, by the number of links, are those of `omrmn`.

use std::collections::BTreeSet;

use dashu_int::UBig;
use rayon::prelude::*;

use super::lengths::Lengths;
use super::path_set::{Path, PathSet};
use super::weighted::{distances, tight_links};
use super::{Routing, RoutingError};
use crate::limit::within;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "ugal",
    usage: "ugal(weights=file|hops|inverse-capacity)",
    about: "shortest paths, and shortest paths to every node and on from there that visit no node twice, with equal \
            shares, on any network: the set of paths among which UGAL chooses; lengths as for ksp",
    reference: "Singh, PhD thesis, Stanford 2005; Kim, Dally, Scott and Abts, ISCA 2008",
    // As that of `ksp`, not for trees.
    examples: &["ugal(weights=file)"],
    build: super::Family {
        build,
        digits: super::Digits::None("its paths need not be shortest by hops"),
        defined: false,
    },
};

/// Maximum number of pairs of nodes.
const MAX_PAIRS: u64 = 1 << 22;

/// Maximum number of links of all paths, those included that several nodes give or that visit a node twice.
const MAX_LINKS: u64 = 1 << 24;

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let pairs = Some((topology.nodes() as u128).pow(2));
    within("pairs of nodes", pairs, MAX_PAIRS, "choose a smaller network, or `ksp`")?;
    let lengths = Lengths::read(spec, topology)?;
    let (spec, lengths) = (&lengths.shown(), lengths.all(topology.links()));
    let ways = Ways::new(topology, &lengths);
    let hosts = topology.hosts();
    let ends = |at: usize| (host_number(at / hosts), host_number(at % hosts));
    let links = (0..hosts * hosts).into_par_iter().map(|at| ways.links(ends(at)));
    let links = links.reduce(|| 0, u128::saturating_add);
    let what = "links of all paths by other nodes";
    within(what, Some(links), MAX_LINKS, "choose a smaller network, `omrmn` or `ksp`")?;
    let paths = (0..hosts * hosts).into_par_iter().map(|at| ways.paths(ends(at))).collect();
    PathSet::build(spec, topology, paths)
}

/// The shortest paths between all nodes.
struct Ways<'t> {
    topology: &'t Topology,
    lengths: &'t [UBig],
    /// By destination.
    to: Vec<To>,
    /// The nodes by which a path may lead: those with two neighbours or more.
    inner: Vec<NodeId>,
}

/// The shortest paths of all nodes to one.
struct To {
    distances: Vec<Option<UBig>>,
    /// By node, the number of shortest paths and the maximum number of their links; 0 paths where there is none.
    paths: Vec<(u64, u64)>,
}

impl To {
    /// O(links·log links).
    fn search(topology: &Topology, lengths: &[UBig], d: NodeId) -> Self {
        let (distances, order) = distances(topology, lengths, d, None, |_, _| true);
        let mut paths = vec![(0_u64, 0_u64); topology.nodes()];
        paths[d as usize] = (1, 0);
        for node in order.into_iter().skip(1) {
            let mut own = (0_u64, 0_u64);
            for (_, head) in tight_links(topology, lengths, &distances, node) {
                let (number, links) = paths[head as usize];
                own = (own.0.saturating_add(number), own.1.max(links + 1));
            }
            paths[node as usize] = own;
        }
        Self { distances, paths }
    }
}

impl<'t> Ways<'t> {
    fn new(topology: &'t Topology, lengths: &'t [UBig]) -> Self {
        let nodes: Vec<NodeId> = topology.node_numbers().collect();
        let to = nodes.par_iter().map(|node| To::search(topology, lengths, *node)).collect();
        let is_inner = |node: &NodeId| {
            let links = topology.links_from(*node).chain(topology.links_to(*node));
            let ends = links.filter_map(|link| topology.ends(link));
            let around: BTreeSet<NodeId> = ends.flat_map(|(tail, head)| [tail, head]).collect();
            // The node itself is one of them.
            around.len() > 2
        };
        Self { topology, lengths, to, inner: nodes.into_iter().filter(is_inner).collect() }
    }

    /// The nodes by which the paths of a pair lead; the destination stands for none.
    fn by(&self, (s, d): (Host, Host)) -> impl Iterator<Item = NodeId> {
        self.inner.iter().copied().filter(move |node| *node != s && *node != d).chain([d])
    }

    /// At least the number of links of all paths of a pair.
    fn links(&self, (s, d): (Host, Host)) -> u128 {
        let of = |node| {
            let (first, there) = self.to[node as usize].paths[s as usize];
            let (second, on) = self.to[d as usize].paths[node as usize];
            u128::from(there + on).saturating_mul(u128::from(first) * u128::from(second))
        };
        let all = self.by((s, d)).filter(|_| s != d).map(of);
        all.fold(0, u128::saturating_add)
    }

    /// The paths of a pair, the shortest first.
    fn paths(&self, (s, d): (Host, Host)) -> Vec<Path> {
        if s == d {
            return Vec::new();
        }
        let mut found: BTreeSet<(usize, Path)> = BTreeSet::new();
        for node in self.by((s, d)) {
            let [first, second] = [(s, node), (node, d)].map(|(from, to)| {
                let mut paths = Vec::new();
                self.shortest(from, to, &mut Path::new(), &mut paths);
                paths
            });
            for there in &first {
                let all = second.iter().map(|on| [&there[..], on].concat());
                let simple = all.filter(|path| self.is_simple(s, path));
                found.extend(simple.map(|path| (path.len(), path)));
            }
        }
        found.into_iter().map(|(_, path)| path).collect()
    }

    /// Appends all that shortest paths from `from` to `to` make of `path`.
    fn shortest(&self, from: NodeId, to: NodeId, path: &mut Path, found: &mut Vec<Path>) {
        if from == to {
            return found.push(path.clone());
        }
        let distances = &self.to[to as usize].distances;
        for (link, head) in tight_links(self.topology, self.lengths, distances, from) {
            path.push(link);
            self.shortest(head, to, path, found);
            path.pop();
        }
    }

    fn is_simple(&self, s: Host, path: &[LinkId]) -> bool {
        let heads = path.iter().filter_map(|link| Some(self.topology.ends(*link)?.1));
        let mut nodes: Vec<NodeId> = heads.chain([s]).collect();
        nodes.sort_unstable();
        nodes.windows(2).all(|two| two[0] != two[1])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rational::Rational;
    use crate::routing::build;
    use crate::routing::weighted::tests::{network, simple_paths};
    use crate::topology::{generate, sd_pairs};

    fn found(network: &Topology, s: Host, d: Host) -> Vec<Path> {
        let routing = build("ugal", network).unwrap();
        let mut paths = Vec::new();
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| paths.push(links.to_vec()));
        paths
    }

    fn weight(network: &Topology, path: &[LinkId]) -> Rational {
        let mut sum = Rational::ZERO;
        for link in path {
            sum += &network.weight(*link).cloned().unwrap_or(Rational::ONE);
        }
        sum
    }

    /// Whether both parts of a path are shortest at some node of it, by the lengths of all paths.
    fn is_valiant(network: &Topology, s: Host, path: &Path) -> bool {
        let heads = path.iter().map(|link| network.ends(*link).unwrap().1);
        let nodes: Vec<NodeId> = [s].into_iter().chain(heads).collect();
        let least = |from, to| {
            let paths = simple_paths(network, from, to);
            paths.iter().map(|path| weight(network, path)).min().unwrap()
        };
        let d = nodes[path.len()];
        (0..).zip(&nodes).any(|(at, node)| {
            let (there, on) = path.split_at(at);
            weight(network, there) == least(s, *node) && weight(network, on) == least(*node, d)
        })
    }

    fn agrees(network: &Topology) {
        for (s, d) in sd_pairs(network.hosts()) {
            let mut expected = simple_paths(network, s, d);
            expected.retain(|path| is_valiant(network, s, path));
            expected.sort_unstable_by_key(|path| (path.len(), path.clone()));
            assert_eq!(found(network, s, d), expected, "{} {s} {d}", network.spec());
        }
    }

    #[test]
    fn they_are_all_paths_of_two_shortest_ones() {
        for network in ["mesh(3,2)", "torus(5)", "ft(4,2)", "hyperx(4,p=0)", "bcube(2,1)"] {
            agrees(&generate(network).unwrap());
        }
    }

    /// Between leaves of FT(8,2): 4 spines; over each of 6 other leaves, up and down by two different spines of 4.
    #[test]
    fn there_are_so_many_on_a_tree() {
        let network = generate("ft(8,2)").unwrap();
        assert_eq!(found(&network, 0, 31).len(), 4 + 6 * 4 * 3);
        assert_eq!(found(&network, 0, 1).len(), 1);
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let error = build("ugal", &generate("torus(8,2)").unwrap()).err().unwrap().to_string();
        assert!(error.contains("links of all paths") && error.contains("or `ksp`"), "{error}");
        let error = build("ugal", &generate("ft(32,2)").unwrap()).err().unwrap().to_string();
        assert!(error.contains("above the limit"), "{error}");
    }

    proptest! {
        #[test]
        fn on_any_network(
            routers in 3_usize..6,
            more in prop::collection::vec((0_usize..6, 0_usize..6, 1_u64..4), 1..6),
        ) {
            let line = (1..routers).map(|at| (at - 1, at, 2));
            let more = more.iter().map(|(u, v, weight)| (u % routers, v % routers, *weight));
            let cables: Vec<_> = line.chain(more.filter(|(u, v, _)| u != v)).collect();
            agrees(&network(routers, &cables));
        }
    }
}
