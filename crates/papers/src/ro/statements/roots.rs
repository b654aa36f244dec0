//! \[RO\] VII.D, VIII: routes per NCA, Fig. 4, under S-mod-k and D-mod-k.

use crate::theorem::prelude::*;
use crate::theorem::walk::turn;
use crate::topology::node_number;

/// The trees of Fig. 4. The paper prints XGFT(2;16,16;16,10) for both, which would give every host
/// 16 links.
pub(super) const FULL: &str = "xgft(2;16,16;1,16)";
pub(super) const SLIMMED: &str = "xgft(2;16,16;1,10)";

/// The number of the SD pairs whose path turns at each switch of the top level.
pub(in crate::ro) fn routes(
    instance: &Instance,
    pairs: impl IntoIterator<Item = (Host, Host)>,
) -> Vec<u64> {
    let Instance { topology, routing, .. } = instance;
    let top = topology.node(node_number(topology.nodes()) - 1).level;
    let roots = topology.node_numbers().filter(|node| topology.node(*node).level == top);
    let mut routes: BTreeMap<u32, u64> = roots.map(|root| (root, 0)).collect();
    for (s, d) in pairs {
        let root = turn(topology, &path(&**routing, s, d));
        if let Some(count) = root.and_then(|root| routes.get_mut(&root)) {
            *count += 1;
        }
    }
    routes.into_values().collect()
}

/// The routes of all SD pairs.
pub(super) fn all_routes(instance: &Instance) -> Vec<u64> {
    routes(instance, sd_pairs(instance.topology.hosts()))
}

/// Maximum minus minimum.
pub(in crate::ro) fn spread(routes: &[u64]) -> u64 {
    let (least, most) = (routes.iter().min(), routes.iter().max());
    most.zip(least).map_or(0, |(most, least)| most - least)
}

/// The number of roots with more routes than the mean, if these are the first ones and the next has fewer.
pub(in crate::ro) fn first_above_mean(routes: &[u64]) -> Option<u64> {
    let sum = routes.iter().sum::<u64>();
    let against_mean = |count: &u64| (count * routes.len() as u64).cmp(&sum);
    let above = routes.iter().filter(|count| against_mean(count).is_gt()).count();
    let below = routes.iter().position(|count| against_mean(count).is_lt());
    (below == Some(above)).then_some(above as u64)
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
    scope.each(iproduct!([(FULL, true), (SLIMMED, false)], routings), |((tree, even), routing)| {
        let instance = scope.instance(tree, routing)?;
        let routes = all_routes(&instance);
        let claimed = if even { "perfectly even" } else { "uneven" };
        let found = format!("{routes:?}");
        let holds = (spread(&routes) == 0) == even;
        let case = oblivious::case(&instance);
        Ok(Finding::holds(case, claimed, found, holds, Basis::Exhaustive))
    })
}

/// The number of roots, and of the first ones that have more routes than the mean.
fn numbers(scope: &Scope, all: u64, first: u64) -> Findings {
    scope.each(["smodk", "dmodk"], |routing| {
        let instance = scope.instance(SLIMMED, routing)?;
        let (routes, case) = (all_routes(&instance), oblivious::case(&instance));
        let roots = format!("roots, {case}");
        let case = format!("first roots with more routes than the mean, {case}");
        let found = first_above_mean(&routes).unwrap_or(0);
        Ok([
            Finding::equal(roots, all, routes.len() as u64, Basis::Exhaustive),
            Finding::equal(case, first, found, Basis::Exhaustive),
        ])
    })
}
