//! Links of a tree that fill up: every host of their own side that has pairs is in one of a set of endpoint-disjoint
//! pairs.
//!
//! The *own* hosts of a link out of a subtree are the sources there, those of a link into it the destinations; *others*
//! are at the other end of its pairs. No endpoint-disjoint set of its pairs is larger than they are, so one as large
//! decides its contention, and nothing more is asked of the link. Own hosts take turns: each is to be matched on every
//! link above it. Others are looked at some at a time, and of these only the last one that is reached through an
//! ancestor. Where that is not enough, all are, once more. A link without a match for one own host is *lost*.
//!
//! Which links a pair takes follows from the number of its nearest common ancestor
//! ([`Routing::ancestors_from`](crate::routing::Routing::ancestors_from)): no path is written down. What is not
//! decided here is left to [`settled`](super::disjoint::settled).

use std::ops::Range;

use rayon::prelude::*;

use crate::integer::index32;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Instance, numbered_tree};
use crate::topology::{Host, LinkId, Xgft};
use crate::traffic::Rows;

/// Most and fewest others that are looked at together: about as many as there are ancestors.
const MOST_AT_A_TIME: usize = 1 << 10;
const FEWEST_AT_A_TIME: usize = 1 << 6;

/// Maximum number of words of bits of one side, per thread: larger ones are left.
const MAX_WORDS: usize = 1 << 23;

/// Number of own hosts that are matched together, so that what is read of a table of pairs lies close together.
const GROUP: usize = 64;

/// The contention of links above the leaf switches that fill up; nothing where the routing has no numbers of ancestors,
/// or all sources do not send to the same hosts.
/// O(pairs · height / threads); `progress` advances by twice the number of pairs.
pub(super) fn filled(
    instance: &Instance,
    rows: &Rows,
    progress: &Progress,
) -> Result<Vec<(LinkId, Rational)>, Stopped> {
    let tree = numbered_tree(&instance.topology, &*instance.routing);
    let (Some(tree), [destinations]) = (tree, &rows.sets[..]) else { return Ok(Vec::new()) };
    let sources: Vec<Host> = rows.sources.iter().map(|(source, _)| *source).collect();
    let subtrees = index32(tree.hosts()) / tree.subtree_hosts(tree.height() - 1);
    let sides: Vec<(u32, bool)> = (0..subtrees).flat_map(|t| [(t, true), (t, false)]).collect();
    let found = sides.into_par_iter().map(|(subtree, up)| {
        let ends = if up { [&sources[..], destinations] } else { [destinations, &sources[..]] };
        let Some(mut side) = Side::new(instance, tree, (subtree, up), ends) else {
            return Ok(Vec::new());
        };
        side.run(progress)?;
        Ok(side.full(up))
    });
    Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
}

/// A link, and how many own hosts are matched there.
#[derive(Clone)]
struct Slot {
    disjoint: u32,
    /// Number of own hosts.
    most: u32,
    is_lost: bool,
}

/// The links above the leaf switches of a subtree below the top, in one direction.
struct Side<'p> {
    instance: &'p Instance,
    tree: &'p Xgft,
    subtree: u32,
    up: bool,
    own: Vec<Host>,
    others: &'p [Host],
    /// The links of a step one after another, by smaller subtree.
    slots: Vec<Slot>,
    /// By level below the step, its first slot.
    first: Vec<usize>,
    /// By slot, which others are matched.
    matched: Vec<u64>,
    words: usize,
}

/// Some own hosts, and what is left to do for them.
struct Group<'g> {
    own: &'g [Host],
    /// By own host and level from 1, the links of its fan on which it is not matched.
    open: Vec<Vec<Vec<u32>>>,
    /// By own host, the numbers of ancestors with some others.
    ancestors: Vec<u32>,
    /// Of one own host, by ancestor, the place of the last of these others, and 1; 0 where there is none.
    last: Vec<u32>,
}

impl Group<'_> {
    fn is_done(&self) -> bool {
        self.open.iter().flatten().all(Vec::is_empty)
    }
}

impl<'p> Side<'p> {
    /// Nothing is matched; `None` where the bits would need too much memory.
    fn new(
        instance: &'p Instance,
        tree: &'p Xgft,
        (subtree, up): (u32, bool),
        [own, others]: [&'p [Host]; 2],
    ) -> Option<Self> {
        let top = tree.height() - 1;
        let is_own = |host: &&Host| tree.subtree(**host, top) == subtree;
        let mut own: Vec<Host> = own.iter().filter(is_own).copied().collect();
        own.sort_by_key(|host| tree.subtree(*host, 1));
        let (mut slots, mut first) = (Vec::new(), vec![0]);
        for level in 1..=top {
            first.push(slots.len());
            let parts = tree.subtree_hosts(top) / tree.subtree_hosts(level);
            let mut most = vec![0; parts as usize];
            for host in &own {
                most[(tree.subtree(*host, level) - subtree * parts) as usize] += 1;
            }
            let links = tree.shortest_paths(level + 1) as usize;
            let slot = |most| Slot { disjoint: 0, most, is_lost: false };
            slots.extend(most.into_iter().flat_map(|most| vec![slot(most); links]));
        }
        let words = others.len().div_ceil(64);
        let bits = slots.len().checked_mul(words).filter(|words| *words <= MAX_WORDS)?;
        let matched = vec![0; bits];
        Some(Self { instance, tree, subtree, up, own, others, slots, first, matched, words })
    }

    fn run(&mut self, progress: &Progress) -> Result<(), Stopped> {
        let own = std::mem::take(&mut self.own);
        for group in own.chunks(GROUP) {
            self.match_group(group, progress)?;
            progress.inc(group.len() as u64 * self.others.len() as u64);
        }
        Ok(())
    }

    /// Matches some own hosts.
    fn match_group(&mut self, own: &[Host], progress: &Progress) -> Result<(), Stopped> {
        let all = self.tree.shortest_paths(self.tree.height()) as usize;
        // Rows of a length that is a power of two would displace each other from the cache.
        let size = all.clamp(FEWEST_AT_A_TIME, MOST_AT_A_TIME) | 16;
        let open = own.iter().map(|host| self.open(*host)).collect();
        let (ancestors, last) = (vec![0; size * own.len()], vec![0; all]);
        let mut group = Group { own, open, ancestors, last };
        for is_exact in [false, true] {
            for (places, is_near) in self.parts(size) {
                progress.check()?;
                if group.is_done() {
                    return Ok(());
                }
                if is_exact {
                    self.look_up(&mut group, places.clone());
                    self.match_each(&mut group, places, is_near);
                } else if !is_near {
                    self.look_up(&mut group, places.clone());
                    self.match_last(&mut group, places);
                }
            }
        }
        for (own, open) in own.iter().zip(&group.open) {
            for (level, open) in (1..).zip(open) {
                let fan = self.fan(*own, level);
                for number in open {
                    self.slots[fan + *number as usize].is_lost = true;
                }
            }
        }
        Ok(())
    }

    /// The others in parts of at most a given size, and whether they are in the subtree.
    fn parts(&self, size: usize) -> Vec<(Range<usize>, bool)> {
        let top = self.tree.height() - 1;
        let is_near = |host: &Host| self.tree.subtree(*host, top) == self.subtree;
        let (mut parts, mut next) = (Vec::new(), 0);
        for hosts in self.others.chunk_by(|a, b| is_near(a) == is_near(b)) {
            for part in hosts.chunks(size) {
                parts.push((next..next + part.len(), is_near(&part[0])));
                next += part.len();
            }
        }
        parts
    }

    /// The links above an own host that may still fill up, by level.
    fn open(&self, host: Host) -> Vec<Vec<u32>> {
        let of_level = |level| {
            let (fan, links) = (self.fan(host, level), self.tree.shortest_paths(level + 1));
            let is_lost = |number: u32| self.slots[fan + number as usize].is_lost;
            (0..links).filter(|number| !is_lost(*number)).collect()
        };
        (1..self.tree.height()).map(of_level).collect()
    }

    /// Number of smaller subtrees of this height.
    fn subtrees(&self, level: usize) -> u32 {
        self.tree.subtree_hosts(self.tree.height() - 1) / self.tree.subtree_hosts(level)
    }

    /// The first slot of the links out of, or into, the subtree of this height with a host.
    fn fan(&self, host: Host, level: usize) -> usize {
        let within = self.tree.subtree(host, level) - self.subtree * self.subtrees(level);
        self.first[level] + (within * self.tree.shortest_paths(level + 1)) as usize
    }

    /// Writes the numbers of the ancestors of own hosts with the others in some places.
    fn look_up(&self, group: &mut Group<'_>, places: Range<usize>) {
        let (routing, others) = (&self.instance.routing, &self.others[places]);
        let rows = group.ancestors.chunks_exact_mut(others.len());
        if self.up {
            for ((s, row), open) in group.own.iter().zip(rows).zip(&group.open) {
                if !open.iter().all(Vec::is_empty) {
                    routing.ancestors_from(*s, others, row);
                }
            }
            return;
        }
        let mut column = vec![0; group.own.len()];
        for (place, s) in others.iter().enumerate() {
            routing.ancestors_from(*s, group.own, &mut column);
            for (ancestor, row) in column.iter().zip(group.ancestors.chunks_exact_mut(others.len()))
            {
                row[place] = *ancestor;
            }
        }
    }

    /// Matches own hosts with the last of some others for every ancestor at the top.
    fn match_last(&mut self, group: &mut Group<'_>, places: Range<usize>) {
        let Group { own, open, ancestors, last } = group;
        let rows = ancestors.chunks_exact(places.len());
        for ((own, row), open) in own.iter().zip(rows).zip(open) {
            if open.iter().all(Vec::is_empty) {
                continue;
            }
            last.fill(0);
            for (place, ancestor) in (index32(places.start)..).zip(row) {
                last[*ancestor as usize] = place + 1;
            }
            for (below, open) in open.iter_mut().enumerate().rev() {
                let level = below + 1;
                self.take_last(*own, level, open, last);
                let above = self.tree.parents(level + 1) as usize;
                for number in 0..self.tree.shortest_paths(level) as usize {
                    let reached = &last[number * above..][..above];
                    last[number] = reached.iter().fold(0, |last, place| *place.max(&last));
                }
            }
        }
    }

    /// Matches an own host on the links of a fan with the last others there, if these are free. Which are follows no
    /// pattern, so that no branch depends on it.
    fn take_last(&mut self, own: Host, level: usize, open: &mut Vec<u32>, last: &[u32]) {
        let (fan, mut left) = (self.fan(own, level), 0);
        for at in 0..open.len() {
            let number = open[at];
            let (slot, seen) = (fan + number as usize, last[number as usize]);
            let place = seen.saturating_sub(1);
            let word = &mut self.matched[slot * self.words + place as usize / 64];
            let is_new = u64::from(seen > 0) & !(*word >> (place % 64)) & 1;
            *word |= is_new << (place % 64);
            self.slots[slot].disjoint += u32::from(is_new == 1);
            open[left] = number;
            left += usize::from(is_new == 0);
        }
        open.truncate(left);
    }

    /// Matches own hosts with each of some others that they can be matched with.
    fn match_each(&mut self, group: &mut Group<'_>, places: Range<usize>, is_near: bool) {
        let (tree, others) = (self.tree, &self.others[places.clone()]);
        let rows = group.ancestors.chunks_exact(places.len());
        for ((own, row), open) in group.own.iter().zip(rows).zip(&mut group.open) {
            for (level, open) in (1..).zip(open).filter(|(_, open)| !open.is_empty()) {
                let (fan, links) = (self.fan(*own, level), tree.shortest_paths(level + 1));
                let mut is_open = vec![false; links as usize];
                for number in &*open {
                    is_open[*number as usize] = true;
                }
                for ((place, ancestor), other) in places.clone().zip(row).zip(others) {
                    let nca = if is_near { tree.nca_level(*own, *other) } else { tree.height() };
                    if nca > level {
                        let number = (ancestor / (tree.shortest_paths(nca) / links)) as usize;
                        is_open[number] = is_open[number] && !self.take(fan + number, place);
                    }
                }
                open.retain(|number| is_open[*number as usize]);
            }
        }
    }

    /// Matches another host on a link, if it is free there, and returns whether it was.
    fn take(&mut self, slot: usize, place: usize) -> bool {
        let (word, bit) = (&mut self.matched[slot * self.words + place / 64], 1 << (place % 64));
        let is_free = *word & bit == 0;
        *word |= bit;
        self.slots[slot].disjoint += u32::from(is_free);
        is_free
    }

    /// The links that are full, and their contention.
    fn full(&self, up: bool) -> Vec<(LinkId, Rational)> {
        let mut full = Vec::new();
        for level in 1..self.first.len() {
            let (parts, links) = (self.subtrees(level), self.tree.shortest_paths(level + 1));
            let mut slots = self.slots[self.first[level]..].iter();
            for below in self.subtree * parts..(self.subtree + 1) * parts {
                let (first_up, first_down) = self.tree.link_id(level, below, 0, 0);
                let fan = (if up { first_up } else { first_down }..)
                    .zip(slots.by_ref().take(links as usize));
                let fan = fan.filter(|(_, slot)| slot.disjoint == slot.most);
                full.extend(fan.map(|(link, slot)| (link, Rational::from(u64::from(slot.most)))));
            }
        }
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::contention;
    use crate::traffic::regular;
    use crate::{routing, topology};

    /// For every numbered routing on small trees of every family, of which the full tier has twice as many.
    #[test]
    fn what_fills_up_has_its_contention() {
        let (mut found, mut links) = (0, 0);
        let step = if cfg!(feature = "slow-tests") { 1 } else { 2 };
        let members = topology::KINDS.iter().map(|kind| (kind.build.members)(20));
        let members = members.flat_map(|members| members.into_iter().step_by(step));
        let more = ["ft(4,3)", "xgft(3;5,4,3;1,3,4)", "xgft(3;2,3,2;1,2,3)"].map(String::from);
        let networks = members.chain(more).filter_map(|spec| topology::generate(&spec).ok());
        let specs = routing::KINDS.iter().flat_map(|kind| kind.examples);
        for (network, spec) in itertools::iproduct!(networks, specs) {
            let Ok(routing) = routing::build(spec, &network) else { continue };
            let instance = Instance::trusted(network, routing);
            for pattern in ["uniform", "hotspot(spots=2,size=3)", "samelast"] {
                let traffic = regular(pattern, instance.topology.hosts());
                let Ok(Some(traffic)) = traffic else { continue };
                let demands = traffic.to_matrix().unwrap().into_demands();
                let expected = contention(&instance, &demands, &Progress::silent()).unwrap();
                for (link, known) in
                    filled(&instance, &traffic.rows(), &Progress::silent()).unwrap()
                {
                    assert_eq!(known, expected.get(link), "{instance:?}, {pattern}: {link}");
                    found += 1;
                }
                links += expected.all().count();
            }
        }
        assert!(found > 2000 / step && found < links, "{found} of {links}");
    }
}
