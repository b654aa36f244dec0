//! \[GO\] 5.2.1: traffic to nodes whose ids have the same last component.

use super::is_deterministic;
use crate::assessment::AssessOptimum;
use crate::load::LinkLoads;
use crate::theorem::prelude::*;
use crate::traffic::{self, TrafficMatrix};

pub(super) const LINKS: Statement =
    Statement::new("go-same-last-links", "[GO] 5.2.1, below Figure 7")
        .about(
            "When all destinations have the last component c, the traffic leaves each first-stage \
            switch upwards through the link labeled k + c alone",
        )
        .hypothesis(
            "D-mod-k on k-ary n-trees, n >= 2, all c; printed for the 2-ary 2-tree and c = 0",
        )
        .sharpened()
        .quote("because only the links labeled as 2 will be used in the ascending phase")
        .instances(|tree| matches!(kary(tree), Some((_, 2..))), is_deterministic, links)
        .planted(Planted::FirstPorts("kary(3,2)"));

pub(super) const BANDWIDTH: Statement = Statement::new("go-same-last-bandwidth", "[GO] 5.2.1, below Figure 7")
    .about("For this traffic the effective bandwidth of the deterministic routing is 1/k of the total")
    .hypothesis("D-mod-k on k-ary n-trees, n >= 2, equal demands of every node to all such nodes")
    .quote("the effective bandwidth is half the total bandwidth with deterministic routing (in the generic case, it would be 1/k)")
    .instances(|tree| matches!(kary(tree), Some((_, 2..))), is_deterministic, bandwidth)
    .planted(Planted::FirstPorts("kary(3,3)"));

pub(super) const BECAUSE: Statement = Statement::new("go-same-last-because", "[GO] 5.2.1, below Figure 7")
    .about("It is because the deterministic routing uses these links alone that the effective bandwidth is \
            1/k: with all links there would be more")
    .hypothesis("D-mod-k on k-ary n-trees, n >= 2, equal demands of every node to all such nodes, against the best of all routings")
    .quote("(in the generic case, it would be 1/k), because only the links labeled as 2 will be used in the ascending phase")
    .instances(
        |tree| matches!(kary(tree), Some((_, 2..))),
        is_deterministic,
        |instance, scope| because(instance, scope, 1),
    )
    .remark(
        RemarkKind::OurReading,
        |_| true,
        "if \"because\" means that other links would give more: no routing has more, as N/k nodes receive what N send, see go-same-last-cause. Both halves of the sentence are true",
    )
    // Twice as much.
    .planted(Planted::Instance("kary(3,2)", |instance, scope| because(instance, scope, 2)));

/// The deterministic routing loses nothing here, whereas the quoted words name its links as the
/// cause.
pub(super) const CAUSE: Statement = Statement::new(
    "go-same-last-cause",
    "[GO] 5.2.1, below Figure 7",
)
.about(
    "No routing has more bandwidth on this traffic: the N/k destinations receive what N nodes \
            send, so that D-mod-k is optimal for it",
)
.hypothesis("D-mod-k on k-ary n-trees, n >= 2, equal demands of every node to all such nodes")
.ours()
.quote("because only the links labeled as 2 will be used in the ascending phase")
.instances(|tree| matches!(kary(tree), Some((_, 2..))), is_deterministic, cause)
.planted(Planted::FirstPorts("kary(3,3)"));

fn same_last(topology: &Topology, last: u32) -> Result<TrafficMatrix> {
    let k = kary(topology).map_or(1, |(k, _)| k);
    Ok(traffic::generate(&format!("samelast({k},last={last})"), topology.hosts())?)
}

fn links(instance: &Instance, scope: &Scope) -> Findings {
    let Instance { topology, routing, .. } = instance;
    let k = kary(topology).map_or(1, |(k, _)| k);
    let first: Vec<NodeId> =
        topology.node_numbers().filter(|node| topology.node(*node).level == 1).collect();
    let mut wrong = None;
    for last in 0..k {
        let traffic = same_last(topology, last)?;
        let loads = LinkLoads::of(topology, &**routing, traffic.demands(), scope.progress)?;
        let used = |link: &LinkId| loads.flows(*link) > 0;
        // Ascending links are labeled from k on, in the order of the ports.
        let up = first.iter().flat_map(|switch| ascending(topology, *switch).zip(k..));
        let other = up.filter(|(link, _)| used(link)).find(|(_, label)| *label != k + last);
        wrong = wrong.or(other.map(|(link, label)| (last, link, label)));
    }
    let wrong = wrong
        .map(|(last, link, label)| format!("component {last} on link {link}, labeled {label}"));
    let case = oblivious::case(instance);
    let found = "holds for every component";
    Ok(vec![Finding::unless(case, "label k + c", found, wrong, Basis::Exhaustive)])
}

/// The up links of a switch, by port.
fn ascending(topology: &Topology, switch: NodeId) -> impl Iterator<Item = LinkId> {
    let up = topology.links_from(switch);
    let mut up: Vec<LinkId> =
        up.filter(|link| topology.link(*link).direction == Direction::Up).collect();
    up.sort_by_key(|link| topology.link(*link).from_port);
    up.into_iter()
}

/// What every node may send on average when the most loaded link is full, as a part of the
/// bandwidth of its link.
fn bandwidth(instance: &Instance, scope: &Scope) -> Findings {
    let Instance { topology, routing, .. } = instance;
    let k = kary(topology).map_or(1, |(k, _)| u64::from(k));
    let traffic = same_last(topology, 0)?;
    let loads = LinkLoads::of(topology, &**routing, traffic.demands(), scope.progress)?;
    let sent = Rational::from(traffic.demands().len() as u64);
    let full = &loads.max_load() * &Rational::from(topology.hosts() as u64);
    let effective = sent.checked_div(&full).unwrap_or(Rational::ZERO);
    let claimed = fraction(1, k);
    Ok(vec![Finding::equal(oblivious::case(instance), claimed, effective, Basis::Exhaustive)])
}

/// The claim that the best routing has more than `times` the bandwidth of this one: the max load over optu.
fn because(instance: &Instance, scope: &Scope, times: u64) -> Findings {
    let (ratio, basis) = against_best(instance, scope)?;
    let claimed = format!("the best routing has more than {times} times the bandwidth");
    let holds = ratio > Rational::from(times);
    let found = format!("{ratio} times");
    Ok(vec![Finding::holds(oblivious::case(instance), claimed, found, holds, basis)])
}

fn cause(instance: &Instance, scope: &Scope) -> Findings {
    let (ratio, basis) = against_best(instance, scope)?;
    Ok(vec![Finding::equal(oblivious::case(instance), 1, ratio, basis)])
}

/// The max load over optu, 0 where optu is not exact.
fn against_best(instance: &Instance, scope: &Scope) -> Result<(Rational, Basis)> {
    let Instance { topology, routing, .. } = instance;
    let traffic = same_last(topology, 0)?;
    let demands = traffic.demands();
    let loads = LinkLoads::of(topology, &**routing, demands, scope.progress)?;
    let assess = AssessOptimum::new().proven_if(false).progress(scope.progress);
    let optimum = assess.run(topology, demands)?;
    let basis = Basis::of(&optimum.optu);
    let ratio = optimum.optu.exact().and_then(|optu| loads.max_load().checked_div(optu));
    Ok((ratio.unwrap_or(Rational::ZERO), basis))
}
