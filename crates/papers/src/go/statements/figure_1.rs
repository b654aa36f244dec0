//! \[GO\] Figure 1, as the text walks through it.

use crate::registry::Kind;
use crate::simulation::registers::{Registers, Switch, adaptive};
use crate::theorem::shape::kary;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, Whose};
use crate::topology::{Topology, generate};

pub(super) const WALK: Kind<Statement> = Kind {
    name: "go-figure-1",
    usage: "go-figure-1",
    options: &[],
    about: "A packet from node 1 to node 4 of a 2-ary 4-tree may leave switches 0 and 9 by both ascending \
            links, and switches 17 and 11 by link 1 and link 0 alone: over 0, 9, 17 and 11 to node 4",
    reference: "[GO] 3.1, Figure 1",
    examples: &["go-figure-1"],
    build: Statement {
        hypothesis: "the registers of the 2-ary 4-tree; the figure is known by this walk alone",
        whose: Whose::Paper,
        quote: "Switch 0 can use both ascending links (links 2 and 3) to route the packet ... the packet reaches switch 17. At switch 17, only link 1 is allowed to route the packet destined to node 4, so the packet arrives to switch 11. At this switch, only link 0 is allowed",
        subject: Subject::Networks {
            applies: |tree| kary(tree) == Some((2, 4)),
            check: |topology, scope| walk(topology, scope, &PRINTED),
        },
        remark: None,
        planted: |scope| {
            let mut other = PRINTED;
            other[2].1 = &[0];
            walk(&generate("kary(2,4)")?, scope, &other)
        },
    },
};

pub(super) const CYCLIC: Kind<Statement> = Kind {
    name: "go-cyclic",
    usage: "go-cyclic",
    options: &[],
    about: "In the 2-ary 4-tree some intervals go on from node 0 after the last node",
    reference: "[GO] 3.1, Figure 1",
    examples: &["go-cyclic"],
    build: Statement {
        hypothesis: "the registers of the 2-ary 4-tree",
        whose: Whose::Paper,
        quote: "As it can be seen, the interval associated to some output ports must be cyclic.",
        subject: Subject::Networks { applies: |tree| kary(tree) == Some((2, 4)), check: cyclic },
        remark: None,
        planted: |scope| cyclic(&generate("kary(2,2)")?, scope),
    },
};

/// A switch, the links that it may use, and the one that is taken.
type Step = (u32, &'static [u32], u32);

const PRINTED: [Step; 4] = [(0, &[2, 3], 3), (9, &[2, 3], 2), (17, &[1], 1), (11, &[0], 0)];

/// Whether a packet to node 4 may leave the switches by these links, and those taken lead from each
/// switch to the next one.
fn walk(topology: &Topology, scope: &Scope, steps: &[Step]) -> Result<Vec<Finding>, TheoremError> {
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

fn cyclic(topology: &Topology, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    scope.progress.check()?;
    let registers = adaptive(topology)?;
    let found = cyclic_ports(&registers);
    let count = format!("{} ports, the first at switch {:?}", found.len(), found.first());
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
