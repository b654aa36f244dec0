//! A delivery cycle where switches have constant size and no concentrators (\[GL\] 6, Figure 8):
//! every message takes a random wire up at every switch until its destination is below, and then the only
//! way down. Every link of the network is a channel of its own, of one wire where its capacity is 1.

use rand_distr::{Binomial, Distribution};

use super::DeliveryError;
use super::flight::Flight;
use super::network::{Network, Part, Rules, concentrate};
use crate::channel_tree::{Channel, DOWN, NoWires, UP};
use crate::prelude::*;
use crate::topology::Direction;

/// Flights at a switch: of subtree A of a level, at position B among its switches, A·w + B.
#[derive(Clone, Copy, Debug)]
struct Moving {
    at: u64,
    /// The link that is taken, in the numbering of [`Wires::link`].
    link: u64,
    flight: Flight,
}

/// A labelled tree whose switches route at random.
#[derive(Clone, Debug)]
pub struct Wires<'t> {
    tree: &'t Xgft,
    /// Wires of a link of every step.
    capacities: Vec<u64>,
    /// m(l) and w(l), the hosts and switches of a subtree of every height.
    hosts: Vec<u64>,
    switches: Vec<u64>,
    /// Positions of source and destination of every entry.
    ends: Vec<[u32; 2]>,
    moving: Vec<Moving>,
    /// What has turned at every level.
    turned: Vec<Vec<Moving>>,
    reached: Vec<Flight>,
}

impl<'t> Wires<'t> {
    /// The wires of a tree.
    ///
    /// # Errors
    /// [`DeliveryError::NoWires`] when a capacity is not a whole number.
    pub fn new(tree: &'t Xgft) -> Result<Self, DeliveryError> {
        let height = tree.height();
        let capacities = (1..=height).map(|step| {
            let capacity = tree.capacity(step);
            let channel = Channel { below: index32(step), direction: Direction::Up };
            let none = || NoWires { channel, capacity: capacity.clone() };
            capacity.scaled(1).filter(|wires| *wires > 0).ok_or_else(none)
        });
        let products = |of: &dyn Fn(usize) -> u32| {
            let mut product = vec![1];
            for level in 1..=height {
                product.push(product[level - 1] * u64::from(of(level)));
            }
            product
        };
        Ok(Self {
            tree,
            capacities: capacities.collect::<Result<_, _>>()?,
            hosts: products(&|level| tree.children(level)),
            switches: products(&|level| tree.parents(level)),
            ends: Vec::new(),
            moving: Vec::new(),
            turned: vec![Vec::new(); height + 1],
            reached: Vec::new(),
        })
    }

    /// Whether a position is below subtree `of` of a level.
    fn is_below(&self, to: u32, level: usize, of: u64) -> bool {
        u64::from(to) / self.hosts[level] == of
    }

    /// Everything that is still rising at `level` takes a random link up, unless its destination is
    /// below.
    fn rise(&mut self, level: usize, rules: &mut Rules<'_>) {
        let (ports, switches) = (u64::from(self.tree.parents(level + 1)), self.switches[level]);
        let mut rising = Vec::with_capacity(self.moving.len());
        for moving in std::mem::take(&mut self.moving) {
            if self.is_below(moving.flight.to, level, moving.at / switches) {
                self.turned[level].push(moving);
            } else {
                choose_ports(moving, ports, rules.random, &mut rising);
            }
        }
        self.moving = rising;
        self.pass(level, UP, rules);
        let children = u64::from(self.tree.children(level + 1));
        for moving in &mut self.moving {
            let (subtree, switch) = (moving.at / switches, moving.at % switches);
            let port = moving.link % ports;
            moving.at = subtree / children * self.switches[level + 1] + switch * ports + port;
            moving.flight.input = index32(as_size(subtree % children));
        }
    }

    /// Everything at switches of `level` + 1 takes the link down towards its destination.
    fn fall(&mut self, level: usize, rules: &mut Rules<'_>) {
        let ports = u64::from(self.tree.parents(level + 1));
        self.moving.append(&mut self.turned[level + 1]);
        for moving in &mut self.moving {
            let switch = moving.at % self.switches[level + 1];
            let child = u64::from(moving.flight.to) / self.hosts[level];
            moving.at = child * self.switches[level] + switch / ports;
            moving.link = moving.at * ports + switch % ports;
        }
        self.pass(level, DOWN, rules);
        let children = if level == 0 { 0 } else { self.tree.children(level) };
        for moving in &mut self.moving {
            moving.flight.input = children + index32(as_size(moving.link % ports));
        }
    }

    /// Sends what continues through the links of step `level` + 1, link by link.
    fn pass(&mut self, level: usize, way: usize, rules: &mut Rules<'_>) {
        // Stable: turned messages come before those from above, and both keep their order.
        self.moving.sort_by_key(|moving| (moving.link, moving.flight.input));
        let step = (2 * level + way) << 56;
        let moving = std::mem::take(&mut self.moving);
        for run in moving.chunk_by(|a, b| a.link == b.link) {
            let Moving { at, link, .. } = run[0];
            self.reached.clear();
            self.reached.extend(run.iter().map(|moving| moving.flight));
            let (channel, wires) = (step | as_size(link), self.capacities[level]);
            let kept = concentrate(&mut self.reached, channel, wires, rules);
            let kept = self.reached[..kept].iter();
            self.moving.extend(kept.map(|flight| Moving { at, link, flight: *flight }));
        }
    }
}

/// Splits the messages of a flight among the ports up, each message choosing one at random.
fn choose_ports(moving: Moving, ports: u64, random: &mut Stream, chosen: &mut Vec<Moving>) {
    let mut left = moving.flight.count;
    for port in 0..ports {
        let p = 1.0 / (ports - port) as f64;
        // p is a probability: a binomial distribution exists.
        let count = Binomial::new(left, p).map_or(left, |number| number.sample(random));
        if count > 0 {
            let flight = Flight { count, ..moving.flight };
            chosen.push(Moving { link: moving.at * ports + port, flight, ..moving });
        }
        left -= count;
    }
}

impl Network for Wires<'_> {
    fn cycle(&mut self, parts: &[Part], rules: &mut Rules<'_>, arrived: &mut Vec<Part>) {
        let mut input = 0;
        let mut last = None;
        self.moving.clear();
        for Part { entry, count } in parts {
            let [from, to] = self.ends[*entry as usize];
            input = if last == Some(from) { input + 1 } else { 0 };
            last = Some(from);
            let (count, entry) = (*count, *entry);
            let flight = Flight { count, to, entry, input, is_lost: false };
            self.moving.push(Moving { at: from.into(), link: 0, flight });
        }
        let height = self.tree.height();
        for level in 0..height {
            self.rise(level, rules);
        }
        for level in (0..height).rev() {
            if level + 1 == height {
                self.turned[height].append(&mut self.moving);
            }
            self.fall(level, rules);
        }
        let delivered = self.moving.iter().map(|moving| &moving.flight);
        let delivered = delivered.filter(|flight| !flight.is_lost);
        arrived.extend(delivered.map(|flight| Part { entry: flight.entry, count: flight.count }));
    }

    fn injection_rank(&self, host: Host) -> u32 {
        self.tree.position(host)
    }

    fn hosts(&self) -> usize {
        self.tree.hosts()
    }

    fn prepare(&mut self, ends: Vec<(Host, Host)>) {
        let of = |(s, d)| [self.tree.position(s), self.tree.position(d)];
        self.ends = ends.into_iter().map(of).collect();
    }
}
