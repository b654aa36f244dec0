//! A delivery cycle on a tree of channels with ideal concentrators (\[GL\] 2): of the messages that
//! reach a channel, none is lost unless they are too many for its wires.
//!
//! The messages of a cycle rise level by level, those of one node side by side, and fall in the same
//! way. At every node those turn whose destination is below it. Nothing is looked up along paths: a
//! node's hosts are an interval of positions. O(entries sent · levels) per cycle, however large the
//! tree is.

use std::ops::Range;

use super::network::{Flight, Network, Part, Rules, concentrate};
use crate::channels::{DOWN, UP, WireTree};
use crate::integer::index32;
use crate::topology::Host;

/// What hosts inject, in order.
struct Injected<'p> {
    parts: &'p [Part],
    /// Rank of the source and position of the destination of every entry.
    ends: &'p [[u32; 2]],
}

impl Injected<'_> {
    /// The next rank that injects something.
    fn rank(&self) -> Option<u32> {
        Some(self.ends[self.parts.first()?.entry as usize][0])
    }

    /// Adds what `at` injects. Every entry of a host without children is an input of its own.
    fn take(&mut self, at: u32, is_leaf: bool, reached: &mut Vec<Flight>) {
        let mut index = 0;
        while let Some((Part { entry, count }, rest)) = self.parts.split_first() {
            let [source, to] = self.ends[*entry as usize];
            if source != at {
                return;
            }
            let input = if is_leaf { index } else { 0 };
            reached.push(Flight { count: *count, at, to, entry: *entry, input, is_lost: false });
            (self.parts, index) = (rest, index + 1);
        }
    }
}

/// Takes the flights at `at` from the front of `flights`, which are ascending in that.
fn take<'f>(flights: &mut &'f [Flight], at: u32) -> &'f [Flight] {
    let count = flights.iter().take_while(|flight| flight.at == at).count();
    let (taken, rest) = flights.split_at(count);
    *flights = rest;
    taken
}

/// A tree of channels with an ideal concentrator before each.
#[derive(Clone, Debug)]
pub struct Concentrators<'t> {
    tree: &'t WireTree,
    ends: Vec<[u32; 2]>,
    /// What turns at the nodes of every level, ascending.
    turning: Vec<Vec<Flight>>,
    /// What has reached the nodes of a level, ascending, and of the next.
    moving: [Vec<Flight>; 2],
    /// What has reached a node, and the same by the channel that it leaves through.
    reached: Vec<Flight>,
    sorted: Vec<Flight>,
    /// The channel of every flight, and where the flights of every channel begin.
    places: Vec<u32>,
    begins: Vec<usize>,
}

impl<'t> Concentrators<'t> {
    /// On a tree.
    #[must_use]
    pub fn new(tree: &'t WireTree) -> Self {
        Self {
            tree,
            ends: Vec::new(),
            turning: vec![Vec::new(); tree.levels()],
            moving: <[Vec<Flight>; 2]>::default(),
            reached: Vec::new(),
            sorted: Vec::new(),
            places: Vec::new(),
            begins: Vec::new(),
        }
    }

    /// Carries everything up until it turns.
    fn rise(&mut self, parts: &[Part], rules: &mut Rules<'_>) {
        let [mut here, mut above] = std::mem::take(&mut self.moving);
        let ends = std::mem::take(&mut self.ends);
        let mut injected = Injected { parts, ends: &ends };
        here.clear();
        for level in (0..self.tree.levels()).rev() {
            let mut turning = std::mem::take(&mut self.turning[level]);
            turning.clear();
            above.clear();
            let ranks = self.tree.level_ranks(level);
            let mut risen = &here[..];
            loop {
                let own = injected.rank().filter(|rank| ranks.contains(rank));
                let Some(rank) = first(own, risen) else { break };
                self.reached.clear();
                if own == Some(rank) {
                    let is_leaf = self.tree.children(rank).is_empty();
                    injected.take(rank, is_leaf, &mut self.reached);
                }
                self.reached.extend_from_slice(take(&mut risen, rank));
                self.leave(rank, &mut turning, &mut above, rules);
            }
            self.turning[level] = turning;
            std::mem::swap(&mut here, &mut above);
        }
        self.moving = [here, above];
        self.ends = ends;
    }

    /// Of what has reached a node from below, lets turn what is for a host below it, and sends the
    /// rest to the parent.
    #[inline]
    fn leave(
        &mut self,
        rank: u32,
        turning: &mut Vec<Flight>,
        above: &mut Vec<Flight>,
        rules: &mut Rules<'_>,
    ) {
        let below = self.tree.hosts_below(rank);
        self.reached.retain(|flight| {
            let turns = below.contains(&flight.to);
            if turns {
                turning.push(*flight);
            }
            !turns
        });
        let channel = self.channel(rank, UP);
        let kept = concentrate(&mut self.reached, channel, rules);
        let (at, input) = (self.tree.parent(rank), 1 + self.tree.place(rank));
        let risen = self.reached[..kept].iter();
        above.extend(risen.map(|flight| Flight { at, input, ..*flight }));
    }

    /// Carries down what has turned.
    fn fall(&mut self, rules: &mut Rules<'_>, arrived: &mut Vec<Part>) {
        let [mut here, mut next] = std::mem::take(&mut self.moving);
        here.clear();
        for level in 0..self.tree.levels() {
            next.clear();
            let turning = std::mem::take(&mut self.turning[level]);
            let (mut turned, mut fallen) = (&turning[..], &here[..]);
            while let Some(rank) = first(turned.first().map(|flight| flight.at), fallen) {
                let children = self.tree.children(rank);
                let from_above = 1 + index32(children.len());
                self.reached.clear();
                self.reached.extend_from_slice(take(&mut turned, rank));
                let fallen = take(&mut fallen, rank).iter();
                self.reached.extend(fallen.map(|flight| Flight { input: from_above, ..*flight }));
                self.arrive(rank, arrived);
                match self.reached.as_slice() {
                    [] => {}
                    [flight] => {
                        let child = self.tree.child_towards(rank, flight.to);
                        self.enter(child, 0..1, &mut next, rules);
                    }
                    _ => self.spread(rank, &mut next, rules),
                }
            }
            self.turning[level] = turning;
            std::mem::swap(&mut here, &mut next);
        }
        self.moving = [here, next];
    }

    /// Delivers what is for the host at a node.
    fn arrive(&mut self, rank: u32, arrived: &mut Vec<Part>) {
        if !self.tree.is_host(rank) {
            return;
        }
        let own = self.tree.hosts_below(rank).start;
        self.reached.retain(|flight| {
            if flight.to == own && !flight.is_lost {
                arrived.push(Part { entry: flight.entry, count: flight.count });
            }
            flight.to != own
        });
    }

    /// Sends what has reached a node to its children.
    fn spread(&mut self, rank: u32, next: &mut Vec<Flight>, rules: &mut Rules<'_>) {
        let children = self.tree.children(rank);
        self.begins.clear();
        self.begins.resize(children.len() + 2, 0);
        self.places.clear();
        for flight in &self.reached {
            let place = self.tree.child_towards(rank, flight.to) - children.start;
            self.places.push(place);
            self.begins[place as usize + 2] += 1;
        }
        // begins[c + 1] becomes where the flights of child c begin, then where they end.
        for child in 2..self.begins.len() {
            self.begins[child] += self.begins[child - 1];
        }
        self.sorted.clone_from(&self.reached);
        for (flight, place) in self.reached.iter().zip(&self.places) {
            let at = &mut self.begins[*place as usize + 1];
            self.sorted[*at] = *flight;
            *at += 1;
        }
        std::mem::swap(&mut self.reached, &mut self.sorted);
        for (place, child) in children.enumerate() {
            self.enter(child, self.begins[place]..self.begins[place + 1], next, rules);
        }
    }

    /// Sends a range of what has reached a node to one child.
    #[inline]
    fn enter(
        &mut self,
        child: u32,
        range: Range<usize>,
        next: &mut Vec<Flight>,
        rules: &mut Rules<'_>,
    ) {
        let channel = self.channel(child, DOWN);
        let flights = &mut self.reached[range];
        let kept = concentrate(flights, channel, rules);
        next.extend(flights[..kept].iter().map(|flight| Flight { at: child, ..*flight }));
    }

    /// The number of a channel, and its wires.
    fn channel(&self, rank: u32, way: usize) -> (usize, u64) {
        (2 * rank as usize + way, self.tree.wires(rank)[way])
    }
}

/// The lesser of a rank and that of the first flight.
#[inline]
fn first(rank: Option<u32>, flights: &[Flight]) -> Option<u32> {
    match (rank, flights.first()) {
        (Some(rank), Some(flight)) => Some(rank.min(flight.at)),
        (rank, flight) => rank.or(flight.map(|flight| flight.at)),
    }
}

impl Network for Concentrators<'_> {
    fn cycle(&mut self, parts: &[Part], rules: &mut Rules<'_>, arrived: &mut Vec<Part>) {
        self.rise(parts, rules);
        self.fall(rules, arrived);
    }

    /// The deepest level first, in each by rank.
    fn injection_rank(&self, host: Host) -> u32 {
        let rank = self.tree.rank(host);
        let nodes = index32(self.tree.nodes());
        let ranks = self.tree.level_ranks(self.tree.level(rank));
        nodes - ranks.end + (rank - ranks.start)
    }

    fn hosts(&self) -> usize {
        self.tree.hosts()
    }

    fn tree(&self) -> Option<&WireTree> {
        Some(self.tree)
    }

    fn prepare(&mut self, ends: Vec<(Host, Host)>) {
        let of = |(s, d): (Host, Host)| [self.tree.rank(s), self.tree.position(d)];
        self.ends = ends.into_iter().map(of).collect();
    }
}
