//! RANDOM′ (\[GL\] Figure 7).

use super::{Algorithm, AlgorithmError, Build, Facts};
use crate::registry::Kind;
use crate::simulation::delivery::DeliveryError;
use crate::simulation::delivery::pass::pass;
use crate::simulation::delivery::run::Run;
use crate::spec::Spec;

const USAGE: &str = "random-prime(z=1)";

pub(super) const KIND: Kind<Build> = Kind {
    name: "random-prime",
    usage: USAGE,
    options: &["z"],
    about: "RANDOM': every undelivered message is sent in one of z cycles, then in one of 2z, and so on",
    reference: "[GL] 6, Figure 7",
    examples: &["random-prime", "random-prime(z=8)"],
    build,
};

fn build(spec: &Spec, _: &Facts) -> Result<Box<dyn Algorithm>, AlgorithmError> {
    spec.arguments(0, &["z"], USAGE)?;
    Ok(Box::new(RandomPrime { z: first_z(spec, USAGE)? }))
}

/// The number of cycles of the first pass.
pub(super) fn first_z(spec: &Spec, usage: &'static str) -> Result<u64, AlgorithmError> {
    let z = spec.integer_option("z", 1, usage)?;
    if z == 0 || z > 1 << 32 {
        return Err(spec.bad(usage, format!("z = {z} must be in 1..=2^32")).into());
    }
    Ok(z)
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
