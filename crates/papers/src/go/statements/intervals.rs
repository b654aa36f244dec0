//! \[GO\] 3.1: the intervals hold the destinations that their links lead to.

use std::collections::BTreeSet;

use crate::simulation::registers::{KaryTree, Registers, adaptive};
use crate::theorem::prelude::*;

pub(super) const DESCENDING: Statement = Statement::new("go-descending", "[GO] 3.1")
    .about("The interval of a descending link holds the destinations that are reached through it, those of \
            link L of stage s having p_s = L")
    .hypothesis("k-ary n-trees; destinations below a link by a search of the graph")
    .quote("The subset of nodes whose $p_s=0$ are reachable through link 0, the subset of destinations whose $p_s=1$ are reachable through link 1, and so on.")
    .networks(|tree| kary(tree).is_some(), descending)
    .planted(Planted::Check(|_| {
        let (tree, mut registers) = registers("kary(2,3)")?;
        registers.switches[4].ports[1].rows[0].interval.first += 1;
        compare(&tree, &registers, false)
    }));

pub(super) const ASCENDING: Statement = Statement::new("go-ascending", "[GO] 3.1")
    .about("One interval, from behind the last node below a switch around to the one before the first, holds \
            all other destinations, for all its ascending links")
    .hypothesis("k-ary n-trees; destinations below a switch by a search of the graph")
    .quote("This interval is valid for all the ascending links of the switch and can result in a cyclic interval.")
    .networks(|tree| kary(tree).is_some(), ascending)
    .planted(Planted::Check(|_| {
        // Without the wrap: from behind the last node below up to the last node.
        let (tree, mut registers) = registers("kary(2,3)")?;
        let ports = registers.switches.iter_mut().flat_map(|switch| &mut switch.ports);
        for port in ports.filter(|port| port.rows[0].interval.is_cyclic()) {
            port.rows[0].interval.last = 7;
        }
        compare(&tree, &registers, true)
    }));

fn registers(spec: &str) -> Result<(Topology, Registers)> {
    let tree = generate(spec)?;
    let registers = adaptive(&tree)?;
    Ok((tree, registers))
}

fn descending(topology: &Topology, scope: &Scope) -> Findings {
    scope.progress.check()?;
    compare(topology, &adaptive(topology)?, false)
}

fn ascending(topology: &Topology, scope: &Scope) -> Findings {
    scope.progress.check()?;
    compare(topology, &adaptive(topology)?, true)
}

/// Compares the intervals of the links that lead up, or of those that lead down, with the
/// destinations that they are for.
fn compare(topology: &Topology, registers: &Registers, ascending: bool) -> Findings {
    let tree = KaryTree::of(topology)?;
    let (mut wrong, mut ports) = (None, 0);
    for switch in &registers.switches {
        let down = |port: &LinkId| topology.link(*port).direction == Direction::Down;
        let links = || switch.ports.iter().map(|port| port.link);
        let under: BTreeSet<Host> = links().filter(down).flat_map(|l| below(topology, l)).collect();
        for port in switch.ports.iter().filter(|port| down(&port.link) != ascending) {
            ports += 1;
            let own: BTreeSet<Host> = below(topology, port.link).into_iter().collect();
            let is_for = |d: &Host| if ascending { !under.contains(d) } else { own.contains(d) };
            let mut hosts = topology.host_numbers();
            let other = hosts.find(|d| port.matches(tree.address(*d)) != is_for(d));
            wrong = wrong.or(other.map(|d| (registers.number(switch.switch), port.label, d)));
        }
    }
    let wrong = wrong
        .map(|(switch, label, d)| format!("switch {switch}, link {label} and node {d} differ"));
    let claimed = "the destinations of the link";
    let found = format!("holds for {ports} ports");
    Ok(vec![Finding::unless(topology.spec(), claimed, found, wrong, Basis::Exhaustive)])
}

/// The hosts that a link and links down from there lead to.
fn below(topology: &Topology, link: LinkId) -> Vec<Host> {
    let Some((_, node)) = topology.ends(link) else { return Vec::new() };
    if (node as usize) < topology.hosts() {
        return vec![node];
    }
    let down = |link: &LinkId| topology.link(*link).direction == Direction::Down;
    topology.links_from(node).filter(down).flat_map(|link| below(topology, link)).collect()
}
