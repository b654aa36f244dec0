//! The search for the worst set: bounds of all sets, then analyses of those that may be worse than the worst one known.

use std::cmp::Reverse;
use std::ops::Range;

use rayon::prelude::*;

use super::bound::Sums;
use super::family::{Analysed, Facts, Family};
use super::ranking::{Least, Ranked};
use super::{Counts, FailureSet, FailureSetError, FailureSets, Ground, Peak, Verdict};
use crate::integer::index32;
use crate::progress::{Progress, Told};
use crate::rational::Rational;
use crate::worst_case::BadPermutationError;

/// Number of sets that are bounded, and that are analysed, before what is known is told.
const BOUNDED: usize = 1024;
const ANALYSED: usize = 16;

/// Number of rounds of analyses after which it is told although no bound changed.
const ROUNDS: usize = 64;

/// A search, and what it found so far.
pub(super) struct Search<'a> {
    family: Family<'a>,
    sets: Vec<FailureSet>,
    /// The first set of the class of every set.
    first: Vec<u32>,
    /// Number of sets of the class of every first set.
    size_of_class: Vec<u64>,
    /// How many sets of each size are ranked.
    ranked: usize,
    found: FailureSets,
    /// Some permutation has this load without failures.
    least_of_whole: Rational,
    /// No set has a higher load.
    most_of_all: Rational,
    /// No permutation has a higher load without failures.
    most_of_whole: Rational,
    /// The highest bound of the sets that could not be solved exactly.
    unsolved: Rational,
    progress: &'a Progress,
}

impl<'a> Search<'a> {
    /// The search among `sets`, of which each has its first equivalent one; `ranked` of each size are ranked.
    pub(super) fn new(
        family: Family<'a>,
        (sets, first): (Vec<FailureSet>, Vec<u32>),
        (found, ranked): (FailureSets, usize),
        most_of_whole: Rational,
        progress: &'a Progress,
    ) -> Self {
        let mut size_of_class = vec![0; sets.len()];
        for at in &first {
            size_of_class[*at as usize] += 1;
        }
        Self {
            family,
            sets,
            first,
            size_of_class,
            ranked,
            least_of_whole: found.load.lower.clone(),
            most_of_all: found.load.upper.clone(),
            found,
            most_of_whole,
            unsolved: Rational::ZERO,
            progress,
        }
    }

    /// Bounds and analyses the `first` sets, then all others; what was found, with the sets and what is known of them.
    pub(super) fn run(
        mut self,
        first: usize,
        keep: &mut dyn FnMut(&FailureSets),
    ) -> Result<(FailureSets, Vec<FailureSet>, Family<'a>), FailureSetError> {
        for range in [0..first, first..self.sets.len()] {
            if !self.bound(range, keep)? || !self.analyse(keep)? {
                break;
            }
        }
        Ok((self.found, self.sets, self.family))
    }

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
                let facts = match self.by_symmetry(at) {
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
    fn by_symmetry(&self, at: usize) -> Option<Facts> {
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
        if let Some(ranking) = found.rankings.get_mut(set.len().wrapping_sub(1))
            && cut_off > 0
        {
            ranking.cuts(set);
        }
        let verdict = Verdict { by, most, lost, cut_off };
        found.counts.add(&verdict);
        found.verdicts[at] = verdict;
    }

    /// What a set needs to be worse than the worst one or, if it cuts no host off, to be ranked.
    fn least(&self, at: usize) -> Least<'_> {
        let cuts = self.found.verdicts[at].cut_off > 0;
        let ranking = self.found.rankings.get(self.sets[at].len().wrapping_sub(1));
        match ranking.filter(|_| !cuts) {
            None => Least { load: &self.found.load.lower, suffices: false },
            Some(ranking) => ranking.least(at, self.ranked, &self.least_of_whole),
        }
    }

    /// Whether a bound settles a set.
    fn is_settled(&self, at: usize) -> bool {
        !self.least(at).admits(&self.found.verdicts[at].most)
    }

    /// Settles the sets whose bounds are too low, and bounds the load and those that are not ranked.
    fn settle(&mut self) {
        let is_open = |by: Ground| matches!(by, Ground::Open | Ground::Unsolved);
        for at in 0..self.found.verdicts.len() {
            if is_open(self.found.verdicts[at].by) && self.is_settled(at) {
                let by = &mut self.found.verdicts[at].by;
                // What was analysed keeps its covers.
                *by = if *by == Ground::Unsolved { Ground::Analysis } else { Ground::Bound };
            }
        }
        let open = self.found.verdicts.iter().filter(|verdict| verdict.by == Ground::Open);
        let most = open.map(|verdict| &verdict.most).max().cloned();
        self.bound_above(most.as_ref());
        let found = &mut self.found;
        found.counts = Counts::of(&found.verdicts);
        let whole = [&self.least_of_whole, &self.most_of_whole];
        let alone = 1 + self.family.links.len();
        for (ranking, sizes) in found.rankings.iter_mut().zip([1..alone, alone..self.sets.len()]) {
            let start = sizes.start;
            if let Some(verdicts) = found.verdicts.get(sizes) {
                ranking.bound((start, verdicts), self.ranked, whole);
            }
        }
        let all = found.verdicts.len() == self.sets.len();
        let ranked = found.rankings.iter().all(|ranking| ranking.complete);
        found.complete = all && ranked && found.load.lower == found.load.upper;
    }

    /// Bounds the load from above, where `open` is the highest bound of an open set; only once all sets are bounded.
    fn bound_above(&mut self, open: Option<&Rational>) {
        let load = &mut self.found.load;
        if self.found.verdicts.len() == self.sets.len() {
            let known = (&load.lower).max(&self.most_of_whole).max(&self.unsolved);
            load.upper = open.map_or(known, |open| open.max(known)).clone();
        }
    }

    /// The load, and the places of the sets that are ranked.
    fn known(&self) -> (Rational, Rational, Vec<usize>) {
        let FailureSets { load, rankings, .. } = &self.found;
        let ranked = rankings.iter().flat_map(|ranking| &ranking.sets).map(|set| set.at);
        (load.lower.clone(), load.upper.clone(), ranked.collect())
    }

    /// Analyses sets, those with the highest bounds first, until bounds settle all others; whether it was not stopped
    /// before.
    fn analyse(&mut self, keep: &mut dyn FnMut(&FailureSets)) -> Result<bool, FailureSetError> {
        self.progress.tell(Told::Step("analyses of sets"));
        let verdicts = &self.found.verdicts;
        let open = (0..verdicts.len()).filter(|at| verdicts[*at].by == Ground::Open);
        let mut open: Vec<usize> = open.collect();
        open.sort_by_key(|at| Reverse(&verdicts[*at].most));
        let mut open = open.into_iter().peekable();
        let mut is_finished = true;
        for round in 1.. {
            let known = self.known();
            let next = open.by_ref().filter(|at| !self.is_settled(*at)).take(ANALYSED);
            let next: Vec<usize> = next.collect();
            is_finished = self.analyse_all(&next)?;
            if next.is_empty() || !is_finished {
                break;
            }
            let most = open.peek().map(|at| self.found.verdicts[*at].most.clone());
            self.bound_above(most.as_ref());
            if self.known() != known || round % ROUNDS == 0 {
                self.settle();
                keep(&self.found);
            }
        }
        self.settle();
        keep(&self.found);
        Ok(is_finished)
    }

    /// Analyses some sets; whether it was not stopped before all were done.
    fn analyse_all(&mut self, sets: &[usize]) -> Result<bool, FailureSetError> {
        let analyse = |at: &usize| {
            let least = self.least(*at);
            let found = self.family.peak(&self.sets[*at], least, self.progress);
            found.map(|found| (found, least.load.clone()))
        };
        let analysed: Vec<Result<(Analysed, Rational), FailureSetError>> =
            sets.par_iter().map(analyse).collect();
        let mut is_finished = true;
        for (at, analysed) in sets.iter().zip(analysed) {
            match analysed {
                Err(FailureSetError::Link(BadPermutationError::Stopped(_))) => is_finished = false,
                analysed => {
                    let (analysed, least) = analysed?;
                    self.take_analysed(*at, analysed, least);
                }
            }
        }
        Ok(is_finished)
    }

    /// Takes what was found for a set that was analysed for loads of at least `least`.
    fn take_analysed(&mut self, at: usize, Analysed { peak, most }: Analysed, least: Rational) {
        let attained = peak.as_ref().map_or(least, |peak| peak.load.clone());
        let by = if most > attained { Ground::Unsolved } else { Ground::Analysis };
        let most = most.max(attained);
        if by == Ground::Unsolved {
            self.unsolved = self.unsolved.clone().max(most.clone());
        }
        let verdict = &mut self.found.verdicts[at];
        (verdict.by, verdict.most) = (by, most.clone());
        let (lost, cuts) = (verdict.lost, verdict.cut_off > 0);
        let Some(peak) = peak else { return };
        // The links to which nothing is added are as they were.
        let peak = Peak { most: most.max(self.most_of_whole.clone()), ..peak };
        if peak.load > self.found.load.lower {
            self.found.load.lower = peak.load.clone();
            self.found.peak = Some(peak.clone());
        }
        let ranking = self.found.rankings.get_mut(self.sets[at].len().wrapping_sub(1));
        if let Some(ranking) = ranking.filter(|_| !cuts) {
            let alike = self.size_of_class[at].saturating_sub(1);
            ranking.take(Ranked { peak, lost, alike, at }, self.ranked);
        }
    }
}
