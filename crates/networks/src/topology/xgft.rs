//! Extended generalized fat-trees XGFT(h; m1..mh; w1..wh), the core of every generated tree
//! (\[RO\] section II, Table I).
//!
//! A host has digits M1..Mh with Mi in `[0, mi)` and number Σ Mi·Π_{j<i} mj. A node of level
//! l has digits (W1..Wl; M_{l+1}..Mh). The up link of step l from (W1..W_{l−1}; Ml..Mh)
//! through port Wl leads to (W1..Wl; M_{l+1}..Mh), and its down link leads back.
//!
//! The index of a node within its level is `A·w1⋯wl + B`, where A is the number of its
//! subtree (M digits, low digits dropped) and B reads the W digits with W1 most significant,
//! so that parent W of index B has index B·w_{l+1} + W. Link ids follow from the indices:
//! all up links of step 1, all down links of step 1, then step 2, and so on.

mod capacities;
mod from_source;
mod graph;
mod hosts;
mod links;

pub use from_source::FromSource;
pub use links::LinkPlace;

use std::ops::Range;

use super::prelude::*;
use super::{Parameters, TreeShape};
use crate::integer::index32;
use crate::limit::within;
use crate::rational::Rational;
use routebound_proof::topology::{Host, LinkId, NodeId};

/// The largest number of switch levels that a tree may have.
pub const MAX_HEIGHT: usize = 16;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "xgft",
    usage: "xgft(h;m1,..,mh;w1,..,wh)",
    about: "extended generalized fat-tree: a node of level i has m_i children and w_{i+1} parents",
    reference: "[RO] II",
    examples: &["xgft(1;3;1)", "xgft(2;4,2;1,2)", "xgft(2;2,3;2,2)", "xgft(3;2,2,2;1,2,1)"],
    build: super::Family { construction: Construction::Tree(parameters), members },
};

/// Trees without full bisection, some of them with several links per host, and their hosts.
const SLIMMED: &[(usize, &str)] = &[
    (6, "xgft(2;2,3;2,2)"),
    (8, "xgft(2;4,2;1,2)"),
    (8, "xgft(3;2,2,2;1,2,1)"),
    (16, "xgft(2;4,4;1,2)"),
    (16, "xgft(2;4,4;1,3)"),
    (16, "xgft(2;4,4;2,3)"),
    (16, "xgft(3;2,2,4;1,2,1)"),
    (27, "xgft(3;3,3,3;1,2,2)"),
    (64, "xgft(2;8,8;1,4)"),
    (64, "xgft(3;4,4,4;1,2,3)"),
    (256, "xgft(2;16,16;1,10)"),
];

/// Slimmed trees, which no other family has.
fn members(hosts: usize) -> Vec<String> {
    SLIMMED.iter().filter(|(size, _)| *size <= hosts).map(|(_, spec)| (*spec).to_string()).collect()
}

fn parameters(spec: &Spec) -> Result<Parameters, TopologyError> {
    let [height, children, parents] = spec.groups.as_slice() else {
        return Err(spec.refused("three groups separated by `;` expected").into());
    };
    if height.len() != 1 {
        return Err(spec.refused("the first group must be the height alone").into());
    }
    let levels = height[0];
    if [children, parents].iter().any(|group| group.len() as u64 != levels) {
        let problem = format!("height {levels} requires {levels} m and {levels} w");
        return Err(spec.refused(problem).into());
    }
    Ok(Parameters { children: children.clone(), parents: parents.clone() })
}

/// The labels of a tree: everything about nodes and links that follows by arithmetic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xgft {
    children: Vec<u32>,
    parents: Vec<u32>,
    /// `child_product[l]` = m1⋯ml.
    child_product: Vec<u32>,
    /// `parent_product[l]` = w1⋯wl.
    parent_product: Vec<u32>,
    /// First node of every level.
    level_start: Vec<u32>,
    /// First up link and first down link of every step, from step 1 at index 0.
    step_start: Vec<(u32, u32)>,
    /// `subtree[l][host]`: number of the subtree of height l that contains the host; at height 0
    /// it is the host itself.
    subtree: Vec<Vec<u32>>,
    /// The hosts in the order of the labels, with those of a subtree contiguous.
    in_order: Vec<Host>,
    is_in_order: bool,
    /// Digit M1 of every host.
    first_digit: Vec<u32>,
    /// How many top switches of the shape a top switch stands for, see [`Self::cables_to_top`].
    cables_to_top: u32,
    /// Capacity of the links of every step, from step 1 at index 0.
    capacity: Vec<Rational>,
}

/// Refuses trees that are too high.
///
/// # Errors
/// [`TooLarge`](crate::limit::TooLarge) above [`MAX_HEIGHT`] levels of switches.
pub(super) fn within_height(height: u64) -> Result<u64, TopologyError> {
    let limit = MAX_HEIGHT as u64;
    Ok(within("height of the tree", Some(height.into()), limit, "choose a lower tree")?)
}

impl Xgft {
    /// The tree with the given m and w; `spec` is for errors.
    ///
    /// # Errors
    /// [`TopologyError`] when the counts of m and w differ, a number is 0, the height is not in
    /// 1..=[`MAX_HEIGHT`], there are fewer than 2 hosts, or the tree has more than
    /// [`Topology::MAX_LINKS`] links.
    pub fn new(spec: &Spec, parameters: &Parameters) -> Result<Self, TopologyError> {
        parameters.check(spec)?;
        let (links, remedy) = (parameters.links(), "choose a smaller tree");
        within("number of links", links, Topology::MAX_LINKS, remedy)?;
        parameters.check_hosts(spec)?;
        let Parameters { children, parents } = parameters;
        let narrow = |numbers: &[u64]| numbers.iter().map(|n| index32(as_size(*n))).collect();
        Ok(Self::from_parts(narrow(children), narrow(parents)))
    }

    /// The tree with the given m and w, as `xgft(h;m1,..,mh;w1,..,wh)` has them.
    ///
    /// # Errors
    /// As [`Self::new`].
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::topology::Xgft;
    /// let tree = Xgft::from_parameters(&[4, 2], &[1, 3])?;
    /// assert_eq!((tree.hosts(), tree.shape()), (8, "xgft(2;4,2;1,3)".into()));
    /// let error = Xgft::from_parameters(&[4, 2], &[1]).unwrap_err().to_string();
    /// assert!(error.contains("2 m, but 1 w"), "{error}");
    /// # Ok::<(), routebound::topology::TopologyError>(())
    /// ```
    pub fn from_parameters(children: &[u64], parents: &[u64]) -> Result<Self, TopologyError> {
        let groups = vec![vec![children.len() as u64], children.to_vec(), parents.to_vec()];
        let (name, options, usage) = (KIND.name.to_string(), Vec::new(), KIND.usage);
        let spec = Spec { name, groups, options, path: None, usage };
        let (children, parents) = (children.to_vec(), parents.to_vec());
        Self::new(&spec, &Parameters { children, parents })
    }

    /// The part of the tree that keeps the first `count` of the m_h subtrees below its roots, at
    /// least one and at most all; ports and host numbers are those of the tree.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("ft(4,4)")?;
    /// let tree = tree.tree().ok_or("no labels")?;
    /// assert_eq!((tree.hosts(), tree.first_subtrees(3).hosts()), (32, 24));
    /// assert_eq!(tree.first_subtrees(9), *tree);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first_subtrees(&self, count: u32) -> Self {
        let mut children = self.children.clone();
        if let Some(all) = children.last_mut() {
            *all = count.clamp(1, *all);
        }
        Self { capacity: self.capacity.clone(), ..Self::from_parts(children, self.parents.clone()) }
    }

    fn from_parts(children: Vec<u32>, parents: Vec<u32>) -> Self {
        let product = |numbers: &[u32]| -> Vec<u32> {
            let mut products = vec![1];
            products.extend(numbers.iter().scan(1, |product, number| {
                *product *= number;
                Some(*product)
            }));
            products
        };
        let (child_product, parent_product) = (product(&children), product(&parents));
        let hosts = child_product[children.len()];
        let per_level = |level: usize| hosts / child_product[level] * parent_product[level];
        let (mut level_start, mut step_start) = (vec![0], Vec::new());
        let (mut node, mut link) = (0, 0);
        for (level, ports) in parents.iter().enumerate() {
            node += per_level(level);
            level_start.push(node);
            let up_links = per_level(level) * ports;
            step_start.push((link, link + up_links));
            link += 2 * up_links;
        }
        let mut tree = Self {
            capacity: vec![Rational::ONE; children.len()],
            children,
            parents,
            child_product,
            parent_product,
            level_start,
            step_start,
            subtree: Vec::new(),
            in_order: Vec::new(),
            is_in_order: true,
            first_digit: Vec::new(),
            cables_to_top: 1,
        };
        tree.place_hosts((0..hosts).collect());
        tree
    }

    /// The m and w of the tree alone.
    #[must_use]
    pub fn tree_shape(&self) -> TreeShape {
        TreeShape::of_labels(self.shape(), &self.children, &self.parents)
    }

    /// Height h: number of switch levels.
    #[must_use]
    pub fn height(&self) -> usize {
        self.children.len()
    }

    /// Number of hosts N = m1⋯mh.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.child_product[self.height()] as usize
    }

    /// The numbers of all hosts.
    #[must_use]
    pub fn host_numbers(&self) -> Range<Host> {
        0..self.child_product[self.height()]
    }

    /// m_i, children of a node of level i, for i in 1..=h.
    #[must_use]
    pub fn children(&self, level: usize) -> u32 {
        self.children[level - 1]
    }

    /// w_i, parents of a node of level i−1, for i in 1..=h.
    #[must_use]
    pub fn parents(&self, level: usize) -> u32 {
        self.parents[level - 1]
    }

    /// Digit M_i of a host, for i in 1..=h.
    #[must_use]
    pub fn digit(&self, host: Host, i: usize) -> u32 {
        if i == 1 {
            self.first_digit[host as usize]
        } else {
            self.subtree[i - 1][host as usize] % self.children[i - 1]
        }
    }

    /// Number of the subtree of height `level` that contains the host: digits M_{level+1}..Mh, for
    /// a level of at least 1. At height 0 it is the host's own number.
    #[must_use]
    pub fn subtree(&self, host: Host, level: usize) -> u32 {
        self.subtree[level][host as usize]
    }

    /// By host, [`Self::subtree`] of it at height `level`.
    #[must_use]
    pub fn subtrees_of_hosts(&self, level: usize) -> &[u32] {
        &self.subtree[level]
    }

    /// Number of hosts in a subtree of height `level`: m1⋯m_level.
    #[must_use]
    pub fn subtree_hosts(&self, level: usize) -> u32 {
        self.child_product[level]
    }

    /// Number of shortest paths of a pair whose nearest common ancestors are at `level`:
    /// w1⋯w_level.
    #[must_use]
    pub fn shortest_paths(&self, level: usize) -> u32 {
        self.parent_product[level]
    }

    /// Level of the nearest common ancestors of two hosts; 0 when they are the same.
    #[must_use]
    pub fn nca_level(&self, s: Host, d: Host) -> usize {
        // From the top, since most pairs meet there.
        let differ = |level: &usize| self.subtree(s, *level) != self.subtree(d, *level);
        (0..self.height()).rfind(differ).map_or(0, |level| level + 1)
    }

    /// Number of nodes on a level.
    #[must_use]
    pub fn level_nodes(&self, level: usize) -> usize {
        let nodes =
            self.hosts() / self.child_product[level] as usize * self.parent_product[level] as usize;
        if level == self.height() { nodes / self.cables_to_top as usize } else { nodes }
    }

    /// The nodes on a level, those of each subtree beside each other.
    #[must_use]
    pub fn nodes_on_level(&self, level: usize) -> Range<NodeId> {
        let first = self.level_start[level];
        first..first + index32(self.level_nodes(level))
    }

    /// First node on a level.
    pub(super) fn level_start(&self, level: usize) -> NodeId {
        self.level_start[level]
    }

    /// Appends the links of the path from `s` to `d` with up-digits W1..WL, L = `up.len()`
    /// being the level of their nearest common ancestors; up links first.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("ft(4,2)")?;
    /// let mut links = Vec::new();
    /// tree.tree().ok_or("labels")?.push_path(0, 2, &[0, 1], &mut links);
    /// let names: Vec<_> = links.iter().map(|l| tree.link_name(*l)).collect();
    /// assert_eq!(names[1], "sw-1-0[4] -> sw-2-1[1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn push_path(&self, s: Host, d: Host, up: &[u32], links: &mut Vec<LinkId>) {
        let first = links.len();
        links.resize(first + 2 * up.len(), 0);
        let (rising, falling) = links[first..].split_at_mut(up.len());
        // The up link of step l from node B of a subtree through port W has place B·w_l + W among
        // those of the subtree, which is B of the node that it leads to.
        let mut b = 0;
        let ends = rising.iter_mut().zip(falling.iter_mut().rev());
        for (level, (port, (rise, fall))) in up.iter().zip(ends).enumerate() {
            b = b * self.parents[level] + port;
            let (up_start, down_start) = self.step_start[level];
            let width = self.parent_product[level + 1];
            *rise = up_start + self.subtree(s, level) * width + b;
            *fall = down_start + self.subtree(d, level) * width + b;
        }
    }

    /// Up and down link between node (`subtree`, `b`) of `level` and its parent `port`.
    #[inline]
    #[must_use]
    pub fn link_id(&self, level: usize, subtree: u32, b: u32, port: u32) -> (LinkId, LinkId) {
        let node = subtree * self.parent_product[level] + b;
        let offset = node * self.parents[level] + port;
        let (up, down) = self.step_start[level];
        (up + offset, down + offset)
    }

    /// Hosts and switches of subtree number `subtree` of height `height`, which is at least 1 and
    /// less than that of the tree; ascending.
    #[must_use]
    pub fn subtree_nodes(&self, height: usize, subtree: u32) -> Vec<NodeId> {
        let size = self.child_product[height] as usize;
        let mut nodes = self.in_order[subtree as usize * size..][..size].to_vec();
        nodes.sort_unstable();
        let level_nodes = |level: usize| {
            // Its subtrees of height `level`, with all their nodes on that level.
            let ratio = self.child_product[height] / self.child_product[level];
            let first = self.level_start[level] + subtree * ratio * self.parent_product[level];
            first..first + ratio * self.parent_product[level]
        };
        nodes.extend((1..=height).flat_map(level_nodes));
        nodes
    }
}

/// Number of directed links of the tree, or `None` when the count overflows.
pub(super) fn count_links(children: &[u64], parents: &[u64]) -> Option<u128> {
    let hosts = children.iter().try_fold(1_u128, |n, m| n.checked_mul(u128::from(*m)))?;
    let (mut nodes, mut links) = (hosts, 0_u128);
    for (m, w) in children.iter().zip(parents) {
        let up = nodes.checked_mul(u128::from(*w))?;
        links = links.checked_add(up.checked_mul(2)?)?;
        nodes = up / u128::from(*m);
    }
    Some(links)
}
