//! Random permutations.

use rayon::prelude::*;

use super::measure::{Best, Measurer};
use super::{Build, PatternAdversary, PatternFinding, Target, trials};
use crate::bounds::Evidence;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::simulation::adaptive::PatternError;
use crate::spec::Spec;
use crate::traffic::Permutation;

const USAGE: &str = "random(trials=10000,seed=1)";

pub(super) const KIND: Kind<Build> = Kind {
    name: "random",
    usage: USAGE,
    options: &["trials", "seed"],
    about: "random permutations, each routed as a whole",
    reference: "ours",
    examples: &["random"],
    build,
};

/// Permutations that one thread measures in turn.
const BLOCK: u64 = 256;

struct Random {
    spec: String,
    trials: u64,
    seed: u64,
}

fn build(spec: &Spec) -> Result<Box<dyn PatternAdversary>, PatternError> {
    spec.arguments(0, &["trials", "seed"], USAGE)?;
    let (trials, seed) = (trials(spec, USAGE)?, spec.seed(USAGE)?);
    Ok(Box::new(Random { spec: format!("random(trials={trials},seed={seed})"), trials, seed }))
}

impl PatternAdversary for Random {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn attack(
        &self,
        target: &Target<'_>,
        progress: &Progress,
    ) -> Result<PatternFinding, PatternError> {
        let hosts = target.topology.hosts();
        let block = |number: u64| {
            let (mut best, mut measurer) = (Best::default(), Measurer::new(*target));
            for index in number * BLOCK..((number + 1) * BLOCK).min(self.trials) {
                // The first is measured in any case: something is known then.
                if index > 0 && progress.cancelled() {
                    break;
                }
                let permutation = Permutation::random(hosts, self.seed, index);
                best.offer(measurer.measure(&permutation)?, &permutation);
                progress.inc(1);
            }
            Ok(best)
        };
        let join = |a: Best, b: Best| Ok(a.and_then(b));
        let blocks = (0..self.trials.div_ceil(BLOCK)).into_par_iter();
        // The reduction keeps the order of the blocks.
        let found: Result<Best, PatternError> = blocks.map(block).try_reduce(Best::default, join);
        let Best { worst, evaluations } = found?;
        Ok(PatternFinding {
            adversary: self.spec.clone(),
            worst,
            evaluations,
            evidence: Evidence::Sampled { seed: self.seed, trials: evaluations },
            stopped: evaluations < self.trials,
        })
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
        let adversary = build(&Spec::parse("random(trials=1000)").unwrap()).unwrap();
        let found = adversary.attack(&target, &progress).unwrap();
        let (measure, permutation) = found.worst.unwrap();
        assert_eq!((found.evaluations, found.stopped, measure.load), (1, true, 1));
        assert_eq!(permutation, Permutation::random(16, 1, 0));
    }
}
