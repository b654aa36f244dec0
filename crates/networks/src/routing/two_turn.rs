//! The paths of 2TURN: all with at most two turns, on tori, meshes and hypercubes of up to three dimensions (Towles,
//! Dally and Boyd, Throughput-centric routing algorithm design, SPAA 2003).
//!
//! A path leads straight along a dimension, and where it continues along another it turns. It may take the longer way
//! round a ring, and visits no node twice. Towles, Dally and Boyd give these paths the shares of a linear program, with
//! the shortest paths on average that have the best worst case. A routing is more than a set of paths, so that here the
//! shares are equal, which is not 2TURN: these are paths for others to choose the shares of, as `optimal --among` does,
//! or the sender who knows the traffic.

use super::lattice::Lattice;
use super::path_set::{Path, PathSet};
use super::{Routing, RoutingError};
use crate::limit::within;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{NodeId, Topology};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "2turn",
    usage: "2turn",
    about: "all paths with at most two turns, on tori, meshes and hypercubes of up to three dimensions, with equal \
            shares: a set of paths whose best shares `optimal --among` finds",
    reference: "Towles, Dally and Boyd, SPAA 2003",
    examples: &["2turn"],
    build: super::Family {
        build,
        digits: super::Digits::None("it is for networks with coordinates, which are not trees"),
        defined: false,
    },
};

const MAX_TURNS: u32 = 2;

/// Maximum number of paths of all pairs times links of the longest.
const MAX_LINKS: u64 = 1 << 24;

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let lattice = Lattice::of(spec, topology)?;
    let dimensions = lattice.dimensions();
    if dimensions.len() > MAX_TURNS as usize + 1 {
        let reason = "two turns correct three coordinates at most: use `dor`, `valiant` or `ival` in more dimensions";
        return Err(RoutingError::does_not_fit(spec, topology, reason));
    }
    let links = links(&lattice);
    within(
        "paths × links of the longest",
        links,
        MAX_LINKS,
        "choose a smaller network, or `ival`",
    )?;
    let nodes = lattice.nodes();
    let mut paths = Vec::new();
    for s in 0..nodes {
        let mut walk = Walk::new(&lattice, s);
        walk.extend(s, None, MAX_TURNS);
        paths.append(&mut walk.found);
    }
    for own in &mut paths {
        own.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    }
    PathSet::build(spec, topology, paths)
}

/// An upper bound on the number of paths of all pairs times the links of the longest: each consists of up to three
/// runs, none along the dimension of the run before.
fn links(lattice: &Lattice) -> Option<u128> {
    let runs = |(size, is_ring): (u32, bool)| u128::from(size - 1) * if is_ring { 2 } else { 1 };
    let runs: Vec<u128> = lattice.dimensions().iter().map(|at| runs(lattice.size(*at))).collect();
    let longest = lattice.dimensions().iter().map(|at| lattice.size(*at).0 - 1).max()?;
    let (mut last, mut all) = (runs.clone(), runs.iter().sum::<u128>());
    for _ in 0..MAX_TURNS {
        let sum: u128 = last.iter().sum();
        last = runs.iter().zip(last).map(|(runs, own)| runs.saturating_mul(sum - own)).collect();
        all = last.iter().fold(all, |all, more| all.saturating_add(*more));
    }
    let longest = u128::from(longest) * u128::from(MAX_TURNS + 1);
    all.checked_mul(longest)?.checked_mul(lattice.nodes().into())
}

/// A walk from a node, each part of which is a path.
struct Walk<'l> {
    lattice: &'l Lattice,
    is_passed: Vec<bool>,
    links: Path,
    /// By node at the end.
    found: Vec<Vec<Path>>,
}

impl<'l> Walk<'l> {
    fn new(lattice: &'l Lattice, s: NodeId) -> Self {
        let nodes = lattice.nodes() as usize;
        let mut is_passed = vec![false; nodes];
        is_passed[s as usize] = true;
        Self { lattice, is_passed, links: Path::new(), found: vec![Vec::new(); nodes] }
    }

    /// Keeps all paths that continue what leads to a node, the last step in that direction, with these turns left.
    fn extend(&mut self, node: NodeId, last: Option<(usize, bool)>, turns: u32) {
        for dimension in self.lattice.dimensions() {
            let turn = u32::from(last.is_some_and(|(along, _)| along != dimension));
            let Some(turns) = turns.checked_sub(turn) else { continue };
            for up in [true, false] {
                let Some((link, head)) = self.lattice.step(node, dimension, up) else { continue };
                if std::mem::replace(&mut self.is_passed[head as usize], true) {
                    continue;
                }
                self.links.push(link);
                self.found[head as usize].push(self.links.clone());
                self.extend(head, Some((dimension, up)), turns);
                self.links.pop();
                self.is_passed[head as usize] = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::build;
    use crate::topology::{Host, LinkId, generate, sd_pairs};

    fn paths(network: &Topology, s: Host, d: Host) -> Vec<Path> {
        let routing = build("2turn", network).unwrap();
        let mut found = Vec::new();
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| found.push(links.to_vec()));
        found
    }

    /// All paths without loops that continue `nodes` to `d`.
    fn all(network: &Topology, nodes: &mut Vec<NodeId>, d: Host, found: &mut Vec<Vec<NodeId>>) {
        let last = nodes[nodes.len() - 1];
        if last == d {
            return found.push(nodes.clone());
        }
        let heads: Vec<NodeId> =
            network.links_from(last).map(|link| network.ends(link).unwrap().1).collect();
        for head in heads {
            if !nodes.contains(&head) {
                nodes.push(head);
                all(network, nodes, d, found);
                nodes.pop();
            }
        }
    }

    /// The number of nodes at which another coordinate begins to change.
    fn turns(network: &Topology, nodes: &[NodeId]) -> usize {
        let coordinates = network.coordinates().unwrap();
        let differs = |step: &[NodeId]| {
            let dimensions = 0..coordinates.sizes().len();
            let of = |node: NodeId| dimensions.clone().map(move |at| coordinates.of(node, at));
            of(step[0]).zip(of(step[1])).position(|(a, b)| a != b).unwrap()
        };
        let along: Vec<usize> = nodes.windows(2).map(differs).collect();
        along.windows(2).filter(|two| two[0] != two[1]).count()
    }

    #[test]
    fn they_are_all_paths_with_at_most_two_turns() {
        for network in [
            "torus(3,2)",
            "torus(4;3)",
            "torus(2;5)",
            "mesh(3,2)",
            "mesh(4;2)",
            "hypercube(3)",
            "torus(6)",
        ] {
            let network = generate(network).unwrap();
            let heads = |links: &Path| -> Vec<NodeId> {
                links.iter().map(|link: &LinkId| network.ends(*link).unwrap().1).collect()
            };
            for (s, d) in sd_pairs(network.hosts()) {
                let mut expected = Vec::new();
                all(&network, &mut vec![s], d, &mut expected);
                expected.retain(|nodes| turns(&network, nodes) <= 2);
                for nodes in &mut expected {
                    nodes.remove(0);
                }
                let mut found: Vec<Vec<NodeId>> = paths(&network, s, d).iter().map(heads).collect();
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{} {s} {d}", network.spec());
            }
        }
    }

    /// On the 8-ary 2-cube a pair off in both dimensions has 4 paths of one turn in either order of these, and, where a
    /// path along one dimension turns at each of the 6 other coordinates, 8 paths of two turns; that for both.
    #[test]
    fn there_are_so_many_on_the_8_ary_2_cube() {
        let network = generate("torus(8,2)").unwrap();
        let mut found = paths(&network, 0, 2 + 8 * 3);
        let lengths: Vec<usize> = found.iter().map(Vec::len).collect();
        assert!(lengths.is_sorted() && lengths[0] == 5, "{lengths:?}");
        let count = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!((count, found.len()), (104, 104));
    }

    #[test]
    fn what_is_too_large_or_has_too_many_dimensions_is_refused() {
        for (network, words) in [
            ("torus(16,2)", "choose a smaller network, or `ival`"),
            ("torus(3,4)", "three coordinates at most"),
            ("hypercube(4)", "three coordinates at most"),
            ("ft(4,2)", "needs coordinates"),
        ] {
            let error = build("2turn", &generate(network).unwrap()).err().unwrap().to_string();
            assert!(error.contains(words), "{network}: {error}");
        }
    }
}
