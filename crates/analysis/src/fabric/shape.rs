//! The shape of a fabric: the tree that it is, or the one that it was built as, with what differs.
//!
//! The usual numbers of children, parents and parallel cables of every step are those of the shape
//! that was meant. What differs from them is listed, undone, and the network so repaired is given to
//! [`Topology::recognised`]: where that finds labels, the shape is a tree of the family XGFT, up to parallel
//! cables. The list is then exactly what makes the fabric differ from a tree of this shape.
//!
//! Fabrics of pods and planes need not be of that family: where two spines of a pod lead to the same top
//! switches, no labels exist. They are still regular if every switch belongs to one group below and one above,
//! each lower switch of a group is joined to each upper one, most groups have the usual numbers and three of four
//! cables are as these say. The shape is then described in words, and the list is what makes the
//! fabric differ from whole groups.
//!
//! Levels are those of the tree, see [`Topology::levels`]: a host on a spine makes no leaf switch of it, and a
//! management switch behind one is not a further level. Both are listed.

use std::collections::BTreeSet;

use crate::limit::TooLarge;
use crate::topology::{Levels, NodeId, NodeKind, Topology};

use super::differences::{Difference, changed, listed, strays};
use super::pgft::Pgft;
use super::pods::{Pod, pods, top_planes};
use super::repair::repaired;
use super::steps::{Group, Steps};

/// One part in this many of the cables between switches may differ: beyond that the shape with the
/// usual numbers says nothing about the fabric.
const LEAST_WHOLE: u64 = 4;

/// The shape of a fabric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The tree with the usual numbers; `None` without switches, or where links at most join switches
    /// of one level.
    pub tree: Option<Pgft>,
    /// Differences from it: none for a whole tree. Of an irregular fabric only the cables that do not
    /// join neighbouring levels, the hosts that are not at leaf switches, and switches that stand aside.
    pub differences: Vec<Difference>,
    /// Why the fabric with all differences undone is neither that tree nor one of whole groups; `None` where
    /// it is.
    pub irregular: Option<String>,
    /// Why no tree of the family XGFT has these numbers, where the fabric consists of whole groups.
    pub no_pgft: Option<String>,
    /// Number of groups of every step, host cables first: lower switches that are joined to the same upper
    /// ones.
    pub groups: Vec<usize>,
    /// The pods: switches that are joined below the top. None where there are fewer than three levels, or the
    /// fabric is irregular.
    pub pods: Vec<Pod>,
    /// The planes of top switches: those above the same switches. None where there is one level, or the fabric is
    /// irregular.
    pub top_planes: Vec<Vec<NodeId>>,
    /// The level of every node: 0 for hosts at leaf switches, 1 for leaf switches; `None` for other hosts and
    /// switches that stand aside.
    pub levels: Vec<Option<u8>>,
}

impl Shape {
    /// The shape of a network. O(links · log(links) + Σ over switches of their neighbours²).
    ///
    /// # Errors
    /// [`TooLarge`] where groups cannot be compared within the limit.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{fabric::Shape, failure, topology};
    /// let tree = topology::generate("ft(8,2)")?;
    /// let first = failure::between_switches(&tree).remove(0);
    /// let shape = Shape::of(&failure::damage(&tree, &[first])?.topology)?;
    /// assert_eq!(shape.tree.map(|tree| tree.to_string()).as_deref(), Some("ft(8,2)"));
    /// assert_eq!((shape.differences.len(), shape.irregular), (1, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(topology: &Topology) -> Result<Self, TooLarge> {
        let cabling = Cabling::of(topology)?;
        let Cabling { levels, steps, groups, .. } = &cabling;
        let mut differences: Vec<Difference> =
            steps.odd.iter().cloned().map(Difference::Sideways).collect();
        differences.extend(strays(topology, levels));
        let found = Self { levels: levels.all().to_vec(), differences, ..Self::default() };
        let Some(tree) = Pgft::usual(&steps.steps, groups) else {
            // No cable is across levels where there are none.
            let irregular = Some("there is no switch".to_string());
            return Ok(Self { irregular, differences: Vec::new(), ..found });
        };
        if steps.steps.len() == 1 && !steps.odd.is_empty() {
            return Ok(Self {
                differences: strays(topology, levels),
                ..found.direct(steps.odd.len())
            });
        }
        let listed = listed(steps, groups, &tree);
        match cabling.judged(&tree, &listed) {
            // What differs from a tree that it never was is not damage.
            Err(why) => Ok(Self { tree: Some(tree), irregular: Some(why), ..found }),
            Ok(no_pgft) => Ok(Self {
                no_pgft,
                differences: ordered(found.differences, listed),
                groups: groups.iter().map(Vec::len).collect(),
                pods: pods(topology, levels, groups),
                top_planes: top_planes(groups),
                tree: Some(tree),
                ..found
            }),
        }
    }

    /// A network of leaf switches that are joined to each other: these cables are its shape, not what differs from one.
    fn direct(self, cables: usize) -> Self {
        let irregular = match cables {
            1 => "the cable between switches joins leaf switches, as in no tree".to_string(),
            _ => format!("all {cables} cables between switches join leaf switches, as in no tree"),
        };
        Self { irregular: Some(irregular), ..self }
    }

    /// Whether the fabric has the shape without any difference.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.differences.is_empty() && self.irregular.is_none()
    }

    /// The tree as a spec or as `pgft(h;m;w;p)`; in words where no tree of the family has these numbers; `None`
    /// without a tree.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let tree = self.tree.as_ref()?;
        Some(match &self.no_pgft {
            None => tree.to_string(),
            Some(_) => tree.words(&self.groups),
        })
    }
}

/// Differences of cables and switches before those of hosts, as switches matter more.
fn ordered(strays: Vec<Difference>, listed: Vec<Difference>) -> Vec<Difference> {
    let mut all: Vec<Difference> = strays.into_iter().chain(listed).collect();
    all.sort_by_key(|one| match one {
        Difference::Hosts { .. } => 2,
        Difference::HostsAbove { .. } => 1,
        _ => 0,
    });
    all
}

/// The levels of a network, and the cables between them.
struct Cabling<'t> {
    topology: &'t Topology,
    levels: &'t Levels,
    steps: Steps,
    groups: Vec<Vec<Group>>,
}

impl<'t> Cabling<'t> {
    fn of(topology: &'t Topology) -> Result<Self, TooLarge> {
        let levels = topology.levels();
        let steps = Steps::of(topology, levels);
        let groups = steps.steps.iter().map(|step| step.groups(topology));
        let groups = groups.collect::<Result<_, _>>()?;
        Ok(Self { topology, levels, steps, groups }.with_empty_leaves())
    }

    /// Leaf switches without hosts are groups of their own.
    fn with_empty_leaves(mut self) -> Self {
        let Some(first) = self.groups.first_mut() else { return self };
        let known: BTreeSet<NodeId> =
            first.iter().flat_map(|group| group.parents.iter().copied()).collect();
        let is_empty = |node: &NodeId| self.levels.level(*node) == Some(1) && !known.contains(node);
        let empty = self.topology.node_numbers().filter(is_empty);
        first.extend(empty.map(|leaf| Group { children: Vec::new(), parents: vec![leaf] }));
        self
    }

    /// Why no tree of the family XGFT has the numbers of a fabric of whole groups; `None` where one has.
    ///
    /// # Errors
    /// Why the fabric is irregular.
    fn judged(&self, tree: &Pgft, listed: &[Difference]) -> Result<Option<String>, String> {
        if let Some(why) = self.too_different(tree) {
            return Err(why);
        }
        match repaired(self.topology, &self.steps, self.levels, &self.groups, tree) {
            Err(why) if self.is_grouped(tree, listed) => Ok(Some(why)),
            of_family => of_family.map(|()| None),
        }
    }

    /// Whether the fabric consists of groups that are whole up to some differences, which are listed.
    fn is_grouped(&self, tree: &Pgft, listed: &[Difference]) -> bool {
        let (topology, levels) = (self.topology, self.levels);
        let of_level = |wanted: usize| {
            let level = |node: &NodeId| levels.level(*node).map(usize::from);
            topology.node_numbers().filter(|node| level(node) == Some(wanted)).count()
        };
        // The step above level i has index i.
        let between = || self.groups.iter().enumerate().skip(1);
        let complete = between().all(|(lower, groups)| {
            let children: usize = groups.iter().map(|group| group.children.len()).sum();
            let parents: usize = groups.iter().map(|group| group.parents.len()).sum();
            children == of_level(lower) && parents == of_level(lower + 1)
        });
        let usual = between().all(|(lower, groups)| {
            let is_usual = |group: &&Group| group.parents.len() == tree.parents(lower);
            let children = groups.iter().filter(is_usual).map(|group| group.children.len());
            2 * children.sum::<usize>() > of_level(lower)
        });
        let joined =
            |(lower, groups): (usize, &Vec<Group>)| pairs(groups) * u64::from(tree.cables(lower));
        let joined: u64 = between().map(joined).sum();
        self.groups.len() > 1 && complete && usual && changed(listed) * LEAST_WHOLE <= joined
    }

    /// Why listing the differences would be useless, if it would.
    fn too_different(&self, tree: &Pgft) -> Option<String> {
        let is_switch = |node: NodeId| self.topology.node(node).kind == NodeKind::Switch;
        let mut cables = self.steps.odd.len() as u64;
        let mut differ = cables;
        for (at, (step, groups)) in self.steps.steps.iter().zip(&self.groups).enumerate() {
            let between = step.bundles.iter().filter(|((child, _), _)| is_switch(*child));
            let present: u64 = between.map(|(_, count)| u64::from(*count)).sum();
            cables += present;
            if at > 0 {
                differ += (pairs(groups) * u64::from(tree.cables(at))).abs_diff(present);
            }
        }
        (differ * LEAST_WHOLE > cables).then(|| {
            format!(
                "{differ} of {cables} cables between switches differ from {tree}, the tree with its \
                 usual numbers of neighbours"
            )
        })
    }
}

/// Number of pairs of a lower and an upper node of the same group.
fn pairs(groups: &[Group]) -> u64 {
    groups.iter().map(|group| (group.children.len() * group.parents.len()) as u64).sum()
}
