//! \[OR\] Lemma 6.

use rayon::prelude::*;

use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, shape};
use crate::topology::{Host, LinkId, Topology, Xgft};
use crate::traffic::Permutation;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-6",
    usage: "or-lemma-6",
    about: "A node disjoint set A of SD pairs with |A| <= m/2 can be routed in EFT2(m,k) with |A| link disjoint paths",
    reference: "[OR] Lemma 6",
    examples: &["or-lemma-6"],
    build: Statement {
        hypothesis: "EFT2(m,k); all sets where there are at most a million, else random ones",
        subject: Subject::Networks { applies: |tree| shape::eft2(tree).is_some(), check },
        remark: None,
        ..Statement::UNREAD
    },
};

/// Most sets that are enumerated.
const MOST_SETS: f64 = 1e6;

type Pair = (Host, Host);

fn check(topology: &Topology, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((tree, (m, _))) = topology.tree().zip(shape::eft2(topology)) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let size = m as usize / 2;
    // Sets of exactly m/2 pairs, ordered: smaller sets are parts of them (N >= m).
    let hosts = topology.hosts();
    let sets = (0..size).map(|i| ((hosts - i) as f64).powi(2)).product::<f64>();
    let (bad, basis) = if sets <= MOST_SETS {
        let first: Vec<Pair> = crate::theorem::uses::all_pairs(hosts).collect();
        let bad =
            first.par_iter().find_map_first(|pair| extend(tree, hosts, &mut vec![*pair], size));
        (bad, Basis::Exhaustive)
    } else {
        let (trials, seed) = (scope.trials, scope.seed);
        let draw = |index| -> Vec<Pair> {
            Permutation::random(hosts, seed, index).pairs().take(size).collect()
        };
        let bad = (0..trials).into_par_iter().map(draw).find_first(|set| !disjoint(tree, set));
        (bad, Basis::Sampled { trials, seed })
    };
    scope.progress.check()?;
    let found =
        bad.as_ref().map_or_else(|| "so for every set".to_string(), |set| format!("{set:?}"));
    let claimed = "top switch i for pair i: disjoint paths";
    Ok(vec![Finding::holds(topology.spec(), claimed, found, bad.is_none(), basis)])
}

/// The first node disjoint set of `size` pairs that begins with `set`, in ascending order of
/// sources, and is not routed disjointly.
fn extend(tree: &Xgft, hosts: usize, set: &mut Vec<Pair>, size: usize) -> Option<Vec<Pair>> {
    if !disjoint(tree, set) {
        return Some(set.clone());
    }
    if set.len() == size {
        return None;
    }
    let last = set.last().map_or(0, |pair| pair.0 + 1);
    for s in last..hosts as Host {
        for d in (0..hosts as Host).filter(|d| *d != s) {
            if set.iter().all(|pair| pair.1 != d) {
                set.push((s, d));
                let found = extend(tree, hosts, set, size);
                set.pop();
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}

/// Whether pair i through top switch i shares no link with another pair.
fn disjoint(tree: &Xgft, set: &[Pair]) -> bool {
    let mut links: Vec<LinkId> = Vec::new();
    for (top, (s, d)) in (0..).zip(set) {
        let up = [0, top];
        tree.push_path(*s, *d, &up[..tree.nca_level(*s, *d)], &mut links);
    }
    let count = links.len();
    links.sort_unstable();
    links.dedup();
    links.len() == count
}
