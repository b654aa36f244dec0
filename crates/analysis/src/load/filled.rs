//! Links of a tree that fill up: every host of their own side that has pairs is in one of a set of endpoint-disjoint
//! pairs.
//!
//! The *own* hosts of a link out of a subtree are the sources there, those of a link into it the destinations. No
//! endpoint-disjoint set of its pairs is larger than they are, so a greedy one as large decides its contention, and
//! nothing more is asked of the link. Which links a pair takes follows from the number of its nearest common ancestor
//! ([`Routing::ancestors_from`](crate::routing::Routing::ancestors_from)): no path is written down. What is not
//! decided here is left to [`settled`](super::disjoint::settled).

use rayon::prelude::*;

use crate::integer::index32;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Instance, numbered_tree};
use crate::topology::{Host, LinkId, Xgft};
use crate::traffic::Rows;

/// Number of destinations whose ancestors are asked for at a time.
const AT_A_TIME: usize = 1 << 10;

/// Maximum number of words of bits of one side, per thread: larger ones are left.
const MAX_WORDS: usize = 1 << 23;

const NONE: u32 = u32::MAX;

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
    let pairs = Pairs { instance, tree, sources: &sources, destinations };
    let subtrees = index32(tree.hosts()) / tree.subtree_hosts(tree.height() - 1);
    let sides: Vec<(u32, bool)> = (0..subtrees).flat_map(|t| [(t, true), (t, false)]).collect();
    let found = sides.into_par_iter().map(|(subtree, up)| pairs.of_side(subtree, up, progress));
    Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
}

/// All pairs of some sources with some destinations.
struct Pairs<'p> {
    instance: &'p Instance,
    tree: &'p Xgft,
    sources: &'p [Host],
    destinations: &'p [Host],
}

/// A link: the source that was matched last, and how many pairs were.
#[derive(Clone)]
struct Slot {
    last: u32,
    disjoint: u32,
    /// Number of own hosts.
    most: u32,
}

/// A destination, its place among those that a side may match, and the subtree below the top that it is in.
#[derive(Clone, Copy)]
struct End {
    host: Host,
    place: u32,
    top: u32,
}

/// The links above the leaf switches of a subtree below the top, in one direction.
struct Side<'p> {
    tree: &'p Xgft,
    subtree: u32,
    /// The links of a step one after another, by smaller subtree.
    slots: Vec<Slot>,
    /// By level below the step, its first slot.
    first: Vec<usize>,
    /// At the first slot of a smaller subtree: the number of its links that are not full.
    open: Vec<u32>,
    /// By slot, which destinations are matched.
    matched: Vec<u64>,
    words: usize,
}

/// Some destinations of a source with the numbers of the ancestors through which they are reached, and the level below
/// the links that are looked at.
struct Part<'p> {
    s: Host,
    ends: &'p [End],
    ancestors: &'p [u32],
    level: usize,
}

impl Pairs<'_> {
    /// The links of a subtree that fill up.
    fn of_side(
        &self,
        subtree: u32,
        up: bool,
        progress: &Progress,
    ) -> Result<Vec<(LinkId, Rational)>, Stopped> {
        let top = self.tree.height() - 1;
        let is_own = |host: &&Host| self.tree.subtree(**host, top) == subtree;
        let own = |hosts: &[Host]| hosts.iter().filter(is_own).copied().collect::<Vec<_>>();
        let (own_sources, own_destinations) = (own(self.sources), own(self.destinations));
        let (sources, destinations, own) = if up {
            (&own_sources[..], self.destinations, &own_sources)
        } else {
            (self.sources, &own_destinations[..], &own_destinations)
        };
        let words = destinations.len().div_ceil(64);
        let Some(mut side) = Side::new(self.tree, subtree, own, words) else {
            return Ok(Vec::new());
        };
        let end = |(place, host): (u32, &Host)| End {
            host: *host,
            place,
            top: self.tree.subtree(*host, top),
        };
        let ends: Vec<End> = (0..).zip(destinations).map(end).collect();
        let mut ancestors = vec![0; AT_A_TIME];
        for s in sources {
            progress.check()?;
            progress.inc(destinations.len() as u64);
            for (some, ends) in destinations.chunks(AT_A_TIME).zip(ends.chunks(AT_A_TIME)) {
                let ancestors = &mut ancestors[..some.len()];
                if (1..=top).any(|level| side.is_open(level)) {
                    self.instance.routing.ancestors_from(*s, some, ancestors);
                }
                for level in (1..=top).filter(|level| side.is_open(*level)).collect::<Vec<_>>() {
                    let part = Part { s: *s, ends, ancestors, level };
                    if up { side.rise(&part) } else { side.fall(&part) }
                }
            }
        }
        Ok(side.full(up))
    }
}

impl<'p> Side<'p> {
    /// Nothing is matched; `None` where the bits would need too much memory.
    fn new(tree: &'p Xgft, subtree: u32, own: &[Host], words: usize) -> Option<Self> {
        let top = tree.height() - 1;
        let (mut slots, mut first, mut open) = (Vec::new(), vec![0], Vec::new());
        for level in 1..=top {
            first.push(slots.len());
            let parts = tree.subtree_hosts(top) / tree.subtree_hosts(level);
            let mut most = vec![0; parts as usize];
            for host in own {
                most[(tree.subtree(*host, level) - subtree * parts) as usize] += 1;
            }
            let links = tree.shortest_paths(level + 1);
            for most in most {
                open.push(if most > 0 { links } else { 0 });
                slots.extend((0..links).map(|_| Slot { last: NONE, disjoint: 0, most }));
                open.resize(slots.len(), 0);
            }
        }
        let bits = slots.len().checked_mul(words).filter(|words| *words <= MAX_WORDS)?;
        Some(Self { tree, subtree, slots, first, open, matched: vec![0; bits], words })
    }

    /// Number of smaller subtrees of this height.
    fn parts(&self, level: usize) -> u32 {
        self.tree.subtree_hosts(self.first.len() - 1) / self.tree.subtree_hosts(level)
    }

    /// Whether a link above this level is not full.
    fn is_open(&self, level: usize) -> bool {
        let links = self.tree.shortest_paths(level + 1) as usize;
        let fans = self.open[self.first[level]..].iter().step_by(links);
        fans.take(self.parts(level) as usize).any(|open| *open > 0)
    }

    /// The first slot of the links out of, or into, the subtree of this height with a host.
    fn fan(&self, host: Host, level: usize) -> usize {
        let within = self.tree.subtree(host, level) - self.subtree * self.parts(level);
        self.first[level] + (within * self.tree.shortest_paths(level + 1)) as usize
    }

    /// The number of the link that a pair takes, among those of its smaller subtree; `None` where it meets below.
    fn near_port(&self, part: &Part<'_>, d: Host, ancestor: u32) -> Option<usize> {
        let nca = self.tree.nca_level(part.s, d);
        let links = self.tree.shortest_paths(part.level + 1);
        (nca > part.level).then(|| (ancestor / (self.tree.shortest_paths(nca) / links)) as usize)
    }

    /// Takes pairs from a source in the subtree.
    fn rise(&mut self, part: &Part<'_>) {
        let (fan, links) = (self.fan(part.s, part.level), self.tree.shortest_paths(part.level + 1));
        let above = self.tree.shortest_paths(self.first.len()) / links;
        let is_open = |slot: &&Slot| slot.last != part.s && slot.disjoint < slot.most;
        let mut open = self.slots[fan..fan + links as usize].iter().filter(is_open).count();
        for (end, ancestor) in part.ends.iter().zip(part.ancestors) {
            if open == 0 {
                return;
            }
            let number = if end.top == self.subtree {
                let Some(number) = self.near_port(part, end.host, *ancestor) else { continue };
                number
            } else {
                (if above == 1 { *ancestor } else { ancestor / above }) as usize
            };
            open -= usize::from(self.take((fan, number), part.s, end.place));
        }
    }

    /// Takes pairs to destinations in the subtree.
    fn fall(&mut self, part: &Part<'_>) {
        let above =
            self.tree.shortest_paths(self.first.len()) / self.tree.shortest_paths(part.level + 1);
        let is_near = self.tree.subtree(part.s, self.first.len() - 1) == self.subtree;
        let (mut last, mut fan) = (NONE, 0);
        for (end, ancestor) in part.ends.iter().zip(part.ancestors) {
            let own = self.tree.subtree(end.host, part.level);
            if own != last {
                (last, fan) = (own, self.fan(end.host, part.level));
            }
            if self.open[fan] == 0 {
                continue;
            }
            let number = if is_near {
                let Some(number) = self.near_port(part, end.host, *ancestor) else { continue };
                number
            } else {
                (if above == 1 { *ancestor } else { ancestor / above }) as usize
            };
            self.take((fan, number), part.s, end.place);
        }
    }

    /// Takes a pair on a link into account, and returns whether it was matched.
    #[inline]
    fn take(&mut self, (fan, number): (usize, usize), s: Host, place: u32) -> bool {
        let slot = fan + number;
        let of_link = &mut self.slots[slot];
        if of_link.last == s || of_link.disjoint == of_link.most {
            return false;
        }
        let word = &mut self.matched[slot * self.words + place as usize / 64];
        let bit = 1 << (place % 64);
        if *word & bit != 0 {
            return false;
        }
        *word |= bit;
        of_link.last = s;
        of_link.disjoint += 1;
        self.open[fan] -= u32::from(of_link.disjoint == of_link.most);
        true
    }

    /// The links that are full, and their contention.
    fn full(&self, up: bool) -> Vec<(LinkId, Rational)> {
        let mut full = Vec::new();
        for level in 1..self.first.len() {
            let (parts, links) = (self.parts(level), self.tree.shortest_paths(level + 1));
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
