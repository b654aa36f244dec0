//! Loads of sampled traffic: all-to-all, random permutations and shifts, all of them at once.

use std::collections::HashMap;

use crate::integer::as_size;
use crate::load::Peak;
use crate::progress::Stopped;
use crate::routing::UseScratch;
use crate::study::prelude::*;
use crate::topology::{Host, LinkId, host_number};
use crate::traffic::Permutation;

/// The kinds of traffic, in the order of values.
pub(super) const SAMPLES: [&str; 3] = ["all-to-all", "permutations", "shifts"];

/// Number of random permutations, and their seed.
const PERMUTATIONS: u64 = 100;
const SEED: u64 = 1;

/// Parts of a unit of traffic. Shares along up to three hops of at most 8 ways are whole numbers of them.
const SCALE: u64 = 720_720 << 16;

/// A share in parts; rounded down where it is not a whole number of them.
pub(super) fn parts(share: &Rational) -> u64 {
    if *share == Rational::ONE {
        return SCALE;
    }
    let rounded = || (share * &Rational::from(SCALE)).floor().try_into().unwrap_or(u64::MAX);
    share.scaled(SCALE).unwrap_or_else(rounded)
}

/// Traffic among hosts: number 0 is all-to-all, then come the shifts by 1, 2, …, then the permutations.
pub(super) struct Draws {
    hosts: Host,
    /// The numbers of the permutations of a pair.
    drawn: HashMap<(Host, Host), Vec<usize>>,
}

impl Draws {
    pub(super) fn new(hosts: usize) -> Self {
        let mut drawn: HashMap<(Host, Host), Vec<usize>> = HashMap::new();
        for (number, index) in (hosts..).zip(0..PERMUTATIONS) {
            for pair in Permutation::random(hosts, SEED, index).pairs() {
                drawn.entry(pair).or_default().push(number);
            }
        }
        Self { hosts: host_number(hosts), drawn }
    }

    fn count(&self) -> usize {
        self.hosts as usize + as_size(PERMUTATIONS)
    }

    /// The numbers of the traffic in which a pair sends.
    fn of_pair(&self, (s, d): (Host, Host)) -> impl Iterator<Item = usize> + '_ {
        let shift = (d + self.hosts - s) % self.hosts;
        let drawn = self.drawn.get(&(s, d)).into_iter().flatten().copied();
        [0, shift as usize].into_iter().chain(drawn)
    }

    /// The place in [`SAMPLES`] of the kind.
    fn kind(&self, number: usize) -> usize {
        match number {
            0 => 0,
            _ if number < self.hosts as usize => 2,
            _ => 1,
        }
    }
}

/// What all of the traffic puts on every link, in parts.
pub(super) struct Loads<'d> {
    draws: &'d Draws,
    /// Of each the links.
    parts: Vec<Peak>,
}

/// The links of a pair, with the parts that each carries.
pub(super) type Uses = Vec<(LinkId, u64)>;

impl<'d> Loads<'d> {
    /// No traffic yet.
    pub(super) fn new(draws: &'d Draws, links: usize) -> Self {
        Self { draws, parts: vec![Peak::new(links); draws.count()] }
    }

    /// Adds the traffic of all pairs of hosts, whose links are those that `uses` tells, which `see` learns; shift by
    /// shift, as the loads of all of them do not fit into a cache.
    pub(super) fn add_all(
        &mut self,
        uses: impl Fn((Host, Host), &mut UseScratch, &mut Uses),
        mut see: impl FnMut((Host, Host), &Uses),
        progress: &Progress,
    ) -> Result<(), Stopped> {
        let hosts = self.draws.hosts;
        let (mut scratch, mut of_pair) = (UseScratch::default(), Uses::new());
        for shift in 1..hosts {
            progress.check()?;
            for s in 0..hosts {
                let pair = (s, (s + shift) % hosts);
                of_pair.clear();
                uses(pair, &mut scratch, &mut of_pair);
                self.add(pair, &of_pair);
                see(pair, &of_pair);
            }
        }
        Ok(())
    }

    pub(super) fn add(&mut self, pair: (Host, Host), uses: &Uses) {
        self.change(pair, uses, Peak::add);
    }

    pub(super) fn remove(&mut self, pair: (Host, Host), uses: &Uses) {
        self.change(pair, uses, Peak::sub);
    }

    fn change(
        &mut self,
        pair: (Host, Host),
        uses: &Uses,
        change: impl Fn(&mut Peak, LinkId, u64) -> u64,
    ) {
        for number in self.draws.of_pair(pair) {
            for (link, parts) in uses {
                change(&mut self.parts[number], *link, *parts);
            }
        }
    }

    /// The highest load of a link by each kind of traffic, where every host sends 1 and all links have the capacity of
    /// the first.
    pub(super) fn highest(&self, topology: &Topology) -> [Rational; 3] {
        let mut most = [0; 3];
        for (number, links) in self.parts.iter().enumerate() {
            let most = &mut most[self.draws.kind(number)];
            *most = links.top().max(*most);
        }
        let [all, permutations, shifts] = most;
        let others = u64::from(self.draws.hosts.saturating_sub(1));
        [(all, others), (permutations, 1), (shifts, 1)].map(|(parts, of)| {
            let load = Rational::new(parts, SCALE * of).unwrap_or(Rational::ZERO);
            topology.load_of(0, &load)
        })
    }
}

/// The links of a pair of an instance, added to `all`.
pub(super) fn uses_of(
    instance: &Instance,
    (s, d): (Host, Host),
    scratch: &mut UseScratch,
    all: &mut Uses,
) {
    instance.routing.for_each_use(s, d, scratch, &mut |share, links| {
        let share = parts(share);
        all.extend(links.iter().map(|link| (*link, share)));
    });
}
