//! Climbing: two sources exchange destinations as long as that is no better for the routing.

use std::num::NonZeroU64;

use super::measure::Measurer;
use super::{Attacked, Measure, Method, PatternAware, Target, sampled};
use crate::adversary::climb::{RESTART, Trial, climb};
use crate::attack::{Adversary, Built, Restarts, Work};
use crate::prelude::*;
use crate::simulation::adaptive::PatternError;
use crate::traffic::Permutation;

pub(super) const KIND: Kind<Method> = Kind {
    name: "climb",
    usage: "climb(trials=10000,seed=1)",
    about: "climbs by exchanging two destinations, from a new random permutation every 1,000 trials",
    reference: "ours",
    examples: &["climb"],
    build: Method { build: Built::read::<Climb>, work: Work::Searches },
};

#[derive(Deserialize)]
struct Climb {
    trials: NonZeroU64,
    seed: u64,
}

impl Adversary<PatternAware> for Climb {
    fn attack(&self, spec: &str, target: &Target<'_>, progress: &Progress) -> Attacked {
        let trials = self.trials.get();
        let plan = Restarts { trials, enough: None };
        let best = plan.of_length(RESTART, progress, |restart, trials| {
            climb(Exchanges::new(*target, self.seed, restart), trials.end - trials.start, progress)
        })?;
        Ok(sampled(best, spec, self.seed, trials))
    }
}

/// A permutation in which two sources exchange destinations.
struct Exchanges<'t> {
    measurer: Measurer<'t>,
    random: Stream,
    /// The destination of every host; a host without one has itself: exchanges keep that a permutation.
    image: Vec<Host>,
    /// The two sources of the last exchange.
    last: [usize; 2],
}

impl<'t> Exchanges<'t> {
    /// Begins with a random permutation.
    fn new(target: Target<'t>, seed: u64, restart: u64) -> Self {
        let hosts = target.topology.hosts();
        let mut random = Streams::new(seed).at(restart);
        let start = Permutation::random(hosts, seed, restart);
        let image = (0..host_number(hosts)).map(|s| start.image(s).unwrap_or(s)).collect();
        // The first trial draws two sources as well, and exchanges nothing.
        let _ = sources(&mut random, hosts);
        Self { measurer: Measurer::new(target), random, image, last: [0; 2] }
    }
}

fn sources(random: &mut Stream, hosts: usize) -> [usize; 2] {
    [(); 2].map(|()| random.random_range(0..hosts))
}

impl Trial for Exchanges<'_> {
    type Traffic = Permutation;
    type Value = Measure;
    type Error = PatternError;

    fn change(&mut self) {
        self.last = sources(&mut self.random, self.image.len());
        self.undo();
    }

    /// An exchange of the same two takes it back.
    fn undo(&mut self) {
        let [a, b] = self.last;
        self.image.swap(a, b);
    }

    fn measure(&mut self) -> Result<Measure, PatternError> {
        self.measurer.measure(&self.traffic())
    }

    fn traffic(&self) -> Permutation {
        Permutation::new(self.image.len(), (0..).zip(self.image.iter().copied()))
            .expect("an exchange of destinations leaves a permutation")
    }
}
