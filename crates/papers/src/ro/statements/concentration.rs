//! \[RO\] VII: where S-mod-k and D-mod-k concentrate endpoint contention.

use crate::theorem::prelude::*;
use crate::theorem::walk::ascent;

pub(super) const KIND: Statement = Statement::new("ro-concentration", "[RO] VII")
    .about("Under S-mod-k every source has one path up, whatever the destination; under D-mod-k every \
            destination has one path down, whatever the source")
    .hypothesis("k-ary n-trees and every other XGFT; a path is shorter where the NCA is lower")
    .quote("every source is assigned a unique path up regardless of the destination ... every destination is assigned a unique path down regardless of the source")
    .instances(
        |tree| tree.plain_tree().is_some(),
        |routing| is_kind(routing, "dmodk") || is_kind(routing, "smodk"),
        check,
    )
    // Random paths: destinations have several paths down.
    .planted(Planted::RoutedAs("kary(2,3)", &["dmodk"], "random(seed=1)"));

fn check(instance: &Instance, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let Instance { topology, routing, .. } = instance;
    let by_source = is_kind(&**routing, "smodk");
    // The link of every host at each distance from it.
    let mut known: BTreeMap<(Host, usize), LinkId> = BTreeMap::new();
    let mut wrong = None;
    for (s, d) in sd_pairs(topology.hosts()) {
        let path = path(&**routing, s, d);
        let up = ascent(topology, &path).len();
        let mut half: Vec<LinkId> =
            if by_source { path[..up].to_vec() } else { path[up..].to_vec() };
        if !by_source {
            half.reverse();
        }
        let host = if by_source { s } else { d };
        for (step, link) in half.into_iter().enumerate() {
            if *known.entry((host, step)).or_insert(link) != link {
                wrong = wrong.or(Some((s, d)));
            }
        }
    }
    let wrong = wrong.map(|(s, d)| format!("not from {s} to {d}"));
    let case = oblivious::case(instance);
    Ok(vec![Finding::unless(case, "one path", "holds for every host", wrong, Basis::Exhaustive)])
}
