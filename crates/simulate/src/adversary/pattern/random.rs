//! Random permutations.

use super::measure::Measurer;
use super::{Best, Finding, Method, Options, PatternAware, Target, sampled};
use crate::attack::{Adversary, Restarts, Work};
use crate::progress::Progress;
use crate::registry::Kind;
use crate::simulation::adaptive::PatternError;
use crate::spec::Spec;
use crate::traffic::Permutation;

pub(super) const KIND: Kind<Method> = Kind {
    name: "random",
    usage: "random(trials=10000,seed=1)",
    about: "random permutations, each routed as a whole",
    reference: "ours",
    examples: &["random"],
    build: Method { build, work: Work::Samples },
};

/// Permutations that one thread measures in turn.
const BLOCK: u64 = 256;

struct Random {
    spec: String,
    trials: u64,
    seed: u64,
}

fn build(spec: &Spec) -> Result<Box<dyn Adversary<PatternAware>>, PatternError> {
    let (spec, Options { trials, seed }) = (spec.complete().to_string(), spec.read()?);
    Ok(Box::new(Random { spec, trials: trials.get(), seed }))
}

impl Adversary<PatternAware> for Random {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn attack(&self, target: &Target<'_>, progress: &Progress) -> Result<Finding, PatternError> {
        let hosts = target.topology.hosts();
        let plan = Restarts { trials: self.trials, enough: None };
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
        Ok(sampled(best, &self.spec, self.seed, self.trials))
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
        let adversary =
            build(&Spec::parse("random(trials=1000)").unwrap().checked(KIND.usage).unwrap())
                .unwrap();
        let found = adversary.attack(&target, &progress).unwrap();
        let (measure, permutation) = found.worst.unwrap();
        assert_eq!((found.evaluations, found.stopped, measure.load), (1, true, 1));
        assert_eq!(permutation, Permutation::random(16, 1, 0));
    }
}
