//! Forwarding tables during a search, with the worst permutation load of every link.
//!
//! A destination is taken out of the tables and put in again ([`Tables::put_cheapest`]): leaf switch by leaf switch,
//! traffic to it takes the way that costs least, and joins the ways of those before it where it meets them, since a
//! switch forwards by destination alone. What a way costs follows from what it adds to the loads of links.

use rand::Rng;
use rand::seq::SliceRandom as _;

use super::fabric::{Fabric, NONE};
use super::link_load::{LinkLoad, Matcher};
use crate::prelude::*;

/// The leaf switches whose traffic to one destination passes each switch.
#[derive(Clone, Default)]
struct Passing {
    /// Those of switch v are `leaves[first[v]..first[v + 1]]`.
    first: Vec<u32>,
    leaves: Vec<u32>,
}

impl Passing {
    fn at(&self, switch: u32) -> &[u32] {
        let switch = switch as usize;
        match self.first.get(switch + 1) {
            Some(end) => &self.leaves[self.first[switch] as usize..*end as usize],
            None => &[],
        }
    }
}

/// How bad a state is: the highest load of a link, and how many have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    pub(super) worst: u32,
    pub(super) links: u32,
}

/// A destination to be put in.
pub(super) struct Request<'r> {
    pub(super) d: Host,
    /// Traffic from the leaf switches takes the cheapest way, in this order.
    pub(super) leaves: &'r [u32],
    /// Where this has a link for a switch that may lead to the destination, that is taken.
    pub(super) given: &'r dyn Fn(u32) -> Option<LinkId>,
}

/// What it costs to send traffic over links.
pub(super) trait Prices {
    /// Whether traffic from a leaf switch has a price on a link of this load, to which it adds or does not.
    fn counts(&self, link: LinkId, load: u32, leaf: u32, adds: bool) -> bool;
    /// The price, which a destination pays once per link.
    fn price(&self, link: LinkId, load: u32, leaf: u32) -> u64;
}

/// Forwarding tables.
pub(super) struct Tables<'f> {
    fabric: &'f Fabric,
    /// `next[d · switches + v]`: the link by which switch v forwards to host d; [`NONE`] where no traffic to it passes,
    /// and at its own leaf switch.
    next: Vec<LinkId>,
    passing: Vec<Passing>,
    /// By link, its destinations.
    destinations: Vec<Vec<Host>>,
    loads: Vec<LinkLoad>,
    /// Number of links by load.
    links_of: Vec<u32>,
    matcher: Matcher,
    ways: Ways,
}

/// The cheapest ways of one leaf switch.
struct Ways {
    /// By switch, the round in which its way was found, the cost of the way and its first link.
    round: Vec<u32>,
    cost: Vec<u64>,
    link: Vec<LinkId>,
    now: u32,
    /// By link, the destination for which the link's load is counted already.
    counted: Vec<u32>,
    trail: Trail,
}

/// What ways change.
#[derive(Default)]
struct Trail {
    /// Switches and the links by which they now forward.
    next: Vec<(u32, LinkId)>,
    /// Links that are now counted.
    counted: Vec<LinkId>,
}

impl<'f> Tables<'f> {
    /// Empty tables.
    pub(super) fn new(fabric: &'f Fabric) -> Self {
        let links = fabric.ends.len();
        Self {
            fabric,
            next: vec![NONE; fabric.hosts * fabric.switches],
            passing: vec![Passing::default(); fabric.hosts],
            destinations: vec![Vec::new(); links],
            loads: vec![LinkLoad::default(); links],
            links_of: vec![index32(links)],
            matcher: Matcher::new(&fabric.leaves),
            ways: Ways {
                round: vec![0; fabric.switches],
                cost: vec![0; fabric.switches],
                link: vec![NONE; fabric.switches],
                now: 0,
                counted: vec![NONE; links],
                trail: Trail::default(),
            },
        }
    }

    /// The tables, destination by destination.
    pub(super) fn next(&self) -> &[LinkId] {
        &self.next
    }

    pub(super) fn score(&self) -> Score {
        let worst = self.links_of.iter().rposition(|links| *links > 0).unwrap_or(0);
        Score { worst: index32(worst), links: self.links_of[worst] }
    }

    /// The load of a link.
    pub(super) fn load(&self, link: LinkId) -> u32 {
        self.loads[link as usize].value
    }

    /// The destinations of a link.
    pub(super) fn destinations(&self, link: LinkId) -> &[Host] {
        &self.destinations[link as usize]
    }

    /// The links of more than this load.
    pub(super) fn links_above(&self, load: u32) -> Vec<LinkId> {
        let links = (0..).zip(&self.loads).filter(|(_, known)| known.value > load);
        links.map(|(link, _)| link).collect()
    }

    /// Takes a destination out.
    pub(super) fn take_out(&mut self, d: Host) {
        let links = self.links_to(d);
        for link in &links {
            self.destinations[*link as usize].retain(|other| *other != d);
        }
        let row = d as usize * self.fabric.switches;
        self.next[row..row + self.fabric.switches].fill(NONE);
        self.passing[d as usize] = Passing::default();
        self.settle(&links);
    }

    /// The links that lead to a destination.
    fn links_to(&self, d: Host) -> Vec<LinkId> {
        let row = &self.next[d as usize * self.fabric.switches..][..self.fabric.switches];
        row.iter().copied().filter(|link| *link != NONE).collect()
    }

    /// Puts a destination in that is not there, by the ways of [`Self::ways_to`].
    pub(super) fn put(
        &mut self,
        request: &Request<'_>,
        prices: &impl Prices,
        random: &mut impl Rng,
    ) {
        self.ways_to(request, prices, random);
        self.ways.trail = Trail::default();
        self.enter(request.d);
    }

    /// Like [`Self::put`], pod after pod, each by the cheapest ways of several orders of its leaf switches at random.
    pub(super) fn put_cheapest(
        &mut self,
        d: Host,
        (orders, pods): (usize, &mut [Vec<u32>]),
        prices: &impl Prices,
        random: &mut impl Rng,
    ) {
        pods.shuffle(random);
        for pod in pods {
            let mut best: Option<(u64, Trail)> = None;
            for _ in 0..orders {
                pod.shuffle(random);
                let request = Request { d, leaves: pod, given: &|_| None };
                let cost = self.ways_to(&request, prices, random);
                let trail = self.undo(d);
                if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                    best = Some((cost, trail));
                }
            }
            let Some((_, Trail { next, counted })) = best else { continue };
            for (switch, link) in next {
                self.next[d as usize * self.fabric.switches + switch as usize] = link;
            }
            for link in counted {
                self.ways.counted[link as usize] = d;
            }
        }
        self.enter(d);
    }

    /// Takes back what the last ways changed, and returns it.
    fn undo(&mut self, d: Host) -> Trail {
        let trail = std::mem::take(&mut self.ways.trail);
        for (switch, _) in &trail.next {
            self.next[d as usize * self.fabric.switches + *switch as usize] = NONE;
        }
        for link in &trail.counted {
            self.ways.counted[*link as usize] = NONE;
        }
        trail
    }

    /// Makes the loads those with a destination whose ways are in the tables.
    fn enter(&mut self, d: Host) {
        let links = self.links_to(d);
        for link in &links {
            self.ways.counted[*link as usize] = NONE;
            self.destinations[*link as usize].push(d);
        }
        self.passing[d as usize] = self.pass(d);
        self.settle(&links);
    }

    /// Finds ways to a destination, which then are in the tables and on the trail, but loads are as before.
    fn ways_to(
        &mut self,
        request: &Request<'_>,
        prices: &impl Prices,
        random: &mut impl Rng,
    ) -> u64 {
        let Request { d, leaves, .. } = *request;
        let to = self.fabric.leaf_of[d as usize];
        let row = d as usize * self.fabric.switches;
        let mut total = 0_u64;
        for leaf in leaves.iter().copied().filter(|leaf| *leaf != to) {
            self.ways.now += 1;
            let mut switch = self.fabric.leaves[leaf as usize].switch;
            total = total.saturating_add(self.cost(request, leaf, switch, prices, random));
            while !self.fabric.choices(to, switch).is_empty() {
                let link = self.ways.link[switch as usize];
                if std::mem::replace(&mut self.next[row + switch as usize], link) == NONE {
                    self.ways.trail.next.push((switch, link));
                }
                if self.ways.counted[link as usize] != d && self.counts(link, leaf, prices) {
                    self.ways.counted[link as usize] = d;
                    self.ways.trail.counted.push(link);
                }
                switch = self.fabric.ends[link as usize].1;
            }
        }
        total
    }

    /// Whether traffic of a leaf switch has a price on a link.
    fn counts(&self, link: LinkId, leaf: u32, prices: &impl Prices) -> bool {
        let load = &self.loads[link as usize];
        prices.counts(link, load.value, leaf, load.grows(leaf))
    }

    /// The cost of the cheapest way from a switch to a destination, which is kept with its first link.
    fn cost(
        &mut self,
        request: &Request<'_>,
        leaf: u32,
        switch: u32,
        prices: &impl Prices,
        random: &mut impl Rng,
    ) -> u64 {
        let at = switch as usize;
        if std::mem::replace(&mut self.ways.round[at], self.ways.now) == self.ways.now {
            return self.ways.cost[at];
        }
        let (fabric, d) = (self.fabric, request.d);
        let mut choices = fabric.choices(fabric.leaf_of[d as usize], switch);
        let known = self.next[d as usize * fabric.switches + at];
        let fixed = if known == NONE { (request.given)(switch) } else { Some(known) };
        if let Some(place) = choices.iter().position(|link| Some(*link) == fixed) {
            choices = &choices[place..=place];
        }
        let (mut best, mut alike) = ((u64::MAX, NONE), 0);
        for link in choices {
            let is_counted = self.ways.counted[*link as usize] == d;
            let adds = !is_counted && self.counts(*link, leaf, prices);
            let own = if adds { prices.price(*link, self.load(*link), leaf) } else { 0 };
            let head = fabric.ends[*link as usize].1;
            let cost = own.saturating_add(self.cost(request, leaf, head, prices, random));
            if cost < best.0 {
                (best, alike) = ((cost, *link), 1);
            } else if cost == best.0 {
                alike += 1;
                if random.random_range(0..alike) == 0 {
                    best.1 = *link;
                }
            }
        }
        let (cost, link) = if best.1 == NONE { (0, NONE) } else { best };
        (self.ways.cost[at], self.ways.link[at]) = (cost, link);
        cost
    }

    /// The leaf switches whose traffic to a destination passes each switch.
    fn pass(&self, d: Host) -> Passing {
        let fabric = self.fabric;
        let row = &self.next[d as usize * fabric.switches..][..fabric.switches];
        let to = fabric.leaf_of[d as usize];
        let mut pairs = Vec::new();
        for (leaf, from) in (0..).zip(&fabric.leaves).filter(|(leaf, _)| *leaf != to) {
            let mut link = row[from.switch as usize];
            while link != NONE {
                let (tail, head) = fabric.ends[link as usize];
                pairs.push((tail, leaf));
                link = row[head as usize];
            }
        }
        let mut passing = Passing { first: vec![0; fabric.switches + 1], leaves: Vec::new() };
        for (switch, _) in &pairs {
            passing.first[*switch as usize + 1] += 1;
        }
        for switch in 0..fabric.switches {
            passing.first[switch + 1] += passing.first[switch];
        }
        let mut end = passing.first.clone();
        passing.leaves = vec![0; pairs.len()];
        for (switch, leaf) in pairs {
            let place = &mut end[switch as usize];
            passing.leaves[*place as usize] = leaf;
            *place += 1;
        }
        passing
    }

    /// Finds the loads of links again.
    fn settle(&mut self, links: &[LinkId]) {
        for link in links {
            let at = *link as usize;
            let tail = self.fabric.ends[at].0;
            let (destinations, passing) = (&self.destinations[at], &self.passing);
            let sources = |place: usize| passing[destinations[place] as usize].at(tail);
            let load = self.matcher.load(destinations.len(), sources);
            let before = std::mem::replace(&mut self.loads[at], load).value as usize;
            let now = self.loads[at].value as usize;
            if self.links_of.len() <= now {
                self.links_of.resize(now + 1, 0);
            }
            self.links_of[before] -= 1;
            self.links_of[now] += 1;
        }
    }
}
