//! Paths through the top of a tree by forwarding tables, destination by destination.
//!
//! All that comes to a switch for a destination leaves it by one link. So the number of the ancestor through which
//! paths lead from there is found once for each switch, from the top down, whatever number of sources come through it.

use std::ops::Range;

use rayon::prelude::*;

use super::Tile;
use crate::progress::{Progress, Stopped};
use crate::routing::ByDestination;
use crate::topology::{Host, LinkId, NodeId, Xgft};

/// In the place of a number: no path, or one that the number of no ancestor describes.
const NONE: u16 = u16::MAX;

/// Maximum number of numbers: switches that hosts are attached to, times destinations.
const MAX_NUMBERS: usize = 1 << 27;

/// The numbers of the ancestors at the top through which tables lead from the switches of hosts.
pub(super) struct TopAncestors {
    /// The switches of hosts.
    leaves: Range<NodeId>,
    /// Number of hosts of a subtree below the top.
    hosts: usize,
    /// For every subtree of destinations, by switch, and by the destination's place in the subtree: the number, or
    /// [`NONE`]. Those of the subtree's own switches mean nothing.
    numbers: Vec<Vec<u16>>,
    /// Number of ancestors at the top that a link leads to, by height, from 1 on, of the subtree that it leaves.
    pub(super) ancestors_above: Vec<u32>,
}

/// The links between a level and the next one.
struct Level {
    /// The nodes below them.
    nodes: Range<NodeId>,
    /// Number of these nodes in one subtree of their height, and of the links up from it.
    wide: usize,
    links: u32,
    /// Number of ancestors at the top that a link leads to.
    ancestors: u32,
    /// The first link up and the first link down.
    up: LinkId,
    down: LinkId,
}

impl Level {
    /// Whether a link is the one that leads to or from an ancestor, among those of a subtree, of which `first` is the
    /// first.
    #[inline]
    fn leads_to(&self, ancestor: u32, first: LinkId, link: LinkId) -> bool {
        let place = link.wrapping_sub(first);
        place < self.links && ancestor.wrapping_sub(place * self.ancestors) < self.ancestors
    }
}

/// The paths to one destination after another.
struct Walk<'w> {
    next: &'w dyn ByDestination,
    tree: &'w Xgft,
    levels: &'w [Level],
    switches: &'w [NodeId],
    /// By switch, the next link to the destination, with the node that it leads to.
    ways: Vec<Option<(LinkId, NodeId)>>,
    /// By switch, the number of the ancestor, or [`NONE`].
    known: Vec<u16>,
}

impl TopAncestors {
    /// Follows tables from all switches to all hosts. `None` where hosts have several links, or there are more numbers
    /// than are kept. O(nodes·hosts) on all threads.
    pub(super) fn follow(
        tree: &Xgft,
        next: &dyn ByDestination,
        progress: &Progress,
    ) -> Result<Option<Self>, Stopped> {
        let (top, leaves) = (tree.height(), tree.nodes_on_level(1));
        let hosts = tree.subtree_hosts(top - 1) as usize;
        let is_much = leaves.len().saturating_mul(tree.hosts()) > MAX_NUMBERS;
        if tree.parents(1) > 1 || is_much || tree.shortest_paths(top) > u32::from(NONE) {
            return Ok(None);
        }
        let levels: Vec<Level> = (0..top).map(|level| level_of(tree, level)).collect();
        let switches: Vec<NodeId> = (leaves.start..tree.nodes_on_level(top).end).collect();
        let numbers_of = |destinations: &[Host]| {
            let (ways, known) = (Vec::new(), vec![NONE; switches.len()]);
            let mut walk = Walk { next, tree, levels: &levels, switches: &switches, ways, known };
            let mut numbers = vec![NONE; leaves.len() * hosts];
            for (place, d) in destinations.iter().enumerate() {
                progress.check()?;
                walk.all_to(*d);
                let places = numbers[place..].iter_mut().step_by(hosts);
                places.zip(&walk.known).for_each(|(number, known)| *number = *known);
            }
            Ok(numbers)
        };
        let numbers = tree.hosts_in_order().par_chunks(hosts).map(numbers_of);
        let numbers = numbers.collect::<Result<_, _>>()?;
        let ancestors_above = levels[1..].iter().map(|level| level.ancestors).collect();
        Ok(Some(Self { leaves: leaves.clone(), hosts, numbers, ancestors_above }))
    }

    /// The number of the ancestor through which tables lead from a switch of hosts to a destination in another subtree,
    /// given by that subtree and its place there; `None` where no number describes the path.
    #[inline]
    pub(super) fn number(&self, leaf: NodeId, (subtree, to): (usize, usize)) -> Option<u32> {
        let number = self.row(leaf, subtree)?[to];
        (number != NONE).then_some(number.into())
    }

    /// The numbers from a switch to all destinations in another subtree.
    fn row(&self, leaf: NodeId, subtree: usize) -> Option<&[u16]> {
        let place = leaf.checked_sub(self.leaves.start).filter(|_| leaf < self.leaves.end)?;
        Some(&self.numbers[subtree][place as usize * self.hosts..][..self.hosts])
    }
}

fn level_of(tree: &Xgft, level: usize) -> Level {
    let (up, down) = tree.link_id(level, 0, 0, 0);
    let links = tree.shortest_paths(level + 1);
    Level {
        nodes: tree.nodes_on_level(level),
        wide: tree.shortest_paths(level) as usize,
        links,
        ancestors: tree.shortest_paths(tree.height()) / links,
        up,
        down,
    }
}

impl Walk<'_> {
    /// Finds the numbers of all switches on paths over the top to a destination; those of others are [`NONE`].
    fn all_to(&mut self, d: Host) {
        let hosts = self.tree.hosts();
        self.next.next_of(self.switches, d, &mut self.ways);
        for top in self.tree.nodes_on_level(self.tree.height()) {
            self.known[top as usize - hosts] = self.down_to(d, top).unwrap_or(NONE);
        }
        for level in self.levels.iter().skip(1).rev() {
            for (subtree, node) in (0..).zip(level.nodes.clone().step_by(level.wide)) {
                let (first, switch) = (level.up + subtree * level.links, node as usize - hosts);
                for switch in switch..switch + level.wide {
                    self.known[switch] = self.up_from(switch, (level, first));
                }
            }
        }
    }

    /// The number of the node above, if the link that leads there is the one that this number describes.
    #[inline]
    fn up_from(&self, switch: usize, (level, first): (&Level, LinkId)) -> u16 {
        let Some((link, above)) = self.ways[switch] else { return NONE };
        let place = (above as usize).wrapping_sub(self.tree.hosts());
        let number = self.known.get(place).copied().unwrap_or(NONE);
        if level.leads_to(number.into(), first, link) { number } else { NONE }
    }

    /// The number of the ancestor that describes the path from a top switch down to a destination.
    fn down_to(&self, d: Host, top: NodeId) -> Option<u16> {
        let (mut at, mut ancestor) = (top, None);
        for (height, level) in self.levels.iter().enumerate().rev() {
            let first = level.down + self.tree.subtree(d, height) * level.links;
            let switch = (at as usize).checked_sub(self.tree.hosts())?;
            let (link, below) = self.ways[switch]?;
            let number = *ancestor.get_or_insert(link.wrapping_sub(first));
            level.leads_to(number, first, link).then_some(())?;
            at = below;
        }
        u16::try_from(ancestor?).ok().filter(|_| at == d)
    }
}

impl Tile<'_, '_> {
    /// How many sources, from the one in a place on, enter tables at the same node, where their paths lead through the
    /// top; their numbers of ancestors are written to `row`.
    pub(super) fn by_tables(
        &self,
        first: usize,
        sources: &[Host],
        row: &mut Vec<u32>,
    ) -> Option<usize> {
        let Self { subtrees, .. } = self;
        let entry = |s: &Host| subtrees.instance.routing.enters_at(*s);
        let (ancestors, leaf) = (subtrees.top_ancestors()?, entry(&sources[first])?);
        let numbers = ancestors.row(leaf, self.down as usize / 2)?;
        if self.up + 1 == self.down || numbers.contains(&NONE) {
            return None;
        }
        row.clear();
        row.extend(numbers.iter().map(|number| u32::from(*number)));
        Some(sources[first..].iter().take_while(|s| entry(s) == Some(leaf)).count())
    }
}
