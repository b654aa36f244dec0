//! k paths of every pair that have no link in common and are as short as possible together, with equal shares, on any
//! network: `disjoint` (Suurballe, Disjoint paths in a network, Networks 4, 1974).
//!
//! The only link out of a source, and the only one into a destination, is common to all paths. Otherwise no two paths
//! of a pair pass the same link; a cable is a link in each direction. A pair with fewer such paths uses as many as it
//! has.
//!
//! Successive shortest paths: each takes free links, and takes links of the paths before back, where that is shorter,
//! so that all together become as short as any set of that number. None of them visits a node twice, as all links have
//! positive lengths.

use std::num::NonZeroU64;

use dashu_int::{IBig, UBig};
use rayon::prelude::*;
use serde::Deserialize;

use super::lengths::Lengths;
use super::path_set::{Path, PathSet};
use super::{Routing, RoutingError};
use crate::limit::within;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "disjoint",
    usage: "disjoint(k=2,weights=file|hops|inverse-capacity)",
    about: "k paths without a common link that are shortest together, with equal shares, on any network; the only link \
            of a host is common to all; lengths as for ksp",
    reference: "Suurballe, Networks 4 (1974)",
    examples: &["disjoint(k=2,weights=file)"],
    build: super::Family {
        build,
        digits: super::Digits::None("its paths need not be shortest by hops"),
        defined: false,
    },
};

/// Maximum number of SD pairs × paths × links, each of which a search looks at several times.
const MAX_WORK: u64 = 1 << 24;

#[derive(Deserialize)]
struct Options {
    k: NonZeroU64,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let Options { k } = spec.read()?;
    let lengths = Lengths::read(spec, topology)?;
    let spec = lengths.shown();
    let (hosts, links) = (topology.hosts(), topology.links());
    let pairs = (hosts as u128).saturating_mul(hosts as u128);
    let work = pairs.saturating_mul(k.get().into()).saturating_mul(links as u128);
    within("SD pairs × paths × links", Some(work), MAX_WORK, "use fewer paths or ecmp")?;
    let lengths: Vec<IBig> = lengths.all(links).into_iter().map(UBig::into).collect();
    let pair = |at: usize| {
        let (s, d) = (host_number(at / hosts), host_number(at % hosts));
        if s == d { Vec::new() } else { Search::new(topology, &lengths, (s, d)).paths(k.get()) }
    };
    let paths = (0..hosts * hosts).into_par_iter().map(pair).collect();
    PathSet::build(&spec, topology, paths)
}

/// A step of a search: a link that is taken, or that is taken back.
#[derive(Clone, Copy)]
struct Step {
    link: LinkId,
    back: bool,
    /// The node at which it ends.
    head: NodeId,
}

/// The length of the way to a node, and the last step with where it begins, if there is one.
type Reached = (IBig, Option<(NodeId, Step)>);

/// Paths of a pair that are found one after the other.
struct Search<'t> {
    topology: &'t Topology,
    lengths: &'t [IBig],
    ends: (Host, Host),
    /// By link, the number of paths that use it.
    used: Vec<u64>,
    /// The links that all paths may use.
    common: [Option<LinkId>; 2],
}

impl<'t> Search<'t> {
    fn new(topology: &'t Topology, lengths: &'t [IBig], (s, d): (Host, Host)) -> Self {
        fn only(mut links: impl Iterator<Item = LinkId>) -> Option<LinkId> {
            links.next().filter(|_| links.next().is_none())
        }
        let common = [only(topology.links_from(s)), only(topology.links_to(d))];
        Self { topology, lengths, ends: (s, d), used: vec![0; topology.links()], common }
    }

    /// Up to k paths, the shortest first.
    fn paths(mut self, k: u64) -> Vec<Path> {
        let found = (0..k).take_while(|_| self.add()).count();
        let mut paths: Vec<Path> = (0..found).map(|_| self.take_out()).collect();
        // Two are alike where all links are common.
        paths.sort_by(|a, b| (self.length(a), a.len(), a).cmp(&(self.length(b), b.len(), b)));
        paths.dedup();
        paths
    }

    fn length(&self, path: &Path) -> IBig {
        path.iter().map(|link| &self.lengths[*link as usize]).sum()
    }

    /// Adds a path such that all are as short as possible together; returns whether there is one.
    fn add(&mut self) -> bool {
        let Some(steps) = self.shortest() else { return false };
        for Step { link, back, .. } in steps {
            let used = &mut self.used[link as usize];
            *used = if back { used.saturating_sub(1) } else { *used + 1 };
        }
        true
    }

    /// The steps that may be taken at a node.
    fn steps(&self, node: NodeId) -> impl Iterator<Item = Step> {
        let is_free =
            |link: &LinkId| self.used[*link as usize] == 0 || self.common.contains(&Some(*link));
        let ends = |link: LinkId| self.topology.ends(link);
        let on = self.topology.links_from(node).filter(is_free);
        let on = on.filter_map(move |link| Some(Step { link, back: false, head: ends(link)?.1 }));
        let back = self.topology.links_to(node).filter(|link| self.used[*link as usize] > 0);
        let back =
            back.filter_map(move |link| Some(Step { link, back: true, head: ends(link)?.0 }));
        on.chain(back)
    }

    /// A shortest way from the source to the destination, by Bellman and Ford: links that are taken back count
    /// negative, and no cycle does.
    fn shortest(&self) -> Option<Vec<Step>> {
        let (s, d) = self.ends;
        let nodes = self.topology.nodes();
        let mut reached: Vec<Option<Reached>> = vec![None; nodes];
        reached[s as usize] = Some((IBig::ZERO, None));
        let mut open = std::collections::VecDeque::from([s]);
        let mut is_open = vec![false; nodes];
        while let Some(node) = open.pop_front() {
            is_open[node as usize] = false;
            let Some((own, _)) = reached[node as usize].clone() else { continue };
            for step in self.steps(node) {
                let length = &self.lengths[step.link as usize];
                let length = if step.back { &own - length } else { &own + length };
                let known = &mut reached[step.head as usize];
                if known.as_ref().is_none_or(|(known, _)| length < *known) {
                    *known = Some((length, Some((node, step))));
                    if !std::mem::replace(&mut is_open[step.head as usize], true) {
                        open.push_back(step.head);
                    }
                }
            }
        }
        let (mut steps, mut at) = (Vec::new(), d);
        while let (_, Some((before, step))) = reached[at as usize].as_ref()? {
            steps.push(*step);
            at = *before;
        }
        Some(steps)
    }

    /// Takes a path out of the links that are used, at every node by the lowest number.
    fn take_out(&mut self) -> Path {
        let (mut node, mut path) = (self.ends.0, Path::new());
        while node != self.ends.1 {
            let mut links = self.topology.links_from(node).collect::<Vec<_>>();
            links.sort_unstable();
            let Some(link) = links.into_iter().find(|link| self.used[*link as usize] > 0) else {
                break;
            };
            self.used[link as usize] -= 1;
            path.push(link);
            node = self.topology.ends(link).map_or(self.ends.1, |(_, head)| head);
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::routing::build;
    use crate::routing::weighted::tests::{network, simple_paths};
    use crate::topology::{generate, sd_pairs};

    fn found(routing: &dyn Routing, s: Host, d: Host) -> Vec<Path> {
        let mut paths = Vec::new();
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| paths.push(links.to_vec()));
        paths
    }

    fn disjoint(k: u32, network: &Topology) -> Box<dyn Routing> {
        build(&format!("disjoint(k={k})"), network).unwrap()
    }

    /// Suurballe's trap: the shortest path 0-1-2-3 shares a link with both of the two disjoint ones.
    #[test]
    fn a_shortest_path_gives_way_to_two_disjoint_ones() {
        let trap = network(4, &[(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 2, 3), (1, 3, 3)]);
        let heads = |k: u32| -> Vec<Vec<NodeId>> {
            let paths = found(&*disjoint(k, &trap), 0, 3);
            let of = |path: Path| path.into_iter().map(|link| trap.ends(link).unwrap().1).collect();
            paths.into_iter().map(of).collect()
        };
        assert_eq!(heads(1), [vec![1, 2, 3]]);
        assert_eq!(heads(2), [vec![1, 3], vec![2, 3]]);
        assert_eq!(heads(9), heads(2));
    }

    /// The links of hosts are common; over each spine of FT(8,2) leads one path.
    #[test]
    fn the_only_link_of_a_host_is_common() {
        let tree = generate("ft(8,2)").unwrap();
        let number = |k, d| found(&*disjoint(k, &tree), 0, d).len();
        assert_eq!([1, 2, 3, 4, 5].map(|k| number(k, 31)), [1, 2, 3, 4, 4]);
        assert_eq!(number(4, 1), 1);
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let tree = generate("ft(16,2)").unwrap();
        let error = build("disjoint(k=9)", &tree).err().unwrap().to_string();
        assert!(error.contains("SD pairs × paths × links"), "{error}");
    }

    /// The highest number of paths up to k without a common link, and their least length together.
    fn best(network: &Topology, paths: &[Path], k: usize, taken: &mut Vec<LinkId>) -> (usize, u64) {
        let Some((path, rest)) = paths.split_first().filter(|_| k > 0) else { return (0, 0) };
        let without = best(network, rest, k, taken);
        if path.iter().any(|link| taken.contains(link)) {
            return without;
        }
        let known = taken.len();
        taken.extend(path);
        let (number, length) = best(network, rest, k - 1, taken);
        taken.truncate(known);
        let own = weight(network, path);
        if number + 1 > without.0 || (number + 1 == without.0 && length + own < without.1) {
            (number + 1, length + own)
        } else {
            without
        }
    }

    fn weight(network: &Topology, path: &Path) -> u64 {
        let weights = path.iter().map(|link| network.weight(*link).unwrap());
        weights.map(|weight| weight.to_string().parse::<u64>().unwrap()).sum()
    }

    proptest! {
        #[test]
        fn no_others_are_more_or_shorter(
            more in prop::collection::vec((0_usize..5, 0_usize..5, 1_u64..5), 1..6),
            k in 1_u32..4,
        ) {
            let ring = (0..5).map(|at| (at, (at + 1) % 5, 2));
            let more = more.into_iter().filter(|(u, v, _)| u != v);
            let network = network(5, &ring.chain(more).collect::<Vec<_>>());
            let routing = disjoint(k, &network);
            for (s, d) in sd_pairs(5) {
                let paths = simple_paths(&network, s, d);
                let expected = best(&network, &paths, k as usize, &mut Vec::new());
                let found = found(&*routing, s, d);
                let mut links: Vec<LinkId> = found.iter().flatten().copied().collect();
                let length = found.iter().map(|path| weight(&network, path)).sum();
                prop_assert_eq!((found.len(), length), expected, "{} {}", s, d);
                prop_assert!(found.iter().all(|path| paths.contains(path)));
                let all = links.len();
                links.sort_unstable();
                links.dedup();
                prop_assert_eq!(links.len(), all);
            }
        }
    }
}
