//! Grouping of switches that the drawing shows as one.
//!
//! A drawing is readable up to some boxes a row. The finest of these grains that fits is taken: every
//! switch; siblings alike, which are switches of a subtree whose cables carry the same worst loads, drawn once;
//! equal subtrees as well drawn once; the switches of a level within a subtree as one; the same with equal
//! subtrees drawn once; every level as one. Subtrees of height h are what remains connected without the
//! levels above h, so that damaged and irregular networks have them too. Whatever the grain, every switch is
//! in one box, and every cable in one bundle.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::unionfind::UnionFind;

use super::drawn::{DrawnNetwork, DrawnNode, ranks};

/// Maximum number of boxes per row.
const ROW: usize = 34;

/// Maximum number of bundles of cables.
const BUNDLES: usize = 420;

/// Maximum number of subtree heights to try, from the top.
const HEIGHTS: usize = 8;

/// Maximum number of switches per level of a subtree that is drawn switch by switch.
const FOCUS: usize = 20;

/// Meaning of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    /// A switch.
    Switch,
    /// Switches of a subtree of this height whose cables carry the same loads.
    Alike(u8),
    /// Switches like those of [`Self::Alike`], in all subtrees that are equal.
    AlikeInEqual(u8),
    /// The switches of a level of a subtree of this height.
    Subtree(u8),
    /// The switches of a level of all subtrees of this height that are equal.
    EqualSubtrees(u8),
    /// The switches of a level.
    Level,
    /// The switches of a subtree one by one, the others by level.
    Focus,
}

/// The nodes of a network in groups.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    /// Meaning of a group.
    pub grain: Grain,
    /// The group of every node, numbered from left to right.
    pub group_of: Vec<usize>,
    /// Number of groups.
    pub groups: usize,
    /// The subtrees, and the nodes from left to right.
    pub subtrees: Subtrees,
}

/// The subtrees of a network.
#[derive(Clone, Debug)]
pub(super) struct Subtrees {
    /// From the least height that is distinguished: the height, and the first node of the subtree that each node of at
    /// most this level is in.
    pub by_height: Vec<(u8, Vec<usize>)>,
    /// The first node of the subtree at the height of the level of each node.
    own: Vec<usize>,
    /// The nodes from left to right, whatever their level.
    pub order: Vec<usize>,
}

type Key = (usize, usize);

impl Subtrees {
    fn of(network: &DrawnNetwork) -> Self {
        let count = network.nodes.len();
        let height = network.height();
        let level = |node: usize| network.nodes[node].level;
        let mut by_level: Vec<Vec<(usize, usize)>> = vec![Vec::new(); usize::from(height) + 1];
        for cable in &network.cables {
            by_level[usize::from(level(cable.high))].push((cable.low, cable.high));
        }
        let mut together = UnionFind::new(count);
        let (mut by_height, mut own) = (Vec::new(), vec![0; count]);
        let mut order: Vec<usize> = (0..count).collect();
        for (of, cables) in (0..=height).zip(by_level) {
            for (a, b) in &cables {
                together.union(*a, *b);
            }
            let mut first: BTreeMap<usize, usize> = BTreeMap::new();
            let label = |node| *first.entry(together.find(node)).or_insert(node);
            let labels: Vec<usize> = (0..count).map(label).collect();
            (0..count).filter(|node| level(*node) == of).for_each(|node| own[node] = labels[node]);
            if usize::from(height - of) < HEIGHTS {
                order.sort_by_key(|node| labels[*node]);
                by_height.push((of, labels));
            }
        }
        Self { by_height, own, order }
    }

    /// A number for the subtree of this height that a node is in, and another for that of its own level if it is
    /// above. These are not the same even where their first nodes are.
    fn at(&self, network: &DrawnNetwork, (height, labels): &(u8, Vec<usize>)) -> Vec<usize> {
        let of = |(node, own): (usize, &usize)| {
            let level = network.nodes[node].level;
            let above = own + self.own.len() * usize::from(level);
            if level <= *height { labels[node] } else { above }
        };
        self.own.iter().enumerate().map(of).collect()
    }
}

/// Groups of nodes, and how many they are.
type Groups = (Vec<usize>, usize);

/// The groups of nodes with the same key, numbered from left to right.
fn groups(keys: &[Key], order: &[usize]) -> Groups {
    let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
    let mut group_of = vec![0; keys.len()];
    for node in order {
        let next = numbers.len();
        group_of[*node] = *numbers.entry(keys[*node]).or_insert(next);
    }
    (group_of, numbers.len())
}

impl Fold {
    fn of(grain: Grain, (group_of, groups): Groups, subtrees: Subtrees) -> Self {
        Self { grain, group_of, groups, subtrees }
    }

    /// The drawing of a network at the finest grain that is readable. O(cables · log(cables)).
    pub(super) fn readable(network: &DrawnNetwork) -> Self {
        let subtrees = Subtrees::of(network);
        let single: Vec<Key> = (0..network.nodes.len()).map(|node| (node, 0)).collect();
        let every = groups(&single, &subtrees.order);
        if is_readable(network, &every) {
            return Self::of(Grain::Switch, every, subtrees);
        }
        if let Some((grain, found)) = folded(network, &subtrees) {
            return Self::of(grain, found, subtrees);
        }
        let level = |node: &DrawnNode| (usize::from(node.level), 0);
        let keys: Vec<Key> = network.nodes.iter().map(level).collect();
        let levels = groups(&keys, &subtrees.order);
        Self::of(Grain::Level, levels, subtrees)
    }

    /// The subtree of a cable switch by switch, and its upper end; the other switches by level.
    pub(super) fn focused(network: &DrawnNetwork, cable: usize) -> Self {
        let subtrees = Subtrees::of(network);
        let (low, high) = (network.cables[cable].low, network.cables[cable].high);
        let mut shown: BTreeSet<usize> = [low, high].into();
        let level = |node: usize| network.nodes[node].level;
        for (height, labels) in subtrees.by_height.iter().filter(|of| of.0 >= level(low)) {
            let within = |node: &usize| level(*node) <= *height && labels[*node] == labels[low];
            let members: Vec<usize> = (0..network.nodes.len()).filter(within).collect();
            let mut rows: BTreeMap<u8, usize> = BTreeMap::new();
            for node in &members {
                *rows.entry(level(*node)).or_default() += 1;
            }
            if rows.values().any(|count| *count > FOCUS) {
                break;
            }
            shown.extend(members);
        }
        let key = |node: usize| {
            if shown.contains(&node) { (0, node) } else { (1, usize::from(level(node))) }
        };
        let keys: Vec<Key> = (0..network.nodes.len()).map(key).collect();
        let found = groups(&keys, &subtrees.order);
        Self::of(Grain::Focus, found, subtrees)
    }

    /// The nodes of every group, from left to right.
    pub(super) fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.groups];
        self.subtrees.order.iter().for_each(|node| members[self.group_of[*node]].push(*node));
        members
    }
}

/// The finest grain between single switches and whole levels that is readable, if any is.
fn folded(network: &DrawnNetwork, subtrees: &Subtrees) -> Option<(Grain, Groups)> {
    let alike = signatures(network);
    let level: Vec<usize> = network.nodes.iter().map(|node| usize::from(node.level)).collect();
    // Of the whole height there is one subtree, which says no more than the levels do.
    let is_part = |height: &&(u8, Vec<usize>)| height.0 < network.height().max(1);
    let mut heights: Vec<&(u8, Vec<usize>)> = subtrees.by_height.iter().filter(is_part).collect();
    for (is_alike, folds) in [(true, false), (true, true), (false, false), (false, true)] {
        let within = if is_alike { &alike } else { &level };
        // Lower subtrees are more of them; of equal ones the highest are distinguished best.
        heights.sort_by_key(|height| if folds { u8::MAX - height.0 } else { height.0 });
        for height in &heights {
            let mut of = subtrees.at(network, height);
            if folds {
                of = equal(&of, &alike);
            }
            let keys: Vec<Key> = of.iter().copied().zip(within.iter().copied()).collect();
            let found = groups(&keys, &subtrees.order);
            if is_readable(network, &found) {
                let grain = match (is_alike, folds) {
                    (true, false) => Grain::Alike(height.0),
                    (true, true) => Grain::AlikeInEqual(height.0),
                    (false, false) => Grain::Subtree(height.0),
                    (false, true) => Grain::EqualSubtrees(height.0),
                };
                return Some((grain, found));
            }
        }
    }
    None
}

/// Whether the boxes and bundles are few enough to distinguish.
fn is_readable(network: &DrawnNetwork, (group_of, groups): &Groups) -> bool {
    let mut level = vec![None; *groups];
    for (of, node) in group_of.iter().zip(&network.nodes) {
        level[*of] = Some(node.level);
    }
    let mut wide: BTreeMap<u8, usize> = BTreeMap::new();
    for level in level.into_iter().flatten() {
        *wide.entry(level).or_default() += 1;
    }
    if wide.values().any(|count| *count > ROW) {
        return false;
    }
    let ends = network.cables.iter().map(|cable| (group_of[cable.low], group_of[cable.high]));
    ends.collect::<BTreeSet<(usize, usize)>>().len() <= BUNDLES
}

/// A number for every node: the same where level, hosts and the multiset of the loads of the cables down,
/// across and up are the same.
fn signatures(network: &DrawnNetwork) -> Vec<usize> {
    let mut cables: Vec<Vec<(u8, [u32; 2])>> = vec![Vec::new(); network.nodes.len()];
    for (cable, mut loads) in network.cables.iter().zip(ranks(network)) {
        let (low, high) = (network.nodes[cable.low].level, network.nodes[cable.high].level);
        let is_flat = low == high;
        if is_flat {
            // Neither direction is up.
            loads.sort_unstable();
        }
        cables[cable.low].push((if is_flat { 1 } else { 2 }, loads));
        cables[cable.high].push((u8::from(is_flat), loads));
    }
    let mut known = BTreeMap::new();
    let of = cables.into_iter().zip(&network.nodes).map(|(mut cables, node)| {
        cables.sort_unstable();
        let next = known.len();
        *known.entry((node.level, node.hosts, cables)).or_insert(next)
    });
    of.collect()
}

/// A number for every node: the same where the subtrees have the same multiset of signatures.
fn equal(subtree: &[usize], signatures: &[usize]) -> Vec<usize> {
    let mut of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (subtree, signature) in subtree.iter().zip(signatures) {
        of.entry(*subtree).or_default().push(*signature);
    }
    let mut known: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    let mut class: BTreeMap<usize, usize> = BTreeMap::new();
    for (subtree, mut signatures) in of {
        signatures.sort_unstable();
        let next = known.len();
        class.insert(subtree, *known.entry(signatures).or_insert(next));
    }
    subtree.iter().map(|subtree| class[subtree]).collect()
}
