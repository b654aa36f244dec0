//! The search: tables to begin with, then destinations of the worst links put in again.
//!
//! It aims at one less than the highest load there is. A destination of every link above that is taken out and put in
//! again where it costs least: what would raise a link above the aim is expensive, the more so the longer that link
//! has been above it, and other links cost the more the fuller they are. Where a state is better than all before it is
//! kept. The search ends at the lower bound, after a number of destinations without a better state, or at a stop.

use rand::seq::SliceRandom as _;

use super::fabric::{Fabric, NONE};
use super::owners::Owners;
use super::tables::{Prices, Request, Score, Tables};
use crate::prelude::*;

/// The price of raising a link above the aim.
const ABOVE: u64 = 1 << 24;
/// Number of loads up to the aim over which the price rises, by a factor of four each.
const STEEP: u32 = 8;
/// Number of orders of the leaf switches of a pod that are tried for a destination.
const ORDERS: usize = 8;
/// Number of destinations per host that are put in without a better state before the search ends.
const PATIENCE: usize = 4;
/// The fewest of them.
const LEAST_PATIENCE: usize = 1 << 12;

/// What a search found.
pub(super) struct Found {
    /// As [`Tables::next`] of the best state.
    pub(super) next: Vec<LinkId>,
    pub(super) score: Score,
    /// Number of destinations that were put in.
    pub(super) steps: u64,
    /// Whether it was stopped.
    pub(super) stopped: bool,
}

/// The links given for a switch and a destination.
pub(super) type Given<'g> = dyn Fn(u32, Host) -> Option<LinkId> + 'g;

/// A search in a fabric.
pub(super) struct Search<'f> {
    fabric: &'f Fabric,
    owners: Owners<'f>,
    /// By link, what it can carry at most whatever the tables.
    most: Vec<u32>,
    /// No tables reach less.
    bound: u32,
    random: Stream,
    /// Counts the destinations that are put into tables.
    counter: &'f Progress,
    steps: u64,
    best: Option<(Score, Vec<LinkId>)>,
}

/// Prices while tables are made: links up are there for their owners.
struct Making<'s, 'f>(&'s Search<'f>);

impl Prices for Making<'_, '_> {
    fn counts(&self, link: LinkId, _load: u32, leaf: u32, adds: bool) -> bool {
        adds && !self.0.is_own(link, leaf)
    }

    fn price(&self, link: LinkId, load: u32, _leaf: u32) -> u64 {
        let search = self.0;
        if search.most[link as usize] <= search.bound {
            return 0;
        }
        let own = u64::from(load + 1).pow(2);
        let is_above = search.fabric.is_up(link) || load >= search.bound;
        own + if is_above { ABOVE } else { 0 }
    }
}

/// Prices while tables are improved.
struct Improving<'s, 'f> {
    search: &'s Search<'f>,
    aim: u32,
    /// By link, the number of times that it was found above the aim.
    raises: &'s [u32],
}

impl Prices for Improving<'_, '_> {
    /// On a link above the aim also what does not add to its load: with less of that, its load is lower.
    fn counts(&self, link: LinkId, load: u32, leaf: u32, adds: bool) -> bool {
        (adds || load > self.aim) && !self.search.is_own(link, leaf)
    }

    fn price(&self, link: LinkId, load: u32, _leaf: u32) -> u64 {
        let Self { search, aim, raises } = *self;
        if search.most[link as usize] <= aim {
            return 0;
        }
        if load >= aim {
            return ABOVE + (ABOVE >> 3) * u64::from(raises[link as usize]);
        }
        1 << (2 * (load + 1 + STEEP).saturating_sub(aim))
    }
}

impl<'f> Search<'f> {
    pub(super) fn new(fabric: &'f Fabric, bound: u32, seed: u64, counter: &'f Progress) -> Self {
        let most = most(fabric);
        let (owners, random) = (Owners::of(fabric), Streams::new(seed).at(0));
        Self { fabric, owners, most, bound, random, counter, steps: 0, best: None }
    }

    /// Searches from tables of its own, and from given ones where these are better.
    pub(super) fn run(mut self, given: Option<&Given<'_>>, progress: &Progress) -> Option<Found> {
        let mut tables = self.made(None, progress)?;
        self.keep(&tables);
        if let Some(given) = given.filter(|_| !self.is_done())
            && let Some(others) = self.made(Some(given), progress)
            && others.score() < tables.score()
        {
            tables = others;
            self.keep(&tables);
        }
        let stopped = !self.improve(&mut tables, progress);
        let (steps, (score, next)) = (self.steps, self.best?);
        Some(Found { next, score, steps, stopped })
    }

    /// Whether a link up is there for a leaf switch.
    fn is_own(&self, link: LinkId, leaf: u32) -> bool {
        self.fabric.is_up(link) && self.owners.owns(link, leaf)
    }

    /// Whether the best state is at the lower bound.
    fn is_done(&self) -> bool {
        self.best.as_ref().is_some_and(|(score, _)| score.worst <= self.bound)
    }

    /// Keeps a state if it is better than all before; whether it is.
    fn keep(&mut self, tables: &Tables<'_>) -> bool {
        let score = tables.score();
        let is_better = self.best.as_ref().is_none_or(|(best, _)| score < *best);
        if is_better {
            self.best = Some((score, tables.next().to_vec()));
        }
        is_better
    }

    /// Tables that hold all destinations, with the given links where they may lead on; `None` at a stop.
    fn made(&mut self, given: Option<&Given<'_>>, progress: &Progress) -> Option<Tables<'f>> {
        let mut tables = Tables::new(self.fabric);
        let leaves: Vec<u32> = (0..index32(self.fabric.leaves.len())).collect();
        let mut random = self.random.clone();
        let most = self.fabric.leaves.iter().map(|leaf| leaf.hosts.len()).max().unwrap_or(0);
        // In turn, a host of every leaf switch.
        for place in 0..index32(most) {
            for leaf in &self.fabric.leaves {
                let Some(d) = leaf.hosts.get(place as usize).copied() else { continue };
                progress.check().ok()?;
                let link = |switch| match given {
                    Some(given) => given(switch, d),
                    None => self.owners.turn(switch, place),
                };
                let request = Request { d, leaves: &leaves, given: &link };
                tables.put(&request, &Making(self), &mut random);
                self.counter.inc(1);
            }
        }
        self.random = random;
        self.steps += self.fabric.hosts as u64;
        Some(tables)
    }

    /// Improves a state; `false` if it was stopped.
    fn improve(&mut self, tables: &mut Tables<'f>, progress: &Progress) -> bool {
        let patience = (PATIENCE * self.fabric.hosts).max(LEAST_PATIENCE);
        let mut pods = self.fabric.pods();
        let mut raises = vec![0; self.fabric.ends.len()];
        let (mut waited, mut aim) = (0, NONE);
        while !self.is_done() && waited < patience {
            let worst = self.best.as_ref().map_or(0, |(score, _)| score.worst);
            if aim != worst - 1 {
                aim = worst - 1;
                raises.fill(0);
            }
            let mut links = tables.links_above(aim);
            links.shuffle(&mut self.random);
            for link in links {
                if progress.cancelled() {
                    return false;
                }
                if tables.load(link) <= aim {
                    continue;
                }
                raises[link as usize] += 1;
                let destinations = tables.destinations(link);
                let d = destinations[self.random.random_range(0..destinations.len())];
                self.put_again(tables, d, &mut pods, (aim, &raises));
                waited += 1;
                self.counter.inc(1);
            }
            if self.keep(tables) {
                waited = 0;
            }
        }
        true
    }

    fn put_again(
        &mut self,
        tables: &mut Tables<'f>,
        d: Host,
        pods: &mut [Vec<u32>],
        (aim, raises): (u32, &[u32]),
    ) {
        tables.take_out(d);
        let mut random = self.random.clone();
        let prices = Improving { search: self, aim, raises };
        tables.put_cheapest(d, (ORDERS, pods), &prices, &mut random);
        self.random = random;
        self.steps += 1;
    }
}

/// By link, the least of the hosts below its lower end: a link up carries no other sources, a link down no other
/// destinations.
fn most(fabric: &Fabric) -> Vec<u32> {
    let mut below = vec![vec![false; fabric.leaves.len()]; fabric.switches];
    let mut order: Vec<u32> = (0..index32(fabric.switches)).collect();
    order.sort_by_key(|switch| fabric.place[*switch as usize]);
    for (leaf, at) in fabric.leaves.iter().enumerate() {
        below[at.switch as usize][leaf] = true;
    }
    for switch in order {
        let mut own = std::mem::take(&mut below[switch as usize]);
        for link in fabric.out[switch as usize].iter().filter(|link| !fabric.is_up(**link)) {
            let head = fabric.ends[*link as usize].1;
            own.iter_mut().zip(&below[head as usize]).for_each(|(own, other)| *own |= other);
        }
        below[switch as usize] = own;
    }
    let hosts = |switch: u32| {
        let leaves = fabric.leaves.iter().zip(&below[switch as usize]);
        leaves.filter(|(_, below)| **below).map(|(leaf, _)| index32(leaf.hosts.len())).sum()
    };
    let hosts: Vec<u32> = (0..index32(fabric.switches)).map(hosts).collect();
    let lower = |(tail, head): &(u32, u32)| match (*tail, *head) {
        (NONE, _) | (_, NONE) => 0,
        (tail, head) if fabric.place[tail as usize] < fabric.place[head as usize] => {
            hosts[tail as usize]
        }
        (_, head) => hosts[head as usize],
    };
    fabric.ends.iter().map(lower).collect()
}
