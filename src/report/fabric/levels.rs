//! The levels of switches of a fabric: numbers, cables and taper.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::fabric::{Pgft, Shape};
use crate::rational::Rational;
use crate::topology::{NodeId, NodeKind, Topology};

/// The switches of a level.
#[derive(Clone, Debug, Serialize)]
pub struct FabricLevel {
    /// 1 for leaf switches.
    pub level: u8,
    /// Number of switches.
    pub switches: usize,
    /// Number of hosts at them.
    pub hosts: usize,
    /// Cables to the level below.
    pub cables_down: usize,
    /// Cables to the level above.
    pub cables_up: usize,
    /// Cables between switches of the level, or from it to one that is not next to it.
    pub cables_across: usize,
    /// Usual number of switches above a switch; `None` at the top, and in irregular fabrics.
    pub switches_above: Option<usize>,
    /// Usual number of parallel cables to each of them.
    pub cables_to_each: Option<u32>,
    /// Capacity down ÷ capacity up of all switches of the level together: more than 1 where the level is
    /// over-subscribed. `None` at the top.
    pub taper: Option<Rational>,
    /// Capacity down ÷ capacity up of a switch of the shape, without what differs from it: links have the most
    /// frequent capacity of their step.
    pub usual_taper: Option<Rational>,
}

impl FabricLevel {
    /// Headers of the columns of a table.
    pub(super) const HEADS: [&'static str; 8] = [
        "level",
        "switches",
        "hosts",
        "cables down",
        "cables up",
        "switches above",
        "across",
        "down:up",
    ];

    pub(super) fn row(&self) -> Vec<String> {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_string());
        let number = |number: usize| number.to_string();
        vec![
            self.level.to_string(),
            number(self.switches),
            number(self.hosts),
            number(self.cables_down),
            number(self.cables_up),
            or_none(self.above()),
            number(self.cables_across),
            or_none(self.taper.as_ref().map(|taper| format!("{taper}:1"))),
        ]
    }

    /// Number of switches above one, and of cables to each: `4`, or `10 x 2 cables`.
    #[must_use]
    pub fn above(&self) -> Option<String> {
        let (switches, cables) = self.switches_above.zip(self.cables_to_each)?;
        Some(if cables == 1 {
            switches.to_string()
        } else {
            format!("{switches} x {cables} cables")
        })
    }
}

/// The counts of a level.
#[derive(Clone, Default)]
struct Counted {
    switches: usize,
    hosts: BTreeSet<NodeId>,
    /// Links up into the level, and their capacity.
    up_to: (usize, Rational),
    /// Number of links of each capacity.
    capacities: BTreeMap<Rational, usize>,
    /// Links between its switches.
    within: usize,
    /// Links into it from a level that is not next to it.
    beyond: usize,
}

impl Counted {
    /// The most frequent capacity of a link up into the level, the largest among equals.
    fn usual_capacity(&self) -> Option<&Rational> {
        let by_links = self.capacities.iter().max_by_key(|(_, links)| **links);
        by_links.map(|(capacity, _)| capacity)
    }
}

/// The levels of switches, leaf switches first.
pub(super) fn levels(topology: &Topology, shape: &Shape) -> Vec<FabricLevel> {
    let counted = count(topology, &shape.levels);
    let tree = shape.tree.as_ref().filter(|_| shape.irregular.is_none());
    let level = |at: usize| {
        let none = Counted::default();
        let (here, above) = (&counted[at], counted.get(at + 1).unwrap_or(&none));
        let tree = tree.filter(|tree| at < tree.height());
        FabricLevel {
            level: u8::try_from(at).unwrap_or(u8::MAX),
            switches: here.switches,
            hosts: here.hosts.len(),
            cables_down: here.up_to.0,
            cables_up: above.up_to.0,
            // A cable within the level has both of its links into it, one to another level has one.
            cables_across: here.within / 2 + here.beyond,
            switches_above: tree.map(|tree| tree.parents(at)),
            cables_to_each: tree.map(|tree| tree.cables(at)),
            taper: here.up_to.1.checked_div(&above.up_to.1),
            usual_taper: tree.and_then(|tree| usual_taper(tree, at, [here, above])),
        }
    };
    (1..counted.len()).map(level).collect()
}

/// By numbers of cables and the most frequent capacities of either step.
fn usual_taper(tree: &Pgft, level: usize, [here, above]: [&Counted; 2]) -> Option<Rational> {
    let (down, up) = tree.taper(level)?;
    let cables = Rational::new(down as u64, up as u64)?;
    let capacity = here.usual_capacity()?.checked_div(above.usual_capacity()?)?;
    Some(&cables * &capacity)
}

/// The counts of every level, hosts first.
fn count(topology: &Topology, levels: &[Option<u8>]) -> Vec<Counted> {
    let height = levels.iter().copied().flatten().max().unwrap_or(0);
    let mut counted = vec![Counted::default(); usize::from(height) + 1];
    let level = |node: NodeId| levels.get(node as usize).copied().flatten().map(usize::from);
    let is_host = |node: NodeId| topology.node(node).kind == NodeKind::Host;
    for at in topology.node_numbers().filter(|node| !is_host(*node)).filter_map(level) {
        counted[at].switches += 1;
    }
    for link in topology.link_numbers() {
        let Some((from, to)) = topology.ends(link) else { continue };
        let Some(at) = level(to) else { continue };
        if is_host(from) && !is_host(to) {
            counted[at].hosts.insert(from);
        }
        match level(from) {
            Some(lower) if lower + 1 == at => {
                let (capacity, level) = (&topology.link(link).capacity, &mut counted[at]);
                level.up_to = (level.up_to.0 + 1, &level.up_to.1 + capacity);
                *level.capacities.entry(capacity.clone()).or_default() += 1;
            }
            Some(other) if other == at => counted[at].within += 1,
            Some(other) if other != at + 1 => counted[at].beyond += 1,
            _ => {}
        }
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::super::FabricShape;
    use super::*;
    use crate::topology::NetworkBuilder;

    /// Four hosts at each of four leaf switches, two cables of twice their capacity up, and a host that is also at a
    /// spine.
    #[test]
    fn tapers_count_capacities_and_skipping_cables_count_once() {
        let mut network = NetworkBuilder::new();
        let spines = [0, 1].map(|spine| network.switch(format!("spine-{spine}")));
        let dual = network.host("dual");
        network.cable(dual, spines[0], Rational::ONE);
        for leaf in 0..4 {
            let switch = network.switch(format!("leaf-{leaf}"));
            for host in 0..4 {
                let host = network.host(format!("host-{leaf}-{host}"));
                network.cable(host, switch, Rational::ONE);
            }
            if leaf == 0 {
                network.cable(dual, switch, Rational::ONE);
            }
            for spine in spines {
                network.cable(switch, spine, Rational::new(2, 1).unwrap());
            }
        }
        let shape = FabricShape::of(&network.build("dual").unwrap()).unwrap();
        let of = |level: &FabricLevel| (level.usual_taper.clone(), level.cables_across);
        let found: Vec<_> = shape.levels.iter().map(of).collect();
        assert_eq!(found, [(Some(Rational::ONE), 0), (None, 1)], "{shape:?}");
    }
}
