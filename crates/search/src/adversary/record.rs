//! The best permutation of a search, and restarts whose results do not depend on the number of
//! threads.

use serde::{Deserialize, Serialize};

use super::context::{AttackContext, Value};
use super::{AdversaryError, Finding, IncrementalLoads};
use crate::bounds::Evidence;
use crate::progress::Progress;
use crate::sampling::{Stream, Streams};
use crate::shards::{Found, Work};
use crate::topology::Host;

/// No record of a unit has more evaluations: sums of them stay far below 64 bits.
const MAX_EVALUATIONS: u64 = 1 << 40;

/// Restarts that run at the same time; results are examined after each such block.
const BLOCK: u64 = 32;

/// Steps between checks of the clock.
pub(super) const STEPS_BETWEEN_LOOKS: u64 = 512;

/// Of so many evaluations at least one is of traffic: there are at least two permutations, and none
/// is tried so often.
const SOME: u64 = 256;

/// The best of some evaluations.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) value: Value,
    pub(super) pairs: Vec<(Host, Host)>,
    pub(super) evaluations: u64,
    /// The evaluations at which the best value rose, each with the new value.
    curve: Vec<(u64, Value)>,
}

impl Record {
    /// Counts one evaluation; `pairs` supplies its traffic if it is the best so far.
    #[inline]
    pub(super) fn see(&mut self, value: Value, pairs: impl FnOnce() -> Vec<(Host, Host)>) {
        self.evaluations += 1;
        if value > self.value {
            self.value = value;
            self.pairs = pairs();
            self.curve.push((self.evaluations, value));
        }
    }

    /// Adds the evaluations that came after.
    pub(super) fn append(&mut self, later: Self) {
        let rises = later.curve.into_iter().filter(|(_, value)| *value > self.value);
        self.curve.extend(rises.map(|(at, value)| (self.evaluations + at, value)));
        self.evaluations += later.evaluations;
        if later.value > self.value {
            self.value = later.value;
            self.pairs = later.pairs;
        }
    }

    /// Whether a record from a file can be one of traffic in which a host sends to no more than `most`
    /// others, and receives from no more. Its pairs are measured: they have the value that it claims.
    pub(super) fn is_possible(&self, context: &AttackContext<'_>, most: u64) -> bool {
        let values = self.curve.iter().map(|(_, value)| *value).chain([self.value]);
        let later = |two: &[(u64, Value)]| two[0].0 < two[1].0 && two[0].1 < two[1].1;
        let rises = self.curve.windows(2).all(later);
        let last = self.curve.last().copied().unwrap_or_default();
        let is_silent = self.value.load == 0 && self.evaluations >= SOME;
        self.evaluations <= MAX_EVALUATIONS
            && values.into_iter().all(Value::is_possible)
            && rises
            && last.0 <= self.evaluations
            && last.1 == self.value
            && !(is_silent && context.hosts() > 1)
            && is_traffic(&self.pairs, context.hosts(), most)
            && self.value == context.measured(&self.pairs, most)
    }

    /// What was found, re-evaluated even if `progress` is cancelled: see
    /// [`AttackContext::judge_pairs`].
    pub(super) fn finding(
        self,
        context: &AttackContext<'_>,
        adversary: &str,
        evidence: Evidence,
        progress: &Progress,
    ) -> Result<Finding, AdversaryError> {
        let verdict = context.judge_pairs(&self.pairs, progress)?;
        let claimed = context.ratio(self.value);
        let found = verdict.as_ref().map(|verdict| verdict.lower.clone()).unwrap_or_default();
        if found < claimed {
            return Err(AdversaryError::Defect { adversary: adversary.into(), claimed, found });
        }
        let curve = if context.is_rough {
            // Only the final ratio, which was computed exactly, at the evaluation that found it.
            self.curve.last().map(|(at, _)| (*at, found)).into_iter().collect()
        } else {
            self.curve.iter().map(|(at, value)| (*at, context.ratio(*value))).collect()
        };
        let (evaluations, notes) = (self.evaluations, context.remark().into_iter().collect());
        let empty = Finding::nothing(adversary, evidence);
        Ok(Finding { evaluations, curve, notes, ..empty }.with(verdict))
    }
}

/// Whether pairs are those of hosts each of which sends to at most `most` others, and receives from as
/// many.
fn is_traffic(pairs: &[(Host, Host)], hosts: usize, most: u64) -> bool {
    let mut ends = vec![[0_u64; 2]; hosts];
    pairs.iter().all(|(s, d)| {
        let (s, d) = (*s as usize, *d as usize);
        if s == d || s >= hosts || d >= hosts {
            return false;
        }
        ends[s][0] += 1;
        ends[d][1] += 1;
        ends[s][0] <= most && ends[d][1] <= most
    })
}

impl AttackContext<'_> {
    /// The value of traffic that consists of so many permutations.
    fn measured(&self, pairs: &[(Host, Host)], permutations: u64) -> Value {
        let value = IncrementalLoads::new(self).measure(pairs);
        if self.is_monotone() { Value { optu: permutations, ..value } } else { value }
    }
}

/// How long a search with restarts continues.
pub(super) struct Plan<'s> {
    /// The spec of the search.
    pub(super) spec: &'s str,
    /// Evaluations after which no restart starts.
    pub(super) trials: u64,
    pub(super) seed: u64,
    /// A value that nothing exceeds, if one is known.
    pub(super) enough: Option<Value>,
}

/// Restarts of a search: restart i draws from stream i of the seed's generator.
struct Restarts<'a, 'i, F> {
    context: &'a AttackContext<'i>,
    progress: &'a Progress,
    streams: Streams,
    walk: F,
}

impl<'a, F> Work for Restarts<'a, '_, F>
where
    F: Fn(&mut IncrementalLoads<'a>, &mut Stream, u64, &mut Record) + Sync,
{
    type Result = Record;
    type Scratch = IncrementalLoads<'a>;

    fn scratch(&self) -> IncrementalLoads<'a> {
        IncrementalLoads::new(self.context)
    }

    fn find(&self, incremental: &mut IncrementalLoads<'a>, restart: u64) -> Found<Record> {
        if self.progress.cancelled() {
            return Found::Stopped;
        }
        let (mut generator, mut record) = (self.streams.at(restart), Record::default());
        (self.walk)(incremental, &mut generator, restart, &mut record);
        self.progress.inc(record.evaluations);
        if self.progress.cancelled() { Found::Passing(record) } else { Found::Final(record) }
    }

    fn fits(&self, _restart: u64, record: &Record) -> bool {
        record.is_possible(self.context, 1)
    }
}

impl Plan<'_> {
    /// Runs restarts 0, 1, 2, … of `walk(incremental, generator, restart, record)` until the plan
    /// or `progress` ends them; the flag says whether `progress` did. A shard ends after its part of
    /// the trials: what is then missing of the last restarts is done while merging.
    pub(super) fn run<'a>(
        &self,
        context: &'a AttackContext<'_>,
        progress: &'a Progress,
        walk: impl Fn(&mut IncrementalLoads<'a>, &mut Stream, u64, &mut Record) + Sync,
    ) -> (Record, bool) {
        let work = Restarts { context, progress, streams: Streams::new(self.seed), walk };
        let units = &context.units;
        let stage = format!("restarts of {}", self.spec);
        let at_once = match units.part() {
            Some(part) => BLOCK.max(part.shard().of() * rayon::current_num_threads() as u64),
            None => BLOCK,
        };
        let trials = self.trials.div_ceil(units.shards());
        let (mut best, mut start) = (Record::default(), 0);
        while !progress.cancelled() && !units.have_failed() {
            let block = units.each(&stage, start..start + at_once, &work);
            for record in block.into_iter().flatten() {
                best.append(record);
                let reached = self.enough.is_some_and(|enough| best.value >= enough);
                if best.evaluations >= trials || reached {
                    return (best, false);
                }
            }
            start += at_once;
        }
        (best, true)
    }

    /// The trials that the finding comes from, as evidence.
    pub(super) fn evidence(&self, record: &Record) -> Evidence {
        Evidence::Sampled { seed: self.seed, trials: record.evaluations }
    }
}
