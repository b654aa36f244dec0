//! RANDOM′ (\[GL\] Figure 7).

use super::{Algorithm, AlgorithmError, Build, Facts};
use crate::prelude::*;
use crate::simulation::delivery::DeliveryError;
use crate::simulation::delivery::pass::pass;
use crate::simulation::delivery::run::Run;

pub(super) const KIND: Kind<Build> = Kind {
    name: "random-prime",
    usage: "random-prime(z=1)",
    about: "RANDOM': every undelivered message is sent in one of z cycles, then in one of 2z, and so on",
    reference: "[GL] 6, Figure 7",
    examples: &["random-prime", "random-prime(z=8)"],
    build,
};

#[derive(Deserialize)]
struct Options {
    z: u64,
}

fn build(spec: &Spec, _: &Facts) -> Result<Box<dyn Algorithm>, AlgorithmError> {
    Ok(Box::new(RandomPrime { z: first_z(spec)? }))
}

/// The number of cycles of the first pass.
pub(super) fn first_z(spec: &Spec) -> Result<u64, AlgorithmError> {
    let Options { z } = spec.read()?;
    check_count(spec, "z", z)?;
    Ok(z)
}

/// Refuses a number of cycles or passes that is 0 or above 2^32.
pub(super) fn check_count(spec: &Spec, key: &str, count: u64) -> Result<(), AlgorithmError> {
    if (1..=1 << 32).contains(&count) {
        return Ok(());
    }
    Err(spec.refused(format!("{key} = {count} must be in 1..=2^32")).into())
}

struct RandomPrime {
    z: u64,
}

impl Algorithm for RandomPrime {
    fn spec(&self) -> String {
        format!("random-prime(z={})", self.z)
    }

    fn deliver(&self, run: &mut Run<'_>) -> Result<(), DeliveryError> {
        for doubled in 0.. {
            if run.is_done() {
                break;
            }
            pass(run, doubled, self.z.saturating_mul(1 << doubled.min(63)))?;
        }
        Ok(())
    }
}
