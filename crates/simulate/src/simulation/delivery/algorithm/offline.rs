//! Off-line schedules, sent like those of any other algorithm.

use super::{Algorithm, AlgorithmError, Build, Facts};
use crate::registry::Kind;
use crate::simulation::delivery::DeliveryError;
use crate::simulation::delivery::offline::{self, Options, Plan};
use crate::simulation::delivery::run::Run;
use crate::spec::Spec;

pub(super) const KIND: Kind<Build> = Kind {
    name: "offline",
    usage: "offline(steps=100000,seed=1)",
    about: "a short off-line schedule: all messages are known in advance, and none is lost; of few \
            messages the shortest, searched for in `steps` steps",
    reference: "[GL] 6; crates/simulate/src/simulation/delivery/offline/OFFLINE.md",
    examples: &["offline", "offline(steps=0,seed=2)"],
    build,
};

fn build(spec: &Spec, _: &Facts) -> Result<Box<dyn Algorithm>, AlgorithmError> {
    Ok(Box::new(Offline { options: spec.read()? }))
}

struct Offline {
    options: Options,
}

impl Algorithm for Offline {
    fn spec(&self) -> String {
        let Options { seed, steps } = self.options;
        format!("offline(steps={steps},seed={seed})")
    }

    fn deliver(&self, run: &mut Run<'_>) -> Result<(), DeliveryError> {
        let messages = run.ordered()?;
        let tree = run.tree().ok_or(DeliveryError::NoConcentrators)?;
        // What is found must also be sent.
        let progress = run.progress().part(0.5);
        let planned = offline::schedule(tree, &messages, self.options, &progress)?;
        planned.schedule.check(tree, &messages)?;
        run.plan(Plan::of(&planned));
        for parts in planned.schedule.sent() {
            run.send(&parts)?;
        }
        if run.is_done() { Ok(()) } else { Err(DeliveryError::LostOffline) }
    }
}
