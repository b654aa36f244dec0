//! Local search: one link at a time, one swap at a time.
//!
//! A restart aims at one link: only pairs that cross it count as traffic, all other hosts
//! idle. It draws a pair of the link and swaps destinations so that the pair comes about;
//! whatever does not lower load ÷ optu is kept, so the search drifts over plateaus until a
//! further pair fits in. One swap in eight is between any two hosts, which takes pairs away: on
//! slimmed trees that lowers optu. Links are taken in the order of what counting says of them,
//! the number of their sources or destinations, whichever is less.

use rand::{RngExt, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::arena::{Arena, Value};
use super::record::{Plan, Record, STEPS_BETWEEN_LOOKS};
use super::targets::{Target, targets};
use super::{Adversary, AdversaryError, Finding, Kernel};
use crate::progress::Progress;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::Host;

const USAGE: &str = "climb(trials=1000000,seed=1)";

pub(super) const KIND: Kind<super::Build> = Kind {
    name: "climb",
    usage: USAGE,
    about: "local search by swaps of two destinations, one link at a time, with restarts",
    reference: "src/adversary/climb.rs",
    examples: &["climb"],
    build,
};

/// A restart ends after so many steps without a rise for each pair of its link.
const PATIENCE: u64 = 8;

struct Climb {
    spec: String,
    trials: u64,
    seed: u64,
}

fn build(spec: &Spec) -> Result<Box<dyn Adversary>, AdversaryError> {
    let (trials, seed) = trials_and_seed(spec, 1_000_000, USAGE)?;
    Ok(Box::new(Climb { spec: format!("climb(trials={trials},seed={seed})"), trials, seed }))
}

/// The options of searches.
pub(super) fn trials_and_seed(
    spec: &Spec,
    trials: u64,
    usage: &'static str,
) -> Result<(u64, u64), AdversaryError> {
    spec.arguments(0, &["trials", "seed"], usage)?;
    let trials = spec.integer_option("trials", trials, usage)?;
    if trials == 0 {
        return Err(spec.bad(usage, "trials must be at least 1").into());
    }
    Ok((trials, spec.integer_option("seed", 1, usage)?))
}

impl Adversary for Climb {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn attack(&self, arena: &Arena<'_>, progress: &Progress) -> Result<Finding, AdversaryError> {
        let (targets, left_out) = targets(arena, progress)?;
        let bound = targets.first().map_or(0, |target| target.bound).max(left_out);
        let enough = arena.is_monotone().then_some(Value { load: bound, optu: 1 });
        let plan = Plan { trials: self.trials, seed: self.seed, enough };
        let (record, stopped) = plan.run(arena, progress, |kernel, generator, restart, record| {
            let target = &targets[(restart % targets.len() as u64) as usize];
            let mut walk = Walk { target, kernel, generator, progress };
            walk.run(self.trials, record);
        });
        let evidence = plan.evidence(&record);
        Ok(Finding { stopped, ..record.finding(arena, &self.spec, evidence, progress)? })
    }
}

struct Walk<'w, 'a> {
    target: &'w Target,
    kernel: &'w mut Kernel<'a>,
    generator: &'w mut ChaCha8Rng,
    progress: &'w Progress,
}

impl Walk<'_, '_> {
    fn run(&mut self, most: u64, record: &mut Record) {
        let mut start: Vec<Host> = (0..).take(self.kernel.hosts()).collect();
        start.shuffle(self.generator);
        self.kernel.aim(Some(self.target.link));
        self.kernel.set(&start);
        let mut value = self.kernel.value();
        record.see(value, || self.kernel.pairs().collect());
        let patience = PATIENCE * self.target.pairs.len() as u64 + 64;
        let mut last_rise = 0;
        while record.evaluations < most && record.evaluations - last_rise < patience {
            if record.evaluations.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.progress.cancelled() {
                return;
            }
            let (a, b) = self.proposal();
            self.kernel.swap(a, b);
            let new = self.kernel.value();
            record.see(new, || self.kernel.pairs().collect());
            if new > value {
                last_rise = record.evaluations;
            }
            if new >= value {
                value = new;
            } else {
                self.kernel.swap(a, b);
            }
            if value.load >= self.target.bound && value.optu == 1 {
                return;
            }
        }
    }

    /// Two hosts whose destinations to exchange.
    fn proposal(&mut self) -> (Host, Host) {
        let index = self.generator.random_range(0..self.target.pairs.len() as u32);
        let (s, d) = self.target.pairs[index as usize];
        if self.generator.random_range(0..8) == 0 {
            (s, self.generator.random_range(0..self.kernel.hosts() as u32))
        } else {
            (s, self.kernel.holder(d))
        }
    }
}
