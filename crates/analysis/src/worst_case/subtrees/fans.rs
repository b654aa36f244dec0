//! Paths through the top of a tree, by the numbers of the ancestors there.
//!
//! All paths from one subtree below the top to another have links of the same steps, and the links of a step out of one
//! smaller subtree have numbers one after another: which of them a pair takes follows from the number of its ancestor.
//! So no path is written down, and where all links of such a *fan* are settled, none of its pairs is looked at.
//!
//! Where sources one after another reach every destination through the same ancestor, as all do where the destination
//! decides, the pairs of a link are all those of some sources with some destinations, and are taken at once. So are those
//! of sources that enter forwarding tables at the same switch.

use std::ops::Range;

use super::{HostSet, NOT_WANTED, State, Tile};
use crate::progress::{Progress, Stopped};
use crate::routing::Paths;
use crate::topology::{Host, LinkId};

/// Least number of sources whose pairs are taken at once: a few are taken faster one by one.
pub(super) const LEAST_TOGETHER: usize = 8;

/// The links of one step out of or into one subtree, which have numbers one after another.
struct Fan {
    first: usize,
    /// Whether one is wanted that was not settled before the tile.
    is_open: bool,
}

/// The links of one step of paths through the top of the tree, between two subtrees below it.
pub(super) struct Step {
    /// Number of hosts of a subtree below the step, and of the links of a fan.
    pub(super) hosts: usize,
    links: usize,
    /// Number of ancestors at the top that a link leads to.
    ancestors: u32,
    /// By subtree.
    up: Vec<Fan>,
    down: Vec<Fan>,
}

impl Step {
    /// The link up from the host in a place to an ancestor at the top.
    #[inline]
    pub(super) fn up_link(&self, from: usize, ancestor: u32) -> usize {
        self.up[from / self.hosts].first + (ancestor / self.ancestors) as usize
    }

    /// The link down to the host in a place from an ancestor at the top.
    #[inline]
    pub(super) fn down_link(&self, to: usize, ancestor: u32) -> usize {
        self.down[to / self.hosts].first + (ancestor / self.ancestors) as usize
    }

    /// The number of a link up from the host in a place, if it is one.
    pub(super) fn number(&self, from: usize, link: usize) -> Option<u32> {
        let number = link.checked_sub(self.up[from / self.hosts].first)?;
        u32::try_from(number).ok().filter(|_| number < self.links)
    }
}

impl Tile<'_, '_> {
    /// The steps of paths through the top of the tree.
    pub(super) fn steps(&self) -> Vec<Step> {
        let tree = self.subtrees.tree;
        let of_level = |level: usize| {
            let links = tree.shortest_paths(level + 1);
            let ancestors = tree.shortest_paths(tree.height()) / links;
            let hosts = tree.subtree_hosts(level) as usize;
            let fans = |number: u32, state: &State<'_>, way: fn((LinkId, LinkId)) -> LinkId| {
                let parts = self.subtrees.sides[number as usize].hosts.chunks(hosts);
                let first =
                    |part: &[Host]| way(tree.link_id(level, tree.subtree(part[0], level), 0, 0));
                parts.map(|part| self.fan(first(part), links, state)).collect()
            };
            let up = fans(self.up, self.rising, |(up, _)| up);
            let down = fans(self.down, self.falling, |(_, down)| down);
            Step { hosts, links: links as usize, ancestors, up, down }
        };
        (0..tree.height()).map(of_level).collect()
    }

    /// Links one after another, of one step out of or into one subtree.
    fn fan(&self, first: LinkId, links: u32, state: &State<'_>) -> Fan {
        let first = first as usize;
        let mut places = self.subtrees.place[first..first + links as usize].iter();
        let is_open = |(_, slot): &(u32, u32)| *slot != NOT_WANTED && state.is_open(*slot as usize);
        Fan { first, is_open: places.any(is_open) }
    }

    /// Takes all pairs into account by the numbers of the ancestors at the top through which they lead.
    pub(super) fn take_numbered(
        &mut self,
        (sources, destinations): (&[Host], &[Host]),
        progress: &Progress,
    ) -> Result<(), Stopped> {
        let (routing, steps) = (&self.subtrees.instance.routing, self.steps());
        let (mut row, mut next, mut first) = (vec![0; destinations.len()], Vec::new(), 0);
        next.clone_from(&row);
        for (source, s) in sources.iter().enumerate() {
            progress.check()?;
            routing.ancestors_from(*s, destinations, &mut next);
            if next != row {
                self.take_rows(first..source, &row, &steps);
                first = source;
                std::mem::swap(&mut row, &mut next);
            }
        }
        self.take_rows(first..sources.len(), &row, &steps);
        Ok(())
    }

    /// Takes the pairs of a source and of those after it that enter forwarding tables at the same node into account, if
    /// each of its `paths` is the one through the top that the number of an ancestor describes. The number of sources
    /// that were taken: 0 where that is not so.
    pub(super) fn take_alike(
        &mut self,
        first: usize,
        sources: &[Host],
        paths: &Paths,
        steps: &[Step],
    ) -> usize {
        let routing = &self.subtrees.instance.routing;
        let entry = |s: &Host| routing.enters_at(*s);
        // With one link each, sources that enter at the same node differ in nothing else.
        let is_alone = steps.is_empty() || self.subtrees.tree.parents(1) > 1;
        let (Some(together), false) = (entry(&sources[first]), is_alone) else { return 0 };
        let sources = sources[first..].iter().take_while(|s| entry(s) == Some(together));
        let sources = first..first + sources.count();
        let numbers = paths.iter().enumerate().map(|(to, path)| number(steps, (first, to), path));
        let Some(row) = numbers.collect::<Option<Vec<u32>>>() else { return 0 };
        self.take_rows(sources.clone(), &row, steps);
        sources.len()
    }

    /// Takes the pairs of sources with the same numbers of ancestors.
    pub(super) fn take_rows(&mut self, sources: Range<usize>, ancestors: &[u32], steps: &[Step]) {
        if sources.len() < self.subtrees.least_together || self.subtrees.room.is_some() {
            sources.for_each(|source| self.take_ancestors(source, ancestors, steps));
            return;
        }
        for step in steps {
            self.rise_together(sources.clone(), ancestors, step);
            self.fall_together(sources.clone(), ancestors, step);
        }
    }

    fn rise_together(&mut self, sources: Range<usize>, ancestors: &[u32], step: &Step) {
        let mut by_link = HostSets::new(step.links, self.rising.words());
        by_link.insert(0, ancestors, step);
        for (number, fan) in step.up.iter().enumerate().filter(|(_, fan)| fan.is_open) {
            let below = number * step.hosts..(number + 1) * step.hosts;
            let own = below.start.max(sources.start)..below.end.min(sources.end);
            if own.is_empty() {
                continue;
            }
            let own = hosts_in(own, self.rising.words());
            if let Some(own) = HostSet::of(&own) {
                for (slot, others) in by_link.of_wanted(&self.subtrees.place[fan.first..]) {
                    self.rising.take_all(slot, own, others);
                }
            }
        }
    }

    fn fall_together(&mut self, sources: Range<usize>, ancestors: &[u32], step: &Step) {
        let others = hosts_in(sources, self.falling.words());
        let Some(others) = HostSet::of(&others) else { return };
        let mut by_link = HostSets::new(step.links, self.falling.words());
        let parts = (0..).step_by(step.hosts).zip(ancestors.chunks(step.hosts)).zip(&step.down);
        for ((first, ancestors), fan) in parts.filter(|(_, fan)| fan.is_open) {
            by_link.bits.fill(0);
            by_link.insert(first, ancestors, step);
            for (slot, own) in by_link.of_wanted(&self.subtrees.place[fan.first..]) {
                self.falling.take_all(slot, own, others);
            }
        }
    }

    /// Takes the paths of a source into account by the numbers of the ancestors through which they lead.
    fn take_ancestors(&mut self, source: usize, ancestors: &[u32], steps: &[Step]) {
        let Self { subtrees, rising, falling, .. } = self;
        let slot = |fan: &Fan, step: &Step, ancestor: u32| {
            let port = if step.ancestors == 1 { ancestor } else { ancestor / step.ancestors };
            Some(subtrees.place[fan.first + port as usize].1).filter(|slot| *slot != NOT_WANTED)
        };
        for step in steps {
            let fan = &step.up[source / step.hosts];
            for (destination, ancestor) in ancestors.iter().enumerate().filter(|_| fan.is_open) {
                if let Some(slot) = slot(fan, step, *ancestor) {
                    rising.take(slot as usize, source, destination);
                }
            }
            let parts = (0..).step_by(step.hosts).zip(ancestors.chunks(step.hosts)).zip(&step.down);
            for ((first, ancestors), fan) in parts.filter(|(_, fan)| fan.is_open) {
                for (destination, ancestor) in (first..).zip(ancestors) {
                    if let Some(slot) = slot(fan, step, *ancestor) {
                        falling.take(slot as usize, destination, source);
                    }
                }
            }
        }
    }
}

/// The number of the ancestor at the top that describes a path between these places, if one does.
fn number(steps: &[Step], (from, to): (usize, usize), path: &[LinkId]) -> Option<u32> {
    let top = steps.last().filter(|_| path.len() == 2 * steps.len())?;
    let number = top.number(from, path[steps.len() - 1] as usize)?;
    let mut links = steps.iter().zip(path.iter().zip(path.iter().rev()));
    let are_its = links.all(|(step, (up, down))| {
        *up as usize == step.up_link(from, number) && *down as usize == step.down_link(to, number)
    });
    are_its.then_some(number)
}

/// Sets of the hosts of a subtree, by their places, for every link of a fan.
struct HostSets {
    bits: Vec<u64>,
    words: usize,
}

impl HostSets {
    fn new(links: usize, words: usize) -> Self {
        Self { bits: vec![0; links * words], words }
    }

    /// Adds hosts, from a place on, to the links through which they are reached.
    fn insert(&mut self, first: usize, ancestors: &[u32], step: &Step) {
        for (host, ancestor) in (first..).zip(ancestors) {
            let link = (ancestor / step.ancestors) as usize;
            self.bits[link * self.words + host / 64] |= 1 << (host % 64);
        }
    }

    /// The slots of wanted links with their hosts, where there are any.
    fn of_wanted<'s>(
        &'s self,
        fan: &'s [(u32, u32)],
    ) -> impl Iterator<Item = (usize, HostSet<'s>)> {
        let links = fan.iter().zip(self.bits.chunks_exact(self.words));
        let links = links.filter(|((_, slot), _)| *slot != NOT_WANTED);
        links.filter_map(|((_, slot), hosts)| Some((*slot as usize, HostSet::of(hosts)?)))
    }
}

/// The set of the hosts in these places.
fn hosts_in(places: Range<usize>, words: usize) -> Vec<u64> {
    let mut bits = vec![0; words];
    places.for_each(|place| bits[place / 64] |= 1 << (place % 64));
    bits
}
