//! \[GO\] Figure 3, bottom.

use std::collections::BTreeMap;

use super::is_deterministic;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::shape::kary;
use crate::theorem::walk::path;
use crate::theorem::{
    Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, oblivious, planted,
};
use crate::topology::sd_pairs;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "go-balance",
    usage: "go-balance",
    options: &[],
    about: "The ascending links of a stage are all used by the same number of paths, and so are the \
            descending ones",
    reference: "[GO] 4, below Figure 2",
    examples: &["go-balance"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary n-trees; the paper counts on a 2-ary 3-tree",
        whose: Whose::Paper,
        quote: "Both, the ascending and descending links of a given stage are used by the same number of paths.",
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
    let mut uses = vec![0_u64; topology.links()];
    for (s, d) in sd_pairs(topology.hosts()) {
        for link in path(&**routing, s, d) {
            uses[link as usize] += 1;
        }
    }
    let mut stages: BTreeMap<u8, (u64, u64)> = BTreeMap::new();
    for (link, uses) in topology.graph().edge_weights().zip(uses) {
        let (least, most) = stages.entry(link.level).or_insert((uses, uses));
        (*least, *most) = (uses.min(*least), uses.max(*most));
    }
    let balanced = stages.values().all(|(least, most)| least == most);
    let stage = |(_, (least, most)): (_, &(u64, u64))| {
        if least == most { most.to_string() } else { format!("{least} to {most}") }
    };
    let found: Vec<String> = stages.iter().map(stage).collect();
    let found = format!("paths per link, from the hosts up: {}", found.join(", "));
    let case = oblivious::case(instance);
    Ok(vec![Finding::holds(case, "equal in a stage", found, balanced, Basis::Exhaustive)])
}
