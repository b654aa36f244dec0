//! The best permutation of a search, and restarts that processes share.

use std::convert::Infallible;

use super::context::{AttackContext, Value};
use super::{AdversaryError, Finding, IncrementalLoads, Ratio};
use crate::attack::{self, BLOCK, Restarts};
use crate::prelude::*;
use crate::shards::{Found, Work};

/// Maximum number of evaluations in the record of a unit: sums of them stay far below 64 bits.
const MAX_EVALUATIONS: u64 = 1 << 40;

/// Steps between checks of the clock.
pub(super) const STEPS_BETWEEN_LOOKS: u64 = 512;

/// Number of evaluations of which at least one is of traffic: there are at least two permutations, and none is tried
/// that often.
const SOME: u64 = 256;

/// The best of some evaluations, by load ÷ optu.
pub(super) type Record = attack::Record<Value, Vec<(Host, Host)>>;

impl AttackContext<'_> {
    /// Whether a record from a file can be one of traffic in which a host sends to at most `most` others, and
    /// receives from at most as many. Its pairs are measured: they have the value that it claims.
    pub(super) fn allows(&self, record: &Record, most: u64) -> bool {
        let values = record.curve.iter().map(|(_, value)| *value).chain([record.value]);
        let later = |two: &[(u64, Value)]| two[0].0 < two[1].0 && two[0].1 < two[1].1;
        let rises = record.curve.windows(2).all(later);
        let last = record.curve.last().copied().unwrap_or_default();
        let is_silent = record.value.load == 0 && record.evaluations >= SOME;
        record.evaluations <= MAX_EVALUATIONS
            && values.into_iter().all(Value::is_possible)
            && rises
            && last.0 <= record.evaluations
            && last.1 == record.value
            && !(is_silent && self.hosts() > 1)
            && is_traffic(&record.traffic, self.hosts(), most)
            && record.value == self.measured(&record.traffic, most)
    }

    /// The finding of a search, re-evaluated even if `progress` is cancelled: see [`Self::judge_pairs`].
    pub(super) fn finding(
        &self,
        record: &Record,
        adversary: &str,
        evidence: Evidence,
        progress: &Progress,
    ) -> Result<Finding, AdversaryError> {
        let worst = Ratio::from(self.judge_pairs(&record.traffic, progress)?);
        let claimed = self.ratio(record.value);
        worst.check(adversary, &claimed)?;
        let curve = if self.is_rough {
            // Only the final ratio, which was computed exactly, at the evaluation that found it.
            record.curve.last().map(|(at, _)| (*at, worst.lower.clone())).into_iter().collect()
        } else {
            record.curve.iter().map(|(at, value)| (*at, self.ratio(*value))).collect()
        };
        Ok(Finding {
            worst: Ratio { curve, ..worst },
            evaluations: record.evaluations,
            notes: self.remark().into_iter().collect(),
            ..Finding::nothing(adversary, evidence)
        })
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
    /// The value of traffic that consists of the given number of permutations.
    fn measured(&self, pairs: &[(Host, Host)], permutations: u64) -> Value {
        let value = IncrementalLoads::new(self).measure(pairs);
        if self.is_monotone() { Value { optu: permutations, ..value } } else { value }
    }
}

/// A search with restarts: restart i draws from stream i of the seed's generator.
pub(super) struct Plan<'s> {
    /// The spec of the search.
    pub(super) spec: &'s str,
    /// Number of evaluations after which no restart starts.
    pub(super) trials: u64,
    pub(super) seed: u64,
    /// A value that nothing exceeds, if one is known.
    pub(super) enough: Option<Value>,
}

/// The restarts of a search as units of work.
struct Units<'a, 'i, F> {
    context: &'a AttackContext<'i>,
    progress: &'a Progress,
    streams: Streams,
    walk: F,
}

impl<'a, F> Work for Units<'a, '_, F>
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
        self.context.allows(record, 1)
    }
}

impl Plan<'_> {
    /// Runs restarts 0, 1, 2, … of `walk(incremental, generator, restart, record)` until the plan or `progress` ends
    /// them, and measures the best traffic again. A shard ends after its part of the trials: what is then missing of
    /// the last restarts is done while merging.
    pub(super) fn run<'a>(
        &self,
        context: &'a AttackContext<'_>,
        progress: &'a Progress,
        walk: impl Fn(&mut IncrementalLoads<'a>, &mut Stream, u64, &mut Record) + Sync,
    ) -> Result<Finding, AdversaryError> {
        let work = Units { context, progress, streams: Streams::new(self.seed), walk };
        let units = &context.units;
        let stage = format!("restarts of {}", self.spec);
        let at_once = match units.part() {
            Some(part) => BLOCK.max(part.shard().of() * rayon::current_num_threads() as u64),
            None => BLOCK,
        };
        let plan = Restarts { trials: self.trials.div_ceil(units.shards()), enough: self.enough };
        let is_stopped = || progress.cancelled() || units.have_failed();
        let block = |restarts| {
            let found = if is_stopped() { Vec::new() } else { units.each(&stage, restarts, &work) };
            Ok::<_, Infallible>(found)
        };
        let Ok((record, stopped)) = plan.merge(at_once, is_stopped, block);
        let evidence = Evidence::Sampled { seed: self.seed, trials: record.evaluations };
        Ok(Finding { stopped, ..context.finding(&record, self.spec, evidence, progress)? })
    }
}
