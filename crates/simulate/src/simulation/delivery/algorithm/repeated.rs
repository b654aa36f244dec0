//! The algorithm for the fat-tree with switches of constant size (\[GL\] 6, "Another universal
//! network"): RANDOM′ with lines 3–6 in a loop.

use super::random_prime::{check_count, first_z};
use super::{Algorithm, AlgorithmError, Build, Facts};
use crate::integer::rounded;
use crate::prelude::*;
use crate::simulation::delivery::DeliveryError;
use crate::simulation::delivery::pass::pass;
use crate::simulation::delivery::run::Run;

pub(super) const KIND: Kind<Build> = Kind {
    name: "repeated",
    usage: "repeated(passes=(k+1)lg n,z=1)",
    about: "RANDOM' with (k+1) lg n passes for every z, |M| = n^k, where every message takes a random \
            wire up: for switches of constant size",
    reference: "[GL] 6, Another universal network",
    examples: &["repeated", "repeated(passes=1)"],
    build,
};

#[derive(Deserialize)]
struct Options {
    passes: Option<u64>,
}

fn build(spec: &Spec, facts: &Facts) -> Result<Box<dyn Algorithm>, AlgorithmError> {
    // (k + 1) lg n = lg |M| + lg n.
    let logs = (facts.messages.max(1) as f64).log2() + (facts.processors.max(2) as f64).log2();
    let Options { passes } = spec.read()?;
    let passes = passes.unwrap_or_else(|| rounded(logs.ceil()).max(1));
    check_count(spec, "passes", passes)?;
    Ok(Box::new(Repeated { passes, z: first_z(spec)? }))
}

struct Repeated {
    passes: u64,
    z: u64,
}

impl Algorithm for Repeated {
    fn spec(&self) -> String {
        let z = if self.z == 1 { String::new() } else { format!(",z={}", self.z) };
        format!("repeated(passes={}{z})", self.passes)
    }

    fn deliver(&self, run: &mut Run<'_>) -> Result<(), DeliveryError> {
        for number in 0.. {
            if run.is_done() {
                break;
            }
            let doubled: u64 = (number / self.passes).min(63);
            pass(run, number, self.z.saturating_mul(1 << doubled))?;
        }
        Ok(())
    }

    fn takes_wires(&self) -> bool {
        true
    }
}
