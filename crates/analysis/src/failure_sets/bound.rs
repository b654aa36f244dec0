//! What a failure can add to links at most, without a matching.

use itertools::Itertools;

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
    /// What the pairs of every source grow by at most, summed over sources, and the same for destinations: a permutation
    /// makes no more of the additions.
    pub(super) grown: [u64; 2],
    /// What is added to the largest shares of the sources.
    pub(super) sources: u64,
    /// What is added to the largest shares of the destinations.
    pub(super) destinations: u64,
}

impl Added {
    /// What `changes` add to links, ascending.
    pub(super) fn by(base: &Base<'_>, changes: &Changes) -> Vec<Self> {
        let links = changes.uses.chunk_by(|a, b| a.link == b.link);
        let added = links.map(|uses| Self::to(base, uses));
        added.filter(|added| added.grown[0] > 0).collect()
    }

    /// What uses of one link add to it.
    fn to(base: &Base<'_>, uses: &[NewUse]) -> Self {
        let link = uses.first().map_or(0, |one| one.link);
        let on_link = &base.links[link as usize];
        let grown = uses.iter().map(|NewUse { pair, share, .. }| {
            let share = rounded_up(share);
            (*pair, share, share.saturating_sub(base.share(link, *pair)))
        });
        let grown = grown.collect_vec();
        let largest = |end: fn((Host, Host)) -> Host| {
            let of_end = grown.iter().map(|(pair, share, by)| (end(*pair), (*share, *by)));
            of_end.into_grouping_map().reduce(|(a, x), _, (b, y)| (a.max(b), x.max(y)))
        };
        let (sources, destinations) = (largest(|(s, _)| s), largest(|(_, d)| d));
        let by_sources: u64 = sources.values().map(|(_, by)| by).sum();
        let by_destinations = destinations.values().map(|(_, by)| by).sum();
        let above = |(s, (share, _)): (&Host, &(u64, u64))| on_link.above_source(*s, *share);
        let above_d = |(d, (share, _)): (&Host, &(u64, u64))| on_link.above_destination(*d, *share);
        Self {
            link,
            grown: [by_sources, by_destinations],
            sources: sources.iter().map(above).sum(),
            destinations: destinations.iter().map(above_d).sum(),
        }
    }

    /// The most on a link of which this is known, where this comes to it.
    pub(super) fn most(&self, known: &OnLink) -> u64 {
        let [sources, destinations] = known.largest();
        let [by_sources, by_destinations] = self.grown;
        (known.most + by_sources.min(by_destinations))
            .min(sources + self.sources)
            .min(destinations + self.destinations)
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            link: other.link,
            grown: [self.grown[0] + other.grown[0], self.grown[1] + other.grown[1]],
            sources: self.sources + other.sources,
            destinations: self.destinations + other.destinations,
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
