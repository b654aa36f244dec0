//! GREEDY (\[GL\] Figure 5).

use super::{Algorithm, Build};
use crate::registry::Kind;
use crate::simulation::delivery::DeliveryError;
use crate::simulation::delivery::run::Run;

pub(super) const KIND: Kind<Build> = Kind {
    name: "greedy",
    usage: "greedy",
    about: "GREEDY: every undelivered message is sent in every cycle",
    reference: "[GL] 5, Figure 5",
    examples: &["greedy"],
    build: |_, _| Ok(Box::new(Greedy)),
};

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
