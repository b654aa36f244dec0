//! The links that carry a pair, and their shares.
//!
//! Routings with several paths mostly give each the same share: then how many of the paths pass a
//! link decides its share, and rationals are met once per number instead of once per link and path.
//! Those that give their links in order are not even asked for paths (`unit_flow.rs`).

use std::collections::HashSet;

use crate::certificate::Split;
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId};

use super::known::Numbered;
use super::named::{NamedRouting, Scratch};
use super::network::Network;
use super::split::SplitSearch;
use super::unit_flow::UnitFlow;
use super::{Refusal, sum};

/// The verified paths of one pair. Nearly all routings have one path per pair: its links are in
/// `whole`, each with share 1. Otherwise `parts` has every link once with the number of its share.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) whole: Vec<LinkId>,
    pub(super) parts: Vec<(LinkId, u32)>,
    /// The shares of all pairs so far.
    pub(super) shares: Numbered,
    /// The share of all paths but the one in `whole`, as long as they have the same, and how many
    /// there are.
    common: Option<Ratio>,
    alike: u64,
    /// Number of these paths that pass a link, by link, and the links that one passes.
    passes: Vec<u32>,
    passed: Vec<LinkId>,
    /// Links of paths with different shares, and the sum of these.
    mixed: Vec<(LinkId, Ratio)>,
    mixed_sum: Ratio,
    /// Links of a path that is visited.
    pub(super) path: Vec<LinkId>,
    scratch: Scratch,
    flow: UnitFlow,
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
        self.forget_alike();
        self.mixed.clear();
        self.mixed_sum = Ratio::ZERO;
    }

    fn forget_alike(&mut self) {
        (self.common, self.alike) = (None, 0);
        for link in self.passed.drain(..) {
            self.passes[link as usize] = 0;
        }
    }

    /// Adds a path of existing links, at least one.
    pub(super) fn add(&mut self, share: &Ratio, links: &[LinkId]) -> Result<(), Refusal> {
        let is_first = self.whole.is_empty() && self.alike == 0 && self.mixed.is_empty();
        if is_first && *share == Ratio::ONE && !has_repeats(links) {
            self.whole.extend_from_slice(links);
            return Ok(());
        }
        if self.mixed.is_empty() && self.common.as_ref().is_none_or(|common| common == share) {
            self.common.get_or_insert_with(|| share.clone());
            self.alike += 1;
            self.pass(links);
            return Ok(());
        }
        self.mix()?;
        sum::add(&mut self.mixed_sum, share)?;
        self.mixed.extend(links.iter().map(|link| (*link, share.clone())));
        Ok(())
    }

    /// Takes the links of a pair of a named routing, and returns whether they carry paths of it, in
    /// order.
    pub(super) fn take_in_order(
        &mut self,
        network: &Network,
        routing: &dyn NamedRouting,
        (s, d): (Host, Host),
    ) -> bool {
        self.take_uses(routing, (s, d));
        let joins = self.flow.joins(network, (s, d), (&self.parts, &self.shares));
        if !joins {
            self.clear();
        }
        joins
    }

    /// Takes the links of a pair of a named routing as they are given.
    pub(super) fn take_uses(&mut self, routing: &dyn NamedRouting, pair: (Host, Host)) {
        let Self { parts, shares, scratch, .. } = self;
        parts.clear();
        routing.for_each_use(pair, scratch, &mut |share, links| {
            let number = shares.number(share);
            parts.extend(links.iter().map(|link| (*link, number)));
        });
    }

    /// Takes the links of a pair of a split.
    pub(super) fn take_split(
        &mut self,
        network: &Network,
        split: Split,
        pair: (Host, Host),
    ) -> Result<(), Refusal> {
        let Self { parts, shares, split: search, .. } = self;
        search.take(network, (split, pair), (parts, shares))
    }

    /// Forgets the shares of a split, to which nothing may refer any more, once there are many.
    pub(super) fn forget_shares(&mut self) {
        if self.split.is_used() && self.shares.known().len() > MANY {
            self.shares = Numbered::default();
            self.split.forget_shares();
            self.parts.clear();
        }
    }

    /// Counts a path of the common share.
    fn pass(&mut self, links: &[LinkId]) {
        for link in links {
            let at = *link as usize;
            if at >= self.passes.len() {
                self.passes.resize(at + 1, 0);
            }
            if self.passes[at] == 0 {
                self.passed.push(*link);
            }
            self.passes[at] += 1;
        }
    }

    /// Paths of the common share are to be added to others.
    fn mix(&mut self) -> Result<(), Refusal> {
        let Some(common) = self.common.take() else { return Ok(()) };
        sum::add(&mut self.mixed_sum, &(&common * &Ratio::from(self.alike)))?;
        let share = |link: &LinkId| {
            let passes = u64::from(self.passes[*link as usize]);
            (*link, &common * &Ratio::from(passes))
        };
        self.mixed.extend(self.passed.iter().map(share));
        self.forget_alike();
        Ok(())
    }

    /// The shares of all paths so far.
    pub(super) fn sum(&self) -> Result<Ratio, Refusal> {
        let mut sum = self.mixed_sum.clone();
        if let Some(common) = &self.common {
            sum::add(&mut sum, &(common * &Ratio::from(self.alike)))?;
        }
        if !self.whole.is_empty() {
            sum::add(&mut sum, &Ratio::ONE)?;
        }
        Ok(sum)
    }

    /// Verifies the sum of the shares and adds up those of links that occur more than once.
    pub(super) fn finish(&mut self, s: Host, d: Host) -> Result<(), Refusal> {
        if self.alike == 0 && self.mixed.is_empty() {
            return if self.whole.is_empty() { Err(Refusal::MissingPair { s, d }) } else { Ok(()) };
        }
        let sum = self.sum()?;
        if sum != Ratio::ONE {
            return Err(Refusal::ShareSum { s, d, sum });
        }
        match self.common.take() {
            Some(common) => self.share_alike(&common),
            None => self.share_mixed()?,
        }
        Ok(())
    }

    /// Gives every link the common share, as many times as paths pass it.
    fn share_alike(&mut self, common: &Ratio) {
        let mut numbers: Vec<(u32, u32)> = Vec::new();
        for link in &self.passed {
            let passes = self.passes[*link as usize];
            let known = numbers.iter().find(|(other, _)| *other == passes);
            let number = if let Some((_, number)) = known {
                *number
            } else {
                let number = self.shares.number(&(common * &Ratio::from(u64::from(passes))));
                numbers.push((passes, number));
                number
            };
            self.parts.push((*link, number));
        }
        self.parts.sort_unstable();
    }

    /// Adds up the shares of every link.
    fn share_mixed(&mut self) -> Result<(), Refusal> {
        self.mixed.sort_by_key(|(link, _)| *link);
        for of_link in self.mixed.chunk_by(|a, b| a.0 == b.0) {
            let share = sum::total(of_link.iter().map(|(_, share)| share))?;
            self.parts.push((of_link[0].0, self.shares.number(&share)));
        }
        Ok(())
    }

    /// The share of the pair on a link.
    pub(super) fn share(&self, link: LinkId) -> Ratio {
        if self.whole.contains(&link) {
            return Ratio::ONE;
        }
        let part = self.parts.iter().find(|(other, _)| *other == link);
        part.map_or(Ratio::ZERO, |(_, share)| self.shares.known()[*share as usize].clone())
    }
}
