//! \[OR\] Lemma 6.

use rand::seq::SliceRandom;

use crate::theorem::prelude::*;
use crate::traffic::Permutation;

pub(super) const KIND: Statement = Statement::new("or-lemma-6", "[OR] Lemma 6")
    .about("A node disjoint set A of SD pairs with |A| <= m/2 can be routed in EFT2(m,k) with |A| link disjoint paths")
    .hypothesis("EFT2(m,k); all sets if there are at most a million, else random ones")
    .quote(r"When $|A| \le \frac{m}{2}$, the SD pairs in A can be routed in EFT2(m, k) with |A| link disjoint paths.")
    .networks(|tree| shape::eft2(tree).is_some(), |topology, scope| routed(topology, scope, |i| i))
    // Two pairs share a top switch.
    .planted(Planted::Network("ft(4,2)", |topology, scope| routed(topology, scope, |i| i / 2)));

/// Maximum number of sets that are enumerated.
const MAX_SETS: f64 = 1e6;

type Pair = (Host, Host);

/// The top switch for pair i of a set; in the paper's proof it is i.
type TopOf = fn(u32) -> u32;

/// The claim that sets are routed with disjoint paths when pair i goes through top switch
/// `top`(i), as in the paper's proof.
fn routed(topology: &Topology, scope: &Scope, top: TopOf) -> Findings {
    let Some((tree, (m, _))) = topology.plain_tree().zip(shape::eft2(topology)) else {
        return Err(defect(topology.spec()));
    };
    let size = m as usize / 2;
    if size == 1 {
        return Ok(vec![Finding::vacuous(topology.spec(), "a set of one pair")]);
    }
    // Ordered sets of exactly m/2 pairs: smaller sets are subsets of these (N >= m).
    let hosts = topology.hosts();
    let sets = (0..size).map(|i| ((hosts - i) as f64).powi(2)).product::<f64>();
    let (bad, basis) = if sets <= MAX_SETS {
        let first: Vec<Pair> = sd_pairs(hosts).collect();
        let bad = first.par_iter().find_map_first(|pair| extend(tree, top, &mut vec![*pair], size));
        (bad, Basis::Exhaustive)
    } else {
        let (trials, seed) = (scope.trials, scope.seed);
        let drawn = (0..trials).into_par_iter().map(|index| random(hosts, size, seed, index));
        let bad = drawn.find_first(|set| !disjoint(tree, top, set));
        (bad, Basis::sampled(trials, seed))
    };
    scope.progress.check()?;
    let bad = bad.as_ref().map(|set| format!("{set:?}"));
    let claimed = "top switch i for pair i: disjoint paths";
    Ok(vec![Finding::unless(topology.spec(), claimed, "holds for every set", bad, basis)])
}

/// `size` pairs of a random permutation, from sources anywhere in the tree.
fn random(hosts: usize, size: usize, seed: u64, index: u64) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Permutation::random(hosts, seed, index).pairs().collect();
    // The permutation has already drawn from the stream with this index.
    pairs.shuffle(&mut Streams::new(seed ^ u64::MAX).at(index));
    pairs.truncate(size);
    pairs
}

/// The first node disjoint set of `size` pairs that begins with `set`, in ascending order of
/// sources, and is not routed on disjoint paths.
fn extend(tree: &Xgft, top: TopOf, set: &mut Vec<Pair>, size: usize) -> Option<Vec<Pair>> {
    if !disjoint(tree, top, set) {
        return Some(set.clone());
    }
    if set.len() == size {
        return None;
    }
    let last = set.last().map_or(0, |pair| pair.0 + 1);
    let hosts = host_number(tree.hosts());
    for s in last..hosts {
        for d in (0..hosts).filter(|d| *d != s) {
            if set.iter().all(|pair| pair.1 != d) {
                set.push((s, d));
                let found = extend(tree, top, set, size);
                set.pop();
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}

/// Whether pair i through top switch `top`(i) shares no link with another pair.
fn disjoint(tree: &Xgft, top: TopOf, set: &[Pair]) -> bool {
    let mut links: Vec<LinkId> = Vec::new();
    for (i, (s, d)) in (0..).zip(set) {
        let up = [0, top(i)];
        tree.push_path(*s, *d, &up[..tree.nca_level(*s, *d)], &mut links);
    }
    let count = links.len();
    links.sort_unstable();
    links.dedup();
    links.len() == count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On EFT2(8,16) the first four sources share one bottom switch.
    #[test]
    fn random_sets_are_from_all_over_the_tree() {
        let switches = |index| -> Vec<Host> {
            let set = random(64, 4, 1, index);
            assert_eq!(set.len(), 4);
            let mut switches: Vec<Host> = set.iter().map(|pair| pair.0 / 4).collect();
            switches.sort_unstable();
            switches.dedup();
            switches
        };
        let sets: Vec<_> = (0..100).map(switches).collect();
        assert!(sets.iter().filter(|set| set.len() > 1).count() > 90);
        assert!((0..16).all(|switch| sets.iter().any(|set| set.contains(&switch))));
    }
}
