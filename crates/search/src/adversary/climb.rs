//! Local search: one link at a time, one swap at a time.
//!
//! A restart aims at one link: only pairs that cross it count as traffic, and all other hosts are
//! idle. It draws a pair of the link and swaps destinations to form that pair; any swap that does
//! not lower load ÷ optu is kept, so the search drifts over plateaus until another pair fits. One
//! swap in eight exchanges the destination of the pair's source with that of any host, which takes
//! pairs away: on slimmed trees that lowers optu. Links are taken in decreasing order of their
//! counting bound, the number of their sources or destinations, whichever is less.

use std::num::NonZeroU64;

use rand::seq::SliceRandom;

use super::candidate_links::{CandidateLink, candidate_links};
use super::context::{AttackContext, Value};
use super::record::{Plan, Record, STEPS_BETWEEN_LOOKS};
use super::{Attacked, IncrementalLoads, Oblivious};
use crate::attack::{Adversary, Built};
use crate::prelude::*;

pub(super) const KIND: Kind<super::Method> = Kind {
    name: "climb",
    usage: "climb(trials=1000000,seed=1)",
    about: "local search by swaps of two destinations, one link at a time, with restarts",
    reference: "crates/search/src/adversary/climb.rs",
    examples: &["climb"],
    build: super::Method { build: Built::read::<Climb>, work: super::Work::Searches },
};

/// A restart ends after this many steps per pair of its link without a rise.
const PATIENCE: u64 = 8;

#[derive(Deserialize)]
struct Climb {
    trials: NonZeroU64,
    seed: u64,
}

impl Adversary<Oblivious> for Climb {
    fn attack(&self, spec: &str, context: &AttackContext<'_>, progress: &Progress) -> Attacked {
        let (candidates, left_out) = candidate_links(context, progress)?;
        let bound = candidates.first().map_or(0, |candidate| candidate.bound).max(left_out);
        let enough = context.is_monotone().then_some(Value { load: bound, optu: 1 });
        let (trials, seed) = (self.trials.get(), self.seed);
        let plan = Plan { spec, trials, seed, enough };
        plan.run(context, progress, |incremental, generator, restart, record| {
            let candidate = &candidates[as_size(restart % candidates.len() as u64)];
            let mut walk = Walk { candidate, incremental, generator, progress };
            walk.run(trials, record);
        })
    }
}

struct Walk<'w, 'a> {
    candidate: &'w CandidateLink,
    incremental: &'w mut IncrementalLoads<'a>,
    generator: &'w mut Stream,
    progress: &'w Progress,
}

impl Walk<'_, '_> {
    fn run(&mut self, most: u64, record: &mut Record) {
        let mut start: Vec<Host> = (0..).take(self.incremental.hosts()).collect();
        start.shuffle(self.generator);
        self.incremental.aim(Some(self.candidate.link));
        self.incremental.set(&start);
        let mut value = self.incremental.value();
        record.see(value, || self.incremental.pairs().collect());
        let patience = PATIENCE * self.candidate.pairs.len() as u64 + 64;
        let mut last_rise = 0;
        while record.evaluations < most && record.evaluations - last_rise < patience {
            if record.evaluations.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.progress.cancelled() {
                return;
            }
            let (a, b) = self.proposal();
            self.incremental.swap(a, b);
            let new = self.incremental.value();
            record.see(new, || self.incremental.pairs().collect());
            if new > value {
                last_rise = record.evaluations;
            }
            if new >= value {
                value = new;
            } else {
                self.incremental.swap(a, b);
            }
            if value.load >= self.candidate.bound && value.optu == 1 {
                return;
            }
        }
    }

    /// Two hosts whose destinations are to be exchanged.
    fn proposal(&mut self) -> (Host, Host) {
        let index = self.generator.random_range(0..index32(self.candidate.pairs.len()));
        let (s, d) = self.candidate.pairs[index as usize];
        if self.generator.random_range(0..8) == 0 {
            (s, self.generator.random_range(0..host_number(self.incremental.hosts())))
        } else {
            (s, self.incremental.holder(d))
        }
    }
}
