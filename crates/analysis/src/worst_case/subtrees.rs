//! The pairs of a tree's links, subtree by subtree, without storing them.
//!
//! A shortest path leads up inside the source's subtree of height h − 1 to the top of the tree, and
//! down inside the destination's. So the pairs of an up link have their source in the subtree that
//! it is in or leaves, those of a down link their destination, and a link needs to know only the
//! pairs of its *side*: the links of a subtree in one direction. The pairs from one subtree to
//! another concern two sides alone. They are visited together, in rounds in which every side takes
//! part once: so each pair is visited once, and no two threads meet.
//!
//! A visit counts a link's sources and destinations and matches greedily as it goes: O(1) per pair
//! and link, with two bits per link for each host of the two subtrees. No set of node-disjoint pairs
//! is larger than the smaller of the two counts; where the greedy one is as large, the link is
//! settled, and all its sources, or all its destinations, are its cover. Where all hosts below a
//! link are matched, nothing more is asked of it.
//!
//! What a visit settles has its ends as its cover, which the checker counts by itself (`checker/ends.rs`), or one cut.
//! Where routing is by tables, the largest matchings of the other links are found as well (`by_runs.rs`). Only for links
//! that stay open are pairs collected.

mod by_runs;
mod by_tables;
mod fans;

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use self::by_tables::TopAncestors;
use super::room::Room;
use super::side::{Ends, HostSet, Side, SideLink, State};
use crate::integer::index32;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Instance, Paths, UseScratch, numbered_tree};
use crate::topology::{Host, LinkId, Xgft};
use crate::traffic::Rows;

/// Maximum number of memory for the bits of all links.
const MAX_BYTES: usize = 1 << 30;

/// In the place of a slot: nothing is asked of the link.
const NOT_WANTED: u32 = u32::MAX;

/// The sides of all subtrees of height h − 1.
pub(super) struct Subtrees<'a> {
    instance: &'a Instance,
    tree: &'a Xgft,
    /// Whether the spec says that every pair has one path, and that it is shortest; and whether it has a number.
    by_spec: bool,
    is_numbered: bool,
    /// Least number of sources whose pairs are taken at once.
    least_together: usize,
    /// Those of subtree t: 2t up and 2t + 1 down.
    pub(super) sides: Vec<Side>,
    /// The side of every link, and its slot there.
    place: Vec<(u32, u32)>,
    /// What subtrees let through, where that limits traffic.
    room: Option<Room>,
    /// How tables lead through the top, where routing is by tables; found once.
    top_ancestors: OnceLock<Option<Arc<TopAncestors>>>,
}

impl<'a> Subtrees<'a> {
    /// The subtrees of an instance on `tree`, with the wanted links, and the capacities of subtrees
    /// by height where more than hosts limits the traffic; `None` where the bits would need too much
    /// memory. O(hosts + links).
    pub(super) fn new(
        instance: &'a Instance,
        tree: &'a Xgft,
        capacity: Option<&[u64]>,
        wanted: &[bool],
    ) -> Option<Self> {
        let height = tree.height() - 1;
        let subtrees = tree.hosts_in_order().chunks(tree.subtree_hosts(height) as usize);
        let mut sides: Vec<Side> =
            subtrees.flat_map(|own| [Side::of(own), Side::of(own)]).collect();
        let mut place = Vec::with_capacity(wanted.len());
        for (link, is_wanted) in (0..).zip(wanted) {
            let (number, step) = tree.side_of_link(link);
            let below = tree.subtree_hosts(step - 1);
            let side = &mut sides[number as usize];
            place.push((number, if *is_wanted { index32(side.links.len()) } else { NOT_WANTED }));
            if *is_wanted {
                side.links.push(SideLink { link, step, below });
            }
        }
        let room = capacity.map(|capacity| Room::new(tree, capacity));
        let bytes = sides.iter().map(|side| State::bytes(side, room.as_ref())).sum::<usize>();
        let by_spec = instance.is_by_spec() && instance.routing.is_single_path();
        let is_numbered = numbered_tree(&instance.topology, &*instance.routing).is_some();
        (bytes <= MAX_BYTES).then_some(Self {
            instance,
            tree,
            by_spec,
            is_numbered,
            least_together: fans::LEAST_TOGETHER,
            sides,
            place,
            room,
            top_ancestors: OnceLock::new(),
        })
    }

    /// Finds how tables lead through the top, if that is not known yet.
    fn follow_tables(&self, progress: &Progress) -> Result<(), Stopped> {
        if self.top_ancestors.get().is_none() {
            let next = self.instance.routing.next_links();
            let found = next.map(|next| TopAncestors::follow(self.tree, next, progress));
            let found = found.transpose()?.flatten().map(Arc::new);
            self.top_ancestors.get_or_init(|| found);
        }
        Ok(())
    }

    /// How tables lead through the top, as far as it was found.
    fn top_ancestors(&self) -> Option<&TopAncestors> {
        self.top_ancestors.get()?.as_deref()
    }

    /// The ends of the wanted links, in no particular order; `None` where a path leads up or down
    /// in a subtree that does not contain its source or destination, respectively.
    /// O(N²·path length) on all threads; `progress` advances by 2N, by less where a path strays.
    pub(super) fn ends(&self, progress: &Progress) -> Result<Option<Vec<Ends>>, Stopped> {
        // Where all links are settled, paths that are not known to stay are looked at all the same.
        let may_end = self.by_spec;
        self.follow_tables(progress)?;
        let states = |parity: usize| -> Vec<State<'_>> {
            let of_subtrees = self.sides.iter().skip(parity).step_by(2);
            of_subtrees.map(|side| self.state(side)).collect()
        };
        let (mut up, mut down) = (states(0), states(1));
        let (mut advanced, up_sides) = (0, up.len());
        for round in 0..up_sides {
            let tiles = up.par_iter_mut().zip(down.par_iter_mut()).enumerate();
            let visited = tiles.map(|(from, (rising, falling))| {
                if may_end && rising.open() == 0 && falling.open() == 0 {
                    return Ok(true);
                }
                let (up, down) = (2 * from, 2 * ((from + round) % up_sides) + 1);
                Tile::new(self, up, down, rising, falling).run(progress)
            });
            let visited: Vec<bool> = visited.collect::<Result<_, Stopped>>()?;
            if visited.contains(&false) {
                return Ok(None);
            }
            // The next subtree's pairs come down.
            down.rotate_left(1);
            let due = 2 * self.instance.topology.hosts() * (round + 1) / up_sides;
            progress.inc((due - advanced) as u64);
            advanced = due;
        }
        Ok(Some(up.iter().chain(&down).flat_map(State::found).collect()))
    }

    /// The ends of the wanted links of one side, from its own pairs alone, in the order in which
    /// [`Self::ends`] visits them. O(N·hosts of a subtree·path length); `progress` advances by the
    /// hosts of the subtree.
    pub(super) fn ends_of(
        &self,
        side: usize,
        progress: &Progress,
    ) -> Result<Option<Vec<Ends>>, Stopped> {
        self.follow_tables(progress)?;
        let alone = self.alone(side);
        let may_end = self.by_spec;
        let state = |side: usize| self.state(&alone.sides[side]);
        let mut own = state(side);
        let (subtree, subtrees) = (side / 2, self.sides.len() / 2);
        for round in 0..subtrees {
            if may_end && own.open() == 0 {
                break;
            }
            let stays = if side.is_multiple_of(2) {
                let down = 2 * ((subtree + round) % subtrees) + 1;
                Tile::new(&alone, side, down, &mut own, &mut state(down)).run(progress)?
            } else {
                let up = 2 * ((subtree + subtrees - round) % subtrees);
                Tile::new(&alone, up, side, &mut state(up), &mut own).run(progress)?
            };
            if !stays {
                return Ok(None);
            }
        }
        progress.inc(self.sides[side].hosts.len() as u64);
        Ok(Some(own.found().collect()))
    }

    /// The state of a side. What is settled stays so if no path strays; where one does, nothing that was found counts.
    fn state<'s>(&'s self, side: &'s Side) -> State<'s> {
        State::new(side, self.room.as_ref(), self.instance.routing.is_single_path())
    }

    /// These subtrees where no links are wanted but those of one side.
    fn alone(&self, side: usize) -> Self {
        let number = index32(side);
        let place = self.place.iter();
        let place = place.map(|(at, slot)| (*at, if *at == number { *slot } else { NOT_WANTED }));
        let mut sides: Vec<Side> = self.sides.iter().map(|side| Side::of(&side.hosts)).collect();
        sides[side].links.clone_from(&self.sides[side].links);
        let (place, room) = (place.collect(), self.room.clone());
        let top_ancestors = self.top_ancestors.clone();
        Self { sides, place, room, top_ancestors, ..*self }
    }

    /// The hosts from which and to which the links of a side have pairs, ascending: those of its
    /// subtree, and all.
    fn hosts_of(&self, side: usize) -> (Vec<Host>, Vec<Host>) {
        let all = || self.instance.topology.host_numbers().collect();
        let mut own = self.sides[side].hosts.clone();
        own.sort_unstable();
        if side.is_multiple_of(2) { (own, all()) } else { (all(), own) }
    }

    /// Pairs among which are all those of a link.
    pub(super) fn rows_of_link(&self, link: LinkId, progress: &Progress) -> Rows {
        let (side, slot) = self.place[link as usize];
        let mut open = vec![false; self.sides[side as usize].links.len()];
        match open.get_mut(slot as usize) {
            Some(open) => *open = true,
            None => return self.all_rows_of(side as usize),
        }
        self.rows_of(side as usize, &open, progress)
    }
}

/// The pairs from one subtree to another.
struct Tile<'t, 's> {
    subtrees: &'t Subtrees<'t>,
    /// The numbers of the two sides.
    up: u32,
    down: u32,
    rising: &'t mut State<'s>,
    falling: &'t mut State<'s>,
}

impl<'t, 's> Tile<'t, 's> {
    fn new(
        subtrees: &'t Subtrees<'t>,
        up: usize,
        down: usize,
        rising: &'t mut State<'s>,
        falling: &'t mut State<'s>,
    ) -> Self {
        Self { subtrees, up: index32(up), down: index32(down), rising, falling }
    }

    /// Whether all paths stay in the two subtrees below the top.
    fn run(&mut self, progress: &Progress) -> Result<bool, Stopped> {
        let subtrees = self.subtrees;
        let sources = &subtrees.sides[self.up as usize].hosts;
        let destinations = &subtrees.sides[self.down as usize].hosts;
        let (mut paths, mut scratch) = (Paths::default(), UseScratch::default());
        let routing = &subtrees.instance.routing;
        let near = self.up + 1 == self.down;
        self.rising.start_tile(near);
        self.falling.start_tile(near);
        let is_numbered = subtrees.is_numbered && !near;
        if is_numbered {
            self.take_numbered((sources, destinations), progress)?;
        }
        let steps = if near { Vec::new() } else { self.steps() };
        let mut source = if is_numbered { sources.len() } else { 0 };
        let mut row = Vec::new();
        while let Some(s) = sources.get(source) {
            progress.check()?;
            if let Some(together) = self.by_tables(source, sources, &mut row) {
                self.take_rows(source..source + together, &row, &steps);
                source += together;
                continue;
            }
            let stays = if routing.is_single_path() {
                routing.paths_from(*s, destinations, &mut paths);
                let together = self.take_alike(source, sources, &paths, &steps);
                if together > 0 {
                    source += together;
                    continue;
                }
                self.take_paths(source, &paths)
            } else {
                let mut stays = true;
                let mut visit = |destination: usize, share: &Rational, links: &[LinkId]| {
                    stays &= self.take_uses(source, destination, share, links);
                };
                routing.for_each_use_from(*s, destinations, &mut scratch, &mut visit);
                stays
            };
            if !stays {
                return Ok(false);
            }
            source += 1;
        }
        self.rising.end_tile();
        self.falling.end_tile();
        Ok(true)
    }

    /// Takes the paths of a source into account: of each, one half belongs to either side; `false`
    /// where one strays.
    #[inline]
    fn take_paths(&mut self, source: usize, paths: &Paths) -> bool {
        paths.iter().enumerate().all(|(destination, path)| {
            let (up, down) = path.split_at(path.len() / 2);
            up.iter().all(|link| {
                let (side, slot) = self.subtrees.place[*link as usize];
                if slot != NOT_WANTED && side == self.up {
                    self.rising.take(slot as usize, source, destination);
                }
                side == self.up
            }) && down.iter().all(|link| {
                let (side, slot) = self.subtrees.place[*link as usize];
                if slot != NOT_WANTED && side == self.down {
                    self.falling.take(slot as usize, destination, source);
                }
                side == self.down
            })
        })
    }

    /// Takes links of a pair into account that carry the same share; `false` where one strays.
    fn take_uses(
        &mut self,
        source: usize,
        destination: usize,
        share: &Rational,
        links: &[LinkId],
    ) -> bool {
        let (rising, falling) = (self.rising.share_number(share), self.falling.share_number(share));
        links.iter().all(|link| {
            let (side, slot) = self.subtrees.place[*link as usize];
            if slot == NOT_WANTED || (side != self.up && side != self.down) {
                return side == self.up || side == self.down;
            }
            if side == self.up {
                self.rising.take_share(slot as usize, source, destination, rising);
            } else {
                self.falling.take_share(slot as usize, destination, source, falling);
            }
            true
        })
    }
}

#[cfg(test)]
pub(super) mod tests;
