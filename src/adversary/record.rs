//! The best permutation of a search, and restarts whose results do not depend on the number of
//! threads.

use rayon::prelude::*;

use super::context::{AttackContext, Value};
use super::{AdversaryError, Finding, IncrementalLoads};
use crate::bounds::Evidence;
use crate::progress::Progress;
use crate::sampling::{Stream, Streams};
use crate::topology::Host;

/// Restarts that run at the same time; results are examined after each such block.
const BLOCK: u64 = 32;

/// Steps between checks of the clock.
pub(super) const STEPS_BETWEEN_LOOKS: u64 = 512;

/// The best of some evaluations.
#[derive(Clone, Debug, Default)]
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

/// How long a search with restarts continues.
pub(super) struct Plan {
    /// Evaluations after which no restart starts.
    pub(super) trials: u64,
    pub(super) seed: u64,
    /// A value that nothing exceeds, if one is known.
    pub(super) enough: Option<Value>,
}

impl Plan {
    /// Runs restarts 0, 1, 2, … of `walk(incremental, generator, restart, record)` until the plan
    /// or `progress` ends them; the flag says whether `progress` did. Restart i draws from stream i
    /// of the seed's generator.
    pub(super) fn run(
        &self,
        context: &AttackContext<'_>,
        progress: &Progress,
        walk: impl Fn(&mut IncrementalLoads<'_>, &mut Stream, u64, &mut Record) + Sync,
    ) -> (Record, bool) {
        let streams = Streams::new(self.seed);
        let mut best = Record::default();
        let mut start = 0;
        while !progress.cancelled() {
            let restarts = (start..start + BLOCK).into_par_iter();
            let one = |incremental: &mut IncrementalLoads<'_>, restart| {
                let mut generator = streams.at(restart);
                let mut record = Record::default();
                if !progress.cancelled() {
                    walk(incremental, &mut generator, restart, &mut record);
                    progress.inc(record.evaluations);
                }
                record
            };
            let block: Vec<Record> =
                restarts.map_init(|| IncrementalLoads::new(context), one).collect();
            for record in block {
                best.append(record);
                let reached = self.enough.is_some_and(|enough| best.value >= enough);
                if best.evaluations >= self.trials || reached {
                    return (best, false);
                }
            }
            start += BLOCK;
        }
        (best, true)
    }

    /// The trials that the finding comes from, as evidence.
    pub(super) fn evidence(&self, record: &Record) -> Evidence {
        Evidence::Sampled { seed: self.seed, trials: record.evaluations }
    }
}
