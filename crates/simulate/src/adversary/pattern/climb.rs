//! Climbing: two sources exchange destinations as long as that is no better for the routing.

use rand::RngExt as _;
use rayon::prelude::*;

use super::measure::{Best, Measurer};
use super::{Build, PatternAdversary, PatternFinding, Target, trials};
use crate::bounds::Evidence;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::sampling::Streams;
use crate::simulation::adaptive::PatternError;
use crate::spec::Spec;
use crate::topology::{Host, host_number};
use crate::traffic::Permutation;

const USAGE: &str = "climb(trials=10000,seed=1)";

pub(super) const KIND: Kind<Build> = Kind {
    name: "climb",
    usage: USAGE,
    options: &["trials", "seed"],
    about: "climbs by exchanging two destinations, from a new random permutation every 1,000 trials",
    reference: "ours",
    examples: &["climb"],
    build,
};

/// Trials of one restart.
const RESTART: u64 = 1000;

struct Climb {
    spec: String,
    trials: u64,
    seed: u64,
}

fn build(spec: &Spec) -> Result<Box<dyn PatternAdversary>, PatternError> {
    spec.arguments(0, &["trials", "seed"], USAGE)?;
    let (trials, seed) = (trials(spec, USAGE)?, spec.seed(USAGE)?);
    Ok(Box::new(Climb { spec: format!("climb(trials={trials},seed={seed})"), trials, seed }))
}

impl PatternAdversary for Climb {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn attack(
        &self,
        target: &Target<'_>,
        progress: &Progress,
    ) -> Result<PatternFinding, PatternError> {
        let restart = |number: u64| {
            let trials = RESTART.min(self.trials - number * RESTART);
            self.restart(target, (number, trials), progress)
        };
        let restarts = (0..self.trials.div_ceil(RESTART)).into_par_iter();
        let join = |a: Best, b: Best| Ok(a.and_then(b));
        let found: Result<Best, PatternError> =
            restarts.map(restart).try_reduce(Best::default, join);
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

impl Climb {
    fn restart(
        &self,
        target: &Target<'_>,
        (number, trials): (u64, u64),
        progress: &Progress,
    ) -> Result<Best, PatternError> {
        let (hosts, mut best) = (target.topology.hosts(), Best::default());
        let mut generator = Streams::new(self.seed).at(number);
        let mut measurer = Measurer::new(*target);
        let start = Permutation::random(hosts, self.seed, number);
        // A host without destination has itself: exchanges keep that a permutation.
        let mut image: Vec<Host> =
            (0..host_number(hosts)).map(|s| start.image(s).unwrap_or(s)).collect();
        let mut reached = None;
        for trial in 0..trials {
            if progress.cancelled() {
                break;
            }
            let [a, b] = [(); 2].map(|()| generator.random_range(0..hosts));
            if trial > 0 {
                image.swap(a, b);
            }
            let permutation = Permutation::new(hosts, (0..).zip(image.iter().copied()))
                .expect("an exchange of destinations leaves a permutation");
            let measure = measurer.measure(&permutation)?;
            best.offer(measure, &permutation);
            if reached.is_some_and(|reached| measure < reached) {
                image.swap(a, b);
            } else {
                reached = Some(measure);
            }
            progress.inc(1);
        }
        Ok(best)
    }
}
