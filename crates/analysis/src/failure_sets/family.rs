//! Sets of failures: what each breaks, a bound on what it does to links, and what it does exactly.

use std::collections::BTreeSet;

use itertools::Itertools;
use rayon::prelude::*;

use crate::certificate::Cover;
use crate::failure::{Cable, cut_off};
use crate::integer::index32;
use crate::limit::within;
use crate::load::{LinkGraph, SharedPair};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::UseScratch;
use crate::topology::{Host, LinkId, sd_pairs};
use crate::worst_case::{BadPermutationError, most_on_link};

use super::base::Base;
use super::bound::{Added, Sums, load};
use super::elements::cables_of_set;
use super::ranking::Least;
use super::repair::{Changes, NewUse, Rule, is_cut, links_of};
use super::{Element, FailureSetError, Peak};

/// Maximum number of SD pairs whose old or new path a second element breaks, over all ordered pairs of elements.
const MAX_MEETINGS: u64 = 1 << 26;

/// Number of elements that are looked at before what they break is added up.
const BLOCK: usize = 64;

/// All that is needed to look at a set.
pub(super) struct Family<'a> {
    pub(super) base: &'a Base<'a>,
    pub(super) rule: &'a Rule<'a>,
    elements: &'a [Element],
    /// The links of every element, ascending.
    pub(super) links: Vec<Vec<LinkId>>,
    /// Every element failing alone; only for sets of two.
    alone: Vec<Alone>,
}

/// What an element does that fails alone.
#[derive(Debug, Default)]
struct Alone {
    added: Vec<Added>,
    lost: u64,
    /// The pairs that it changes, and whether they are lost.
    changed: Vec<((Host, Host), bool)>,
    /// Other elements with the pairs among these whose old or new path takes one of their links, ascending.
    meets: Vec<(u32, u32)>,
}

/// What is known of a set without a matching.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The most load of a link to which something is added.
    pub(super) most: Rational,
    /// Pairs of the hosts that remain that are lost.
    pub(super) lost: u64,
    pub(super) cut_off: Vec<Host>,
}

/// What matchings find of a set.
#[derive(Debug)]
pub(super) struct Analysed {
    /// The link that is loaded most, if that is enough.
    pub(super) peak: Option<Peak>,
    /// No permutation loads a link more than this or what was asked for; above the load of the peak where a link could not
    /// be solved exactly.
    pub(super) most: Rational,
}

impl<'a> Family<'a> {
    /// Looks at every element alone, for sets of two; `None` when stopped.
    pub(super) fn of(
        base: &'a Base<'a>,
        rule: &'a Rule<'a>,
        elements: &'a [Element],
        most: u8,
        progress: &Progress,
    ) -> Result<Option<Self>, FailureSetError> {
        let links = elements.iter().map(|element| links_of(&element.cables)).collect();
        let mut family = Self { base, rule, elements, links, alone: Vec::new() };
        if most < 2 {
            return Ok(Some(family));
        }
        let mut at_link = vec![Vec::new(); base.instance.topology.links()];
        for (links, at) in family.links.iter().zip(0..).filter(|_| rule.is_local()) {
            for link in links {
                at_link[*link as usize].push(at);
            }
        }
        let count = index32(elements.len());
        let (mut alone, mut meetings) = (Vec::new(), 0);
        for start in (0..count).step_by(BLOCK) {
            let block = start..count.min(start.saturating_add(index32(BLOCK)));
            let found = block.into_par_iter().map(|one| {
                if progress.cancelled() {
                    return Ok(None);
                }
                family.alone(one, &at_link).map(Some)
            });
            // The first error of the block, whichever comes first.
            let found: Vec<Result<Option<Alone>, FailureSetError>> = found.collect();
            let found = found.into_iter().collect::<Result<Option<Vec<_>>, _>>()?;
            let Some(found) = found else { return Ok(None) };
            meetings += found.iter().map(|alone| alone.meets.len() as u128).sum::<u128>();
            let what =
                "number of SD pairs that two failures break together, over pairs of failures";
            within(what, Some(meetings), MAX_MEETINGS, "let one fail at a time, or among fewer")?;
            alone.extend(found);
        }
        family.alone = alone;
        Ok(Some(family))
    }

    fn alone(&self, one: u32, at_link: &[Vec<u32>]) -> Result<Alone, FailureSetError> {
        let changes = self.changes(&[one])?;
        let mut alone = Alone {
            added: Added::by(self.base, &changes),
            lost: changes.lost.len() as u64,
            ..Alone::default()
        };
        if at_link.iter().all(Vec::is_empty) {
            return Ok(alone);
        }
        let (routing, mut scratch) = (&*self.base.instance.routing, UseScratch::default());
        for (pair, at) in changes.pairs.iter().zip(0..) {
            let meets = &mut alone.meets;
            routing.for_each_use(pair.0, pair.1, &mut scratch, &mut |_, before| {
                let others = before.iter().flat_map(|link| at_link[*link as usize].iter().copied());
                meets.extend(others.map(|other| (other, at)));
            });
            alone.changed.push((*pair, changes.lost.binary_search(pair).is_ok()));
        }
        for NewUse { link, pair, .. } in &changes.uses {
            let at = index32(changes.pairs.partition_point(|known| known < pair));
            let others = at_link[*link as usize].iter().copied();
            alone.meets.extend(others.map(|other| (other, at)));
        }
        alone.meets.retain(|(other, _)| *other != one);
        alone.meets.sort_unstable();
        alone.meets.dedup();
        Ok(alone)
    }

    fn cables(&self, set: &[u32]) -> Vec<Cable> {
        cables_of_set(self.elements, set)
    }

    fn gone(&self, set: &[u32]) -> Vec<LinkId> {
        let links = set.iter().flat_map(|one| &self.links[*one as usize]);
        links.copied().sorted_unstable().dedup().collect()
    }

    /// All that a set changes.
    fn changes(&self, set: &[u32]) -> Result<Changes, FailureSetError> {
        let instance = self.base.instance;
        let pairs = if self.rule.is_local() {
            let gone = self.gone(set);
            let pairs = gone.iter().flat_map(|link| self.base.pairs(*link));
            pairs.copied().sorted_unstable().dedup().collect_vec()
        } else {
            sd_pairs(instance.topology.hosts()).collect()
        };
        Ok(self.rule.changes(instance, &self.cables(set), &pairs)?)
    }

    /// A bound on the links to which a set adds something, and what it breaks.
    pub(super) fn facts(&self, set: &[u32], sums: &mut Sums<'_>) -> Result<Facts, FailureSetError> {
        let gone = self.gone(set);
        let mut known = None;
        let (most, lost) = match set {
            [] => return Ok(Facts::default()),
            [one] if !self.alone.is_empty() => {
                let alone = &self.alone[*one as usize];
                (sums.most(&[&alone.added], &gone), alone.lost)
            }
            [one, other] if self.rule.is_local() => self.both(*one, *other, &gone, sums)?,
            _ => {
                let changes = known.insert(self.changes(set)?);
                let added = Added::by(self.base, changes);
                (sums.most(&[&added], &gone), changes.lost.len() as u64)
            }
        };
        // A host that is cut off has lost its pairs.
        if lost == 0 {
            return Ok(Facts { most, lost, cut_off: Vec::new() });
        }
        let cut_off = cut_off(&self.base.instance.topology, &self.cables(set));
        if cut_off.is_empty() {
            return Ok(Facts { most, lost, cut_off });
        }
        // Another part may remain than without each element alone, so sums do not hold.
        let changes = known.map_or_else(|| self.changes(set), Ok)?;
        let most = sums.most(&[&Added::by(self.base, &changes)], &gone);
        let remain = |pair: &&(Host, Host)| !is_cut(&cut_off, **pair);
        let lost = changes.lost.iter().filter(remain).count() as u64;
        Ok(Facts { most, lost, cut_off })
    }

    /// The bound of two elements from what each does alone: only the pairs whose paths both break are repaired anew.
    /// Both numbers hold where the two cut no host off.
    fn both(
        &self,
        one: u32,
        other: u32,
        gone: &[LinkId],
        sums: &mut Sums<'_>,
    ) -> Result<(Rational, u64), FailureSetError> {
        let mut again = Vec::new();
        let mut lost = 0;
        for (first, second) in [(one, other), (other, one)] {
            let alone = &self.alone[first as usize];
            let start = alone.meets.partition_point(|(element, _)| *element < second);
            let met = alone.meets[start..].iter().take_while(|(element, _)| *element == second);
            let before = again.len();
            again.extend(met.map(|(_, at)| alone.changed[*at as usize]));
            lost += alone.lost;
            lost -= again[before..].iter().filter(|(_, is_lost)| *is_lost).count() as u64;
        }
        let again = again.into_iter().map(|(pair, _)| pair).sorted_unstable().dedup().collect_vec();
        let cables = self.cables(&[one, other]);
        let changes = self.rule.changes(self.base.instance, &cables, &again)?;
        let anew = Added::by(self.base, &changes);
        let parts = [one, other].map(|one| self.alone[one as usize].added.as_slice());
        let most = sums.most(&[parts[0], parts[1], &anew], gone);
        Ok((most, lost + changes.lost.len() as u64))
    }

    /// The link that a set loads most, if `least` admits that; of equal ones the first. A link that cannot be solved
    /// keeps its bound.
    pub(super) fn peak(
        &self,
        set: &[u32],
        least: Least<'_>,
        progress: &Progress,
    ) -> Result<Analysed, FailureSetError> {
        let topology = &self.base.instance.topology;
        let (changes, gone) = (self.changes(set)?, self.gone(set));
        let cut_off =
            if changes.lost.is_empty() { Vec::new() } else { cut_off(topology, &self.cables(set)) };
        let mut graph = LinkGraph::for_hosts(topology.hosts());
        let mut peak: Option<Peak> = None;
        let mut most = Rational::ZERO;
        for added in Added::by(self.base, &changes) {
            let link = added.link;
            let known = peak.as_ref().map(|peak: &Peak| peak.load.clone());
            let is_more = |load: &Rational| {
                known.as_ref().map_or_else(|| least.admits(load), |known| load > known)
            };
            let bound = load(topology, link, added.most(&self.base.links[link as usize]));
            if gone.binary_search(&link).is_ok() || !is_more(&bound) {
                continue;
            }
            graph.load(link, self.pairs(link, &changes, &cut_off));
            let found = match most_on_link(&graph, progress) {
                Err(BadPermutationError::WorstCase(_)) => {
                    most = most.max(bound);
                    continue;
                }
                found => found?,
            };
            most = most.max(topology.load_of(link, &found.traffic).min(bound));
            // Where shares were rounded up, the pairs attain less than the solver says.
            let matched: BTreeSet<(Host, Host)> = found.pairs.iter().copied().collect();
            let shares = self.pairs(link, &changes, &cut_off);
            let shares = shares.filter(|pair| matched.contains(&(pair.s, pair.d)));
            let traffic = shares.fold(Rational::ZERO, |sum, pair| &sum + pair.share);
            let load = topology.load_of(link, &traffic);
            if is_more(&load) {
                let (set, pairs, most) = (set.to_vec(), found.pairs, load.clone());
                peak = Some(Peak { set, load, most, link, pairs });
            }
        }
        Ok(Analysed { peak, most })
    }

    /// Covers of the links that a set may load more than `upper` by its bound, as far as they can be solved exactly.
    pub(super) fn covers(
        &self,
        set: &[u32],
        upper: &Rational,
        progress: &Progress,
    ) -> Result<Vec<Cover>, FailureSetError> {
        let topology = &self.base.instance.topology;
        let (changes, gone) = (self.changes(set)?, self.gone(set));
        let cut_off = cut_off(topology, &self.cables(set));
        let mut graph = LinkGraph::for_hosts(topology.hosts());
        let mut covers = Vec::new();
        for added in Added::by(self.base, &changes) {
            let link = added.link;
            let bound = load(topology, link, added.most(&self.base.links[link as usize]));
            if gone.binary_search(&link).is_ok() || bound <= *upper {
                continue;
            }
            graph.load(link, self.pairs(link, &changes, &cut_off));
            match most_on_link(&graph, progress) {
                Err(BadPermutationError::WorstCase(_)) => {}
                found => covers.push(found?.cover),
            }
        }
        Ok(covers)
    }

    /// The pairs of a link after changes, but those of hosts that are cut off.
    fn pairs<'p>(
        &'p self,
        link: LinkId,
        changes: &'p Changes,
        cut_off: &'p [Host],
    ) -> impl Iterator<Item = SharedPair<'p>> {
        let kept = self
            .base
            .shared(link)
            .filter(|pair| changes.pairs.binary_search(&(pair.s, pair.d)).is_err());
        let all = kept.merge_by(changes.on(link), |a, b| (a.s, a.d) < (b.s, b.d));
        all.filter(|pair| !is_cut(cut_off, (pair.s, pair.d)))
    }
}
