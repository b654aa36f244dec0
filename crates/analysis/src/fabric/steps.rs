//! The cables of a network level by level, and the groups that they form.
//!
//! In a tree of the XGFT family the cables between two neighbouring levels form separate groups, in
//! each of which every lower node is joined to every upper one. With some cables gone, or plugged
//! elsewhere, the groups still show: two lower nodes belong together where they share more than half
//! of the upper neighbours of the one that has fewer.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use crate::failure::{Cable, cables};
use crate::limit::{TooLarge, within};
use crate::topology::{Levels, NodeId, Topology};

/// Maximum number of pairs of lower nodes with a common upper one that are compared.
const MAX_COMPARED: u64 = 1 << 28;

/// The cables of a network by the levels that they join.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    /// Cables between levels i − 1 and i, at index i − 1.
    pub steps: Vec<Step>,
    /// Cables that join nodes of one level, or skip a level. Those of nodes without a level are left out.
    pub odd: Vec<Cable>,
}

/// The cables between two neighbouring levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Number of cables that join a lower and an upper node.
    pub bundles: BTreeMap<(NodeId, NodeId), u32>,
}

/// A group of a step: lower nodes that are joined to the same upper nodes, up to damage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// The lower nodes, ascending.
    pub children: Vec<NodeId>,
    /// The upper nodes, ascending.
    pub parents: Vec<NodeId>,
}

impl Steps {
    /// O(links · log(links)).
    pub fn of(topology: &Topology, levels: &Levels) -> Self {
        let steps = vec![Step::default(); levels.height().into()];
        let mut found = Self { steps, odd: Vec::new() };
        for cable in cables(topology) {
            let [(a, _), (b, _)] = cable.ends;
            let Some((at_a, at_b)) = levels.level(a).zip(levels.level(b)) else { continue };
            let (low, high) = if at_a < at_b { (a, b) } else { (b, a) };
            if at_a.abs_diff(at_b) == 1 {
                let step = &mut found.steps[usize::from(at_a.min(at_b))];
                *step.bundles.entry((low, high)).or_default() += 1;
            } else {
                found.odd.push(cable);
            }
        }
        found
    }
}

impl Step {
    /// The groups, ordered by their first lower node. O(Σ over upper nodes of neighbours²).
    ///
    /// # Errors
    /// [`TooLarge`] above 2^28 comparisons.
    pub fn groups(&self, topology: &Topology) -> Result<Vec<Group>, TooLarge> {
        let mut above: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        let mut below: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for (child, parent) in self.bundles.keys() {
            above.entry(*child).or_default().push(*parent);
            below.entry(*parent).or_default().push(*child);
        }
        let together = together(&above, &below, topology.nodes())?;
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for child in above.keys() {
            groups.entry(together.find(*child as usize)).or_default().children.push(*child);
        }
        for (parent, children) in below {
            let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
            for child in children {
                *votes.entry(together.find(child as usize)).or_default() += 1;
            }
            // The first of those with most children, so that the result does not depend on names.
            let most =
                votes.iter().max_by_key(|(group, votes)| (**votes, std::cmp::Reverse(**group)));
            if let Some(group) = most.and_then(|(group, _)| groups.get_mut(group)) {
                group.parents.push(parent);
            }
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by_key(|group| group.children.first().copied());
        Ok(groups)
    }
}

/// Joins lower nodes that share more than half of the upper neighbours of the one that has fewer.
fn together(
    above: &BTreeMap<NodeId, Vec<NodeId>>,
    below: &BTreeMap<NodeId, Vec<NodeId>>,
    nodes: usize,
) -> Result<UnionFind<usize>, TooLarge> {
    let compared: u128 = below.values().map(|children| (children.len() as u128).pow(2)).sum();
    let what = "number of pairs of nodes below a common switch";
    within(what, Some(compared), MAX_COMPARED, "analyse a part of the fabric")?;
    let mut together = UnionFind::new(nodes);
    // Of every node how many parents it shares with the child, and which nodes have any.
    let (mut shared, mut met) = (vec![0_usize; nodes], Vec::new());
    let mut degree = vec![0_usize; nodes];
    for (child, parents) in above {
        degree[*child as usize] = parents.len();
    }
    for (child, parents) in above {
        for other in parents.iter().flat_map(|parent| &below[parent]).filter(|o| *o > child) {
            if shared[*other as usize] == 0 {
                met.push(*other as usize);
            }
            shared[*other as usize] += 1;
        }
        // In the order of nodes, which decides between groups with as many votes.
        met.sort_unstable();
        for other in met.drain(..) {
            let count = std::mem::take(&mut shared[other]);
            if 2 * count > parents.len().min(degree[other]) {
                together.union(*child as usize, other);
            }
        }
    }
    Ok(together)
}

impl Group {
    /// Every lower node with every upper one.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let parents = &self.parents;
        self.children.iter().flat_map(move |child| parents.iter().map(move |p| (*child, *p)))
    }
}

/// The usual numbers of a step, counted from 0: lower nodes, upper nodes and parallel cables. Between
/// switches a group counts as often as it has lower nodes, so that broken pieces do not outvote it.
pub(super) fn usual_numbers(at: usize, step: &Step, groups: &[Group]) -> [usize; 3] {
    let weight = |group: &Group| if at == 0 { 1 } else { group.children.len() };
    let of = |number: fn(&Group) -> usize| usual(groups.iter().map(|g| (number(g), weight(g))));
    [
        of(|group| group.children.len()),
        of(|group| group.parents.len()),
        usual(step.bundles.values().map(|cables| (*cables as usize, 1))),
    ]
}

/// The most frequent number above 0 by weight, the largest among equals; 0 for none.
fn usual(numbers: impl Iterator<Item = (usize, usize)>) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, weight) in numbers.filter(|(number, _)| *number > 0) {
        *counts.entry(number).or_default() += weight;
    }
    counts.into_iter().max_by_key(|(number, count)| (*count, *number)).map_or(0, |(n, _)| n)
}
