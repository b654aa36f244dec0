//! \[GO\] 5.2.1: bit reversal, as printed on the 4-ary 3-tree, and what it costs.

use std::ops::Range;

use super::is_deterministic;
use crate::assessment::AssessOptimum;
use crate::load::LinkLoads;
use crate::theorem::prelude::*;
use crate::theorem::walk::ascent;
use crate::traffic;

pub(super) const KIND: Statement = Statement::new("go-bit-reversal", "[GO] 5.2.1, below Figure 7")
    .about("Under bit reversal on a 4-ary 3-tree the nodes at switch 0 send to nodes that share the two \
            last components, over the same links of the first two stages of the ascent")
    .hypothesis("D-mod-k on the 4-ary 3-tree")
    .quote("all destinations share the two last components, so packets will share the same link in the first two stages of their ascending path")
    .instances(
        |tree| kary(tree) == Some((4, 3)),
        is_deterministic,
        |instance, scope| at_switches(instance, scope, "bitrev", 0..1),
    )
    .planted(Planted::Instance(
        "kary(4,3)",
        |instance, scope| at_switches(instance, scope, "shift(1)", 0..1),
    ));

pub(super) const LOAD: Statement = Statement::new(
    "go-bit-reversal-load",
    "[GO] 5.2.1, below Figure 7",
)
.about(
    "Under bit reversal on a k-ary 3-tree so do the nodes of every first-stage switch: a link \
            carries k messages, k times what the best routing of this traffic puts on one",
)
.hypothesis("D-mod-k on k-ary 3-trees, k a power of 2 above 2; always on k = 4 and 8")
.ours()
.quote("the performance of the deterministic routing algorithm was poorer than the adaptive one")
.cases(loads)
.planted(Planted::Check(|scope| load(scope, "kary(4,3)", 3)));

/// Whether the destinations of the hosts at each of `switches` share all but their first component,
/// and the traffic climbs over the same links, as far as it climbs.
fn at_switches(
    instance: &Instance,
    scope: &Scope,
    pattern: &str,
    switches: Range<u32>,
) -> Findings {
    scope.progress.check()?;
    let Instance { topology, routing, .. } = instance;
    let Some((k, _)) = kary(topology) else { return Ok(Vec::new()) };
    let traffic = traffic::generate(pattern, topology.hosts())?;
    let of_switch = |switch: u32| traffic.demands().iter().filter(move |sent| sent.s / k == switch);
    let is_apart = |switch: &u32| {
        let ascents = of_switch(*switch).map(|sent| {
            // Beyond the host's own link.
            let path = path(&**routing, sent.s, sent.d);
            ascent(topology, &path).into_iter().skip(1).collect::<Vec<LinkId>>()
        });
        let ascents: Vec<Vec<LinkId>> = ascents.collect();
        let longest = ascents.iter().max_by_key(|links| links.len());
        let shared = longest.is_none_or(|longest| ascents.iter().all(|a| longest.starts_with(a)));
        !(shared && of_switch(*switch).map(|sent| sent.d % (k * k)).all_equal())
    };
    let apart: Vec<u32> = switches.filter(is_apart).collect();
    let case = format!("links, {}", oblivious::case(instance));
    let found = format!("apart at switches {apart:?}");
    Ok(vec![Finding::holds(case, "the same", found, apart.is_empty(), Basis::Exhaustive)])
}

/// The network of the paper, and the next one.
fn loads(scope: &Scope) -> Findings {
    let mut findings = load(scope, "kary(4,3)", 4)?;
    findings.extend(load(scope, "kary(8,3)", 8)?);
    Ok(findings)
}

/// Links shared at every switch; also the most messages on a link and their ratio to optu, both
/// claimed to be `most`. Host 0 sends to itself, hence one message fewer leaves its switch.
fn load(scope: &Scope, network: &str, most: u64) -> Findings {
    let instance = scope.instance(network, "dmodk")?;
    let Instance { topology, routing, .. } = &instance;
    let k = kary(topology).map_or(1, |(k, _)| k);
    let switches = 0..host_number(topology.hosts()) / k;
    let mut findings = at_switches(&instance, scope, "bitrev", switches)?;
    let traffic = traffic::generate("bitrev", topology.hosts())?;
    let demands = traffic.demands();
    let loads = LinkLoads::of(topology, &**routing, demands, scope.progress)?;
    let max = loads.max_load();
    let assess = AssessOptimum::new().proven_if(false).progress(scope.progress);
    let optimum = assess.run(topology, demands)?;
    let optu = optimum.optu.exact().cloned().unwrap_or(Rational::ZERO);
    let ratio = max.checked_div(&optu).unwrap_or(Rational::ZERO);
    let (case, basis) = (oblivious::case(&instance), Basis::of(&optimum.optu));
    findings.push(Finding::equal(format!("messages, {case}"), most, max, Basis::Exhaustive));
    findings.push(Finding::equal(format!("of optu, {case}"), most, ratio, basis));
    Ok(findings)
}
