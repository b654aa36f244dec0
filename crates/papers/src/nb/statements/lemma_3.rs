//! \[NB\] Lemma 3: Class DIFF.
//!
//! A scheme is in Class DIFF when it sends two SD pairs with different destinations in one switch
//! through different top switches. A single-path routing is a local scheme that does not adapt, and
//! any two pairs with different ends are a permutation: on it both the property and what follows
//! from it are decided by all pairs of pairs. The adaptive scheme is examined in `lemma_4.rs`.

use std::collections::HashMap;

use super::nonblocking::ftree;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-lemma-3", "[NB] V, Lemma 3")
    .about("If two SD pairs with different destinations in one switch always go through different top switches (Class DIFF), no two SD pairs of a permutation with sources in different switches have contention")
    .hypothesis("any single-path routing on ftree(n,m,r), as a local scheme that does not adapt")
    .quote("guarantees to route such two SD pairs through different top level switches, then routes for any two SD pairs in any permutation whose sources are in different input switches will not have network contention")
    .instances(
        |tree| shape::ftree(tree).is_some(),
        is_single_path,
        |instance, scope| check(instance, scope, is_diff),
    )
    // Any routing: S-mod-k sends several destinations of a switch through one top switch.
    .planted(Planted::Instance("ftree(2,3,3)", |it, scope| check(it, scope, |_, _| true)));

fn check(instance: &Instance, scope: &Scope, condition: fn(&Instance, &Xgft) -> bool) -> Findings {
    let case = oblivious::case(instance);
    let tree = instance.topology.tree();
    let tree = tree.ok_or_else(|| defect(instance.topology.spec()))?;
    if let Err(vacuous) = ftree(instance)? {
        return Ok(vec![vacuous]);
    }
    if !condition(instance, tree) {
        return Ok(vec![Finding::vacuous(case, "not in Class DIFF")]);
    }
    let links = uses::pairs_by_link(instance, scope)?;
    let switch = |host: Host| tree.subtree(host, 1);
    let meets = |pairs: &[(Host, Host)]| {
        pairs.iter().enumerate().any(|(at, a)| {
            let other = |b: &(Host, Host)| a.1 != b.1 && switch(a.0) != switch(b.0);
            pairs[at + 1..].iter().any(other)
        })
    };
    let meeting = links.iter().filter(|pairs| meets(pairs)).count();
    let found = format!("two such pairs meet on {meeting} links");
    Ok(vec![Finding::holds(case, "on no link", found, meeting == 0, Basis::Exhaustive)])
}

/// Whether no top switch is used towards two hosts of one switch.
fn is_diff(instance: &Instance, tree: &Xgft) -> bool {
    let Instance { topology, routing, .. } = instance;
    let mut taken: HashMap<(NodeId, u32), Host> = HashMap::new();
    let (mut scratch, mut holds) = (Vec::new(), true);
    for (s, d) in sd_pairs(topology.hosts()).filter(|(s, d)| tree.nca_level(*s, *d) == 2) {
        routing.for_each_path(s, d, &mut scratch, &mut |_, links| {
            let top = links.get(1).and_then(|link| topology.ends(*link));
            let top = top.map_or(NodeId::MAX, |(_, top)| top);
            holds &= *taken.entry((top, tree.subtree(d, 1))).or_insert(d) == d;
        });
    }
    holds
}
