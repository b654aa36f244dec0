//! \[RO\] V: S-mod-k and D-mod-k as formulas of node numbers.

use crate::theorem::prelude::*;
use crate::theorem::walk::ports;

pub(super) const KIND: Statement = Statement::new("ro-hops", "[RO] V")
    .about(
        "On a k-ary n-tree S-mod-k chooses parent floor(s/k^(l-1)) mod k at hop l, D-mod-k parent \
            floor(d/k^(l-1)) mod k",
    )
    .hypothesis("S-mod-k and D-mod-k on k-ary n-trees")
    .quote("S-mod-k routing chooses parent ... mod k at hop l, and D-mod-k routing chooses")
    .instances(
        |tree| kary(tree).is_some(),
        |routing| is_kind(routing, "dmodk") || is_kind(routing, "smodk"),
        check,
    )
    .planted(Planted::FirstPorts("kary(2,3)"));

fn check(instance: &Instance, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let Instance { topology, routing, .. } = instance;
    let Some((k, _)) = kary(topology) else { return Ok(Vec::new()) };
    let by_source = is_kind(&**routing, "smodk");
    let differs = |(s, d): &(Host, Host)| {
        let node = if by_source { *s } else { *d };
        // Hop 0 is the node's only link.
        let chosen = ports(topology, &path(&**routing, *s, *d));
        chosen.iter().zip(0..).skip(1).any(|(port, l)| *port != node / k.pow(l - 1) % k)
            || chosen.first() != Some(&0)
    };
    let bad = sd_pairs(topology.hosts()).find(differs);
    let bad = bad.map(|(s, d)| {
        format!("not from {s} to {d}: {:?}", ports(topology, &path(&**routing, s, d)))
    });
    let case = oblivious::case(instance);
    Ok(vec![Finding::unless(
        case,
        "as the formula",
        "holds for every pair",
        bad,
        Basis::Exhaustive,
    )])
}
