//! \[OR\] V.B: it does not matter how OSRM3 routes inside a SUBFT(m,2).

use super::sets::SdSet;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("or-inside-subft", "[OR] V.B")
    .about("Routing within each SUBFT(m,2) does not affect the oblivious performance ratio of OSRM3")
    .hypothesis("osrm3 on FT(m,3), pairs inside a SUBFT(m,2) on any shortest path")
    .quote("does not affect the performance oblivious ratio. Hence, we only need to focus on level 0 links.")
    .instances(
        |tree| matches!(shape::ft(tree), Some((_, 3))),
        |routing| is_kind(routing, "osrm3"),
        check,
    )
    .planted(Planted::FirstPorts("ft(4,3)"));

/// Puts every pair inside a SUBFT on all links of all its shortest paths at once, in addition to
/// the pairs that OSRM3 has there. mds grows with the set, so mds of this set is at least that of
/// any choice; OSRM3's links to the roots, which attain m/2, stay as they are.
fn check(instance: &Instance, scope: &Scope) -> Findings {
    let Instance { topology, .. } = instance;
    let (m, _) = fits(topology, shape::ft)?;
    let tree = fits(topology, Topology::plain_tree)?;
    let case = format!("{} with any routing inside", oblivious::case(instance));
    if m == 2 {
        return Ok(vec![Finding::vacuous(case, ONE_PATH)]);
    }
    let mut links = uses::pairs_by_link(instance, scope)?;
    for (s, d) in sd_pairs(tree.hosts()).filter(|(s, d)| tree.nca_level(*s, *d) == 2) {
        for link in all_paths(tree, s, d) {
            links[link as usize].push((s, d));
        }
    }
    scope.progress.check()?;
    let largest = |pairs: Vec<(Host, Host)>| {
        let mut pairs: Vec<_> = pairs.into_iter().map(|(s, d)| (s as usize, d as usize)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        SdSet { pairs }.disjoint() as u64
    };
    let most = links.into_iter().map(largest).max().unwrap_or(0);
    Ok(vec![Finding::equal(case, u64::from(m / 2), most, Basis::Exhaustive)])
}

/// The links of all shortest paths of a pair that meets at level 2.
fn all_paths(tree: &Xgft, s: Host, d: Host) -> Vec<u32> {
    let mut links = Vec::new();
    for port in 0..tree.parents(2) {
        tree.push_path(s, d, &[0, port], &mut links);
    }
    links.sort_unstable();
    links.dedup();
    links
}
