//! \[GO\] 5.2.1: traffic to nodes whose ids have the same last component.

use super::is_deterministic;
use crate::assessment::AssessOptimum;
use crate::load::LinkLoads;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::shape::kary;
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, Whose, oblivious,
    planted,
};
use crate::topology::{Direction, LinkId, NodeId, Topology};
use crate::traffic::{self, TrafficMatrix};

pub(super) const LINKS: Kind<Statement> = Kind {
    name: "go-same-last-links",
    usage: "go-same-last-links",
    options: &[],
    about: "When all destinations have the last component c, the traffic leaves each first-stage \
            switch upwards through the link labeled k + c alone",
    reference: "[GO] 5.2.1, below Figure 7",
    examples: &["go-same-last-links"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary n-trees, n >= 2, all c; printed for the 2-ary 2-tree and c = 0",
        whose: Whose::Sharpened,
        quote: "because only the links labeled as 2 will be used in the ascending phase",
        subject: on_trees(links),
        remark: None,
        planted: |scope| planted::over_first_ports(on_trees(links), "kary(3,2)", scope),
    },
};

pub(super) const BANDWIDTH: Kind<Statement> = Kind {
    name: "go-same-last-bandwidth",
    usage: "go-same-last-bandwidth",
    options: &[],
    about: "For this traffic the effective bandwidth of the deterministic routing is 1/k of the total",
    reference: "[GO] 5.2.1, below Figure 7",
    examples: &["go-same-last-bandwidth"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary n-trees, n >= 2, equal demands of every node to all such nodes",
        whose: Whose::Paper,
        quote: "the effective bandwidth is half the total bandwidth with deterministic routing (in the generic case, it would be 1/k)",
        subject: on_trees(bandwidth),
        remark: None,
        planted: |scope| planted::over_first_ports(on_trees(bandwidth), "kary(3,3)", scope),
    },
};

pub(super) const BECAUSE: Kind<Statement> = Kind {
    name: "go-same-last-because",
    usage: "go-same-last-because",
    options: &[],
    about: "It is because the deterministic routing uses these links alone that the effective bandwidth is \
            1/k: with all links there would be more",
    reference: "[GO] 5.2.1, below Figure 7",
    examples: &["go-same-last-because"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary n-trees, n >= 2, equal demands of every node to all such nodes, against the best of all routings",
        whose: Whose::Paper,
        quote: "(in the generic case, it would be 1/k), because only the links labeled as 2 will be used in the ascending phase",
        subject: on_trees(|instance, scope| because(instance, scope, 1)),
        remark: Some(Remark {
            kind: RemarkKind::OurReading,
            says: "if \"because\" means that other links would give more: no routing has more, as N/k nodes receive what N send, see go-same-last-cause. Both halves of the sentence are true",
            on: |_| true,
        }),
        // Twice as much.
        planted: |scope| {
            planted::on(on_trees(|instance, scope| because(instance, scope, 2)), "kary(3,2)", scope)
        },
    },
};

/// The deterministic routing loses nothing here, whereas the quoted words name its links as the
/// cause.
pub(super) const CAUSE: Kind<Statement> = Kind {
    name: "go-same-last-cause",
    usage: "go-same-last-cause",
    options: &[],
    about: "No routing has more bandwidth on this traffic: the N/k destinations receive what N nodes \
            send, so that D-mod-k is optimal for it",
    reference: "[GO] 5.2.1, below Figure 7",
    examples: &["go-same-last-cause"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary n-trees, n >= 2, equal demands of every node to all such nodes",
        whose: Whose::Ours,
        quote: "because only the links labeled as 2 will be used in the ascending phase",
        subject: on_trees(cause),
        remark: None,
        planted: |scope| planted::over_first_ports(on_trees(cause), "kary(3,3)", scope),
    },
};

type Check = fn(&Instance, &Scope) -> Result<Vec<Finding>, TheoremError>;

const fn on_trees(check: Check) -> Subject {
    Subject::Instances {
        applies: |tree| matches!(kary(tree), Some((_, 2..))),
        to: is_deterministic,
        check,
    }
}

fn same_last(topology: &Topology, last: u32) -> Result<TrafficMatrix, TheoremError> {
    let k = kary(topology).map_or(1, |(k, _)| k);
    Ok(traffic::generate(&format!("samelast({k},last={last})"), topology.hosts())?)
}

fn links(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
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
    let found = wrong.map_or_else(
        || "so for every component".to_string(),
        |(last, link, label)| format!("component {last} on link {link}, labeled {label}"),
    );
    let case = oblivious::case(instance);
    Ok(vec![Finding::holds(case, "label k + c", found, wrong.is_none(), Basis::Exhaustive)])
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
fn bandwidth(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Instance { topology, routing, .. } = instance;
    let k = kary(topology).map_or(1, |(k, _)| u64::from(k));
    let traffic = same_last(topology, 0)?;
    let loads = LinkLoads::of(topology, &**routing, traffic.demands(), scope.progress)?;
    let sent = Rational::from(traffic.demands().len() as u64);
    let full = &loads.max_load() * &Rational::from(topology.hosts() as u64);
    let effective = sent.checked_div(&full).unwrap_or(Rational::ZERO);
    let claimed = Rational::new(1, k).expect("the denominator is not 0");
    Ok(vec![Finding::equal(oblivious::case(instance), claimed, effective, Basis::Exhaustive)])
}

/// The claim that the best routing has more than `times` the bandwidth of this one: the max load over optu.
fn because(instance: &Instance, scope: &Scope, times: u64) -> Result<Vec<Finding>, TheoremError> {
    let (ratio, basis) = against_best(instance, scope)?;
    let claimed = format!("the best routing has more than {times} times the bandwidth");
    let holds = ratio > Rational::from(times);
    let found = format!("{ratio} times");
    Ok(vec![Finding::holds(oblivious::case(instance), claimed, found, holds, basis)])
}

fn cause(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let (ratio, basis) = against_best(instance, scope)?;
    Ok(vec![Finding::equal(oblivious::case(instance), 1, ratio, basis)])
}

/// The max load over optu, 0 where optu is not exact.
fn against_best(instance: &Instance, scope: &Scope) -> Result<(Rational, Basis), TheoremError> {
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
