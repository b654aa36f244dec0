//! \[GO\] Figure 1, as the text walks through it.

use crate::simulation::registers::{Registers, Switch, adaptive};
use crate::theorem::prelude::*;

pub(super) const WALK: Statement = Statement::new("go-figure-1", "[GO] 3.1, Figure 1")
    .about("A packet from node 1 to node 4 of a 2-ary 4-tree may leave switches 0 and 9 by both ascending \
            links, and switches 17 and 11 by link 1 and link 0 alone: over 0, 9, 17 and 11 to node 4")
    .hypothesis("the registers of the 2-ary 4-tree; the figure is known by this walk alone")
    .quote("Switch 0 can use both ascending links (links 2 and 3) to route the packet ... the packet reaches switch 17. At switch 17, only link 1 is allowed to route the packet destined to node 4, so the packet arrives to switch 11. At this switch, only link 0 is allowed")
    .networks(|tree| kary(tree) == Some((2, 4)), |topology, scope| walk(topology, scope, &PRINTED))
    .planted(Planted::Check(|scope| {
        let mut other = PRINTED;
        other[2].1 = &[0];
        walk(&generate("kary(2,4)")?, scope, &other)
    }));

pub(super) const CYCLIC: Statement = Statement::new("go-cyclic", "[GO] 3.1, Figure 1")
    .about("In the 2-ary 4-tree some intervals continue from node 0 after the last node")
    .hypothesis("the registers of the 2-ary 4-tree")
    .quote("As it can be seen, the interval associated to some output ports must be cyclic.")
    .networks(|tree| kary(tree) == Some((2, 4)), cyclic)
    .planted(Planted::Check(|scope| cyclic(&generate("kary(2,2)")?, scope)));

/// A switch, the links that it may use, and the one that is taken.
type Step = (u32, &'static [u32], u32);

const PRINTED: [Step; 4] = [(0, &[2, 3], 3), (9, &[2, 3], 2), (17, &[1], 1), (11, &[0], 0)];

/// Whether a packet to node 4 may leave the switches by these links, and those taken lead from each
/// switch to the next one.
fn walk(topology: &Topology, scope: &Scope, steps: &[Step]) -> Findings {
    scope.progress.check()?;
    let registers = adaptive(topology)?;
    let mut at = topology.links_from(1).next().and_then(|link| topology.ends(link));
    let mut found = Vec::new();
    let mut is_right = true;
    for (number, allowed, taken) in steps {
        let switch = &registers.switches[*number as usize];
        let ports: Vec<_> = switch.eligible(4).collect();
        let labels: Vec<u32> = ports.iter().map(|port| port.label).collect();
        let arrived = at.map(|(_, node)| node) == Some(switch.node);
        is_right &= labels == *allowed && arrived;
        found.push(format!("{number} by {labels:?}"));
        let link = ports.iter().find(|port| port.label == *taken).map(|port| port.link);
        at = link.and_then(|link| topology.ends(link));
    }
    let last = at.map(|(_, node)| node);
    // Switch <0,010> is above node 4.
    let below = registers.switches.get(2).map(|switch| switch.node);
    is_right &= last.is_some() && last == below;
    let found = found.join(", ");
    Ok(vec![Finding::holds(topology.spec(), "so", found, is_right, Basis::Exhaustive)])
}

fn cyclic(topology: &Topology, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let registers = adaptive(topology)?;
    let found = cyclic_ports(&registers);
    let first =
        found.first().map_or_else(String::new, |switch| format!(", the first at switch {switch}"));
    let count = format!("{} ports{first}", found.len());
    Ok(vec![Finding::holds(topology.spec(), "some", count, !found.is_empty(), Basis::Exhaustive)])
}

/// The switches with such ports, once per port.
fn cyclic_ports(registers: &Registers) -> Vec<u32> {
    let of = |switch: Switch| registers.number(switch);
    let ports = registers.switches.iter().flat_map(|switch| {
        let rows = switch.ports.iter().flat_map(|port| &port.rows);
        rows.filter(|row| row.interval.is_cyclic()).map(move |_| of(switch.switch))
    });
    ports.collect()
}
