//! \[RO\] III: whether a static routing can avoid all conflicts.

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("ro-no-static", "[RO] III")
    .about("No static routing of a k-ary n-tree or a slimmed XGFT routes all permutations without conflict")
    .hypothesis("every single-path routing on k-ary n-trees and slimmed XGFTs, n >= 2")
    .quote("no general static routing solution exists for k-ary n-trees or slimmed XGFTs that can route all possible permutations without conflict")
    .instances(applies, is_single_path, |instance, scope| check(instance, scope, 2))
    // Two messages of some permutation meet, while the optu of each permutation of a k-ary n-tree is at most 1. As
    // printed, for every such tree; the 2-ary 2-tree is an exception.
    .publishes(Side::AtLeast, |tree, routing| {
        let (_, n) = kary(tree).filter(|_| routing.is_single_path())?;
        (n >= 2).then_some(2)
    })
    .remark(
        RemarkKind::OurReading,
        |case| case.numbers == [2, 2],
        "Read as a claim about every such tree; for the class as a whole it holds. D-mod-k routes all 24 permutations of the 2-ary 2-tree without conflict; from kary(3,2) \
                   and kary(2,3) on no implemented routing does",
    )
    .planted(Planted::Check(|scope| check(&scope.instance("kary(3,2)", "dmodk")?, scope, 3)));

/// Trees of two levels or more with one link per host, full or slimmed.
fn applies(topology: &Topology) -> bool {
    let slimmed = |tree: &Xgft| {
        let more = (2..=tree.height()).all(|i| tree.parents(i) <= tree.children(i - 1));
        tree.height() > 1 && tree.parents(1) == 1 && more
    };
    kary(topology).is_some_and(|(_, n)| n > 1)
        || topology.plain_tree().is_some_and(|tree| slimmed(tree) && !tree.full_bisection())
}

/// Whether on the 2-ary 2-tree a routing gives each of the two sources of a switch, or each of two
/// destinations, its own port.
fn has_own_ports(routing: &dyn Routing, tree: &Xgft) -> bool {
    let mut hosts = [0, 1, 2, 3];
    hosts.sort_by_key(|host| tree.nca_level(0, *host));
    let [a, b, c, d] = hosts;
    // The root is known from the second link of a path, which leads up to it from the switch of s.
    let port = |s, d| {
        let mut port = None;
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| port = links.get(1).copied());
        port
    };
    // Hosts a and b are at one switch, c and d at the other.
    [[a, b, c, d], [c, d, a, b]].into_iter().all(|[a, b, c, d]| {
        let (ports, crossed) = ([port(a, c), port(b, d)], [port(a, d), port(b, c)]);
        ports[0] != ports[1] && crossed[0] != crossed[1]
    })
}

/// 2 and 2 for the 2-ary 2-tree, whatever its spec, with a routing that [`has_own_ports`]; empty
/// for other cases.
fn numbers(instance: &Instance) -> Vec<u64> {
    let tree = instance.topology.tree().filter(|_| kary(&instance.topology) == Some((2, 2)));
    let avoids = tree.is_some_and(|tree| has_own_ports(&*instance.routing, tree));
    if avoids { vec![2, 2] } else { Vec::new() }
}

/// Whether some permutation loads a link with `least` flows.
fn check(instance: &Instance, scope: &Scope, least: u64) -> Findings {
    let assessment = scope.assess(instance)?;
    let bounds = &assessment.permutation_load;
    let case = Case::of(oblivious::case(instance), numbers(instance));
    let claimed = format!(">= {least}");
    let (least, found) = (least.into(), bounds.to_string());
    if bounds.lower < least && bounds.upper >= least {
        let outcome = Outcome::Open(format!("the worst permutation load is {bounds}"));
        return Ok(vec![Finding::new(case, claimed, found, outcome, Basis::of(bounds))]);
    }
    let holds = bounds.lower >= least;
    Ok(vec![Finding::holds(case, claimed, found, holds, Basis::of(bounds))])
}
