//! \[GO\] 5.2.1: bit reversal on the 4-ary 3-tree.

use super::{is_deterministic, kary};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::walk::{ascent, path};
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, oblivious};
use crate::topology::LinkId;
use crate::traffic;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "go-bit-reversal",
    usage: "go-bit-reversal",
    about: "Under bit reversal the nodes of a first-stage switch send to nodes that share all but \
            their first component, over the same ascending links: a link carries k messages",
    reference: "[GO] 5.2.1",
    examples: &["go-bit-reversal"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary 3-trees, k a power of 2 above 2",
        subject: Subject::Instances {
            applies: |tree| matches!(kary(tree), Some((k @ 4.., 3)) if k.is_power_of_two()),
            to: is_deterministic,
            check,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

/// One finding for the paths, one for the loads. Host 0 sends to itself, hence three messages
/// leave its switch and four every other.
fn check(instance: &Instance, _: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Instance { topology, routing } = instance;
    let Some((k, _)) = kary(topology) else { return Ok(Vec::new()) };
    let traffic = traffic::generate("bitrev", topology.hosts())?;
    let mut uses = vec![0_u64; topology.links()];
    let mut apart = Vec::new();
    let demands: Vec<(u32, u32)> =
        traffic.demands().iter().map(|demand| (demand.s, demand.d)).collect();
    for of_switch in demands.chunk_by(|a, b| a.0 / k == b.0 / k) {
        let paths: Vec<Vec<LinkId>> =
            of_switch.iter().map(|(s, d)| path(&**routing, *s, *d)).collect();
        paths.iter().flatten().for_each(|link| uses[*link as usize] += 1);
        // Beyond the link of the host itself.
        let shared = |path: &Vec<LinkId>| ascent(topology, path).into_iter().skip(1).collect();
        let mut ascents: Vec<Vec<LinkId>> = paths.iter().map(shared).collect();
        ascents.retain(|links| !links.is_empty());
        let longest = ascents.iter().max_by_key(|links| links.len()).cloned().unwrap_or_default();
        let components = of_switch.iter().any(|(_, d)| d % (k * k) != of_switch[0].1 % (k * k));
        if components || ascents.iter().any(|links| !longest.starts_with(links)) {
            apart.push(of_switch[0].0 / k);
        }
    }
    let case = oblivious::case(instance);
    let found = format!("apart at switches {apart:?}");
    let same = Finding::holds(
        format!("links, {case}"),
        "the same",
        found,
        apart.is_empty(),
        Basis::Exhaustive,
    );
    let most = uses.into_iter().max().unwrap_or(0);
    Ok(vec![
        same,
        Finding::equal(format!("most messages, {case}"), u64::from(k), most, Basis::Exhaustive),
    ])
}
