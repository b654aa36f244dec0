//! What a failure can add to links at most, without a matching.

use crate::rational::Rational;
use crate::topology::{Host, LinkId, Topology};

use super::base::{Base, OnLink, SCALE, rounded_up};
use super::repair::{Changes, NewUse};

/// What comes to a link by a failure, in parts ([`SCALE`]).
///
/// The most that a permutation puts on the link grows by no more than the most of what is added: a matching of the new
/// shares is one of the old shares and one of the differences. And it is no more than the largest shares of all
/// sources, or of all destinations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Added {
    pub(super) link: LinkId,
    /// A permutation makes no more of the additions: what the pairs of every source grow by at most, summed over
    /// sources, or the same for destinations.
    least: u64,
    /// What is added to the largest shares of the sources.
    pub(super) sources: u64,
    /// What is added to the largest shares of the destinations.
    pub(super) destinations: u64,
}

impl Added {
    /// What `changes` add to links, ascending.
    pub(super) fn by(base: &Base<'_>, changes: &Changes) -> Vec<Self> {
        let shares: Vec<u64> = changes.shares.all().iter().map(rounded_up).collect();
        let mut of_destination = Largest::of(base.instance.topology.hosts());
        let links = changes.uses.chunk_by(|a, b| a.link == b.link);
        let added = links.map(|uses| Self::to(base, uses, &shares, &mut of_destination));
        added.filter(|added| added.least > 0).collect()
    }

    /// What uses of one link add to it.
    fn to(base: &Base<'_>, uses: &[NewUse], shares: &[u64], of_destination: &mut Largest) -> Self {
        let link = uses.first().map_or(0, |one| one.link);
        let on_link = &base.links[link as usize];
        let mut added = Self { link, ..Self::default() };
        let mut by_sources = 0;
        for uses in uses.chunk_by(|a, b| a.pair.0 == b.pair.0) {
            let mut of_source = Most::default();
            for one in uses {
                let share = shares[one.share as usize];
                let by = share.saturating_sub(base.share(link, one.pair));
                of_source.take(share, by);
                of_destination.take(one.pair.1, share, by);
            }
            by_sources += of_source.by;
            added.sources += on_link.above_source(uses[0].pair.0, of_source.share);
        }
        let mut by_destinations = 0;
        of_destination.drain(|d, most| {
            by_destinations += most.by;
            added.destinations += on_link.above_destination(d, most.share);
        });
        added.least = by_sources.min(by_destinations);
        added
    }

    /// The most on a link of which this is known, where this comes to it.
    pub(super) fn most(&self, known: &OnLink) -> u64 {
        let [sources, destinations] = known.largest();
        (known.most + self.least).min(sources + self.sources).min(destinations + self.destinations)
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            link: other.link,
            least: self.least + other.least,
            sources: self.sources + other.sources,
            destinations: self.destinations + other.destinations,
        }
    }
}

/// The largest share of some pairs, and the most by which one of them grows.
#[derive(Clone, Copy, Debug, Default)]
struct Most {
    share: u64,
    by: u64,
}

impl Most {
    fn take(&mut self, share: u64, by: u64) {
        self.share = self.share.max(share);
        self.by = self.by.max(by);
    }
}

/// The most of the pairs of some hosts.
struct Largest {
    /// By host.
    of: Vec<Option<Most>>,
    hosts: Vec<Host>,
}

impl Largest {
    fn of(hosts: usize) -> Self {
        Self { of: vec![None; hosts], hosts: Vec::new() }
    }

    fn take(&mut self, host: Host, share: u64, by: u64) {
        let of_host = &mut self.of[host as usize];
        if of_host.is_none() {
            self.hosts.push(host);
        }
        of_host.get_or_insert_default().take(share, by);
    }

    fn drain(&mut self, mut visit: impl FnMut(Host, Most)) {
        for host in self.hosts.drain(..) {
            visit(host, self.of[host as usize].take().unwrap_or_default());
        }
    }
}

/// Sums of what several failures add to links; each thread has its own.
pub(super) struct Sums<'a> {
    base: &'a Base<'a>,
    sum: Vec<Added>,
    touched: Vec<LinkId>,
}

impl<'a> Sums<'a> {
    pub(super) fn new(base: &'a Base<'a>) -> Self {
        let links = base.instance.topology.links();
        Self { base, sum: vec![Added::default(); links], touched: Vec::new() }
    }

    /// The most load of a link to which `parts` add, but those that are `gone`; 0 without any.
    pub(super) fn most(&mut self, parts: &[&[Added]], gone: &[LinkId]) -> Rational {
        for added in parts.iter().copied().flatten() {
            let sum = &mut self.sum[added.link as usize];
            if *sum == Added::default() {
                self.touched.push(added.link);
            }
            *sum = sum.plus(added);
        }
        let topology = &self.base.instance.topology;
        // The most traffic by link, compared where capacities differ.
        let mut most: Option<(LinkId, u64)> = None;
        for link in self.touched.drain(..) {
            let added = std::mem::take(&mut self.sum[link as usize]);
            if gone.binary_search(&link).is_ok() {
                continue;
            }
            let traffic = added.most(&self.base.links[link as usize]);
            if most.is_none_or(|(known, least)| exceeds(topology, (link, traffic), (known, least)))
            {
                most = Some((link, traffic));
            }
        }
        most.map_or(Rational::ZERO, |(link, traffic)| load(topology, link, traffic))
    }
}

/// Whether traffic on a link is a higher load than traffic on another.
fn exceeds(topology: &Topology, one: (LinkId, u64), other: (LinkId, u64)) -> bool {
    let capacity = |link: LinkId| &topology.link(link).capacity;
    if capacity(one.0) == capacity(other.0) {
        return one.1 > other.1;
    }
    load(topology, one.0, one.1) > load(topology, other.0, other.1)
}

/// The load of a link in exact numbers.
pub(super) fn load(topology: &Topology, link: LinkId, parts: u64) -> Rational {
    let traffic = Rational::new(parts, SCALE).expect("the scale is not 0");
    topology.load_of(link, &traffic)
}
