//! Annealing over whole permutations, without aiming at a particular link.
//!
//! The search climbs the sum over links of load⁴ ÷ optu⁴, which the most loaded links dominate,
//! and also accepts a step that lowers it by less than a random part of a threshold; the threshold
//! falls to zero (threshold accepting: Dueck and Scheuer, J. Comput. Phys. 90, 1990,
//! <https://doi.org/10.1016/0021-9991(90)90201-B>). Every permutation visited counts as found.
//! Floats only steer the search, by operations that give the same results on every machine.

use std::num::NonZeroU64;

use rand::seq::SliceRandom;

use super::context::AttackContext;
use super::record::{Plan, Record, STEPS_BETWEEN_LOOKS};
use super::{Attacked, IncrementalLoads, Oblivious};
use crate::attack::{Adversary, Built};
use crate::prelude::*;

pub(super) const KIND: Kind<super::Method> = Kind {
    name: "anneal",
    usage: "anneal(trials=1000000,seed=1)",
    about: "threshold accepting over permutations, for the fourth powers of all loads",
    reference: "Dueck and Scheuer 1990",
    examples: &["anneal"],
    build: super::Method { build: Built::read::<Anneal>, work: super::Work::Searches },
};

/// Steps of a restart per host.
const STEPS_PER_HOST: u64 = 400;

/// The initial threshold, as a fraction of the sum.
const THRESHOLD: f64 = 0.2;

#[derive(Deserialize)]
struct Anneal {
    trials: NonZeroU64,
    seed: u64,
}

impl Adversary<Oblivious> for Anneal {
    fn attack(&self, spec: &str, context: &AttackContext<'_>, progress: &Progress) -> Attacked {
        let (trials, seed) = (self.trials.get(), self.seed);
        let plan = Plan { spec, trials, seed, enough: None };
        let steps = (STEPS_PER_HOST * context.hosts() as u64).min(trials);
        let walk = Walk { steps, toggles: !context.is_monotone(), progress };
        plan.run(context, progress, |incremental, generator, _, record| {
            walk.run(incremental, generator, record);
        })
    }
}

/// Parameters that all restarts share.
struct Walk<'a> {
    steps: u64,
    /// Whether hosts are also taken out of the permutation.
    toggles: bool,
    progress: &'a Progress,
}

impl Walk<'_> {
    /// One restart.
    fn run(
        &self,
        incremental: &mut IncrementalLoads<'_>,
        generator: &mut Stream,
        record: &mut Record,
    ) {
        let hosts = host_number(incremental.hosts());
        let mut start: Vec<Host> = (0..hosts).collect();
        start.shuffle(generator);
        incremental.weigh();
        incremental.set(&start);
        record.see(incremental.value(), || incremental.pairs().collect());
        let mut current = objective(incremental);
        while record.evaluations < self.steps {
            let step = record.evaluations;
            if step.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.progress.cancelled() {
                return;
            }
            let threshold = THRESHOLD * (self.steps - step) as f64 / self.steps as f64;
            let (a, b) = (generator.random_range(0..hosts), generator.random_range(0..hosts));
            let change = |incremental: &mut IncrementalLoads<'_>, toggle| {
                if toggle { incremental.toggle(a) } else { incremental.swap(a, b) }
            };
            let toggle = self.toggles && generator.random_range(0..4) == 0;
            change(incremental, toggle);
            record.see(incremental.value(), || incremental.pairs().collect());
            let new = objective(incremental);
            if new >= current * (1.0 - threshold * generator.random::<f64>()) {
                current = new;
            } else {
                change(incremental, toggle);
            }
        }
    }
}

/// The function that the search climbs.
fn objective(incremental: &IncrementalLoads<'_>) -> f64 {
    let optu = incremental.value().optu.max(1) as f64;
    incremental.energy() as f64 / (optu * optu * optu * optu)
}
