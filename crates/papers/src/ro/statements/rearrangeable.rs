//! \[RO\] II: k-ary n-trees are rearrangeable.
//!
//! The routes are those of [`conflict_free`], and are not trusted: each path is followed in the
//! graph from source to destination, and the messages on every link are counted.

use super::inverse::enumerable;
use crate::rearrange::conflict_free;
use crate::theorem::prelude::*;
use crate::traffic::{PathRecord, Permutation};

pub(super) const KARY: Statement = Statement::new("ro-rearrangeable", "[RO] II")
    .about("Every permutation of the processing nodes of a k-ary n-tree can be routed such that no two \
            messages contend for the same network port")
    .hypothesis("k-ary n-trees: all permutations of up to 8 hosts (9 in a full run), random ones beyond")
    .quote("the property of being rearrangeable [13]. This means that any scheduled permutation of sources over destinations can be routed without blocking, i.e., no messages contend for the same network port.")
    .networks(|tree| kary(tree).is_some(), coloured)
    .planted(Planted::Check(|scope| by_destination("kary(2,3)", scope)));

pub(super) const WIDE: Statement = Statement::new(
    "ro-rearrangeable-wide",
    "[RO] II, for more trees",
)
.about(
    "Every XGFT in which w_{l+1} >= m_l for all l < h is rearrangeable: FT(m,n), and trees with \
            more ways up than down",
)
.hypothesis("XGFTs with w_{l+1} >= m_l other than k-ary n-trees, as in ro-rearrangeable")
.ours()
.quote("any scheduled permutation of sources over destinations can be routed without blocking")
.networks(|tree| kary(tree).is_none() && tree.tree().is_some_and(is_wide), coloured)
.planted(Planted::Check(|scope| by_destination("ft(4,2)", scope)));

fn is_wide(tree: &Xgft) -> bool {
    (1..tree.height()).all(|level| tree.parents(level + 1) >= tree.children(level))
}

/// Paths for a permutation.
type Router<'r> = dyn Fn(&Permutation) -> Result<Vec<PathRecord>> + Sync + 'r;

fn coloured(topology: &Topology, scope: &Scope) -> Findings {
    let Some(tree) = topology.tree() else { return Ok(Vec::new()) };
    check(topology, scope, &|permutation| Ok(conflict_free(tree, permutation, scope.progress)?))
}

/// Paths by D-mod-k, which ignores the permutation.
fn by_destination(network: &str, scope: &Scope) -> Findings {
    let Instance { topology, routing, .. } = scope.instance(network, "dmodk")?;
    check(&topology, scope, &|permutation| {
        let record =
            |(s, d)| PathRecord { s, d, share: Rational::ONE, links: path(&*routing, s, d) };
        Ok(permutation.pairs().map(record).collect())
    })
}

fn check(topology: &Topology, scope: &Scope, router: &Router) -> Findings {
    let hosts = topology.hosts();
    if topology.tree().is_some_and(|tree| tree.height() == 1) {
        return Ok(vec![Finding::vacuous(topology.spec(), "one switch")]);
    }
    let conflict = |permutation: &Permutation| {
        let free = router(permutation).map(|paths| conflict(topology, permutation, &paths));
        free.transpose()
    };
    let (case, found, basis) = if hosts <= enumerable(scope) {
        let found = (0..host_number(hosts)).into_par_iter().find_map_first(|first| {
            let mut all = starting_with(first, hosts);
            all.find_map(|permutation| permutation.map_or_else(|e| Some(Err(e)), |p| conflict(&p)))
        });
        ("all permutations".to_string(), found, Basis::Exhaustive)
    } else {
        let (trials, seed) = (scope.trials.div_ceil(10), scope.seed);
        let drawn = (0..trials).into_par_iter();
        let found =
            drawn.find_map_first(|index| conflict(&Permutation::random(hosts, seed, index)));
        (format!("{trials} permutations"), found, Basis::sampled(trials, seed))
    };
    let found = found.transpose()?;
    let (case, holds) = (format!("{case} of {}", topology.spec()), found.is_none());
    let found = found.unwrap_or_else(|| "at most one message per link for all".to_string());
    Ok(vec![Finding::holds(case, "max load 1", found, holds, basis)])
}

/// All permutations that send host 0 to `first`; a host that is sent to itself is idle.
fn starting_with(first: Host, hosts: usize) -> impl Iterator<Item = Result<Permutation>> {
    let others: Vec<Host> = (0..host_number(hosts)).filter(|d| *d != first).collect();
    others.into_iter().permutations(hosts - 1).map(move |rest| {
        let images = std::iter::once(first).chain(rest);
        Ok(Permutation::new(hosts, (0..).zip(images))?)
    })
}

/// A link with two messages, or anything else that is wrong with the paths of a permutation.
fn conflict(
    topology: &Topology,
    permutation: &Permutation,
    paths: &[PathRecord],
) -> Option<String> {
    if !permutation.pairs().eq(paths.iter().map(|path| (path.s, path.d))) {
        let pairs = permutation.pairs().map(|(s, d)| format!("{s}->{d}"));
        return Some(format!("not all pairs of {}", pairs.collect::<Vec<_>>().join(", ")));
    }
    let mut messages = vec![None; topology.links()];
    for PathRecord { s, d, links, .. } in paths {
        let mut at = *s;
        for link in links {
            let (from, to) = topology.ends(*link)?;
            if from != at {
                return Some(format!("the path from {s} to {d} is broken"));
            }
            at = to;
            if let Some((s2, d2)) = messages[*link as usize].replace((s, d)) {
                return Some(format!("{s2} -> {d2} and {s} -> {d} meet on link {link}"));
            }
        }
        if at != *d {
            return Some(format!("the path from {s} ends in node {at}, not {d}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_permutation_is_tried_once() {
        let all: HashSet<Permutation> =
            (0..4).flat_map(|first| starting_with(first, 4)).map(Result::unwrap).collect();
        assert_eq!(all.len(), 24);
    }

    #[test]
    fn wrong_paths_are_noticed() {
        let topology = generate("kary(2,2)").unwrap();
        let permutation = Permutation::new(4, [(0, 2), (1, 3)]).unwrap();
        let progress = Progress::silent();
        let paths = conflict_free(topology.tree().unwrap(), &permutation, &progress).unwrap();
        let wrong = |change: &dyn Fn(&mut Vec<PathRecord>)| {
            let mut paths = paths.clone();
            change(&mut paths);
            conflict(&topology, &permutation, &paths)
        };
        assert_eq!(wrong(&|_| ()), None);
        assert!(wrong(&|paths| paths.truncate(1)).unwrap().starts_with("not all pairs"));
        assert!(wrong(&|paths| paths[0].links.truncate(3)).unwrap().contains("ends in node"));
        assert!(wrong(&|paths| paths[0].links.swap(1, 2)).unwrap().ends_with("is broken"));
        // Both through one root.
        let dmodk = by_destination("kary(2,3)", &Scope::new(16, &progress)).unwrap();
        assert!(dmodk[0].fails() && dmodk[0].found.contains(" meet on link "), "{dmodk:?}");
    }
}
