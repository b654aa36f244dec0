//! \[OR\] Fig 10: the switches that OSRM3 visits as printed.

use crate::theorem::prelude::*;
use crate::topology::node_number;

pub(super) const KIND: Statement = Statement::new("or-figure-10", "[OR] Fig 10")
    .about("OSRM3 as printed visits switches that are joined by links, from the source to the destination")
    .hypothesis("FT(m,3), every SD pair")
    .quote(r"$\rightarrow switch((d_0, s_2), 1)$ $\rightarrow switch((d_0, s_1), 2)$ $\rightarrow node(d_0, d_1, d_2)$")
    .networks(applies, |topology, scope| is_path(topology, scope, |s1, _| s1))
    .remark(
        RemarkKind::Wrong,
        |_| true,
        "the last switch of the third case must be ((d0,d1),2), not ((d0,s1),2)",
    )
    // An error other than the printed one; with d1 the check passes, see the test below.
    .planted(Planted::Network(
        "ft(4,3)",
        |topology, scope| is_path(topology, scope, |_, d1| 1 - d1),
    ));

fn applies(topology: &Topology) -> bool {
    matches!(shape::ft(topology), Some((_, 3)))
}

pub(super) const CORRECTED: Statement =
    Statement::new("or-figure-10-corrected", "[OR] Fig 10, corrected")
        .about("osrm3 routes every pair as Fig 10 does with ((d0,d1),2) as last switch")
        .hypothesis("osrm3 on FT(m,3), every SD pair")
        .ours()
        .quote(r"A processing node (p_0, p_1, p_2) is attached to switch $((p_0, p_1), 2)")
        .instances(applies, |routing| is_kind(routing, "osrm3"), corrected)
        .planted(Planted::FirstPorts("ft(4,3)"));

/// i1 of the last switch ((d0,i1),2), from s1 and d1.
type Last = fn(u32, u32) -> u32;

/// The nodes of the figure for a pair; `last` is s1 as printed, and should be d1.
fn figure(tree: &Xgft, s: Host, d: Host, last: Last) -> Vec<NodeId> {
    let start = |level: usize| node_number((0..level).map(|l| tree.level_nodes(l)).sum::<usize>());
    let half = tree.children(1);
    let digits = |host| [3, 2, 1].map(|i| tree.digit(host, i));
    let ([s0, s1, s2], [d0, d1, d2]) = (digits(s), digits(d));
    // ((i0,i1),2) is leaf i1 of SUBFT i0, ((i0,i1),1) its top switch i1, ((i0,i1),0) the root
    // that port i1 of switch ((·,i0),1) leads to.
    let leaf = |i0: u32, i1: u32| start(1) + i0 * half + i1;
    let middle = |i0: u32, i1: u32| start(2) + i0 * half + i1;
    let root = |i0: u32, i1: u32| start(3) + i0 * half + i1;
    if (s0, s1) == (d0, d1) {
        vec![s, leaf(s0, s1), d]
    } else if s0 == d0 {
        vec![s, leaf(s0, s1), middle(s0, s2), leaf(s0, d1), d]
    } else {
        let (up, down) = (middle(s0, s2), middle(d0, s2));
        vec![s, leaf(s0, s1), up, root(s2, d2), down, leaf(d0, last(s1, d1)), d]
    }
}

/// The claim that the nodes of the figure form a path, for every pair.
fn is_path(topology: &Topology, scope: &Scope, last: Last) -> Findings {
    let tree = fits(topology, Topology::plain_tree)?;
    if tree.children(1) == 1 {
        return Ok(vec![Finding::vacuous(topology.spec(), ONE_PATH)]);
    }
    scope.progress.check()?;
    let joined = |pair: &[NodeId]| {
        topology.links_from(pair[0]).any(|link| topology.ends(link).is_some_and(|e| e.1 == pair[1]))
    };
    let path = |(s, d)| figure(tree, s, d, last);
    let broken = sd_pairs(tree.hosts()).filter(|pair| !path(*pair).windows(2).all(joined));
    let mut broken = broken.peekable();
    let example = broken.peek().copied();
    let count = broken.count();
    let broken = example.map(|(s, d)| {
        format!("{count} pairs without a path, the first {s} to {d}: nodes {:?}", path((s, d)))
    });
    let (claimed, found) = ("a path for every pair", "holds for every pair");
    Ok(vec![Finding::unless(topology.spec(), claimed, found, broken, Basis::Exhaustive)])
}

fn corrected(instance: &Instance, scope: &Scope) -> Findings {
    let tree = fits(&instance.topology, Topology::plain_tree)?;
    scope.progress.check()?;
    let is_wrong =
        |(s, d): &(Host, Host)| uses::nodes(instance, *s, *d) != figure(tree, *s, *d, |_, d1| d1);
    let wrong = sd_pairs(tree.hosts()).find(is_wrong);
    let wrong =
        wrong.map(|(s, d)| format!("pair {s} to {d} by nodes {:?}", uses::nodes(instance, s, d)));
    let case = oblivious::case(instance);
    let found = "holds for every pair";
    Ok(vec![Finding::unless(case, "the switches of Fig 10", found, wrong, Basis::Exhaustive)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_accepts_the_right_switch() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let tree = generate("ft(4,3)").unwrap();
        let fails = |last| is_path(&tree, &scope, last).unwrap()[0].fails();
        assert!(!fails(|_, d1| d1) && fails(|s1, _| s1));
    }
}
