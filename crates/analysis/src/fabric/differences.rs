//! What makes a fabric differ from its shape: cables, hosts and switches, one by one.

use std::collections::{BTreeMap, BTreeSet};

use crate::failure::Cable;
use crate::topology::{Levels, NodeId, NodeKind, Topology};

use super::pgft::Pgft;
use super::steps::{Group, Step, Steps};

/// A difference between a fabric and the tree that it was built as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Cables between a lower and an upper switch are absent.
    MissingCables {
        /// The lower switch.
        child: NodeId,
        /// The upper switch.
        parent: NodeId,
        /// Number of missing cables.
        missing: u32,
        /// Number of cables that there are.
        present: u32,
    },
    /// More cables between two switches than elsewhere.
    ExtraCables {
        /// The lower switch.
        child: NodeId,
        /// The upper switch.
        parent: NodeId,
        /// Number of cables that there should be: none, where the two do not belong together.
        usual: u32,
        /// Number of cables that there are.
        present: u32,
        /// Whether they belong to different parts of the tree: the cable is in the wrong port.
        misplaced: bool,
    },
    /// A cable joins nodes of the same level, or skips one.
    Sideways(Cable),
    /// Hosts at a switch that is not a leaf switch.
    HostsAbove {
        /// The switch.
        switch: NodeId,
        /// Hosts of the switch, ascending.
        hosts: Vec<NodeId>,
    },
    /// A switch is not a part of the tree: it hangs behind others, such as a management switch.
    Aside {
        /// The switch.
        switch: NodeId,
        /// The switches next to it, ascending.
        neighbours: Vec<NodeId>,
        /// Cables of the switch to them.
        cables: usize,
    },
    /// A leaf switch has another number of hosts than most.
    Hosts {
        /// The leaf switch.
        leaf: NodeId,
        /// Number of hosts of the switch.
        found: usize,
        /// The usual number.
        usual: usize,
    },
    /// Fewer, or more, switches below the same switches than elsewhere.
    Children {
        /// One of the upper switches.
        parent: NodeId,
        /// The lower switches.
        found: usize,
        /// The usual number.
        usual: usize,
    },
    /// Fewer, or more, switches above the same nodes than elsewhere.
    Parents {
        /// One of the lower nodes.
        child: NodeId,
        /// The upper switches.
        found: usize,
        /// The usual number.
        usual: usize,
    },
}

/// The hosts that are not at leaf switches, by their switch, and the switches that stand aside.
pub(super) fn strays(topology: &Topology, levels: &Levels) -> Vec<Difference> {
    let is_switch = |node: NodeId| topology.node(node).kind == NodeKind::Switch;
    let mut above: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    let mut aside = Vec::new();
    for node in levels.without() {
        let links = topology.links_from(node).filter_map(|link| topology.ends(link));
        let next: Vec<NodeId> = links.map(|(_, to)| to).filter(|to| is_switch(*to)).collect();
        let cables = next.len();
        let neighbours: Vec<NodeId> = BTreeSet::from_iter(next).into_iter().collect();
        if is_switch(node) {
            aside.push(Difference::Aside { switch: node, neighbours, cables });
        } else {
            for switch in neighbours {
                above.entry(switch).or_default().push(node);
            }
        }
    }
    let above = above.into_iter().map(|(switch, hosts)| Difference::HostsAbove { switch, hosts });
    above.chain(aside).collect()
}

/// The differences from whole groups with the usual numbers.
pub(super) fn listed(steps: &Steps, groups: &[Vec<Group>], tree: &Pgft) -> Vec<Difference> {
    let steps = || steps.steps.iter().zip(groups).enumerate();
    let cables = steps().flat_map(|(at, (step, of))| cables_of(at, step, of, tree));
    cables.chain(steps().rev().flat_map(|(at, (_, of))| counts(at, of, tree))).collect()
}

/// Number of cables that are missing or too many.
pub(super) fn changed(listed: &[Difference]) -> u64 {
    let cables = listed.iter().map(|difference| match difference {
        Difference::MissingCables { missing, .. } => u64::from(*missing),
        Difference::ExtraCables { usual, present, .. } => u64::from(present - usual),
        _ => 0,
    });
    cables.sum()
}

/// The groups of a step, counted from 0, that have unusual numbers of nodes.
fn counts(at: usize, groups: &[Group], tree: &Pgft) -> Vec<Difference> {
    let (children, parents) = (tree.children(at), tree.parents(at));
    let mut differences = Vec::new();
    for group in groups {
        let Some(parent) = group.parents.first() else { continue };
        let found = group.children.len();
        if found != children && at == 0 {
            differences.push(Difference::Hosts { leaf: *parent, found, usual: children });
        } else if found != children {
            differences.push(Difference::Children { parent: *parent, found, usual: children });
        }
        let (Some(child), found) = (group.children.first(), group.parents.len()) else { continue };
        if found != parents {
            differences.push(Difference::Parents { child: *child, found, usual: parents });
        }
    }
    differences
}

/// The cables of a step that are missing or too many, by their lower ends.
fn cables_of(at: usize, step: &Step, groups: &[Group], tree: &Pgft) -> Vec<Difference> {
    let wanted = tree.cables(at);
    let mut differences = Vec::new();
    let mut known = BTreeSet::new();
    for group in groups {
        for (child, parent) in group.pairs() {
            known.insert((child, parent));
            let present = step.bundles.get(&(child, parent)).copied().unwrap_or(0);
            if present < wanted {
                let missing = wanted - present;
                differences.push(Difference::MissingCables { child, parent, missing, present });
            } else if present > wanted {
                let (usual, misplaced) = (wanted, false);
                let more = Difference::ExtraCables { child, parent, usual, present, misplaced };
                differences.push(more);
            }
        }
    }
    let odd = step.bundles.iter().filter(|(ends, _)| !known.contains(ends));
    differences.extend(odd.map(|((child, parent), present)| Difference::ExtraCables {
        child: *child,
        parent: *parent,
        usual: 0,
        present: *present,
        misplaced: true,
    }));
    differences
}
