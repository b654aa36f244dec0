//! \[GO\] 4: which destinations reach a switch on the way up.

use std::collections::BTreeMap;

use super::is_deterministic;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::shape::kary;
use crate::theorem::walk::{ascent, path};
use crate::theorem::{
    Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, oblivious, planted,
};
use crate::topology::{NodeId, sd_pairs};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "go-components",
    usage: "go-components",
    options: &[],
    about: "All destinations that reach a switch of stage s on the way up have the same s least \
            significant components",
    reference: "[GO] 4, below Figure 2",
    examples: &["go-components"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary n-trees, n >= 2; printed for s = 1",
        whose: Whose::Sharpened,
        quote: "At the second stage, all the destinations that reach a switch have the same least significant component.",
        subject: SUBJECT,
        remark: None,
        planted: |scope| planted::over_first_ports(SUBJECT, "kary(2,3)", scope),
    },
};

const SUBJECT: Subject = Subject::Instances {
    applies: |tree| matches!(kary(tree), Some((_, 2..))),
    to: is_deterministic,
    check,
};

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    scope.progress.check()?;
    let Instance { topology, routing, .. } = instance;
    let k = kary(topology).map_or(1, |(k, _)| k);
    let mut components: BTreeMap<NodeId, u32> = BTreeMap::new();
    let mut wrong = None;
    for (s, d) in sd_pairs(topology.hosts()) {
        for link in ascent(topology, &path(&**routing, s, d)) {
            let Some((_, switch)) = topology.ends(link) else { continue };
            let stage = u32::from(topology.node(switch).level) - 1;
            let of_switch = *components.entry(switch).or_insert(d % k.pow(stage));
            if of_switch != d % k.pow(stage) {
                wrong = wrong.or(Some((switch, d)));
            }
        }
    }
    let found = wrong.map_or_else(
        || format!("so for {} switches", components.len()),
        |(switch, d)| format!("destination {d} at switch {switch} differs"),
    );
    let case = oblivious::case(instance);
    Ok(vec![Finding::holds(case, "the same components", found, wrong.is_none(), Basis::Exhaustive)])
}
