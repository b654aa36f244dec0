//! The links that carry a pair, and their shares.
//!
//! Routings with several paths mostly give each the same share, and links mostly few: so shares are numbered, and
//! rationals are met once per number instead of once per link and path.

use std::collections::HashSet;

use crate::rational::Rational;
use crate::topology::{Host, LinkId};

use super::known::Numbered;
#[cfg(feature = "names")]
use super::names::NamedBuffers;
use super::split::SplitSearch;
use super::{Refusal, Result, sum};

/// The verified paths of one pair. Nearly all routings have one path per pair: its links are in
/// `whole`, each with share 1. Otherwise `parts` has every link once with the number of its share.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) whole: Vec<LinkId>,
    pub(super) parts: Vec<(LinkId, u32)>,
    /// The shares of all pairs so far.
    pub(super) shares: Numbered,
    /// The numbers of the shares of all paths but the one in `whole`, and how many paths in a row have it.
    paths: Vec<(u32, u64)>,
    /// The links of these paths, each with the number of the path's share.
    passed: Vec<(LinkId, u32)>,
    #[cfg(feature = "names")]
    pub(super) named: NamedBuffers,
    pub(super) split: SplitSearch,
}

/// Number of shares that are held between hosts, about 200 bytes each.
const MANY: usize = 1 << 18;

/// Length of a path up to which its links are compared with one another.
const SHORT: usize = 64;

/// Whether a path passes a link twice.
#[inline]
pub(super) fn has_repeats(links: &[LinkId]) -> bool {
    if links.len() > SHORT {
        let mut seen = HashSet::new();
        return !links.iter().all(|link| seen.insert(link));
    }
    links.iter().enumerate().any(|(at, link)| links[..at].contains(link))
}

impl Uses {
    pub(super) fn clear(&mut self) {
        self.whole.clear();
        self.parts.clear();
        self.paths.clear();
        self.passed.clear();
    }

    /// Adds a path of existing links, at least one.
    pub(super) fn add(&mut self, share: &Rational, links: &[LinkId]) {
        let is_first = self.whole.is_empty() && self.paths.is_empty();
        if is_first && *share == Rational::ONE && !has_repeats(links) {
            self.whole.extend_from_slice(links);
            return;
        }
        let number = self.shares.number(share);
        match self.paths.last_mut() {
            Some((last, count)) if *last == number => *count += 1,
            _ => self.paths.push((number, 1)),
        }
        self.passed.extend(links.iter().map(|link| (*link, number)));
    }

    /// Forgets the shares of a split, to which nothing may refer any more, once there are many.
    pub(super) fn forget_shares(&mut self) {
        if self.split.is_used() && self.shares.known().len() > MANY {
            self.shares = Numbered::default();
            self.split.forget_shares();
            self.parts.clear();
        }
    }

    /// The shares of all paths so far.
    pub(super) fn sum(&self) -> Result<Rational> {
        let whole = Rational::from(u64::from(!self.whole.is_empty()));
        let of_number = |(number, count): &(u32, u64)| self.times(*number, *count);
        sum::total(&self.paths.iter().map(of_number).chain([whole]).collect::<Vec<_>>())
    }

    /// A share, taken a given number of times.
    fn times(&self, number: u32, count: u64) -> Rational {
        &self.shares.known()[number as usize] * &Rational::from(count)
    }

    /// Verifies the sum of the shares and adds up those of links that occur more than once.
    pub(super) fn finish(&mut self, s: Host, d: Host) -> Result<()> {
        if self.paths.is_empty() {
            return if self.whole.is_empty() { Err(Refusal::MissingPair { s, d }) } else { Ok(()) };
        }
        let sum = self.sum()?;
        if sum != Rational::ONE {
            return Err(Refusal::ShareSum { s, d, sum });
        }
        let mut passed = std::mem::take(&mut self.passed);
        passed.sort_unstable();
        // Many links have the same shares.
        let mut last: (&[(LinkId, u32)], u32) = (&[], 0);
        for of_link in passed.chunk_by(|a, b| a.0 == b.0) {
            let same = |(a, b): (&(LinkId, u32), &(LinkId, u32))| a.1 == b.1;
            if of_link.len() != last.0.len() || !of_link.iter().zip(last.0).all(same) {
                let shares = of_link.chunk_by(|a, b| a.1 == b.1);
                let shares: Vec<Rational> =
                    shares.map(|same| self.times(same[0].1, same.len() as u64)).collect();
                last = (of_link, self.shares.number(&sum::total(&shares)?));
            }
            self.parts.push((of_link[0].0, last.1));
        }
        self.passed = passed;
        Ok(())
    }

    /// The share of the pair on a link.
    pub(super) fn share(&self, link: LinkId) -> Rational {
        if self.whole.contains(&link) {
            return Rational::ONE;
        }
        let part = self.parts.iter().find(|(other, _)| *other == link);
        part.map_or(Rational::ZERO, |(_, share)| self.shares.known()[*share as usize].clone())
    }
}
