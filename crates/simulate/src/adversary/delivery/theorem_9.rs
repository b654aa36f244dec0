//! The bad message set of \[GL\] Theorem 9 as an adversary.

use super::measure::{check_rule, measured};
use super::{
    AttackError, Build, Construction, DeliveryAdversary, DeliveryFinding, Target, positive,
};
use crate::bounds::Evidence;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::simulation::delivery::DeliveryError;
use crate::spec::Spec;

const USAGE: &str = "theorem-9(lambda=12,trials=64,seed=1)";

pub(super) const KIND: Kind<Build> = Kind {
    name: "theorem-9",
    usage: USAGE,
    options: &["lambda", "trials", "seed"],
    about: "the set M_n of the proof, made against the rule: messages out of the root of a standard \
            fat-tree universal(n,root=open), n = 4^h; trials count under random rules",
    reference: "[GL] 5, Theorem 9",
    examples: &["theorem-9", "theorem-9(lambda=24)"],
    build,
};

struct Theorem9 {
    spec: String,
    of: Construction,
}

fn build(spec: &Spec) -> Result<Box<dyn DeliveryAdversary>, AttackError> {
    spec.arguments(0, KIND.options, USAGE)?;
    let lambda = positive(spec, "lambda", 12, USAGE)?;
    let (trials, seed) = (positive(spec, "trials", 64, USAGE)?, spec.seed(USAGE)?);
    let of = Construction { trials, seed, ..Construction::of(lambda) };
    let spec = format!("theorem-9(lambda={lambda},trials={trials},seed={seed})");
    Ok(Box::new(Theorem9 { spec, of }))
}

impl DeliveryAdversary for Theorem9 {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn attack(
        &self,
        target: &Target<'_>,
        progress: &Progress,
    ) -> Result<DeliveryFinding, AttackError> {
        check_rule(target)?;
        let shape = target.shape.ok_or(AttackError::NotStandard { spec: None })?;
        let Construction { trials, seed, .. } = self.of;
        let found = self.of.make(shape, target.loss, progress).and_then(|bad| {
            // Other seeds than those by which the subtrees were chosen.
            measured(target, bad.messages, (seed.wrapping_add(trials), trials), progress)
        });
        let worst = match found {
            Err(AttackError::Delivery(DeliveryError::Stopped(_))) => None,
            found => Some(found?),
        };
        progress.inc(1);
        let is_exact = target.loss.build.is_deterministic;
        Ok(DeliveryFinding {
            adversary: self.spec.clone(),
            loss: target.loss.name,
            stopped: worst.is_none(),
            evaluations: u64::from(worst.is_some()),
            worst,
            evidence: if is_exact {
                Evidence::Claimed("one run".to_string())
            } else {
                Evidence::Sampled { seed, trials }
            },
        })
    }
}
