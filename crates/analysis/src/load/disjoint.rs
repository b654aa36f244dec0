//! Sets of endpoint-disjoint pairs on the links of a tree, found while its pairs are walked.
//!
//! A shortest path leads up inside the source's subtree of height h − 1 to the top of the tree, and
//! down inside the destination's. So a walk over the pairs from the hosts of one subtree sees all
//! pairs of its up links, and one over the pairs to them all pairs of its down links: no pair has
//! to be stored. The walk counts the sources and destinations of a link and matches greedily, with
//! two bits per link and destination. No endpoint-disjoint set is larger than the smaller of the
//! two counts; where the greedy one is as large, the link is settled.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::filled::filled;
use super::{CommonShare, ShareNumbers};
use crate::integer::index32;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch};
use crate::topology::{Host, LinkId, Xgft};
use crate::traffic::Rows;

/// Maximum number of memory for the bits of one walk, per thread: links beyond it take another walk.
const MAX_BYTES: usize = 1 << 26;

const NONE: u32 = u32::MAX;

/// The contention of the links that a walk settles; `None` for others, which are all links where the
/// network has no labels or a path is not shortest.
/// O(pairs · path length / threads); `progress` advances by twice the number of pairs, and by more
/// where the links of a subtree need several walks.
pub(super) fn settled(
    instance: &Instance,
    rows: &Rows,
    progress: &Progress,
) -> Result<Vec<Option<Rational>>, Stopped> {
    let full = filled(instance, rows, progress)?;
    settled_within(instance, rows, (full, MAX_BYTES), progress)
}

/// Like [`settled`], where the contention of some links is known, with walks of at most a given number of bytes, or of
/// one link.
fn settled_within(
    instance: &Instance,
    rows: &Rows,
    (full, bytes): (Vec<(LinkId, Rational)>, usize),
    progress: &Progress,
) -> Result<Vec<Option<Rational>>, Stopped> {
    let mut open = vec![None; instance.topology.links()];
    let Some(tree) = instance.topology.tree() else { return Ok(open) };
    for (link, contention) in full {
        open[link as usize] = Some(contention);
    }
    let is_known: Vec<bool> = open.iter().map(Option::is_some).collect();
    let walks = Walks::new(tree, &is_known, bytes, rows);
    let found = walks.sides.par_iter().map(|side| Walk::new(&walks, side).run(instance, progress));
    let found: Vec<_> = found.collect::<Result<_, Stopped>>()?;
    let Some(found) = found.into_iter().collect::<Option<Vec<_>>>() else { return Ok(open) };
    let mut known = open;
    for (link, contention) in found.into_iter().flatten().chain(host_links(tree, &walks)) {
        known[link as usize] = contention;
    }
    Ok(known)
}

/// The links of a subtree of height h − 1 in one direction, or as many of them as fit a walk.
struct Side {
    /// Twice the number of the subtree, plus 1 for the links down.
    key: u32,
    /// Place of the first of these links among all of the subtree in this direction.
    first: u32,
    links: Vec<LinkId>,
}

impl Side {
    /// 0 for links up, 1 for links down.
    fn way(&self) -> usize {
        (self.key & 1) as usize
    }
}

/// A link and its contention, where it is settled.
type Known = (LinkId, Option<Rational>);

/// Sources and destinations of pairs; a host that is both does not send to itself.
type Part<'r> = (&'r [Host], &'r [Host]);

/// All walks over the pairs.
struct Walks<'r> {
    rows: &'r Rows,
    sides: Vec<Side>,
    /// The key of every link's sides and its place among their links, [`NONE`] for links that take
    /// no walk.
    place: Vec<(u32, u32)>,
    /// Per set, its sources; and of every subtree, its own sources and destinations of the set.
    sources: Vec<Vec<Host>>,
    own: Vec<BTreeMap<usize, [Vec<Host>; 2]>>,
    /// The place of a host among all, and among those of its subtree.
    rank: Vec<[u32; 2]>,
    words: [usize; 2],
}

impl<'r> Walks<'r> {
    /// For a tree with these links, of which some are known, and walks of a given number of bytes.
    fn new(tree: &Xgft, is_known: &[bool], bytes: usize, rows: &'r Rows) -> Self {
        let height = tree.height() - 1;
        let size = tree.subtree_hosts(height) as usize;
        let group = |host: Host| (tree.subtree(host, height) as usize, host);
        let mut own = vec![BTreeMap::<usize, [Vec<Host>; 2]>::new(); tree.hosts() / size];
        let mut sources = vec![Vec::new(); rows.sets.len()];
        for (host, set) in &rows.sources {
            sources[*set].push(*host);
            own[group(*host).0].entry(*set).or_default()[0].push(*host);
        }
        for (set, hosts) in rows.sets.iter().enumerate() {
            for (group, host) in hosts.iter().map(|host| group(*host)) {
                own[group].entry(set).or_default()[1].push(host);
            }
        }
        let mut rank = vec![[0; 2]; tree.hosts()];
        for (place, host) in tree.hosts_in_order().iter().enumerate() {
            rank[*host as usize] = [index32(place), index32(place % size)];
        }
        let words = [tree.hosts().div_ceil(64), size.div_ceil(64)];
        let (sides, place) = sides(tree, is_known, words.map(|words| (bytes / 16 / words).max(1)));
        Self { rows, sides, place, sources, own, rank, words }
    }

    /// The pairs of a side.
    fn parts(&self, side: &Side) -> impl Iterator<Item = Part<'_>> {
        let way = side.way();
        self.own[side.key as usize / 2].iter().map(move |(set, [sources, destinations])| {
            if way == 0 {
                (&sources[..], &self.rows.sets[*set][..])
            } else {
                (&self.sources[*set][..], &destinations[..])
            }
        })
    }
}

/// The sides of all subtrees, with at most a given number of links up or down each, and the key and place of
/// every link. Links that are known, or the only ones of their hosts, take no walk.
fn sides(tree: &Xgft, is_known: &[bool], most: [usize; 2]) -> (Vec<Side>, Vec<(u32, u32)>) {
    let height = tree.height() - 1;
    let alone = usize::from(tree.parents(1) == 1);
    let groups = tree.hosts() / tree.subtree_hosts(height) as usize;
    let mut of_key = vec![Vec::new(); 2 * groups];
    let place = |(link, is_known): (LinkId, &bool)| {
        let (key, step) = tree.side_of_link(link);
        let links: &mut Vec<LinkId> = &mut of_key[key as usize];
        if step <= alone || *is_known {
            return (key, NONE);
        }
        links.push(link);
        (key, index32(links.len() - 1))
    };
    let place = (0..).zip(is_known).map(place).collect();
    let mut sides = Vec::new();
    for (key, links) in (0_u32..).zip(of_key) {
        let most = most[(key & 1) as usize];
        let parts = links.chunks(most).enumerate();
        sides.extend(parts.map(|(part, links)| Side {
            key,
            first: index32(part * most),
            links: links.to_vec(),
        }));
    }
    (sides, place)
}

/// The contention of links that are the only ones of their hosts: all their flows have one end in
/// common, so it is 1 where there are any.
fn host_links(tree: &Xgft, walks: &Walks<'_>) -> Vec<Known> {
    if tree.parents(1) != 1 {
        return Vec::new();
    }
    let others = |hosts: &[Host], host: Host| hosts.iter().any(|other| *other != host);
    let mut busy = vec![[false; 2]; tree.hosts()];
    for (set, destinations) in walks.rows.sets.iter().enumerate() {
        let sources = &walks.sources[set];
        for s in sources {
            busy[*s as usize][0] |= others(destinations, *s);
        }
        for d in destinations {
            busy[*d as usize][1] |= others(sources, *d);
        }
    }
    let contention = |busy| Some(if busy { Rational::ONE } else { Rational::ZERO });
    let of_host = |host: Host| {
        let (up, down) = tree.link_id(0, host, 0, 0);
        let [sends, receives] = busy[host as usize];
        [(up, contention(sends)), (down, contention(receives))]
    };
    tree.host_numbers().flat_map(of_host).collect()
}

/// What is known of one link.
#[derive(Clone)]
struct Slot {
    /// The source seen last, and the one matched last.
    seen: u32,
    matched: u32,
    sources: u32,
    destinations: u32,
    disjoint: u32,
    share: CommonShare,
}

/// A walk over the pairs of one side.
struct Walk<'w> {
    walks: &'w Walks<'w>,
    side: &'w Side,
    slots: Vec<Slot>,
    /// For every link and 64 destinations: those seen, those matched.
    bits: Vec<[u64; 2]>,
    words: usize,
    shares: ShareNumbers,
    /// Whether a path left its subtree.
    strays: bool,
}

impl<'w> Walk<'w> {
    fn new(walks: &'w Walks<'w>, side: &'w Side) -> Self {
        let slot = Slot {
            seen: NONE,
            matched: NONE,
            sources: 0,
            destinations: 0,
            disjoint: 0,
            share: CommonShare::NONE,
        };
        let (words, links) = (walks.words[side.way()], side.links.len());
        Self {
            walks,
            side,
            slots: vec![slot; links],
            bits: vec![[0; 2]; words * links],
            words,
            shares: ShareNumbers::default(),
            strays: false,
        }
    }

    /// The links of the side with their contention, where it is settled; `None` where a path leaves
    /// its subtree.
    fn run(
        &mut self,
        instance: &Instance,
        progress: &Progress,
    ) -> Result<Option<Vec<Known>>, Stopped> {
        let mut scratch = UseScratch::default();
        let (walks, which) = (self.walks, self.side.way());
        // Paths that carry all of their pair need no comparison of shares.
        let whole = instance.routing.is_single_path().then(|| self.shares.number(&Rational::ONE));
        for (sources, destinations) in walks.parts(self.side) {
            for s in sources {
                progress.check()?;
                let mut visit = |place: usize, share: &Rational, links: &[LinkId]| {
                    let bit = walks.rank[destinations[place] as usize][which];
                    let share = whole.unwrap_or_else(|| self.shares.number(share));
                    for link in links {
                        self.take(*link, *s, bit, share);
                    }
                };
                instance.routing.for_each_use_from(*s, destinations, &mut scratch, &mut visit);
                if self.strays {
                    return Ok(None);
                }
                progress.inc(destinations.len() as u64);
            }
        }
        Ok(Some(self.found()))
    }

    /// Takes the pair of `s` and the destination with this bit into account on a link.
    #[inline]
    fn take(&mut self, link: LinkId, s: Host, bit: u32, share: u32) {
        let (owner, place) = self.walks.place[link as usize];
        if owner != self.side.key {
            // Links of the other direction are seen by other walks.
            self.strays |= (owner ^ self.side.key) & 1 == 0;
            return;
        }
        let slot = place.wrapping_sub(self.side.first) as usize;
        let Some(slot_of_link) = self.slots.get_mut(slot) else { return };
        let (bits, slot) = (&mut self.bits[slot * self.words + bit as usize / 64], slot_of_link);
        let bit = 1 << (bit % 64);
        slot.share.take(share);
        if slot.seen != s {
            slot.seen = s;
            slot.sources += 1;
        }
        slot.destinations += u32::from(bits[0] & bit == 0);
        bits[0] |= bit;
        if slot.matched != s && bits[1] & bit == 0 {
            slot.matched = s;
            slot.disjoint += 1;
            bits[1] |= bit;
        }
    }

    fn found(&self) -> Vec<Known> {
        let contention = |slot: &Slot| {
            let share = slot.share.share(&self.shares)?;
            (slot.disjoint == slot.sources.min(slot.destinations))
                .then(|| share * &Rational::from(u64::from(slot.disjoint)))
        };
        let slots = self.side.links.iter().zip(&self.slots);
        slots.map(|(link, slot)| (*link, contention(slot))).collect()
    }
}

#[cfg(test)]
mod tests;
