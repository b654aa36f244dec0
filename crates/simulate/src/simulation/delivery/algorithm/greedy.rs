//! GREEDY (\[GL\] Figure 5).

use super::{Algorithm, AlgorithmError, Build, Facts};
use crate::registry::Kind;
use crate::simulation::delivery::DeliveryError;
use crate::simulation::delivery::run::Run;
use crate::spec::Spec;

const USAGE: &str = "greedy";

pub(super) const KIND: Kind<Build> = Kind {
    name: "greedy",
    usage: USAGE,
    options: &[],
    about: "GREEDY: every undelivered message is sent in every cycle",
    reference: "[GL] 5, Figure 5",
    examples: &["greedy"],
    build,
};

fn build(spec: &Spec, _: &Facts) -> Result<Box<dyn Algorithm>, AlgorithmError> {
    spec.arguments(0, &[], USAGE)?;
    Ok(Box::new(Greedy))
}

struct Greedy;

impl Algorithm for Greedy {
    fn spec(&self) -> String {
        "greedy".to_string()
    }

    fn deliver(&self, run: &mut Run<'_>) -> Result<(), DeliveryError> {
        while !run.is_done() {
            run.send_all()?;
        }
        Ok(())
    }
}
