//! \[GO\] 2: what a k-ary n-tree is.

use std::collections::HashSet;

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("go-structure", "[GO] 2")
    .about(
        "A k-ary n-tree joins k^n nodes by n k^(n-1) switches; <s,o> and <s+1,o'> are joined when \
            o and o' agree in all digits but digit s",
    )
    .hypothesis("k-ary n-trees")
    .quote("processing nodes using ... are connected by an edge if s' = s+1 and")
    .networks(|tree| kary(tree).is_some(), check)
    .planted(Planted::Check(one_cable_moved));

fn check(topology: &Topology, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let Some((k, n)) = kary(topology) else { return Ok(Vec::new()) };
    let nodes = format!("nodes of {}", topology.spec());
    let switches = u64::from(n) * u64::from(k.pow(n - 1));
    let claimed = u64::from(k.pow(n)) + switches;
    let count = Finding::equal(nodes, claimed, topology.nodes() as u64, Basis::Exhaustive);
    let wiring = wiring(topology, k, n, &cables(topology));
    Ok(vec![count, wiring])
}

/// The wiring of a 2-ary 3-tree with node 0 below the wrong switch.
fn one_cable_moved(_: &Scope) -> Findings {
    let tree = generate("kary(2,3)")?;
    let mut cables = cables(&tree);
    cables.remove(&(0, 8));
    cables.insert((0, 9));
    Ok(vec![wiring(&tree, 2, 3, &cables)])
}

/// Cables as (lower node, upper node).
fn cables(topology: &Topology) -> HashSet<(NodeId, NodeId)> {
    let links = topology.link_numbers().filter_map(|link| topology.ends(link));
    links.map(|(from, to)| (from.min(to), from.max(to))).collect()
}

fn wiring(topology: &Topology, k: u32, n: u32, cables: &HashSet<(NodeId, NodeId)>) -> Finding {
    let claimed = claimed(k, n);
    let (more, less) = (cables.difference(&claimed).min(), claimed.difference(cables).min());
    let cable = |cable: Option<&(NodeId, NodeId)>| {
        cable.map_or_else(|| "none".to_string(), |(low, high)| format!("{low}-{high}"))
    };
    let found = match (more, less) {
        (None, None) => format!("the same {} cables", cables.len()),
        _ => format!("not claimed: cable {}; missing: {}", cable(more), cable(less)),
    };
    let case = format!("cables of {}", topology.spec());
    Finding::holds(case, "as defined", found, *cables == claimed, Basis::Exhaustive)
}

/// The cables of the definition, between nodes of the topology.
fn claimed(k: u32, n: u32) -> HashSet<(NodeId, NodeId)> {
    let stage = k.pow(n - 1);
    let switch = |s: u32, o: u32| k.pow(n) + s * stage + index(k, n, s, o);
    // Node p_{n-1}..p_0 hangs below the switch <0,o> with o_i = p_{i+1}.
    let hosts = (0..k.pow(n)).map(|p| (p, switch(0, p / k)));
    let joins = (0..n - 1).flat_map(|s| {
        let others = move |o: u32| (0..k).map(move |digit| with_digit(k, o, s, digit));
        (0..stage).flat_map(move |o| others(o).map(move |o2| (switch(s, o), switch(s + 1, o2))))
    });
    hosts.chain(joins).collect()
}

fn with_digit(k: u32, o: u32, at: u32, digit: u32) -> u32 {
    let place = k.pow(at);
    o - o / place % k * place + digit * place
}

/// The place of <s,o> among the switches of its level: subtree first (digits from s on), then the
/// digits below s, digit 0 most significant.
fn index(k: u32, n: u32, s: u32, o: u32) -> u32 {
    assert!(o < k.pow(n - 1), "{o} is no switch of a level");
    let low = (0..s).fold(0, |low, i| low * k + o / k.pow(i) % k);
    o / k.pow(s) * k.pow(s) + low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_cables_are_right() {
        let tree = generate("kary(2,3)").unwrap();
        assert_eq!(wiring(&tree, 2, 3, &cables(&tree)).outcome, Outcome::Holds);
    }

    /// [GO] Fig. 1: a 2-ary 4-tree has 16 nodes and 32 switches.
    #[test]
    fn figure_1() {
        let tree = generate("kary(2,4)").unwrap();
        assert_eq!((tree.hosts(), tree.nodes() - tree.hosts()), (16, 32));
    }
}
