//! Paths of packets that a routing gives, one of several where it splits pairs.

use std::collections::HashMap;

use super::SimulationError;
use crate::prelude::*;
use crate::routing::Routing;
use crate::traffic::PathRecord;

/// Gives every packet its path.
pub trait PacketPaths {
    /// Appends the path of the next packet from `s` to `d`, s ≠ d.
    fn path(&mut self, s: Host, d: Host, links: &mut Vec<LinkId>);

    /// Whether packets of a pair may take different paths.
    fn may_differ(&self) -> bool;
}

/// Rule by which packets of a pair are spread over its paths, where it has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Spread {
    /// Every packet takes a path at random, by the shares of the routing.
    #[default]
    Random,
    /// The packets of a pair take its paths in turn.
    RoundRobin,
    /// All packets of a pair take the same path, which is drawn by the shares.
    Flow,
}

impl Spread {
    /// Every spread, with its name.
    pub const ALL: [(&'static str, Self); 3] =
        [("random", Self::Random), ("round-robin", Self::RoundRobin), ("flow", Self::Flow)];

    /// Name of the rule.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, spread)| *spread == self).map_or("", |(name, _)| name)
    }
}

/// The paths of a [`Routing`].
pub(super) struct Routed<'a> {
    routing: &'a dyn Routing,
    spread: Spread,
    streams: Streams,
    /// A stream for each source, where packets are drawn.
    random: Vec<Stream>,
    turns: HashMap<(Host, Host), u32>,
    links: Vec<LinkId>,
    hosts: usize,
}

/// Streams of paths begin here; those before are of packets.
const PATHS: u64 = 1 << 40;

/// Streams of pairs begin here.
const PAIRS: u64 = 1 << 62;

impl<'a> Routed<'a> {
    pub(super) fn new(routing: &'a dyn Routing, hosts: usize, spread: Spread, seed: u64) -> Self {
        let streams = Streams::new(seed);
        let is_drawn = !routing.is_single_path() && spread == Spread::Random;
        let random = (0..hosts as u64).take_while(|_| is_drawn).map(|s| streams.at(PATHS + s));
        let random = random.collect();
        let (turns, links) = (HashMap::new(), Vec::new());
        Self { routing, spread, streams, random, turns, links, hosts }
    }

    /// A number in [0, 1): the path on which it falls is taken when the shares are laid end to end.
    fn point(&mut self, s: Host, d: Host) -> f64 {
        match self.spread {
            Spread::Random => self.random[s as usize].random(),
            Spread::Flow => {
                let pair = u64::from(s) * self.hosts as u64 + u64::from(d);
                self.streams.at(PAIRS + pair).random()
            }
            Spread::RoundRobin => {
                let mut count = 0_u32;
                self.routing.for_each_path(s, d, &mut self.links, &mut |_, _| count += 1);
                let turn = self.turns.entry((s, d)).or_default();
                *turn = (*turn + 1) % count.max(1);
                (f64::from(*turn) + 0.5) / f64::from(count.max(1))
            }
        }
    }
}

impl PacketPaths for Routed<'_> {
    fn path(&mut self, s: Host, d: Host, links: &mut Vec<LinkId>) {
        if self.routing.is_single_path() {
            let visit = &mut |_: &_, path: &[LinkId]| links.extend_from_slice(path);
            return self.routing.for_each_path(s, d, &mut self.links, visit);
        }
        let point = self.point(s, d);
        let mut sum = 0.0;
        self.routing.for_each_path(s, d, &mut self.links, &mut |share, path| {
            // The last path is taken where rounding leaves something over.
            if sum <= point {
                links.clear();
                links.extend_from_slice(path);
            }
            sum += share.to_f64();
        });
    }

    fn may_differ(&self) -> bool {
        !self.routing.is_single_path() && self.spread != Spread::Flow
    }
}

/// One path for each pair of some traffic.
#[derive(Debug)]
pub(super) struct OnePath {
    paths: HashMap<(Host, Host), Vec<LinkId>>,
}

impl OnePath {
    pub(super) fn new(records: &[PathRecord]) -> Result<Self, SimulationError> {
        let mut paths = HashMap::with_capacity(records.len());
        for record in records {
            let PathRecord { s, d, links, .. } = record;
            if paths.insert((*s, *d), links.clone()).is_some() {
                return Err(SimulationError::TwoPaths { s: *s, d: *d });
            }
        }
        Ok(Self { paths })
    }
}

impl PacketPaths for OnePath {
    fn path(&mut self, s: Host, d: Host, links: &mut Vec<LinkId>) {
        if let Some(path) = self.paths.get(&(s, d)) {
            links.extend_from_slice(path);
        }
    }

    fn may_differ(&self) -> bool {
        false
    }
}
