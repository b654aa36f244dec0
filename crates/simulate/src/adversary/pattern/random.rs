//! Random permutations.

use std::num::NonZeroU64;

use super::measure::Measurer;
use super::{Attacked, Best, Method, PatternAware, Target, sampled};
use crate::attack::{Adversary, Built, Restarts, Work};
use crate::prelude::*;
use crate::simulation::adaptive::PatternError;
use crate::traffic::Permutation;

pub(super) const KIND: Kind<Method> = Kind {
    name: "random",
    usage: "random(trials=10000,seed=1)",
    about: "random permutations, each routed as a whole",
    reference: "ours",
    examples: &["random"],
    build: Method { build: Built::read::<Random>, work: Work::Samples },
};

/// Permutations that one thread measures in turn.
const BLOCK: u64 = 256;

#[derive(Deserialize)]
struct Random {
    trials: NonZeroU64,
    seed: u64,
}

impl Adversary<PatternAware> for Random {
    fn attack(&self, spec: &str, target: &Target<'_>, progress: &Progress) -> Attacked {
        let hosts = target.topology.hosts();
        let trials = self.trials.get();
        let plan = Restarts { trials, enough: None };
        let best = plan.of_length(BLOCK, progress, |_, trials| {
            let (mut best, mut measurer) = (Best::default(), Measurer::new(*target));
            for index in trials {
                // The first is measured in any case: something is known then.
                if index > 0 && progress.cancelled() {
                    break;
                }
                let permutation = Permutation::random(hosts, self.seed, index);
                best.see(Some(measurer.measure(&permutation)?), || Some(permutation));
                progress.inc(1);
            }
            Ok::<_, PatternError>(best)
        })?;
        Ok(sampled(best, spec, self.seed, trials))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;
    use crate::simulation::adaptive;
    use crate::topology::generate;

    #[test]
    fn stopped_at_once_it_knows_one_permutation() {
        let topology = generate("ftree(4,12,4)").unwrap();
        let routing = adaptive::build("coloured", &topology).unwrap();
        let target = Target { topology: &topology, routing: &*routing };
        let stop = Stop::default();
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let adversary = super::super::build("random(trials=1000)").unwrap();
        let found = adversary.attack(&target, &progress).unwrap();
        let (measure, permutation) = found.worst.unwrap();
        assert_eq!((found.evaluations, found.stopped, measure.load), (1, true, 1));
        assert_eq!(permutation, Permutation::random(16, 1, 0));
    }
}
