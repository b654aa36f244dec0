//! The whole network: its covers, and the pairs that every element breaks.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use crate::certificate::{Cover, FailuresCertificate, PairRepair};
use crate::limit::within;
use crate::rational::Rational;
use crate::topology::LinkId;

use super::bad::BadFailures;
use super::covers::{Pair, PairShare, check_hosts, covers, raise};
use super::known::Numbered;
use super::left::Left;
use super::limits::{REMEDY, USES};
use super::network::Network;
use super::routes::Routes;
use super::uses::{Uses, has_repeats};
use super::{Refusal, Result, sum};

/// What is known before anything fails.
pub(super) struct Whole<'c> {
    pub(super) network: &'c Network,
    routes: &'c Routes<'c>,
    repair: PairRepair,
    pub(super) elements: &'c [Vec<LinkId>],
    upper: &'c Rational,
    /// By link, its covers with their totals.
    covers: Vec<Vec<(Rational, &'c Cover)>>,
    /// By element, the pairs that it breaks, sorted.
    pub(super) broken: Vec<Vec<Pair>>,
    /// Per link, whether it is one of an element.
    pub(super) may_fail: Vec<bool>,
    /// The pairs of links that have covers in single sets, each with the number of its share.
    on_link: HashMap<LinkId, Vec<(Pair, u32)>>,
    shares: Numbered,
    /// A cover of a link that needs none.
    nothing: (Rational, Cover),
}

impl<'c> Whole<'c> {
    /// Verifies the routing, and that the covers of the whole network cover it and are light enough.
    pub(super) fn open(
        network: &'c Network,
        routes: &'c Routes<'c>,
        certificate: &'c FailuresCertificate,
    ) -> Result<Self> {
        let FailuresCertificate { repair, elements, upper, covers, failed, .. } = certificate;
        let own = failed.iter().flat_map(|(_, covers)| covers).map(|cover| cover.link);
        let mut whole = Self {
            network,
            routes,
            repair: *repair,
            elements,
            upper,
            covers: vec![Vec::new(); network.links.len()],
            broken: vec![Vec::new(); elements.len()],
            may_fail: vec![false; network.links.len()],
            on_link: own.map(|link| (link, Vec::new())).collect(),
            shares: Numbered::default(),
            nothing: Default::default(),
        };
        for cover in covers {
            let total = whole.total(cover)?;
            whole.covers[cover.link as usize].push((total, cover));
        }
        whole.walk()?;
        Ok(whole)
    }

    /// The total of a cover, after verifying that it is one of hosts, and light enough.
    pub(super) fn total(&self, cover: &Cover) -> Result<Rational> {
        self.network.go_on()?;
        check_hosts(self.network, cover)?;
        let weights = cover.sources.iter().chain(&cover.destinations).map(|(_, weight)| weight);
        let total = sum::total(weights)?;
        if self.is_within(cover.link, &total) {
            return Ok(total);
        }
        Err(Refusal::CoverTooHeavy {
            quantity: crate::certificate::FAILURE_LOAD,
            link: cover.link,
            weight: self.network.load(cover.link as usize, &total),
            upper: self.upper.clone(),
        })
    }

    fn is_within(&self, link: LinkId, total: &Rational) -> bool {
        *total <= self.upper * &self.network.links[link as usize].capacity
    }

    /// Visits all pairs.
    fn walk(&mut self) -> Result<()> {
        let mut at_link = vec![Vec::new(); self.network.links.len()];
        for (links, element) in self.elements.iter().zip(0_u32..) {
            for link in links {
                at_link[*link as usize].push(element);
                self.may_fail[*link as usize] = true;
            }
        }
        let (mut uses, mut elements, mut held) = (Uses::default(), HashSet::new(), 0);
        for s in self.network.host_numbers() {
            for d in self.network.host_numbers().filter(|d| *d != s) {
                self.network.go_on()?;
                self.uses((s, d), &mut uses)?;
                elements.clear();
                for (link, number) in links(&uses) {
                    let share = &uses.shares.known()[number as usize];
                    if !self.is_covered(link, (s, d), share)? {
                        return Err(Refusal::Uncovered { link, s, d, share: share.clone() });
                    }
                    elements.extend(at_link[link as usize].iter().copied());
                    if let Some(pairs) = self.on_link.get_mut(&link) {
                        pairs.push(((s, d), self.shares.number(share)));
                        held += 1;
                    }
                }
                for element in &elements {
                    self.broken[*element as usize].push((s, d));
                }
                held += elements.len() as u128;
                within("number of pairs that elements break", Some(held), USES, REMEDY)?;
            }
            uses.forget_shares();
        }
        Ok(())
    }

    /// Verifies the paths of a pair in the whole network, and finds its links.
    fn uses(&self, pair: Pair, uses: &mut Uses) -> Result<()> {
        self.routes.uses(self.network, pair, uses)?;
        if self.repair == PairRepair::Next && !uses.parts.is_empty() {
            uses.parts.clear();
            uses.whole = self.only_path(pair)?;
        }
        Ok(())
    }

    /// The path of a pair that has no other one, after verifying that.
    fn only_path(&self, (s, d): Pair) -> Result<Vec<LinkId>> {
        let path = RefCell::new(Vec::new());
        let is_same = self.routes.all_paths(self.network, (s, d), |links| {
            let mut path = path.borrow_mut();
            if path.is_empty() {
                path.extend_from_slice(links);
            }
            *path == links
        })?;
        let path = path.into_inner();
        if !is_same || has_repeats(&path) {
            return Err(BadFailures::ManyPaths { s, d }.into());
        }
        Ok(path)
    }

    /// The links that are gone in a set, sorted.
    pub(super) fn gone(&self, set: &[u32]) -> Vec<LinkId> {
        let links = set.iter().flat_map(|element| &self.elements[*element as usize]);
        let mut gone: Vec<LinkId> = links.copied().collect();
        gone.sort_unstable();
        gone.dedup();
        gone
    }

    /// Shows what a pair has in the whole network, in the buffers of `left`.
    fn with_uses(
        &self,
        left: &mut Left,
        pair: Pair,
        show: impl FnOnce(&mut Left, &Uses),
    ) -> Result<()> {
        let mut uses = std::mem::take(&mut left.uses);
        let known = self.uses(pair, &mut uses);
        if known.is_ok() {
            show(left, &uses);
        }
        left.uses = uses;
        known
    }

    /// Finds the links of a pair with the numbers of its shares among those of `left`; none where it sends nothing.
    pub(super) fn uses_in(
        &self,
        left: &mut Left,
        pair: Pair,
        found: &mut Vec<(LinkId, u32)>,
    ) -> Result<()> {
        found.clear();
        self.with_uses(left, pair, |_, uses| found.extend(links(uses)))?;
        if found.iter().any(|(link, _)| left.is_gone(*link)) {
            self.repair(left, pair, found)?;
        }
        Ok(())
    }

    /// As [`Self::uses_in`], for a pair that is broken.
    pub(super) fn repair(
        &self,
        left: &mut Left,
        pair: Pair,
        found: &mut Vec<(LinkId, u32)>,
    ) -> Result<()> {
        found.clear();
        match self.repair {
            PairRepair::None => Ok(()),
            PairRepair::Next => self.with_uses(left, pair, |left, uses| {
                left.next_path(self.network, pair, &uses.whole, found);
            }),
            PairRepair::Split(split) => {
                let shares = &mut left.uses.shares;
                match left.search.take(&left.network, (split, pair), (found, shares)) {
                    Err(Refusal::MissingPair { .. }) => {
                        found.clear();
                        Ok(())
                    }
                    taken => taken,
                }
            }
        }
    }

    /// Whether every cover of a link covers a pair.
    pub(super) fn is_covered(&self, link: LinkId, pair: Pair, share: &Rational) -> Result<bool> {
        let own = &self.covers[link as usize];
        for (_, cover) in own {
            if !covers(cover, pair, share)? {
                return Ok(false);
            }
        }
        Ok(!own.is_empty() || share.is_zero())
    }

    /// What pairs raise every cover of a link by.
    pub(super) fn raised(&self, link: LinkId, pairs: &[PairShare<'_>]) -> Result<Vec<Rational>> {
        let raised = self.listed(link).map(|(_, cover)| {
            self.network.go_on()?;
            raise(cover, pairs)
        });
        raised.collect()
    }

    /// Whether a cover of the link proves the upper side where groups of pairs raise it.
    pub(super) fn is_bounded(&self, link: LinkId, groups: &[Vec<Rational>]) -> Result<bool> {
        for (number, (total, _)) in self.listed(link).enumerate() {
            let mut total = total.clone();
            for raised in groups.iter().filter_map(|raised| raised.get(number)) {
                sum::add(&mut total, raised)?;
            }
            if self.is_within(link, &total) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// As [`Self::is_bounded`], by groups of pairs, or all of them together.
    pub(super) fn is_bounded_by(
        &self,
        link: LinkId,
        groups: &[Vec<PairShare<'_>>],
    ) -> Result<bool> {
        let raised: Result<Vec<_>> = groups.iter().map(|pairs| self.raised(link, pairs)).collect();
        Ok(self.is_bounded(link, &raised?)?
            || self.is_bounded(link, &[self.raised(link, &groups.concat())?])?)
    }

    /// The covers of a link with their totals, one without weights where there is none.
    fn listed(&self, link: LinkId) -> impl Iterator<Item = (&Rational, &Cover)> {
        let covers = &self.covers[link as usize];
        let own = covers.iter().map(|(total, cover)| (total, *cover));
        own.chain(covers.is_empty().then_some((&self.nothing.0, &self.nothing.1)))
    }

    /// The pairs of a link that has covers in single sets, with their shares.
    pub(super) fn pairs_on(&self, link: LinkId) -> impl Iterator<Item = (Pair, &Rational)> {
        let pairs = self.on_link.get(&link).into_iter().flatten();
        pairs.map(|(pair, number)| (*pair, &self.shares.known()[*number as usize]))
    }
}

/// The links of a pair with the numbers of its shares.
fn links(uses: &Uses) -> impl Iterator<Item = (LinkId, u32)> {
    let whole = uses.whole.iter().map(|link| (*link, super::known::WHOLE));
    whole.chain(uses.parts.iter().copied())
}
