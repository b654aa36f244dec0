//! The pairs of a tree's links, subtree by subtree, without storing them.
//!
//! A shortest path leads up inside the source's subtree of height h − 1 to the top of the tree, and
//! down inside the destination's. So the pairs of an up link have their source in the subtree that
//! it is in or leaves, those of a down link their destination, and a pass over the pairs of one
//! subtree sees all pairs of its links: every pair is visited twice, once from either end.
//!
//! The pass counts a link's sources and destinations and matches greedily as it goes, source by
//! source: O(1) per pair and link, with two bits for every inner host of a link. No set of
//! node-disjoint pairs is larger than the smaller of the two counts; where the greedy one is as
//! large, the link is settled, and all its sources, or all its destinations, are its cover.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::integer::index32;
use crate::progress::{Progress, Stopped};
use crate::ratio::Ratio;
use crate::routing::{Instance, UseScratch};
use crate::topology::{Host, LinkId, Xgft};

/// What a pass finds out about a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) link: LinkId,
    /// Number of different sources of its pairs.
    pub(super) sources: u32,
    /// Number of different destinations.
    pub(super) destinations: u32,
    /// Number of node-disjoint pairs found.
    pub(super) disjoint: u32,
    /// The share of its pairs; `None` where there are several. That of a link without pairs is 1.
    pub(super) share: Option<Ratio>,
}

/// Most memory for the bits of one pass, per thread.
const MAX_BYTES: usize = 1 << 28;

/// The links of a subtree in one direction, with the hosts of the pairs that they may carry.
pub(super) struct Side {
    pub(super) links: Vec<LinkId>,
    pub(super) sources: Vec<Host>,
    pub(super) destinations: Vec<Host>,
}

/// The sides of all subtrees of height h − 1.
pub(super) struct Subtrees<'a> {
    instance: &'a Instance,
    pub(super) sides: Vec<Side>,
    /// The side of every link, and its place there, or [`NONE`] for links that are not wanted.
    place: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl<'a> Subtrees<'a> {
    /// The subtrees of an instance on `tree`, with the wanted links; `None` where a pass would need
    /// too much memory. O(hosts·subtrees + links).
    pub(super) fn new(instance: &'a Instance, tree: &Xgft, wanted: &[bool]) -> Option<Self> {
        let height = tree.height() - 1;
        let size = tree.subtree_hosts(height) as usize;
        let side = |own: &[Host], up: bool| {
            let (own, all) = (ascending(own), ascending(tree.hosts_in_order()));
            let (sources, destinations) = if up { (own, all) } else { (all, own) };
            Side { links: Vec::new(), sources, destinations }
        };
        let subtrees = tree.hosts_in_order().chunks(size);
        let mut sides: Vec<Side> =
            subtrees.flat_map(|own| [side(own, true), side(own, false)]).collect();
        let mut place = Vec::with_capacity(wanted.len());
        for (link, is_wanted) in (0..).zip(wanted) {
            let (up, step, subtree) = tree.place_of_link(link);
            let group = subtree / (tree.subtree_hosts(height) / tree.subtree_hosts(step - 1));
            let number = 2 * group + u32::from(!up);
            let links = &mut sides[number as usize].links;
            place.push((number, if *is_wanted { index32(links.len()) } else { NONE }));
            if *is_wanted {
                links.push(link);
            }
        }
        let bytes = |side: &Side| 16 * words(side).saturating_mul(side.links.len());
        let fits = sides.iter().all(|side| bytes(side) <= MAX_BYTES);
        fits.then_some(Self { instance, sides, place })
    }

    /// The ends of the wanted links, in no particular order; `None` where a path leads up or down
    /// in a subtree that does not contain its source or destination, respectively.
    /// O(N²·path length) on all threads; `progress` advances by 2N.
    pub(super) fn ends(&self, progress: &Progress) -> Result<Option<Vec<Ends>>, Stopped> {
        let sides = (0_u32..).zip(&self.sides).collect::<Vec<_>>();
        let passes = sides.into_par_iter().map(|(number, side)| {
            let mut pass = Pass::new(side, number, &self.place);
            pass.run(self.instance, progress)
        });
        let found: Vec<_> = passes.collect::<Result<_, Stopped>>()?;
        let found: Option<Vec<_>> = found.into_iter().collect();
        Ok(found.map(|found| found.concat()))
    }

    /// The side that a link belongs to.
    pub(super) fn side_of(&self, link: LinkId) -> &Side {
        &self.sides[self.place[link as usize].0 as usize]
    }
}

fn ascending(hosts: &[Host]) -> Vec<Host> {
    let mut hosts = hosts.to_vec();
    hosts.sort_unstable();
    hosts
}

/// Words for a bit per destination.
fn words(side: &Side) -> usize {
    side.destinations.len().div_ceil(64)
}

/// The state of one link.
#[derive(Clone)]
struct Slot {
    /// The source seen last, and the one matched last.
    seen: u32,
    matched: u32,
    sources: u32,
    destinations: u32,
    disjoint: u32,
    /// Number of the common share, [`NONE`] before the first pair, [`SEVERAL`] from the second
    /// share on.
    share: u32,
}

const SEVERAL: u32 = NONE - 1;

/// A pass over the pairs of one side.
struct Pass<'a> {
    side: &'a Side,
    number: u32,
    place: &'a [(u32, u32)],
    slots: Vec<Slot>,
    words: usize,
    /// For every link and 64 destinations: those seen, those matched.
    bits: Vec<[u64; 2]>,
    shares: Vec<Ratio>,
    numbers: HashMap<Ratio, u32>,
    /// The number of the share seen last.
    last: u32,
    /// Whether a path left its subtree.
    strays: bool,
}

impl<'a> Pass<'a> {
    fn new(side: &'a Side, number: u32, place: &'a [(u32, u32)]) -> Self {
        let slot = Slot {
            seen: NONE,
            matched: NONE,
            sources: 0,
            destinations: 0,
            disjoint: 0,
            share: NONE,
        };
        let words = words(side);
        Self {
            side,
            number,
            place,
            slots: vec![slot; side.links.len()],
            words,
            bits: vec![[0; 2]; words * side.links.len()],
            shares: vec![Ratio::ONE],
            numbers: HashMap::from([(Ratio::ONE, 0)]),
            last: 0,
            strays: false,
        }
    }

    fn run(
        &mut self,
        instance: &Instance,
        progress: &Progress,
    ) -> Result<Option<Vec<Ends>>, Stopped> {
        let mut scratch = UseScratch::default();
        let side = self.side;
        for s in &side.sources {
            progress.check()?;
            let mut visit = |place: usize, share: &Ratio, links: &[LinkId]| {
                let share = self.share_number(share);
                for link in links {
                    self.take(*link, *s, place, share);
                }
            };
            let routing = &instance.routing;
            routing.for_each_use_from(*s, &side.destinations, &mut scratch, &mut visit);
            if self.strays {
                return Ok(None);
            }
        }
        progress.inc(side.sources.len().min(side.destinations.len()) as u64);
        Ok(Some(self.found()))
    }

    /// Takes a pair on a link into account: that of `s` and the destination at `place`.
    #[inline]
    fn take(&mut self, link: LinkId, s: Host, place: usize, share: u32) {
        let (owner, slot) = self.place[link as usize];
        if owner != self.number {
            // Links of the other direction belong to the other side.
            self.strays |= (owner ^ self.number) & 1 == 0;
            return;
        }
        if slot == NONE {
            return;
        }
        let bits = &mut self.bits[slot as usize * self.words + place / 64];
        let slot = &mut self.slots[slot as usize];
        let bit = 1 << (place % 64);
        if slot.share != share {
            slot.share = if slot.share == NONE { share } else { SEVERAL };
        }
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

    #[inline]
    fn share_number(&mut self, share: &Ratio) -> u32 {
        if self.shares[self.last as usize] != *share {
            let next = index32(self.shares.len());
            self.last = *self.numbers.entry(share.clone()).or_insert(next);
            if self.last == next {
                self.shares.push(share.clone());
            }
        }
        self.last
    }

    fn found(&self) -> Vec<Ends> {
        let ends = |(link, slot): (&LinkId, &Slot)| Ends {
            link: *link,
            sources: slot.sources,
            destinations: slot.destinations,
            disjoint: slot.disjoint,
            share: match slot.share {
                NONE => Some(Ratio::ONE),
                SEVERAL => None,
                number => Some(self.shares[number as usize].clone()),
            },
        };
        self.side.links.iter().zip(&self.slots).map(ends).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// By definition, from the paths of all pairs.
    fn sources_and_destinations(instance: &Instance, link: LinkId) -> (usize, usize) {
        let (mut sources, mut destinations) = (BTreeSet::new(), BTreeSet::new());
        for (s, d) in crate::topology::sd_pairs(instance.topology.hosts()) {
            instance.routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                if links.contains(&link) {
                    sources.insert(s);
                    destinations.insert(d);
                }
            });
        }
        (sources.len(), destinations.len())
    }

    #[test]
    fn ends_are_those_of_all_paths() {
        for (topology, routing) in [
            ("eft2(6,2)", "random(seed=1)"),
            ("ft(4,3)", "dmodk"),
            ("ft(4,3)", "kpath(k=2,choice=random)"),
            ("xgft(3;3,2,2;1,2,1)", "rnca-u(seed=8)"),
            ("xgft(2;2,3;2,2)", "omrmn"),
            ("xgft(1;4;2)", "smodk"),
        ] {
            let instance = Instance::named(topology, routing).unwrap();
            let tree = instance.topology.tree().unwrap();
            let wanted = vec![true; instance.topology.links()];
            let subtrees = Subtrees::new(&instance, tree, &wanted).unwrap();
            let found = subtrees.ends(&Progress::silent()).unwrap().unwrap();
            assert_eq!(found.len(), wanted.len(), "{topology} {routing}");
            for ends in found {
                let counted = (ends.sources as usize, ends.destinations as usize);
                let place = format!("{routing} on {topology}, link {}", ends.link);
                assert_eq!(counted, sources_and_destinations(&instance, ends.link), "{place}");
                assert!(ends.disjoint <= ends.sources.min(ends.destinations), "{place}");
                assert_eq!(ends.disjoint == 0, ends.sources == 0, "{place}");
            }
        }
    }
}
