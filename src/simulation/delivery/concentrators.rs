//! A delivery cycle on a tree of channels with ideal concentrators (\[GL\] 2): of the messages that
//! reach a channel, none is lost unless they are too many for its wires.
//!
//! The messages of a cycle rise level by level, those of one node side by side, and fall in the same
//! way. At every node those turn whose destination is below it. Nothing is looked up along paths: a
//! node's hosts are an interval of positions. O(entries sent · levels) per cycle, however large the
//! tree is.

use super::network::{Flight, Network, Part, Rules, concentrate};
use crate::channels::{DOWN, UP, WireTree};
use crate::integer::index32;
use crate::topology::Host;

/// Flights at the nodes of one level, in runs by ascending rank.
#[derive(Clone, Debug, Default)]
struct Level {
    flights: Vec<Flight>,
    /// A rank, and the end of its run.
    runs: Vec<(u32, usize)>,
}

impl Level {
    fn clear(&mut self) {
        self.flights.clear();
        self.runs.clear();
    }

    /// Adds flights to the run of `rank`, which no other follows.
    fn extend(&mut self, rank: u32, flights: impl Iterator<Item = Flight>) {
        let before = self.flights.len();
        self.flights.extend(flights);
        let end = self.flights.len();
        match self.runs.last_mut() {
            Some(run) if run.0 == rank => run.1 = end,
            _ if end > before => self.runs.push((rank, end)),
            _ => {}
        }
    }
}

/// Reads the runs of a level in order.
struct Runs<'l> {
    level: &'l Level,
    next: usize,
    from: usize,
}

impl<'l> Runs<'l> {
    fn of(level: &'l Level) -> Self {
        Self { level, next: 0, from: 0 }
    }

    fn rank(&self) -> Option<u32> {
        self.level.runs.get(self.next).map(|run| run.0)
    }

    /// The flights at `rank`, if its is the next run.
    fn take(&mut self, rank: u32) -> &'l [Flight] {
        let end = match self.level.runs.get(self.next) {
            Some((of, end)) if *of == rank => *end,
            _ => return &[],
        };
        self.next += 1;
        &self.level.flights[std::mem::replace(&mut self.from, end)..end]
    }
}

/// The messages that hosts inject, in order.
struct Injected<'p> {
    parts: &'p [Part],
    /// Rank of the source and position of the destination of every entry.
    ends: &'p [[u32; 2]],
}

impl Injected<'_> {
    /// The next rank that injects something, if it is one of `ranks`.
    fn rank(&self, ranks: &std::ops::Range<u32>) -> Option<u32> {
        let [source, _] = self.ends[self.parts.first()?.entry as usize];
        ranks.contains(&source).then_some(source)
    }

    /// Adds what `rank` injects. Every entry of a host without children is an input of its own.
    fn take(&mut self, rank: u32, is_leaf: bool, reached: &mut Vec<Flight>) {
        let mut index = 0;
        while let Some((Part { entry, count }, rest)) = self.parts.split_first() {
            let [source, to] = self.ends[*entry as usize];
            if source != rank {
                return;
            }
            let input = if is_leaf { index } else { 0 };
            reached.push(Flight { count: *count, to, entry: *entry, input, is_lost: false });
            (self.parts, index) = (rest, index + 1);
        }
    }
}

/// A tree of channels with an ideal concentrator before each.
#[derive(Clone, Debug)]
pub struct Concentrators<'t> {
    tree: &'t WireTree,
    ends: Vec<[u32; 2]>,
    /// What turns at the nodes of every level.
    turning: Vec<Level>,
    /// What has reached the nodes of a level, and of the next.
    moving: [Level; 2],
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
            turning: vec![Level::default(); tree.levels()],
            moving: <[Level; 2]>::default(),
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
            let ranks = self.tree.level_ranks(level);
            self.turning[level].clear();
            above.clear();
            let mut risen = Runs::of(&here);
            while let Some(rank) = first(injected.rank(&ranks), risen.rank()) {
                self.reached.clear();
                injected.take(rank, self.tree.children(rank).is_empty(), &mut self.reached);
                self.reached.extend_from_slice(risen.take(rank));
                self.leave(rank, level, &mut above, rules);
            }
            std::mem::swap(&mut here, &mut above);
        }
        self.moving = [here, above];
        self.ends = ends;
    }

    /// Of what has reached a node from below, lets turn what is for a host below it, and sends the
    /// rest to the parent.
    fn leave(&mut self, rank: u32, level: usize, above: &mut Level, rules: &mut Rules<'_>) {
        let below = self.tree.hosts_below(rank);
        let turns = |flight: &&Flight| below.contains(&flight.to);
        self.turning[level].extend(rank, self.reached.iter().filter(turns).copied());
        self.reached.retain(|flight| !below.contains(&flight.to));
        if self.reached.is_empty() {
            return;
        }
        let channel = self.channel(rank, UP);
        let kept = concentrate(&mut self.reached, channel, rules);
        let parent = self.tree.parent(rank);
        let input = 1 + rank - self.tree.children(parent).start;
        let risen = self.reached[..kept].iter();
        above.extend(parent, risen.map(|flight| Flight { input, ..*flight }));
    }

    /// Carries down what has turned.
    fn fall(&mut self, rules: &mut Rules<'_>, arrived: &mut Vec<Part>) {
        let [mut here, mut next] = std::mem::take(&mut self.moving);
        here.clear();
        for level in 0..self.tree.levels() {
            next.clear();
            let turning = std::mem::take(&mut self.turning[level]);
            let (mut turned, mut fallen) = (Runs::of(&turning), Runs::of(&here));
            while let Some(rank) = first(turned.rank(), fallen.rank()) {
                let children = index32(self.tree.children(rank).len());
                let falling = |flight: &Flight| Flight { input: 1 + children, ..*flight };
                self.reached.clear();
                self.reached.extend_from_slice(turned.take(rank));
                self.reached.extend(fallen.take(rank).iter().map(falling));
                self.arrive(rank, arrived);
                self.spread(rank, &mut next, rules);
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
        let mine = self.reached.iter().filter(|flight| flight.to == own && !flight.is_lost);
        arrived.extend(mine.map(|flight| Part { entry: flight.entry, count: flight.count }));
        self.reached.retain(|flight| flight.to != own);
    }

    /// Sends what has reached a node to its children.
    fn spread(&mut self, rank: u32, next: &mut Level, rules: &mut Rules<'_>) {
        if self.reached.is_empty() {
            return;
        }
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
        for (at, child) in children.enumerate() {
            let range = self.begins[at]..self.begins[at + 1];
            if !range.is_empty() {
                let channel = self.channel(child, DOWN);
                let flights = &mut self.sorted[range];
                let kept = concentrate(flights, channel, rules);
                next.extend(child, flights[..kept].iter().copied());
            }
        }
    }

    /// The number of a channel, and its wires.
    fn channel(&self, rank: u32, way: usize) -> (usize, u64) {
        (2 * rank as usize + way, self.tree.wires(rank)[way])
    }
}

/// The lesser of two ranks, where there are any.
fn first(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    [one, other].into_iter().flatten().min()
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

    fn prepare(&mut self, ends: Vec<(Host, Host)>) {
        let of = |(s, d): (Host, Host)| [self.tree.rank(s), self.tree.position(d)];
        self.ends = ends.into_iter().map(of).collect();
    }
}
