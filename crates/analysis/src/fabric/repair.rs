//! The network with all differences from its shape undone.

use std::collections::HashMap;

use crate::rational::Rational;
use crate::topology::{Levels, NetworkBuilder, NodeId, NodeKey, NodeKind, Topology};

use super::pgft::Pgft;
use super::steps::{Group, Steps};

/// Checks that the network with every group completed is a tree of this shape. One cable stands for
/// parallel ones, and all speeds are the same: what is checked is which nodes are neighbours.
///
/// Nodes that are missing are added: hosts at a leaf, top switches, leaf switches with their hosts, and
/// switches between them where the groups above and below lack the same number.
pub(super) fn repaired(
    topology: &Topology,
    steps: &Steps,
    levels: &Levels,
    groups: &[Vec<Group>],
    tree: &Pgft,
) -> Result<(), String> {
    let mut groups: Vec<Vec<Group>> = groups.to_vec();
    let added = complete(&mut groups, tree, topology.nodes())?;
    lonely(topology, steps, levels)?;
    let network = build(topology, &groups, &added)?;
    let network = network.recognised();
    let wanted = tree.xgft();
    match network.tree() {
        Some(labels) if labels.shape() == wanted => Ok(()),
        Some(labels) => Err(format!("it would be {}, not {wanted}", labels.shape())),
        None => Err(network.no_tree().map_or_else(String::new, ToString::to_string)),
    }
}

/// Refuses networks with hosts that have no cable to a switch: they belong to no group.
fn lonely(topology: &Topology, steps: &Steps, levels: &Levels) -> Result<(), String> {
    let joined = |host: NodeId| {
        let first = steps.steps.first();
        first.is_some_and(|step| {
            step.bundles.range((host, 0)..=(host, NodeId::MAX)).next().is_some()
        })
    };
    let mut hosts = topology.host_numbers().filter(|host| levels.level(*host).is_some());
    let lonely = hosts.find(|host| !joined(*host));
    lonely.map_or(Ok(()), |host| {
        Err(format!("`{}` has no cable to a switch", topology.node(host).name))
    })
}

/// Maximum number of nodes that are added: what is missing is little next to what is there.
const MOST_ADDED: usize = 1 << 16;

/// Fills up the groups; returns the levels of the nodes added, which are numbered after the others.
fn complete(groups: &mut [Vec<Group>], tree: &Pgft, nodes: usize) -> Result<Vec<usize>, String> {
    let mut added: Vec<usize> = Vec::new();
    let mut add = |level: usize| {
        added.push(level);
        if added.len() > MOST_ADDED {
            return Err("too many nodes are missing".to_string());
        }
        NodeId::try_from(nodes + added.len() - 1).map_err(|error| error.to_string())
    };
    for level in 1..=tree.height() {
        let (below, above) = groups.split_at_mut(level);
        let below = &mut below[level - 1];
        // Upper nodes that the groups below lack, and lower nodes that those above do.
        let mut new = Vec::new();
        for group in below.iter_mut() {
            new.extend(fill(&mut group.parents, tree.parents(level - 1), || add(level))?);
        }
        let Some(above) = above.first_mut() else { continue };
        let mut free = new.into_iter();
        for group in above.iter_mut() {
            fill(&mut group.children, tree.children(level), || match free.next() {
                Some(node) => Ok(node),
                // A leaf switch that is absent with all its hosts.
                None if level == 1 => {
                    let leaf = add(1)?;
                    below.push(Group { children: Vec::new(), parents: vec![leaf] });
                    Ok(leaf)
                }
                None => Err(format!("switches of level {level} are missing with all below them")),
            })?;
        }
        if free.next().is_some() {
            return Err(format!(
                "the switches of level {level} that are missing have no place above"
            ));
        }
    }
    for group in groups.first_mut().into_iter().flatten() {
        fill(&mut group.children, tree.children(0), || add(0))?;
    }
    Ok(added)
}

/// Adds nodes up to a number; returns them.
fn fill(
    nodes: &mut Vec<NodeId>,
    wanted: usize,
    mut add: impl FnMut() -> Result<NodeId, String>,
) -> Result<Vec<NodeId>, String> {
    let mut new = Vec::new();
    while nodes.len() < wanted {
        let node = add()?;
        nodes.push(node);
        new.push(node);
    }
    // Of hosts too many are left out: which of them are the usual ones does not matter.
    nodes.truncate(wanted);
    Ok(new)
}

/// The network of the groups. `added` are the levels of nodes beyond those of the topology.
fn build(topology: &Topology, groups: &[Vec<Group>], added: &[usize]) -> Result<Topology, String> {
    let mut network = NetworkBuilder::new();
    let mut keys: HashMap<NodeId, NodeKey> = HashMap::new();
    for (at, step) in groups.iter().enumerate() {
        let nodes = step.iter().flat_map(|group| {
            let children = group.children.iter().map(move |node| (*node, at));
            children.chain(group.parents.iter().map(move |node| (*node, at + 1)))
        });
        for (node, level) in nodes {
            keys.entry(node).or_insert_with(|| {
                let name = name(topology, node, added);
                let kind = if level == 0 { NodeKind::Host } else { NodeKind::Switch };
                network.node(kind, name, None)
            });
        }
    }
    for (child, parent) in groups.iter().flatten().flat_map(Group::pairs) {
        network.cable(keys[&child], keys[&parent], Rational::ONE);
    }
    network.build("the fabric as it was built").map_err(|error| error.to_string())
}

/// The name of a node, or of one that was added.
fn name(topology: &Topology, node: NodeId, added: &[usize]) -> String {
    match (node as usize).checked_sub(topology.nodes()) {
        None => topology.node(node).name.clone(),
        Some(at) => format!("missing node {} of level {}", at + 1, added[at]),
    }
}
