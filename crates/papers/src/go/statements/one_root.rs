//! \[GO\] 4: one switch of the last stage for every destination.

use std::collections::{BTreeMap, BTreeSet};

use super::is_deterministic;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::shape::kary;
use crate::theorem::walk::{ascent, path, turn};
use crate::theorem::{
    Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, oblivious, planted,
};
use crate::topology::{Host, LinkId, NodeId, sd_pairs};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "go-one-root",
    usage: "go-one-root",
    options: &[],
    about: "Packets to one node reach the same switch at the last stage, whatever their source; a \
            switch there has k destinations, each on a descending link of its own",
    reference: "[GO] 4, below Figure 2",
    examples: &["go-one-root"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary n-trees; printed for a 2-ary 3-tree, with two destinations per switch",
        whose: Whose::Sharpened,
        quote: "packets destined to the same node reach the same switch at the last stage independently of their source node. Each switch of the last stage receives packets addressed only to two destinations",
        subject: SUBJECT,
        remark: None,
        planted: |scope| planted::over_first_ports(SUBJECT, "kary(2,3)", scope),
    },
};

const SUBJECT: Subject =
    Subject::Instances { applies: |tree| kary(tree).is_some(), to: is_deterministic, check };

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    scope.progress.check()?;
    let Instance { topology, routing, .. } = instance;
    let Some((k, n)) = kary(topology) else { return Ok(Vec::new()) };
    // The last-stage switches of every destination, and the destinations on their links down.
    let mut roots: BTreeMap<Host, BTreeSet<NodeId>> = BTreeMap::new();
    let mut links: BTreeMap<NodeId, BTreeMap<LinkId, BTreeSet<Host>>> = BTreeMap::new();
    for (s, d) in sd_pairs(topology.hosts()) {
        let path = path(&**routing, s, d);
        let down = path.get(ascent(topology, &path).len());
        let root = turn(topology, &path).filter(|node| u32::from(topology.node(*node).level) == n);
        if let (Some(root), Some(down)) = (root, down) {
            roots.entry(d).or_default().insert(root);
            links.entry(root).or_default().entry(*down).or_default().insert(d);
        }
    }
    let one_each = roots.values().all(|roots| roots.len() == 1);
    let most = roots.values().map(BTreeSet::len).max().unwrap_or(0);
    let own_links = links.values().all(|links| {
        links.len() == k as usize && links.values().all(|destinations| destinations.len() == 1)
    });
    let case = oblivious::case(instance);
    let found = format!("at most {most}; links of {} switches", links.len());
    let claimed = "one switch per destination, one destination per link";
    Ok(vec![Finding::holds(case, claimed, found, one_each && own_links, Basis::Exhaustive)])
}
