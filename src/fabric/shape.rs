//! The shape of a fabric: the tree that it is, or the one that it was built as, with what differs.
//!
//! The usual numbers of children, parents and parallel cables of every step are those of the shape
//! that was meant. What differs from them is listed, undone, and the network so repaired is given to
//! [`Topology::recognised`]: only where that finds labels is the shape called found. The list is then
//! exactly what makes the fabric differ from a tree of this shape.

use crate::failure::Cable;
use crate::limit::TooLarge;
use crate::topology::{NodeId, NodeKind, Topology};

use super::pgft::Pgft;
use super::repair::repaired;
use super::steps::{Group, Step, Steps};

/// One part in this many of the cables between switches may differ: beyond that the shape with the
/// usual numbers says nothing about the fabric.
const LEAST_WHOLE: u64 = 4;

/// What makes a fabric differ from the tree that it was built as.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// Cables between a lower and an upper switch are absent.
    MissingCables {
        /// The lower switch.
        child: NodeId,
        /// The upper switch.
        parent: NodeId,
        /// How many of them.
        missing: u32,
        /// How many there are.
        present: u32,
    },
    /// There are more cables between two switches than elsewhere.
    ExtraCables {
        /// The lower switch.
        child: NodeId,
        /// The upper switch.
        parent: NodeId,
        /// How many there should be: none, where the two do not belong together.
        usual: u32,
        /// How many there are.
        present: u32,
        /// Whether they belong to different parts of the tree: the cable is in the wrong port.
        misplaced: bool,
    },
    /// A cable joins nodes of the same level, or skips one.
    Sideways(Cable),
    /// A leaf switch has another number of hosts than most.
    Hosts {
        /// The leaf switch.
        leaf: NodeId,
        /// Its hosts.
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

/// The shape of a fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The tree with the usual numbers; `None` without switches, or where links at most join switches
    /// of one level.
    pub tree: Option<Pgft>,
    /// What differs from it: nothing for a whole tree. Of an irregular fabric only the cables that do not
    /// join neighbouring levels.
    pub differences: Vec<Difference>,
    /// Why the fabric with all differences undone is not that tree; `None` where it is.
    pub irregular: Option<String>,
}

impl Shape {
    /// The shape of a network. O(links · log(links) + Σ over switches of their neighbours²).
    ///
    /// # Errors
    /// [`TooLarge`] where groups cannot be compared within the limit.
    ///
    /// ```
    /// use routebound::{fabric::Shape, failure, topology};
    /// let tree = topology::generate("ft(8,2)")?;
    /// let first = failure::between_switches(&tree).remove(0);
    /// let shape = Shape::of(&failure::damage(&tree, &[first])?.topology)?;
    /// assert_eq!(shape.tree.map(|tree| tree.to_string()).as_deref(), Some("ft(8,2)"));
    /// assert_eq!((shape.differences.len(), shape.irregular), (1, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(topology: &Topology) -> Result<Self, TooLarge> {
        let steps = Steps::of(topology);
        let groups: Vec<Vec<Group>> =
            steps.steps.iter().map(|step| step.groups(topology)).collect::<Result<_, _>>()?;
        let tree = Pgft::usual(&steps.steps, &groups);
        let sideways = steps.odd.iter().cloned().map(Difference::Sideways);
        let Some(tree) = tree else {
            let irregular = Some("there is no switch".to_string());
            return Ok(Self { tree: None, differences: sideways.collect(), irregular });
        };
        if let Some(reason) = too_different(topology, &steps, &groups, &tree) {
            let irregular = Some(reason);
            return Ok(Self { tree: Some(tree), differences: sideways.collect(), irregular });
        }
        let irregular = repaired(topology, &steps, &groups, &tree).err();
        let mut differences: Vec<Difference> = sideways.collect();
        if irregular.is_some() {
            // What differs from a tree that it never was is no damage.
            return Ok(Self { tree: Some(tree), differences, irregular });
        }
        let steps = || steps.steps.iter().zip(&groups).enumerate();
        differences.extend(steps().flat_map(|(at, (step, of))| cables_of(at, step, of, &tree)));
        // Hosts come last: switches matter more.
        differences.extend(steps().rev().flat_map(|(at, (_, of))| counts(at, of, &tree)));
        Ok(Self { tree: Some(tree), differences, irregular })
    }

    /// Whether the fabric is a whole tree.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.differences.is_empty() && self.irregular.is_none()
    }
}

/// Why there is no use in listing what differs, if so.
fn too_different(
    topology: &Topology,
    steps: &Steps,
    groups: &[Vec<Group>],
    tree: &Pgft,
) -> Option<String> {
    let is_switch = |node: NodeId| topology.node(node).kind == NodeKind::Switch;
    let mut cables = steps.odd.len() as u64;
    let mut differ = cables;
    for (at, (step, groups)) in steps.steps.iter().zip(groups).enumerate() {
        let between = |(child, _): &(NodeId, NodeId)| is_switch(*child);
        let present: u64 =
            step.bundles.iter().filter(|(ends, _)| between(ends)).map(|(_, n)| u64::from(*n)).sum();
        cables += present;
        if at == 0 {
            continue;
        }
        let pairs = |group: &Group| (group.children.len() * group.parents.len()) as u64;
        let wanted = groups.iter().map(pairs).sum::<u64>() * u64::from(tree.cables(at));
        differ += wanted.abs_diff(present);
    }
    (differ * LEAST_WHOLE > cables).then(|| {
        format!(
            "{differ} of {cables} cables between switches differ from {tree}, the tree with its \
             usual numbers of neighbours"
        )
    })
}

/// The groups of a step, counted from 0, that have unusual numbers of nodes.
fn counts(at: usize, groups: &[Group], tree: &Pgft) -> Vec<Difference> {
    let (children, parents) = (tree.children(at), tree.parents(at));
    let mut differences = Vec::new();
    for group in groups {
        let (Some(child), Some(parent)) = (group.children.first(), group.parents.first()) else {
            continue;
        };
        let found = group.children.len();
        if found != children && at == 0 {
            differences.push(Difference::Hosts { leaf: *parent, found, usual: children });
        } else if found != children {
            differences.push(Difference::Children { parent: *parent, found, usual: children });
        }
        let found = group.parents.len();
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
    let mut known = std::collections::BTreeSet::new();
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
