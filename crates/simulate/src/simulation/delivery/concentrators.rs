//! A delivery cycle on a tree of channels with ideal concentrators (\[GL\] 2): of the messages that
//! reach a channel, none is lost unless they are too many for its wires.
//!
//! The messages of a cycle rise level by level, those of one node side by side, and fall in the same
//! way. At every node those turn whose destination is below it. Nothing is looked up along paths: a
//! node's hosts are an interval of positions. O(entries sent · levels) per cycle, however large the
//! tree is.

use std::ops::Range;

use super::flight::Flight;
use super::grouped::{Grouped, first};
use super::network::{Network, Part, Rules, concentrate, concentrate_counted};
use crate::channel_tree::{DOWN, UP, WireTree};
use crate::integer::index32;
use crate::topology::Host;

/// Messages that hosts inject, in order.
struct Injected<'p> {
    parts: &'p [Part],
    /// Rank of the source and position of the destination of every entry, and of the first part.
    ends: &'p [[u32; 2]],
    next: Option<[u32; 2]>,
}

impl<'p> Injected<'p> {
    fn new(parts: &'p [Part], ends: &'p [[u32; 2]]) -> Self {
        let mut injected = Self { parts, ends, next: None };
        injected.look_up();
        injected
    }

    #[inline]
    fn look_up(&mut self) {
        self.next = self.parts.first().map(|part| self.ends[part.entry as usize]);
    }

    /// The next rank that injects something, if it is on the level that begins with `first`: deeper
    /// ones, whose ranks are higher, come before.
    #[inline]
    fn on_level(&self, first: u32) -> Option<u32> {
        self.next.map(|[source, _]| source).filter(|rank| *rank >= first)
    }

    /// Hands out what `at` injects. Every entry of a host without children is an input of its own.
    #[inline]
    fn take(&mut self, at: u32, is_leaf: bool, mut each: impl FnMut(Flight)) {
        let mut input = 0;
        while let (Some([source, to]), [Part { entry, count }, rest @ ..]) = (self.next, self.parts)
        {
            if source != at {
                return;
            }
            each(Flight { count: *count, to, entry: *entry, input, is_lost: false });
            input += u32::from(is_leaf);
            self.parts = rest;
            self.look_up();
        }
    }
}

/// A tree of channels with an ideal concentrator before each.
#[derive(Clone, Debug)]
pub struct Concentrators<'t> {
    tree: &'t WireTree,
    ends: Vec<[u32; 2]>,
    /// Flights that turn at the nodes of every level, ascending.
    turning: Vec<Grouped>,
    /// Flights that have reached the nodes of a level, ascending, and of the next.
    moving: [Grouped; 2],
    /// Flights that have reached a node, and these by the channel that they leave through.
    reached: Vec<Flight>,
    sorted: Vec<Flight>,
    /// The channel of every flight, and where the flights of every channel begin.
    places: Vec<u32>,
    begins: Vec<usize>,
}

impl<'t> Concentrators<'t> {
    /// The concentrators of a tree, empty.
    #[must_use]
    pub fn new(tree: &'t WireTree) -> Self {
        Self {
            tree,
            ends: Vec::new(),
            turning: vec![Grouped::default(); tree.levels()],
            moving: <[Grouped; 2]>::default(),
            reached: Vec::new(),
            sorted: Vec::new(),
            places: Vec::new(),
            begins: Vec::new(),
        }
    }

    /// Carries everything up until it turns.
    fn rise(&mut self, parts: &[Part], rules: &mut Rules<'_>) {
        let [mut here, mut above] = std::mem::take(&mut self.moving);
        let mut injected = Injected::new(parts, &self.ends);
        here.clear();
        for level in (0..self.tree.levels()).rev() {
            let turning = &mut self.turning[level];
            turning.clear();
            above.clear();
            let level_begin = self.tree.level_ranks(level).start;
            let mut risen = here.queue();
            loop {
                let own = injected.on_level(level_begin);
                let Some(rank) = first(own, risen.at()) else { break };
                let below = self.tree.hosts_below(rank);
                let mut messages = 0;
                let mut reach = |flight: Flight| {
                    if below.contains(&flight.to) {
                        turning.flights.push(flight);
                    } else {
                        messages += flight.count;
                        above.flights.push(flight);
                    }
                };
                if own == Some(rank) {
                    injected.take(rank, self.tree.children(rank).is_empty(), &mut reach);
                }
                while let Some((input, flights)) = risen.take(rank) {
                    for flight in flights {
                        reach(Flight { input, ..*flight });
                    }
                }
                turning.close(rank, 0);
                leave(self.tree, rank, &mut above, messages, rules);
            }
            std::mem::swap(&mut here, &mut above);
        }
        self.moving = [here, above];
    }

    /// Carries down what has turned.
    fn fall(&mut self, rules: &mut Rules<'_>, arrived: &mut Vec<Part>) {
        let [mut here, mut next] = std::mem::take(&mut self.moving);
        here.clear();
        for level in 0..self.tree.levels() {
            next.clear();
            let turning = std::mem::take(&mut self.turning[level]);
            let (mut turned, mut fallen) = (turning.queue(), here.queue());
            while let Some(rank) = first(turned.at(), fallen.at()) {
                self.reached.clear();
                if let Some((_, flights)) = turned.take(rank) {
                    self.reached.extend_from_slice(flights);
                }
                if let Some((input, flights)) = fallen.take(rank) {
                    self.reached.extend(flights.iter().map(|flight| Flight { input, ..*flight }));
                }
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
    fn spread(&mut self, rank: u32, next: &mut Grouped, rules: &mut Rules<'_>) {
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
        next: &mut Grouped,
        rules: &mut Rules<'_>,
    ) {
        let (channel, wires) = channel(self.tree, child, DOWN);
        let flights = &mut self.reached[range];
        let kept = concentrate(flights, channel, wires, rules);
        next.flights.extend_from_slice(&flights[..kept]);
        // The parent is the last input of a node, after its children.
        next.close(child, 1 + index32(self.tree.children(child).len()));
    }
}

/// The number of a channel, and its wires.
#[inline]
fn channel(tree: &WireTree, rank: u32, way: usize) -> (usize, u64) {
    (2 * rank as usize + way, tree.wires(rank)[way])
}

/// Sends to the parent what has reached a node from below and does not turn there: of the flights of
/// `above`, those that are in no group yet, with `messages` messages in all.
#[inline]
fn leave(tree: &WireTree, rank: u32, above: &mut Grouped, messages: u64, rules: &mut Rules<'_>) {
    let begin = above.begin();
    let (channel, wires) = channel(tree, rank, UP);
    let flights = &mut above.flights[begin..];
    let kept = concentrate_counted(flights, messages, channel, wires, rules);
    above.flights.truncate(begin + kept);
    above.close(tree.parent(rank), 1 + tree.place(rank));
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
