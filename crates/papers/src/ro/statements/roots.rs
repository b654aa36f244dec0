//! \[RO\] VII.D, VIII: routes per NCA, Fig. 4, under S-mod-k and D-mod-k.

use std::collections::BTreeMap;

use crate::theorem::prelude::*;
use crate::theorem::walk::{path, turn};
use crate::topology::node_number;

/// The trees of Fig. 4. The paper prints XGFT(2;16,16;16,10) for both, which would give every host
/// 16 links.
pub(super) const FULL: &str = "xgft(2;16,16;1,16)";
pub(super) const SLIMMED: &str = "xgft(2;16,16;1,10)";

/// The number of SD pairs whose path turns at each switch of the top level.
pub(super) fn routes(instance: &Instance) -> Vec<u64> {
    let Instance { topology, routing, .. } = instance;
    let top = topology.node(node_number(topology.nodes()) - 1).level;
    let roots = topology.node_numbers().filter(|node| topology.node(*node).level == top);
    let mut routes: BTreeMap<u32, u64> = roots.map(|root| (root, 0)).collect();
    for (s, d) in sd_pairs(topology.hosts()) {
        let root = turn(topology, &path(&**routing, s, d));
        if let Some(count) = root.and_then(|root| routes.get_mut(&root)) {
            *count += 1;
        }
    }
    routes.into_values().collect()
}

/// Maximum minus minimum.
pub(super) fn spread(routes: &[u64]) -> u64 {
    let (least, most) = (routes.iter().min(), routes.iter().max());
    most.zip(least).map_or(0, |(most, least)| most - least)
}

pub(super) const UNEVEN: Statement = Statement::new("ro-roots-mod", "[RO] VII.D, Fig. 4")
    .about("S-mod-k and D-mod-k distribute the routes perfectly over the NCAs of XGFT(2;16,16;1,16), and \
            unevenly over those of XGFT(2;16,16;1,10)")
    .hypothesis("the trees of Fig. 4")
    .quote("we see a perfect distribution of routes to NCAs by S-mod-k and D-mod-k ... despite the uneven distribution of routes to NCAs")
    .cases(|scope| uneven(scope, ["smodk", "dmodk"]))
    .planted(Planted::Check(|scope| uneven(scope, ["random(seed=1)", "random(seed=2)"])));

pub(super) const NUMBERS: Statement = Statement::new("ro-roots-mod-numbers", "[RO] VII.D, on Fig. 4")
    .about("XGFT(2;16,16;1,10) has 9 roots; nodes with M1 in 10..15 are assigned to the first five, as \
            are those with M1 in 0..5")
    .hypothesis("S-mod-k and D-mod-k on the slimmed tree of Fig. 4")
    .quote("9 roots. Routes for nodes with M1 = ... are assigned to the first five roots as well as those with M1")
    .cases(|scope| numbers(scope, 9, 5))
    .remark(
        RemarkKind::Wrong,
        |_| true,
        "It has 10 roots, and M1 in 10..15 are six values that go to the first six roots",
    )
    .planted(Planted::Check(|scope| numbers(scope, 11, 6)));

pub(super) const CORRECTED: Statement = Statement::new(
    "ro-roots-mod-corrected",
    "[RO] VII.D, on Fig. 4",
)
.about(
    "XGFT(2;16,16;1,10) has 10 roots; nodes with M1 in 10..15 are assigned to the first six, as \
            are those with M1 in 0..5",
)
.hypothesis("S-mod-k and D-mod-k on the slimmed tree of Fig. 4")
.ours()
.quote("are assigned to the first five roots as well as those with M1")
.cases(|scope| numbers(scope, 10, 6))
.planted(Planted::Check(|scope| numbers(scope, 9, 6)));

fn uneven(scope: &Scope, routings: [&str; 2]) -> Findings {
    let mut findings = Vec::new();
    for (tree, even) in [(FULL, true), (SLIMMED, false)] {
        for routing in routings {
            let instance = scope.instance(tree, routing)?;
            let routes = routes(&instance);
            let claimed = if even { "perfectly even" } else { "uneven" };
            let found = format!("{routes:?}");
            let holds = (spread(&routes) == 0) == even;
            let case = oblivious::case(&instance);
            findings.push(Finding::holds(case, claimed, found, holds, Basis::Exhaustive));
        }
    }
    Ok(findings)
}

/// The number of roots, and of those with twice the routes of the others.
fn numbers(scope: &Scope, all: u64, twice: u64) -> Findings {
    let mut findings = Vec::new();
    for routing in ["smodk", "dmodk"] {
        let instance = scope.instance(SLIMMED, routing)?;
        let (routes, case) = (routes(&instance), oblivious::case(&instance));
        let least = routes.iter().min().copied().unwrap_or(0);
        let double = routes.iter().filter(|count| **count == 2 * least).count() as u64;
        let roots = format!("roots, {case}");
        findings.push(Finding::equal(roots, all, routes.len() as u64, Basis::Exhaustive));
        let case = format!("roots with twice the routes, {case}");
        findings.push(Finding::equal(case, twice, double, Basis::Exhaustive));
    }
    Ok(findings)
}
