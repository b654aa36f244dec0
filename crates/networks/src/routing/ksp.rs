//! k shortest paths of every pair with equal shares, on any network: `ksp`.
//!
//! Paths are compared by length, then by their number of links, then by the numbers of these, the first
//! first: no two are alike, so the choice does not depend on how it is found. None visits a node twice.
//! A pair with fewer paths uses all it has. With k = 1 that is the single shortest path.
//!
//! Yen's algorithm: the next path leaves one that is known at some node, and continues by the shortest way
//! that avoids the nodes before and the links by which known paths with the same beginning continue.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use dashu_int::UBig;
use rayon::prelude::*;
use serde::Deserialize;

use super::lengths::Lengths;
use super::path_set::{Path, PathSet};
use super::weighted::{distances, tight_links};
use super::{Routing, RoutingError};
use crate::limit::within;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "ksp",
    usage: "ksp(k=1,weights=file|hops|inverse-capacity)",
    about: "k shortest paths without loops with equal shares, on any network; by the link weights of the \
            file where it has some, otherwise by hops",
    reference: "Yen, Management Science 17 (1971)",
    // With a path that is not a shortest one on trees, where bounds by shape, theorems and studies take every
    // example: these are about shortest paths.
    examples: &["ksp(k=2,weights=file)"],
    build: super::Family {
        build,
        digits: super::Digits::None("its paths need not be shortest by hops"),
        defined: false,
    },
};

/// Maximum number of SD pairs × paths × links; each is looked at up to once per link of a path.
const MAX_WORK: u64 = 1 << 24;

/// Maximum number of paths of a pair.
const MAX_PATHS: u64 = 1 << 10;

#[derive(Deserialize)]
struct Options {
    k: NonZeroU64,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let Options { k } = spec.read()?;
    let k = k.get();
    within("paths of a pair", Some(k.into()), MAX_PATHS, "use fewer paths or ecmp")?;
    let lengths = Lengths::read(spec, topology)?;
    let spec = lengths.shown();
    let (hosts, links) = (topology.hosts(), topology.links());
    let pairs = (hosts as u128).saturating_mul(hosts as u128);
    let work = pairs.saturating_mul(k.into()).saturating_mul(links as u128);
    within("SD pairs × paths × links", Some(work), MAX_WORK, "use fewer paths or ecmp")?;
    let search =
        Search::new(topology, &lengths.all(links), usize::try_from(k).unwrap_or(usize::MAX));
    let pair = |at: usize| search.paths(host_number(at / hosts), host_number(at % hosts));
    let paths: Vec<Vec<Path>> = (0..hosts * hosts).into_par_iter().map(pair).collect();
    PathSet::build(&spec, topology, paths)
}

/// The network in which paths are searched.
struct Search<'t> {
    topology: &'t Topology,
    /// Lengths of links such that a sum also tells paths of one length by their number of links.
    lengths: Vec<UBig>,
    k: usize,
}

impl<'t> Search<'t> {
    fn new(topology: &'t Topology, lengths: &[UBig], k: usize) -> Self {
        // No path has 2^32 links.
        let lengths = lengths.iter().map(|length| (length << 32) + UBig::ONE).collect();
        Self { topology, lengths, k }
    }

    /// The paths of a pair, none for a host and itself.
    fn paths(&self, s: Host, d: Host) -> Vec<Path> {
        let mut found: Vec<Path> = Vec::new();
        let mut open: BTreeSet<(UBig, Path)> = BTreeSet::new();
        if s != d {
            open.extend(self.leaving(&[], s, d, &found));
        }
        while let Some((_, path)) = open.pop_first() {
            found.push(path.clone());
            if found.len() >= self.k {
                break;
            }
            let mut node = s;
            for (at, link) in path.iter().enumerate() {
                open.extend(self.leaving(&path[..at], node, d, &found));
                node = self.head(*link);
            }
        }
        found
    }

    fn head(&self, link: LinkId) -> NodeId {
        self.topology.ends(link).map_or(NodeId::MAX, |(_, head)| head)
    }

    /// The first path that begins with the links `root` to `node` and continues as none of `found` does,
    /// with its length.
    fn leaving(
        &self,
        root: &[LinkId],
        node: NodeId,
        d: Host,
        found: &[Path],
    ) -> Option<(UBig, Path)> {
        let tails = root.iter().filter_map(|link| Some(self.topology.ends(*link)?.0));
        let passed: BTreeSet<NodeId> = tails.collect();
        let known = found.iter().filter(|path| path.starts_with(root));
        let taken: BTreeSet<LinkId> =
            known.filter_map(|path| path.get(root.len()).copied()).collect();
        let allowed =
            |link: LinkId, tail: NodeId| !taken.contains(&link) && !passed.contains(&tail);
        let (distances, _) = distances(self.topology, &self.lengths, d, Some(node), allowed);
        let (mut path, mut at) = (root.to_vec(), node);
        while at != d {
            let hops = tight_links(self.topology, &self.lengths, &distances, at);
            let (link, head) = hops.into_iter().find(|(link, _)| !taken.contains(link))?;
            path.push(link);
            at = head;
        }
        let lengths = path.iter().map(|link| &self.lengths[*link as usize]);
        let length = lengths.fold(UBig::ZERO, |sum, length| sum + length);
        Some((length, path))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::rational::Rational;
    use crate::routing::weighted::tests::network;
    use crate::routing::{UseScratch, build};
    use crate::topology::sd_pairs;

    /// The nodes that the paths of a pair lead to.
    fn nodes(spec: &str, topology: &Topology, s: Host, d: Host) -> Vec<Vec<NodeId>> {
        let mut found = Vec::new();
        let routing = build(spec, topology).unwrap();
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            found.push(links.iter().map(|link| topology.ends(*link).unwrap().1).collect());
        });
        found
    }

    /// From 0 to 2: 5 by 1; 6 directly, then by 3 and by 3 and 1 with more links; 9 by 1 and 3.
    #[test]
    fn the_next_path_is_longer_or_has_more_links() {
        let cables = [(0, 1, 2), (1, 2, 3), (0, 2, 6), (0, 3, 1), (3, 2, 5), (1, 3, 2)];
        let square = network(4, &cables);
        let all = [vec![1, 2], vec![2], vec![3, 2], vec![3, 1, 2], vec![1, 3, 2]];
        for k in 1..8 {
            let expected = &all[..k.min(5)];
            assert_eq!(nodes(&format!("ksp(k={k})"), &square, 0, 2), expected, "k = {k}");
        }
        let by_hops = nodes("ksp(k=3,weights=hops)", &square, 0, 2);
        assert_eq!(by_hops, [vec![2], vec![1, 2], vec![3, 2]]);
    }

    #[test]
    fn specs_show_k_and_what_is_measured() {
        let line = network(3, &[(0, 1, 2), (1, 2, 3)]);
        let spec = |text: &str| build(text, &line).unwrap().spec().to_string();
        assert_eq!(spec("ksp"), "ksp(k=1,weights=file)");
        assert_eq!(spec("ksp(weights=hops,k=3)"), "ksp(k=3,weights=hops)");
        assert_eq!(spec("ksp(weights=inverse-capacity)"), "ksp(k=1,weights=hops)");
        assert!(build("ksp(k=0)", &line).err().unwrap().to_string().contains("at least 1"));
        let many = format!("ksp(k={})", u64::MAX);
        let refused = build(&many, &line).err().unwrap().to_string();
        assert!(
            refused.contains("paths of a pair") && refused.contains("use fewer paths"),
            "{refused}"
        );
    }

    /// All paths from `path` on that visit no node twice.
    fn extend(topology: &Topology, path: &[LinkId], seen: &[NodeId], d: Host, all: &mut Vec<Path>) {
        let last = seen[seen.len() - 1];
        if last == d {
            return all.push(path.to_vec());
        }
        for link in topology.links_from(last) {
            let head = topology.ends(link).unwrap().1;
            if !seen.contains(&head) {
                let (path, seen) = ([path, &[link]].concat(), [seen, &[head]].concat());
                extend(topology, &path, &seen, d, all);
            }
        }
    }

    /// A line of cables of weight 2 and these further cables.
    fn drawn(routers: usize, more: &[(usize, usize, u64)]) -> Topology {
        let line = (1..routers).map(|at| (at - 1, at, 2));
        let more = more.iter().map(|(u, v, weight)| (u % routers, v % routers, *weight));
        let cables: Vec<_> = line.chain(more.filter(|(u, v, _)| u != v)).collect();
        network(routers, &cables)
    }

    fn weight(topology: &Topology, path: &Path) -> Rational {
        path.iter().map(|link| topology.weight(*link).unwrap()).sum()
    }

    /// All paths of a pair.
    fn all_paths(topology: &Topology, s: Host, d: Host) -> Vec<Path> {
        let mut all = Vec::new();
        extend(topology, &[], &[s], d, &mut all);
        all
    }

    /// The lightest paths with their shares: where some part, each next link gets the same.
    fn lightest(topology: &Topology, s: Host, d: Host) -> BTreeMap<Path, Rational> {
        let mut paths = all_paths(topology, s, d);
        let least = paths.iter().map(|path| weight(topology, path)).min().unwrap();
        paths.retain(|path| weight(topology, path) == least);
        let ways = |root: &[LinkId]| {
            let next =
                paths.iter().filter(|path| path.starts_with(root)).map(|path| path[root.len()]);
            Rational::from(next.collect::<BTreeSet<_>>().len() as u64)
        };
        let parts = |path: &Path| (0..path.len()).map(|at| ways(&path[..at])).collect::<Vec<_>>();
        let share = |path: &Path| {
            parts(path).iter().fold(Rational::ONE, |share, ways| share.checked_div(ways).unwrap())
        };
        paths.iter().map(|path| (path.clone(), share(path))).collect()
    }

    proptest! {
        #[test]
        fn ecmp_splits_over_the_lightest_of_all_paths(
            routers in 2_usize..6,
            more in prop::collection::vec((0_usize..6, 0_usize..6, 1_u64..5), 1..8),
        ) {
            let topology = drawn(routers, &more);
            let ecmp = build("ecmp", &topology).unwrap();
            for (s, d) in sd_pairs(routers) {
                let expected = lightest(&topology, s, d);
                let (mut found, mut uses) = (BTreeMap::new(), BTreeMap::new());
                ecmp.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
                    found.insert(links.to_vec(), share.clone());
                });
                ecmp.for_each_use(s, d, &mut UseScratch::default(), &mut |share, links| {
                    for link in links {
                        *uses.entry(*link).or_insert(Rational::ZERO) += share;
                    }
                });
                let mut sums = BTreeMap::new();
                for (path, share) in &expected {
                    for link in path {
                        *sums.entry(*link).or_insert(Rational::ZERO) += share;
                    }
                }
                prop_assert_eq!((found, uses), (expected, sums));
            }
        }

        /// The first k in the order of all paths, listed one by one.
        #[test]
        fn yen_finds_the_first_of_all_paths(
            routers in 2_usize..6,
            more in prop::collection::vec((0_usize..6, 0_usize..6, 1_u64..4), 0..6),
            k in 1_usize..9,
        ) {
            let topology = drawn(routers, &more);
            let routing = build(&format!("ksp(k={k},weights=hops)"), &topology).unwrap();
            let weighted = build(&format!("ksp(k={k})"), &topology).unwrap();
            for (s, d) in sd_pairs(routers) {
                let mut all = all_paths(&topology, s, d);
                let found = |routing: &dyn Routing| {
                    let mut paths: BTreeMap<usize, Path> = BTreeMap::new();
                    routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                        paths.insert(paths.len(), links.to_vec());
                    });
                    paths.into_values().collect::<Vec<_>>()
                };
                all.sort_by_key(|path| (path.len(), path.clone()));
                prop_assert_eq!(found(&*routing), &all[..k.min(all.len())]);
                all.sort_by_key(|path| (weight(&topology, path), path.len(), path.clone()));
                prop_assert_eq!(found(&*weighted), &all[..k.min(all.len())]);
            }
        }
    }
}
