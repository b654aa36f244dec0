//! The SD pairs of every link before anything fails, and what is known of the most they put on it.
//!
//! Bounds are sums of integers, multiples of `1 / SCALE`: shares with denominators up to 16 are exact, others are
//! rounded up, or down where they are subtracted, so that a sum is never too low.

use itertools::Itertools;

use crate::limit::within;
use crate::load::{LinkPairs, PairCounts, ShareNumbers, SharedPair};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, LinkId};
use crate::worst_case::WorstCase;

use super::FailureSetError;

/// Parts of a unit of traffic: a multiple of 1 to 16.
pub(super) const SCALE: u64 = 720_720 << 16;

/// The number of parts of a share, rounded up.
pub(super) fn rounded_up(share: &Rational) -> u64 {
    share.scaled(SCALE).unwrap_or_else(|| rounded_down(share).saturating_add(1))
}

/// The number of parts of a share, rounded down.
fn rounded_down(share: &Rational) -> u64 {
    (share * &Rational::from(SCALE)).floor().try_into().unwrap_or(u64::MAX)
}

/// The pairs of all links of an instance.
pub(super) struct Base<'a> {
    pub(super) instance: &'a Instance,
    /// Where the pairs of every link begin, and their end.
    first: Vec<usize>,
    /// Sorted for every link.
    pairs: Vec<(Host, Host)>,
    /// The numbers of their shares.
    share: Vec<u32>,
    shares: ShareNumbers,
    /// All shares in parts, rounded down.
    down: Vec<u64>,
    /// For every link what is known of its traffic.
    pub(super) links: Vec<OnLink>,
}

/// What is known of the traffic of a link, in parts.
#[derive(Clone, Debug, Default)]
pub(super) struct OnLink {
    /// The most that a permutation puts on it.
    pub(super) most: u64,
    /// The largest share of every source.
    sources: Ends,
    /// The largest share of every destination.
    destinations: Ends,
}

/// The largest share of every host at one end of a link's pairs, ascending.
#[derive(Clone, Debug, Default)]
struct Ends {
    largest: Vec<(Host, u64)>,
    /// Their sum.
    sum: u64,
}

impl Ends {
    fn of(ends: impl Iterator<Item = (Host, u64)>) -> Self {
        let largest = ends.into_grouping_map().max().into_iter().sorted().collect_vec();
        Self { sum: largest.iter().map(|(_, share)| share).sum(), largest }
    }

    /// By how much a share is above the largest one of a host.
    fn above(&self, host: Host, share: u64) -> u64 {
        let at = self.largest.binary_search_by_key(&host, |(host, _)| *host);
        share.saturating_sub(at.map_or(0, |at| self.largest[at].1))
    }
}

impl<'a> Base<'a> {
    /// The numbers of the pairs of all links, if these are not too many; `None` when stopped. O(N²·path length).
    pub(super) fn count(
        instance: &Instance,
        progress: &Progress,
    ) -> Result<Option<PairCounts>, FailureSetError> {
        let topology = &instance.topology;
        let counts = PairCounts::collect(instance, vec![true; topology.links()], progress);
        let Some(counts) = counts else { return Ok(None) };
        let entries = topology.link_numbers().map(|link| u128::from(counts.of(link))).sum();
        let what = "number of SD pairs of all links";
        within(what, Some(entries), PairCounts::BUDGET, "analyse a smaller network")?;
        Ok(Some(counts))
    }

    /// The pairs of all links, of which there are `counts`; `None` when stopped. O(N²·path length).
    pub(super) fn of(
        instance: &'a Instance,
        counts: &PairCounts,
        worst: &WorstCase,
        progress: &Progress,
    ) -> Option<Self> {
        let topology = &instance.topology;
        let collected = LinkPairs::collect(instance, counts, topology.link_numbers(), progress)?;
        let mut base = Self {
            instance,
            first: vec![0],
            pairs: Vec::new(),
            share: Vec::new(),
            shares: ShareNumbers::default(),
            down: Vec::new(),
            links: Vec::new(),
        };
        let mut up = Vec::new();
        for (link, bound) in topology.link_numbers().zip(&worst.links) {
            let most = rounded_up(&(&bound.as_ref()?.load * &topology.link(link).capacity));
            base.push(collected.of(link), most, &mut up);
        }
        base.down = base.shares.all().iter().map(rounded_down).collect();
        Some(base)
    }

    /// Adds the pairs of the next link; `up` holds the shares so far in parts, rounded up.
    fn push<'p>(
        &mut self,
        pairs: impl Iterator<Item = SharedPair<'p>>,
        most: u64,
        up: &mut Vec<u64>,
    ) {
        let start = self.pairs.len();
        for pair in pairs {
            self.pairs.push((pair.s, pair.d));
            self.share.push(self.shares.number(pair.share));
        }
        up.extend(self.shares.all()[up.len()..].iter().map(rounded_up));
        let shares = self.share[start..].iter().map(|number| up[*number as usize]);
        let ends = self.pairs[start..].iter().zip(shares);
        let sources = Ends::of(ends.clone().map(|((s, _), share)| (*s, share)));
        let destinations = Ends::of(ends.map(|((_, d), share)| (*d, share)));
        self.links.push(OnLink { most, sources, destinations });
        self.first.push(self.pairs.len());
    }

    /// The pairs of a link, sorted.
    pub(super) fn pairs(&self, link: LinkId) -> &[(Host, Host)] {
        &self.pairs[self.first[link as usize]..self.first[link as usize + 1]]
    }

    /// The pairs of a link with their shares.
    pub(super) fn shared(&self, link: LinkId) -> impl Iterator<Item = SharedPair<'_>> {
        let range = self.first[link as usize]..self.first[link as usize + 1];
        range.map(|at| {
            let ((s, d), share) = (self.pairs[at], &self.shares.all()[self.share[at] as usize]);
            SharedPair { s, d, share }
        })
    }

    /// The share of a pair on a link in parts, rounded down.
    pub(super) fn share(&self, link: LinkId, pair: (Host, Host)) -> u64 {
        let at = self.pairs(link).binary_search(&pair);
        at.map_or(0, |at| self.down[self.share[self.first[link as usize] + at] as usize])
    }
}

impl OnLink {
    /// By how much a share is above the largest one of a source on the link.
    pub(super) fn above_source(&self, s: Host, share: u64) -> u64 {
        self.sources.above(s, share)
    }

    /// By how much a share is above the largest one of a destination on the link.
    pub(super) fn above_destination(&self, d: Host, share: u64) -> u64 {
        self.destinations.above(d, share)
    }

    /// The largest shares of all sources, and of all destinations, added up.
    pub(super) fn largest(&self) -> [u64; 2] {
        [self.sources.sum, self.destinations.sum]
    }
}
