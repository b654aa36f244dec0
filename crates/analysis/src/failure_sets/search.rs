//! The search for the worst set: bounds of all sets, then analyses of those that may be worse than the worst one known.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::base::Base;
use super::bound::Sums;
use super::elements::{cables_of_set, number_of_sets, sets};
use super::family::{Analysed, Facts, Family};
use super::repair::Rule;
use super::{
    FailureSet, FailureSetError, FailureSets, Failures, Ground, Peak, Repair, Verdict, orbits,
};
use crate::assessment::{Assess, AssessmentError};
use crate::bounds::{Bounds, Evidence};
use crate::certificate::Quantity;
use crate::failure::remaining;
use crate::integer::index32;
use crate::limit::within;
use crate::progress::{Progress, Told};
use crate::rational::Rational;
use crate::routing::{self, Instance};
use crate::worst_case::{Analyse, BadPermutationError, Scope};

/// Maximum number of sets.
const MAX_SETS: u64 = 1 << 22;

/// Number of sets that are bounded, and that are analysed, before what is known is told.
const BOUNDED: usize = 1024;
const ANALYSED: usize = 16;

/// Number of rounds of analyses after which it is told although no bound changed.
const ROUNDS: usize = 64;

/// Evidence of the result.
const CLAIM: &str = "bounds and matchings, without a certificate of all sets";

/// The worst permutation load over all sets of `failures`, with sets in parallel; `progress` counts sets. `keep`
/// receives what is known from time to time. The result does not depend on threads.
///
/// # Errors
/// [`FailureSetError`] when there is nothing to fail, or a case is not covered.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::failure_sets::{Element, Failures, Repair, Unit, failure_sets};
/// use routebound::{progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(8,2)", "dmodk")?;
/// let elements = Element::all(instance.topology(), Unit::Cable);
/// let failures = Failures { elements, most: 1, repair: Repair::Reroute };
/// let found = failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {})?;
/// // Without a cable of a leaf its four hosts use another one.
/// assert_eq!((found.whole, found.load.lower), (Some(4.into()), 4.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn failure_sets(
    instance: &Instance,
    failures: &Failures,
    progress: &Progress,
    keep: &mut dyn FnMut(&FailureSets),
) -> Result<FailureSets, FailureSetError> {
    let topology = &instance.topology;
    let Failures { elements, most, repair } = failures;
    if !(1..=2).contains(most) {
        return Err(FailureSetError::Most(*most));
    }
    if elements.is_empty() {
        return Err(FailureSetError::NothingToFail(topology.spec().to_string()));
    }
    let count = number_of_sets(elements.len(), *most);
    within("number of sets of failures", Some(count), MAX_SETS, "let fewer fail, or among fewer")?;
    let mut found = FailureSets::unknown(instance);
    keep(&found);
    let stop = Progress::silent().stopped_by(progress.stop());
    let Some(counts) = Base::count(instance, &stop)? else { return Ok(found) };
    progress.tell(Told::Step("worst case of every link"));
    let analyse = Analyse::of(Quantity::PermutationLoad).scope(Scope::EveryHost(None));
    let worst = analyse.progress(&stop).run(instance)?;
    found.load.lower = worst.lower().clone();
    found.whole = worst.is_complete().then(|| worst.lower().clone());
    if *repair == Repair::None {
        // Nothing is added to any link.
        found.load.upper = worst.upper().unwrap_or(found.load.upper);
    }
    keep(&found);
    let rule = Rule::of(instance, failures)?;
    let Some(base) = Base::of(instance, &counts, &worst, &stop) else { return Ok(found) };
    drop(counts);
    let Some(family) = Family::of(&base, &rule, elements, *most, &stop)? else { return Ok(found) };
    let sets = sets(elements.len(), *most);
    let by_symmetry = rule.follows_from_paths() && *repair != Repair::None;
    let first = orbits::representatives(instance, &family.links, &sets, by_symmetry, progress);
    let most_of_all = found.load.upper.clone();
    let most_of_whole = worst.upper().unwrap_or_else(|| most_of_all.clone());
    let mut search = Search {
        family,
        sets,
        first,
        found,
        most_of_all,
        most_of_whole,
        unsolved: Rational::ZERO,
        progress,
    };
    // Single failures raise the lower bound before all pairs are looked at.
    let alone = 1 + elements.len();
    for range in [0..alone, alone..search.sets.len()] {
        if !search.bound(range, keep)? || !search.analyse(keep)? {
            break;
        }
    }
    Ok(search.found)
}

/// The worst permutation load of the network that the worst set leaves, assessed alone, with a certificate that the
/// checker accepted where that is possible; `None` where no instance is what is left, when it is too large to be
/// assessed, or when stopped.
///
/// # Errors
/// [`FailureSetError`], also when it is not what was found.
pub fn alone(
    instance: &Instance,
    failures: &Failures,
    peak: &Peak,
    progress: &Progress,
) -> Result<Option<Bounds>, FailureSetError> {
    let recomputed = match failures.repair {
        Repair::None | Repair::Tables(_) => false,
        Repair::Reroute => true,
        // Only then are all pairs split by the same rule.
        Repair::Ecmp => {
            let spec = routing::built_from(&*instance.routing);
            spec.is_some_and(|spec| spec.to_string() == "ecmp")
        }
    };
    if progress.cancelled() || !recomputed {
        return Ok(None);
    }
    let cables = cables_of_set(&failures.elements, &peak.set);
    let left = remaining(&instance.topology, Arc::clone(&instance.routing), &cables)?;
    let assess = Assess::new().embedded().linear_programs(false).progress(progress);
    let found = match assess.run(&left.instance) {
        Err(AssessmentError::Interrupted(_)) if progress.cancelled() => return Ok(None),
        Err(AssessmentError::WorstCase(_)) => return Ok(None),
        found => found?.permutation_load,
    };
    if found.lower > peak.most || found.upper < peak.load {
        let (load, alone) = (peak.load.to_string(), found.to_string());
        return Err(FailureSetError::Differs { load, alone });
    }
    Ok(Some(found))
}

impl FailureSets {
    /// Nothing but that no more than every host sends over a link.
    fn unknown(instance: &Instance) -> Self {
        let Instance { topology, routing, .. } = instance;
        // Two shortest paths one after the other may take a link twice.
        let times = if routing.may_revisit() { 2 } else { 1 };
        let all = Rational::from(times * topology.hosts() as u64);
        let upper = topology.load_on_narrowest(&all).unwrap_or(Rational::ZERO);
        let evidence = Evidence::Claimed(CLAIM.into());
        Self {
            load: Bounds { lower: Rational::ZERO, upper, evidence },
            whole: None,
            peak: None,
            verdicts: Vec::new(),
            looked_at: 0,
            cut_off: vec![0; topology.hosts()],
            most_lost: None,
            complete: false,
        }
    }
}

struct Search<'a> {
    family: Family<'a>,
    sets: Vec<FailureSet>,
    /// The first set of the class of every set.
    first: Vec<u32>,
    found: FailureSets,
    /// No set has a higher load.
    most_of_all: Rational,
    /// No permutation has a higher load without failures.
    most_of_whole: Rational,
    /// The highest bound of the sets that could not be solved exactly.
    unsolved: Rational,
    progress: &'a Progress,
}

impl Search<'_> {
    /// Bounds the next sets, those that stand for others first; whether it was not stopped before.
    fn bound(
        &mut self,
        range: Range<usize>,
        keep: &mut dyn FnMut(&FailureSets),
    ) -> Result<bool, FailureSetError> {
        let most = self.most_of_all.clone();
        let unknown = Verdict { by: Ground::Open, most, lost: 0, cut_off: 0 };
        self.found.verdicts.resize(range.end, unknown);
        self.progress.tell(Told::Step("bounds of sets"));
        let (first, others): (Vec<usize>, Vec<usize>) =
            range.partition(|at| self.first[*at] as usize == *at);
        for block in first.chunks(BOUNDED).chain(others.chunks(BOUNDED)) {
            let (family, base) = (&self.family, self.family.base);
            let facts = |sums: &mut Sums<'_>, at: usize| {
                if self.progress.cancelled() {
                    return Ok(None);
                }
                let facts = match self.known(at) {
                    None => family.facts(&self.sets[at], sums).map(|facts| (facts, Ground::Open)),
                    Some(known) => Ok((known, Ground::Symmetry(self.first[at]))),
                };
                self.progress.inc(1);
                facts.map(Some)
            };
            let work = block.par_iter().map_init(|| Sums::new(base), |sums, at| facts(sums, *at));
            // The first error of the block, whichever comes first.
            let facts: Vec<Result<Option<(Facts, Ground)>, FailureSetError>> = work.collect();
            let facts = facts.into_iter().collect::<Result<Option<Vec<_>>, _>>()?;
            let Some(facts) = facts else { return Ok(false) };
            for (at, (facts, by)) in block.iter().zip(facts) {
                self.take(*at, facts, by);
            }
            keep(&self.found);
        }
        self.settle();
        Ok(true)
    }

    /// What is known of a set by the set that stands for it. Which of two equal parts remains depends on numbers, so
    /// none stands for a set that cuts hosts off.
    fn known(&self, at: usize) -> Option<Facts> {
        let first = self.first[at] as usize;
        let verdict = self.found.verdicts.get(first).filter(|_| first < at)?;
        let (most, lost) = (verdict.most.clone(), verdict.lost);
        (verdict.cut_off == 0).then(|| Facts { most, lost, cut_off: Vec::new() })
    }

    /// Takes what was found for a set.
    fn take(&mut self, at: usize, Facts { most, lost, cut_off }: Facts, by: Ground) {
        let found = &mut self.found;
        found.looked_at += 1;
        let set = &self.sets[at];
        let order = |set: &FailureSet| (set.len(), set.clone());
        let is_more = found.most_lost.as_ref().map_or(lost > 0, |(known, count)| {
            (lost, Reverse(order(set))) > (*count, Reverse(order(known)))
        });
        if is_more {
            found.most_lost = Some((set.clone(), lost));
        }
        for host in &cut_off {
            found.cut_off[*host as usize] += 1;
        }
        let cut_off = index32(cut_off.len());
        found.verdicts[at] = Verdict { by, most, lost, cut_off };
    }

    /// Settles the sets whose bounds are no higher than the worst load that is known.
    fn settle(&mut self) {
        let found = &mut self.found;
        let is_open = |by: Ground| matches!(by, Ground::Open | Ground::Unsolved);
        for verdict in &mut found.verdicts {
            if is_open(verdict.by) && verdict.most <= found.load.lower {
                verdict.by = Ground::Bound;
            }
        }
        let open = found.verdicts.iter().filter(|verdict| verdict.by == Ground::Open);
        let most = open.map(|verdict| &verdict.most).max().cloned();
        self.bound_above(most.as_ref());
        let found = &mut self.found;
        let all = found.verdicts.len() == self.sets.len();
        found.complete = all && found.load.lower == found.load.upper;
    }

    /// Bounds the load from above, where `open` is the highest bound of an open set; only once all sets are bounded.
    fn bound_above(&mut self, open: Option<&Rational>) {
        let load = &mut self.found.load;
        if self.found.verdicts.len() == self.sets.len() {
            let known = (&load.lower).max(&self.most_of_whole).max(&self.unsolved);
            load.upper = open.map_or(known, |open| open.max(known)).clone();
        }
    }

    /// Analyses sets, those with the highest bounds first, until none may be worse than the worst one; whether it was
    /// not stopped before.
    fn analyse(&mut self, keep: &mut dyn FnMut(&FailureSets)) -> Result<bool, FailureSetError> {
        self.progress.tell(Told::Step("analyses of sets"));
        let verdicts = &self.found.verdicts;
        let open = (0..verdicts.len()).filter(|at| verdicts[*at].by == Ground::Open);
        let mut open: Vec<usize> = open.collect();
        open.sort_by_key(|at| Reverse(&verdicts[*at].most));
        let mut is_finished = true;
        let mut start = 0;
        for round in 1.. {
            let (verdicts, known) = (&self.found.verdicts, self.found.load.clone());
            let next = open[start..].iter().copied().take(ANALYSED);
            let next: Vec<usize> = next.take_while(|at| verdicts[*at].most > known.lower).collect();
            start += next.len();
            is_finished = self.analyse_all(&next, &known.lower)?;
            if next.is_empty() || !is_finished {
                break;
            }
            let most = open.get(start).map(|at| self.found.verdicts[*at].most.clone());
            self.bound_above(most.as_ref());
            let load = &self.found.load;
            if (&load.lower, &load.upper) != (&known.lower, &known.upper) || round % ROUNDS == 0 {
                self.settle();
                keep(&self.found);
            }
        }
        self.settle();
        keep(&self.found);
        Ok(is_finished)
    }

    /// Analyses some sets for loads above `least`; whether it was not stopped before all were done.
    fn analyse_all(&mut self, sets: &[usize], least: &Rational) -> Result<bool, FailureSetError> {
        let analyse = |at: &usize| self.family.peak(&self.sets[*at], least, self.progress);
        let analysed: Vec<Result<Analysed, FailureSetError>> =
            sets.par_iter().map(analyse).collect();
        let mut is_finished = true;
        for (at, analysed) in sets.iter().zip(analysed) {
            let Analysed { peak, most } = match analysed {
                Err(FailureSetError::Link(BadPermutationError::Stopped(_))) => {
                    is_finished = false;
                    continue;
                }
                analysed => analysed?,
            };
            let attained = peak.as_ref().map_or(least, |peak| &peak.load);
            let by = if most > *attained { Ground::Unsolved } else { Ground::Analysis };
            let most = most.max(attained.clone());
            if by == Ground::Unsolved {
                self.unsolved = self.unsolved.clone().max(most.clone());
            }
            let verdict = &mut self.found.verdicts[*at];
            (verdict.by, verdict.most) = (by, most.clone());
            if let Some(peak) = peak.filter(|peak| peak.load > self.found.load.lower) {
                self.found.load.lower = peak.load.clone();
                // The links to which nothing is added are as they were.
                let most = most.max(self.most_of_whole.clone());
                self.found.peak = Some(Peak { most, ..peak });
            }
        }
        Ok(is_finished)
    }
}
