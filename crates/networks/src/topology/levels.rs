//! The levels of a fabric as a tree: the distance of a switch from the leaf switches, not from any host.
//!
//! The level of a node ([`Node::level`](super::Node::level)) is the distance from the nearest host, so one management
//! host on a spine makes this a leaf and moves all that is above it. Here the leaf switches are found first:
//!
//! 1. The *usual* number of hosts is the largest number u such that half of all hosts, or more, are at
//!    switches with u hosts or more. A switch with more than u/2 hosts is a candidate.
//! 2. A candidate with fewer than u hosts is none where two or more of its neighbours are candidates, each of which
//!    has fewer such neighbours than itself: it is a spine with many hosts.
//! 3. The candidates are leaf switches, and so is any switch that has the same neighbours, up to damage, as a
//!    leaf switch: those that they share are more than half of those of the one that has more, and three quarters or
//!    more of its own. This finds leaf switches that lost hosts, or all of them, and no top switches above the
//!    spines of two pods of like size. Switches without hosts next to all spines of a single pod are leaf switches
//!    without hosts by this, whatever they were meant for: leaf switches that wait for their hosts have the very same
//!    cables, and no way between hosts gets shorter by them.
//! 4. A switch with hosts that no leaf switch is near, none within three cables, is a leaf switch too if it has
//!    two neighbours, or is in another part of the network: so are those of a pod with few hosts. The one with
//!    most hosts comes first, and 3 applies to it.
//!
//! All other switches have level 1 + their distance from the leaf switches. A cable that skips a level makes it no
//! shorter: a switch with at most a quarter as many neighbours below as usual for a level, and more in the level
//! itself, is above that. There are two exceptions, which have no level and stand *aside*. A level is none, and all
//! above it neither, where at most half of the switches of the level below have a neighbour in it: such as switches
//! behind top switches. A switch with no neighbour above stands aside where it has fewer than a quarter as many
//! neighbours below as usual for its level (counted as in 1): such as a management switch behind a spine, which
//! would be next to the top switches. Reports show what stands aside beside its nearest neighbours that have a level.
//!
//! A host has level 0 at a leaf switch, and none where all of its switches are others. In a network whose
//! labels are known, or without switches, levels are those of the topology.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{NodeId, NodeKind, Topology};

/// Maximum number of pairs of switches with a common neighbour that are compared: above that, 3 is left out.
const MAX_COMPARED: usize = 1 << 28;

/// The fewest cables from leaf switches at which a switch with few hosts is one itself.
const FAR: u8 = 4;

/// The levels of a network as a tree; see [`Topology::levels`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// By node; `None` for switches that stand aside, and hosts that are not at leaf switches.
    of: Vec<Option<u8>>,
    /// By node.
    shown: Vec<u8>,
}

impl Levels {
    /// O(links + Σ over switches of their neighbours²).
    pub(super) fn of(topology: &Topology) -> Self {
        if topology.tree().is_some() {
            return Self::distances(topology);
        }
        let wiring = Wiring::of(topology);
        if wiring.hosts.iter().all(|hosts| *hosts == 0) {
            return Self::distances(topology);
        }
        let mut of = wiring.above(&wiring.leaves());
        wiring.cut_above_the_top(&mut of);
        wiring.set_aside(&mut of);
        let shown = wiring.beside(&of, topology);
        let mut near: Vec<Option<bool>> = vec![None; topology.hosts()];
        for (from, to) in topology.link_numbers().filter_map(|link| topology.ends(link)) {
            for (host, switch) in [(from, to), (to, from)] {
                let near = near.get_mut(host as usize).filter(|_| !wiring.is_host(switch));
                if let Some(near) = near {
                    *near = Some(*near == Some(true) || of[switch as usize] == Some(1));
                }
            }
        }
        for (level, near) in of.iter_mut().zip(near) {
            *level = (near != Some(false)).then_some(0);
        }
        Self { of, shown }
    }

    /// The levels of some of the nodes.
    pub(super) fn of_nodes(&self, nodes: &[NodeId]) -> Self {
        Self {
            of: nodes.iter().map(|node| self.level(*node)).collect(),
            shown: nodes.iter().map(|node| self.shown(*node)).collect(),
        }
    }

    /// The levels of the topology, which are distances.
    fn distances(topology: &Topology) -> Self {
        let shown: Vec<u8> = topology.graph().node_weights().map(|node| node.level).collect();
        Self { of: shown.iter().copied().map(Some).collect(), shown }
    }

    /// The level of a node: 0 for hosts at leaf switches, 1 for leaf switches; `None` for other hosts, and for
    /// switches that stand aside.
    #[must_use]
    pub fn level(&self, node: NodeId) -> Option<u8> {
        self.of.get(node as usize).copied().flatten()
    }

    /// The level that reports show, which every node has: 0 for hosts wherever they are, and for a switch that stands
    /// aside that of its nearest neighbours with a level, the highest of several.
    #[must_use]
    pub fn shown(&self, node: NodeId) -> u8 {
        self.shown.get(node as usize).copied().unwrap_or(0)
    }

    /// The highest level.
    #[must_use]
    pub fn height(&self) -> u8 {
        self.of.iter().copied().flatten().max().unwrap_or(0)
    }

    /// The level of every node.
    #[must_use]
    pub fn all(&self) -> &[Option<u8>] {
        &self.of
    }

    /// The nodes that have no level.
    pub fn without(&self) -> impl Iterator<Item = NodeId> + '_ {
        let none = self.of.iter().zip(0..).filter(|(level, _)| level.is_none());
        none.map(|(_, node)| node)
    }
}

/// The neighbours of every node.
struct Wiring {
    /// Number of hosts of the network, which are its first nodes.
    first_switch: usize,
    /// The hosts at a switch.
    hosts: Vec<usize>,
    /// The switches next to a switch, ascending.
    next: Vec<Vec<NodeId>>,
}

impl Wiring {
    fn of(topology: &Topology) -> Self {
        let mut hosts: Vec<Vec<NodeId>> = vec![Vec::new(); topology.nodes()];
        let mut next = hosts.clone();
        let is_switch = |node: NodeId| topology.node(node).kind == NodeKind::Switch;
        for (from, to) in topology.link_numbers().filter_map(|link| topology.ends(link)) {
            for (node, other) in [(from, to), (to, from)] {
                if is_switch(node) {
                    let list = if is_switch(other) { &mut next } else { &mut hosts };
                    list[node as usize].push(other);
                }
            }
        }
        for list in hosts.iter_mut().chain(&mut next) {
            list.sort_unstable();
            list.dedup();
        }
        let hosts = hosts.iter().map(Vec::len).collect();
        Self { first_switch: topology.hosts(), hosts, next }
    }

    fn is_host(&self, node: NodeId) -> bool {
        (node as usize) < self.first_switch
    }

    fn switches(&self) -> std::ops::Range<usize> {
        self.first_switch..self.hosts.len()
    }

    fn next(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.next[node].iter().map(|node| *node as usize)
    }

    /// Number of neighbours for which something holds.
    fn count(&self, node: usize, holds: impl Fn(usize) -> bool) -> usize {
        self.next(node).filter(|other| holds(*other)).count()
    }

    /// By node whether it is a leaf switch.
    fn leaves(&self) -> Vec<bool> {
        let usual = usual(self.hosts.clone());
        let candidate: Vec<bool> = self.hosts.iter().map(|hosts| 2 * hosts > usual).collect();
        let near = |node: usize| self.count(node, |other| candidate[other]);
        let near: Vec<usize> = (0..self.hosts.len()).map(near).collect();
        let is_spine = |node: usize| {
            let mut others = self.next(node).filter(|other| candidate[*other]);
            self.hosts[node] < usual && near[node] > 1 && others.all(|o| near[o] < near[node])
        };
        let is_leaf = |node: usize| candidate[node] && !is_spine(node);
        let mut found = Found::none(self.hosts.len());
        let first: Vec<usize> = self.switches().filter(|node| is_leaf(*node)).collect();
        self.add(&mut found, first);
        while let Some(far) = self.far(&found) {
            self.add(&mut found, vec![far]);
        }
        found.leaf
    }

    /// The switch with most hosts, the first among equals, that has no leaf switch near it.
    fn far(&self, found: &Found) -> Option<usize> {
        let is_far = |node: &usize| {
            let distance = found.distance[*node];
            self.hosts[*node] > 0
                && distance.is_none_or(|cables| cables >= FAR && self.next[*node].len() > 1)
        };
        let far = self.switches().filter(is_far);
        far.max_by_key(|node| (self.hosts[*node], std::cmp::Reverse(*node)))
    }

    /// Adds leaf switches, and those with the same neighbours.
    fn add(&self, found: &mut Found, new: Vec<usize>) {
        let compared: usize = self.next.iter().map(|next| next.len().saturating_pow(2)).sum();
        let mut queue: VecDeque<usize> = VecDeque::new();
        let mut reached: VecDeque<usize> = VecDeque::new();
        let mut shared = vec![0; self.next.len()];
        for leaf in new {
            found.leaf[leaf] = true;
            queue.push_back(leaf);
        }
        while let Some(leaf) = queue.pop_front() {
            found.distance[leaf] = Some(0);
            reached.push_back(leaf);
            if compared > MAX_COMPARED {
                continue;
            }
            for twin in self.twins(leaf, &mut shared) {
                if !found.leaf[twin] {
                    found.leaf[twin] = true;
                    queue.push_back(twin);
                }
            }
        }
        self.spread(&mut found.distance, reached);
    }

    /// The switches that have the same neighbours, up to damage. `shared` is 0 for every node, before and after.
    fn twins(&self, leaf: usize, shared: &mut [usize]) -> Vec<usize> {
        let mut met = Vec::new();
        for other in self.next(leaf).flat_map(|next| self.next(next)).filter(|o| *o != leaf) {
            if shared[other] == 0 {
                met.push(other);
            }
            shared[other] += 1;
        }
        let own = self.next[leaf].len();
        met.retain(|other| {
            let (both, others) = (std::mem::take(&mut shared[*other]), self.next[*other].len());
            2 * both > own.max(others) && 4 * (others - both) <= others
        });
        met
    }

    /// Spreads distances from nodes that were reached, where they get shorter.
    fn spread(&self, distance: &mut [Option<u8>], mut reached: VecDeque<usize>) {
        while let Some(node) = reached.pop_front() {
            let Some(more) = distance[node].and_then(|cables| cables.checked_add(1)) else {
                continue;
            };
            for other in self.next(node) {
                if distance[other].is_none_or(|cables| cables > more) {
                    distance[other] = Some(more);
                    reached.push_back(other);
                }
            }
        }
    }

    /// The levels of switches by their distance from the leaf switches, but for single cables that skip a level.
    fn above(&self, leaf: &[bool]) -> Vec<Option<u8>> {
        let mut of: Vec<Option<u8>> = leaf.iter().map(|leaf| leaf.then_some(1)).collect();
        let mut reached: Vec<usize> = (0..leaf.len()).filter(|node| leaf[*node]).collect();
        for level in 2..=u8::MAX {
            let is_below = |node: usize| of[node] == Some(level - 1);
            let next = reached.iter().flat_map(|node| self.next(*node));
            let next: BTreeSet<usize> = next.filter(|node| of[*node].is_none()).collect();
            let below: BTreeMap<usize, usize> =
                next.into_iter().map(|node| (node, self.count(node, is_below))).collect();
            let usual = usual(below.values().copied().collect());
            let is_beside = |other: usize| below.get(&other).is_some_and(|below| 4 * below > usual);
            let is_higher = |node: usize, below: usize| {
                4 * below <= usual && self.count(node, is_beside) > below
            };
            let here = below.iter().filter(|(node, below)| !is_higher(**node, **below));
            reached = here.map(|(node, _)| *node).collect();
            for node in &reached {
                of[*node] = Some(level);
            }
        }
        of
    }

    /// Takes away levels that at most half of the switches of the level below lead to.
    fn cut_above_the_top(&self, of: &mut [Option<u8>]) {
        let height = of.iter().copied().flatten().max().unwrap_or(0);
        let joined = |level: u8| {
            let is_below = |node: &usize| of[*node] == Some(level - 1);
            let below: Vec<usize> = self.switches().filter(is_below).collect();
            let up = |node: &&usize| self.count(**node, |o| of[o] == Some(level)) > 0;
            2 * below.iter().filter(up).count() > below.len()
        };
        let Some(cut) = (2..=height).find(|level| !joined(*level)) else { return };
        of.iter_mut().filter(|level| **level >= Some(cut)).for_each(|level| *level = None);
    }

    /// Takes away switches with few neighbours below and none above, highest first.
    fn set_aside(&self, of: &mut [Option<u8>]) {
        let height = of.iter().copied().flatten().max().unwrap_or(0);
        for level in (2..=height).rev() {
            let below = |node: usize| self.count(node, |other| of[other] == Some(level - 1));
            let here = self.switches().filter(|node| of[*node] == Some(level));
            let here: Vec<(usize, usize)> = here.map(|node| (node, below(node))).collect();
            let usual = usual(here.iter().map(|(_, below)| *below).collect());
            let ends =
                |node: usize| self.count(node, |o| of[o] == Some(level.saturating_add(1))) == 0;
            let aside = here.iter().filter(|(node, below)| 4 * below < usual && ends(*node));
            let aside: Vec<usize> = aside.map(|(node, _)| *node).collect();
            for node in aside {
                of[node] = None;
            }
        }
    }

    /// By node the level at which it is shown. Switches without one are shown beside the nearest that have one.
    fn beside(&self, of: &[Option<u8>], topology: &Topology) -> Vec<u8> {
        let mut shown = of.to_vec();
        let mut reached: Vec<usize> = self.switches().filter(|node| of[*node].is_some()).collect();
        while !reached.is_empty() {
            let mut found: BTreeMap<usize, Option<u8>> = BTreeMap::new();
            for node in reached {
                for next in self.next(node).filter(|next| shown[*next].is_none()) {
                    let most = found.entry(next).or_default();
                    *most = (*most).max(shown[node]);
                }
            }
            for (node, level) in &found {
                shown[*node] = *level;
            }
            reached = found.into_keys().collect();
        }
        let distances = topology.graph().node_weights().map(|node| node.level);
        shown
            .into_iter()
            .zip(distances)
            .map(|(level, distance)| level.unwrap_or(distance))
            .collect()
    }
}

/// The leaf switches found so far.
struct Found {
    /// By node.
    leaf: Vec<bool>,
    /// Cables to the nearest of them, by node.
    distance: Vec<Option<u8>>,
}

impl Found {
    fn none(nodes: usize) -> Self {
        Self { leaf: vec![false; nodes], distance: vec![None; nodes] }
    }
}

/// The largest number such that those at least as large make up half of the sum.
fn usual(mut numbers: Vec<usize>) -> usize {
    numbers.sort_unstable();
    let total: usize = numbers.iter().sum();
    let mut sum = 0;
    let reached = numbers.into_iter().rev().find(|number| {
        sum += number;
        2 * sum >= total
    });
    reached.unwrap_or(0)
}
