//! The bad message set of \[GL\] Theorem 9 as an adversary.

use std::num::NonZeroU64;

use super::measure::{check_rule, measured};
use super::{AttackError, Attacked, Construction, Finding, Greedy, Method, Target};
use crate::attack::{Adversary, Built, Work};
use crate::bounds::Evidence;
use crate::prelude::*;
use crate::simulation::delivery::DeliveryError;

pub(super) const KIND: Kind<Method> = Kind {
    name: "theorem-9",
    usage: "theorem-9(lambda=12,trials=64,seed=1)",
    about: "the set M_n of the proof, made against the rule: messages out of the root of a standard \
            fat-tree universal(n,root=open), n = 4^h; trials count under random rules",
    reference: "[GL] 5, Theorem 9",
    examples: &["theorem-9", "theorem-9(lambda=24)"],
    build: Method { build: Built::read::<Theorem9>, work: Work::Measures },
};

#[derive(Deserialize)]
struct Theorem9 {
    lambda: NonZeroU64,
    trials: NonZeroU64,
    seed: u64,
}

impl Adversary<Greedy> for Theorem9 {
    fn attack(&self, spec: &str, target: &Target<'_>, progress: &Progress) -> Attacked {
        check_rule(target)?;
        let shape = target.shape.ok_or(AttackError::NotStandard { spec: None })?;
        let (trials, seed) = (self.trials.get(), self.seed);
        let construction = Construction { trials, seed, ..Construction::of(self.lambda.get()) };
        let found = construction.make(shape, target.loss, progress).and_then(|bad| {
            // Other seeds than those by which the subtrees were chosen.
            measured(target, bad.messages, seed.wrapping_add(trials), trials, progress)
        });
        let worst = match found {
            Err(AttackError::Delivery(DeliveryError::Stopped(_))) => None,
            found => Some(found?),
        };
        progress.inc(1);
        let is_exact = target.loss.build.is_deterministic;
        let one = Evidence::Claimed("one run".to_string());
        let evidence = if is_exact { one } else { Evidence::Sampled { seed, trials } };
        let (stopped, evaluations) = (worst.is_none(), u64::from(worst.is_some()));
        Ok(Finding { worst, evaluations, stopped, ..Finding::nothing(spec, evidence) })
    }
}
