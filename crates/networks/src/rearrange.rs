//! Conflict-free routes of permutations on trees, by colouring.
//!
//! Split the tree at its leaf switches. Above them it falls into w2 planes, trees of one level
//! less whose hosts are the leaf switches. A permutation, with idle hosts sending messages to
//! themselves, is an m1-regular bipartite multigraph between leaf switches, which is the union of
//! m1 perfect matchings (Kőnig, Math. Ann. 77, 1916). Where w2 ≥ m1, each matching gets its own
//! plane and is a permutation of the plane's hosts, to which the same argument applies. So on trees
//! in which every switch has as many links up as down, k-ary n-trees and FT(m,n) among them, every
//! permutation has routes with at most one message per link: such a tree is *rearrangeable*
//! (\[RO\] II).
//!
//! The routes depend on the whole permutation, so this is not a
//! [`Routing`](crate::routing::Routing).

use crate::integer::index32;
use crate::matching::{Graph, Matching, NONE};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::topology::{Host, Xgft, host_number};
use crate::traffic::{PathRecord, Permutation};

/// An error from [`conflict_free`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum RearrangeError {
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("the permutation has {found} hosts but the tree has {hosts}; use one for the tree")]
    Hosts { hosts: usize, found: usize },
    #[error(
        "switches of level {level} have {down} links down and {up} up, so messages may have to \
         share links; use a tree with w_(l+1) >= m_l in every level l"
    )]
    Slimmed { level: usize, down: u32, up: u32 },
}

/// A path for every pair of the permutation, by source; no two paths share a link.
/// O(Σ over levels l of m_l · hosts · √hosts).
///
/// # Errors
/// [`RearrangeError`] when stopped, or when the permutation or the tree is unsuitable.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{progress::Progress, rearrange::conflict_free};
/// use routebound::{topology::generate, traffic::Permutation};
/// let topology = generate("kary(2,3)")?;
/// let tree = topology.tree().ok_or("no labels")?;
/// let permutation = Permutation::random(8, 1, 0);
/// let paths = conflict_free(tree, &permutation, &Progress::silent())?;
/// let mut links: Vec<_> = paths.iter().flat_map(|path| &path.links).collect();
/// let used = links.len();
/// links.sort();
/// links.dedup();
/// assert_eq!((paths.len(), links.len()), (permutation.len(), used));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn conflict_free(
    tree: &Xgft,
    permutation: &Permutation,
    progress: &Progress,
) -> Result<Vec<PathRecord>, RearrangeError> {
    let (hosts, found) = (tree.hosts(), permutation.hosts());
    if hosts != found {
        return Err(RearrangeError::Hosts { hosts, found });
    }
    for level in 1..tree.height() {
        let (down, up) = (tree.children(level), tree.parents(level + 1));
        if up < down {
            return Err(RearrangeError::Slimmed { level, down, up });
        }
    }
    let mut planes = Planes::of(tree, permutation, progress);
    planes.colour(1, (0..host_number(hosts)).collect())?;
    let path = |(s, d): (Host, Host)| {
        let (mut links, up) = (Vec::new(), &planes.up[s as usize]);
        tree.push_path(s, d, &up[..tree.nca_level(s, d)], &mut links);
        PathRecord { s, d, share: Rational::ONE, links }
    };
    Ok(permutation.pairs().map(path).collect())
}

/// The messages of a full permutation, including those of a host to itself, and the planes that
/// they take.
struct Planes<'t> {
    tree: &'t Xgft,
    progress: &'t Progress,
    image: Vec<Host>,
    /// Up-digits of the message of every host.
    up: Vec<Vec<u32>>,
}

impl<'t> Planes<'t> {
    fn of(tree: &'t Xgft, permutation: &Permutation, progress: &'t Progress) -> Self {
        let full = permutation.completed();
        // The completion leaves at most one host idle, which is missing as a destination too.
        let image = tree.host_numbers().map(|s| full.image(s).unwrap_or(s)).collect();
        Self { tree, progress, image, up: vec![vec![0]; tree.hosts()] }
    }

    /// Assigns ports, from `level` on, to these messages of a plane, one from and one to every node
    /// of level `level` − 1.
    fn colour(&mut self, level: usize, mut messages: Vec<Host>) -> Result<(), Stopped> {
        if level == self.tree.height() {
            return Ok(());
        }
        for port in 0..self.tree.children(level) {
            let chosen = self.matched(level, &mut messages)?;
            for s in &chosen {
                self.up[*s as usize].push(port);
            }
            self.colour(level + 1, chosen)?;
        }
        Ok(())
    }

    /// Removes and returns messages, one from and one to every subtree of height `level` that has
    /// any.
    fn matched(&self, level: usize, messages: &mut Vec<Host>) -> Result<Vec<Host>, Stopped> {
        let from = |s: Host| self.tree.subtree(s, level);
        let to = |s: Host| self.tree.subtree(self.image[s as usize], level);
        messages.sort_unstable_by_key(|s| (from(*s), to(*s), *s));
        let subtrees = messages.last().map_or(0, |s| from(*s) + 1);
        let mut graph = Graph { right: subtrees as usize, ..Graph::default() };
        let ends = (0..=subtrees).map(|subtree| messages.partition_point(|s| from(*s) < subtree));
        graph.offsets.extend(ends.map(index32));
        graph.targets.extend(messages.iter().map(|s| to(*s)));
        let mut matching = Matching::default();
        matching.maximise_until(&graph, self.progress)?;
        let mut mates = matching.left;
        Ok(messages
            .extract_if(.., |s| {
                let mate = &mut mates[from(*s) as usize];
                let is_taken = *mate == to(*s);
                if is_taken {
                    *mate = NONE;
                }
                is_taken
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Topology, generate};
    use std::collections::HashSet;

    /// Whether the paths join their pairs in the graph, and no link is on two paths.
    fn is_free(topology: &Topology, permutation: &Permutation) -> bool {
        let tree = topology.tree().unwrap();
        let paths = conflict_free(tree, permutation, &Progress::silent()).unwrap();
        let pairs: Vec<_> = paths.iter().map(|path| (path.s, path.d)).collect();
        assert_eq!(pairs, permutation.pairs().collect::<Vec<_>>());
        let mut used = HashSet::new();
        paths.iter().all(|path| {
            let ends = path.links.iter().map(|link| topology.ends(*link).unwrap());
            let arrived =
                ends.fold(path.s, |at, (from, to)| if at == from { to } else { u32::MAX });
            arrived == path.d && path.links.iter().all(|link| used.insert(*link))
        })
    }

    #[test]
    fn permutations_of_trees_with_enough_links_up_have_routes() {
        for spec in ["kary(3,3)", "ft(6,3)", "ft(4,4)", "xgft(3;2,3,4;2,3,4)", "kary(5,1)"] {
            let topology = generate(spec).unwrap();
            for index in 0..50 {
                let permutation = Permutation::random(topology.hosts(), 3, index);
                assert!(is_free(&topology, &permutation), "{spec}: {index}");
                let half = Permutation::random_bisection(topology.hosts(), 3, index);
                assert!(is_free(&topology, &half), "{spec}: {index}");
            }
        }
    }

    /// A host that must stay idle sends to itself.
    #[test]
    fn partial_permutations_may_leave_one_host_over() {
        let topology = generate("kary(2,2)").unwrap();
        let permutation = Permutation::new(4, [(0, 2), (2, 3), (3, 0)]).unwrap();
        assert!(is_free(&topology, &permutation));
        assert!(is_free(&topology, &Permutation::new(4, []).unwrap()));
    }

    #[test]
    fn unsuitable_permutations_and_trees_are_refused() {
        let refused = |spec: &str, hosts: usize| {
            let topology = generate(spec).unwrap();
            let permutation = Permutation::random(hosts, 1, 0);
            conflict_free(topology.tree().unwrap(), &permutation, &Progress::silent()).unwrap_err()
        };
        assert_eq!(refused("kary(2,2)", 5), RearrangeError::Hosts { hosts: 4, found: 5 });
        let slimmed = refused("xgft(3;4,4,4;1,4,3)", 64);
        assert_eq!(slimmed, RearrangeError::Slimmed { level: 2, down: 4, up: 3 });
    }
}
