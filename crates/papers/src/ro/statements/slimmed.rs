//! \[RO\] II: slimmed trees are blocking.

use crate::optimum::optimal_cut;
use crate::theorem::prelude::*;
use crate::topology::link_number;
use crate::traffic::Permutation;

pub(super) const KIND: Statement = Statement::new("ro-slimmed", "[RO] II")
    .about("Slimmed k-ary n-trees, with some w_i < k, have fewer than n k^(n-1) switches, no full \
            bisection bandwidth, and are blocking: some permutation has conflicts under every routing")
    .hypothesis("XGFT(n; k,..,k; 1,w_2,..,w_n), some w_i < k; the condition that no w_i > k is ours")
    .quote("losing both the full bisection bandwidth and the rearrangeable non-blocking properties")
    .networks(|tree| tree.plain_tree().is_some_and(is_slimmed), check)
    .planted(Planted::Check(|scope| check(&generate("kary(4,3)")?, scope)));

fn is_slimmed(tree: &Xgft) -> bool {
    let k = tree.children(1);
    let upper = || (2..=tree.height()).map(|i| tree.parents(i));
    (1..=tree.height()).all(|i| tree.children(i) == k)
        && tree.parents(1) == 1
        && upper().all(|w| w <= k)
        && upper().any(|w| w < k)
}

fn check(topology: &Topology, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let Some(tree) = topology.plain_tree() else { return Ok(Vec::new()) };
    let (k, n) = (tree.children(1), index32(tree.height()));
    let switches = (topology.nodes() - topology.hosts()) as u64;
    let full = u64::from(n) * u64::from(k.pow(n - 1));
    let fewer = Finding::holds(
        format!("switches of {}", topology.spec()),
        format!("< {full}"),
        switches.to_string(),
        switches < full,
        Basis::Exhaustive,
    );
    Ok(vec![fewer, bisection(topology), blocking(topology, tree)?])
}

/// Whether fewer links than hosts lead up from some level: these are all that joins two halves of
/// its subtrees, where every host needs a link.
fn bisection(topology: &Topology) -> Finding {
    let mut up: BTreeMap<u8, u64> = BTreeMap::new();
    for (link, found) in topology.graph().edge_indices().zip(topology.graph().edge_weights()) {
        let tail =
            topology.ends(link_number(link.index())).map(|(from, _)| topology.node(from).level);
        if let (Some(level), Direction::Up) = (tail, found.direction) {
            *up.entry(level).or_default() += 1;
        }
    }
    let hosts = topology.hosts() as u64;
    let least = up.iter().filter(|(level, _)| **level > 0).map(|(level, links)| (*links, *level));
    let (links, level) = least.min().unwrap_or((hosts, 0));
    let case = format!("bisection of {}", topology.spec());
    let found = format!("{links} links up from level {level}");
    Finding::holds(case, format!("< {hosts} links"), found, links < hosts, Basis::Exhaustive)
}

/// Shifts by the size of a subtree, so that all its hosts send out of it.
fn blocking(topology: &Topology, tree: &Xgft) -> Result<Finding> {
    let hosts = host_number(topology.hosts());
    let mut worst = (Rational::ZERO, 0);
    for height in 1..tree.height() {
        let by = tree.subtree_hosts(height);
        let shift = Permutation::new(hosts as usize, (0..hosts).map(|s| (s, (s + by) % hosts)))?;
        let cut = optimal_cut(topology, shift.to_matrix()?.demands());
        let load = cut.map_or(Rational::ZERO, |cut| cut.load);
        if load > worst.0 {
            worst = (load, by);
        }
    }
    let found = format!("shift({}) has optu {}", worst.1, worst.0);
    let case = format!("permutations of {}", topology.spec());
    Ok(Finding::holds(case, "some optu > 1", found, worst.0 > Rational::ONE, Basis::Exhaustive))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_tree_does_not_block() {
        let outcome = |spec| {
            let topology = generate(spec).unwrap();
            blocking(&topology, topology.plain_tree().unwrap()).unwrap().outcome
        };
        assert_eq!(outcome("xgft(3;4,4,4;1,2,3)"), Outcome::Holds);
        assert!(matches!(outcome("kary(4,3)"), Outcome::Fails(_)));
        assert!(!is_slimmed(generate("kary(4,3)").unwrap().tree().unwrap()));
    }
}
