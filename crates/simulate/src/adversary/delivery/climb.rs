//! Climbing: one change of a set after the other, as long as GREEDY does not take fewer cycles.

use std::num::NonZeroU64;

use super::exhaustive::{Destination, pairs};
use super::measure::{Score, check_rule, measured, run};
use super::room::Room;
use super::starts::{Entry, Growing, Starts};
use super::{AttackError, Attacked, Finding, Greedy, Method, Target};
use crate::adversary::climb::{RESTART, Trial, climb};
use crate::attack::{Adversary, Built, Restarts, Work};
use crate::bounds::Evidence;
use crate::prelude::*;
use crate::simulation::delivery::{DeliveryError, Messages, Settings};

pub(super) const KIND: Kind<Method> = Kind {
    name: "climb",
    usage: "climb(lambda=2,trials=10000,seed=1,messages=4096,runs=8,to=any)",
    about: "climbs from set to set of load factor up to lambda by changing ends, numbers and order of \
            messages, from a new set every 1,000 trials; the mean of some runs under random rules",
    reference: "ours",
    examples: &["climb(trials=1000)"],
    build: Method { build: Built::read::<Climb>, work: Work::Searches },
};

/// Changes that are drawn until one is possible.
const DRAWS: usize = 32;

#[derive(Deserialize)]
struct Climb {
    lambda: NonZeroU64,
    trials: NonZeroU64,
    seed: u64,
    messages: NonZeroU64,
    runs: NonZeroU64,
    to: Destination,
}

impl Adversary<Greedy> for Climb {
    fn attack(&self, spec: &str, target: &Target<'_>, progress: &Progress) -> Attacked {
        check_rule(target)?;
        let Destination(to) = self.to;
        pairs_exist(target, to)?;
        let (trials, runs) = (self.trials.get(), self.runs.get());
        let starts = Starts::new(target, self.lambda.get(), self.messages.get(), to, progress)?;
        let plan = Restarts { trials, enough: None };
        let best = plan.of_length(RESTART, progress, |restart, trials| {
            climb(self.changes(&starts, restart), trials.end - trials.start, progress)
        })?;
        // Seeds that the search has not seen: what it found is not just good luck with its own.
        let (fresh, runs) = (self.seed.wrapping_add(runs), runs.saturating_mul(8));
        let measure = |entries: Vec<Entry>| {
            measured(target, listed(&entries)?, fresh, runs, &Progress::silent())
        };
        let evaluations = best.evaluations;
        let evidence = Evidence::Sampled { seed: self.seed, trials: evaluations };
        Ok(Finding {
            worst: best.traffic.map(measure).transpose()?,
            evaluations,
            stopped: evaluations < trials,
            ..Finding::nothing(spec, evidence)
        })
    }
}

/// Refuses a destination that the tree does not have, before the search.
fn pairs_exist(target: &Target<'_>, to: Option<Host>) -> Result<(), AttackError> {
    match to {
        Some(_) => pairs(target.tree, to).map(|_| ()),
        None => Ok(()),
    }
}

fn listed(entries: &[Entry]) -> Result<Messages, DeliveryError> {
    Messages::listed(entries.iter().map(|((s, d), count)| (*s, *d, *count)))
}

/// A set of messages in which something changes.
struct Changes<'t> {
    climb: &'t Climb,
    starts: &'t Starts<'t>,
    random: Stream,
    set: Growing<'t>,
    /// The set before the last change.
    before: Vec<Entry>,
}

impl Trial for Changes<'_> {
    type Traffic = Vec<Entry>;
    type Value = Score;
    type Error = AttackError;

    fn change(&mut self) {
        self.before.clone_from(&self.set.entries);
        change(&mut self.set, self.starts, &mut self.random);
    }

    fn undo(&mut self) {
        self.set.put_back(std::mem::take(&mut self.before));
    }

    fn measure(&mut self) -> Result<Score, AttackError> {
        self.climb.score(self.starts.target, &self.set.entries)
    }

    fn traffic(&self) -> Vec<Entry> {
        self.set.entries.clone()
    }
}

impl Climb {
    /// The set that a restart begins with.
    fn changes<'t>(&'t self, starts: &'t Starts<'t>, restart: u64) -> Changes<'t> {
        let mut random = Streams::new(self.seed).at(restart);
        let room = Room::of(starts.target.tree, self.lambda.get());
        let mut set = Growing { room, entries: Vec::new(), left: self.messages.get() };
        starts.fill(restart, &mut set, &mut random);
        Changes { climb: self, starts, random, set, before: Vec::new() }
    }

    /// The sums over some runs, the same seeds for every set.
    fn score(&self, target: &Target<'_>, entries: &[Entry]) -> Result<Score, AttackError> {
        let (set, quiet) = (listed(entries)?, Progress::silent());
        let runs = if target.loss.build.is_deterministic { 1 } else { self.runs.get() };
        let mut sum = Score::default();
        for at in 0..runs {
            let settings = Settings { loss: target.loss, seed: self.seed.wrapping_add(at) };
            let Score { cycles, waiting } = run(target.tree, &set, settings, &quiet)?;
            sum.cycles += cycles;
            sum.waiting = sum.waiting.saturating_add(waiting);
        }
        Ok(sum)
    }
}

impl Growing<'_> {
    /// Removes up to `count` messages of entry number `at`; returns how many.
    fn take(&mut self, at: usize, count: u64) -> u64 {
        let (pair, known) = &mut self.entries[at];
        let count = count.min(*known);
        *known -= count;
        self.room.remove(*pair, count);
        self.left += count;
        count
    }

    /// Back to other entries.
    fn put_back(&mut self, entries: Vec<Entry>) {
        for (pair, count) in &self.entries {
            self.room.remove(*pair, *count);
            self.left += count;
        }
        for (pair, count) in &entries {
            self.room.add(*pair, *count);
            self.left -= count;
        }
        self.entries = entries;
    }
}

/// Makes one change that is possible, if one is drawn.
fn change(set: &mut Growing<'_>, starts: &Starts<'_>, random: &mut Stream) {
    for _ in 0..DRAWS {
        let count = 1 + random.random_range(0..starts.lambda);
        let (s, d) = starts.pair(random);
        let kind = random.random_range(0..6);
        if set.entries.is_empty() || kind == 0 {
            if s != d && set.add((s, d), count) > 0 {
                return;
            }
            continue;
        }
        let at = random.random_range(0..set.entries.len());
        let other = random.random_range(0..set.entries.len());
        let (from, to) = set.entries[at].0;
        match kind {
            1 => {
                set.take(at, count);
            }
            // Other ends for some messages: a destination, a source, or both.
            2..=4 => {
                let ends = [(from, d), (s, to), (s, d)][kind - 2];
                if ends.0 == ends.1 || ends == (from, to) {
                    continue;
                }
                let taken = set.take(at, count);
                set.add(ends, taken);
            }
            // The order of the messages of a processor matters to some rules.
            _ => set.entries.swap(at, other),
        }
        set.entries.retain(|(_, count)| *count > 0);
        return;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversary::delivery::build;
    use crate::channel_tree::WireTree;
    use crate::progress::Stop;
    use crate::simulation::delivery::loss::find;
    use crate::topology::UniversalShape;

    fn climbed(tree: &str, spec: &str, loss: &str, progress: &Progress) -> Finding {
        let shape = UniversalShape::named(tree).unwrap().unwrap();
        let wires = WireTree::universal(&shape);
        let target = Target { tree: &wires, shape: Some(&shape), loss: find(loss).unwrap() };
        build(spec).unwrap().attack(&target, progress).unwrap()
    }

    /// The most that any set takes, in whatever order of messages, is at least what the search over all
    /// sets found; a set within the limits is measured again.
    #[test]
    fn the_worst_of_small_trees_is_found() {
        for (tree, spec, loss, most) in [
            ("universal(2)", "climb(lambda=3,trials=50)", "left", 3),
            ("universal(4)", "climb(lambda=2,trials=20000)", "left", 4),
            ("universal(4)", "climb(lambda=2,trials=20000)", "right", 4),
            ("universal(4)", "climb(lambda=3,trials=20000)", "right", 7),
            ("universal(4,root=open)", "climb(lambda=12,trials=2000,to=4)", "round-robin", 18),
        ] {
            let found = climbed(tree, spec, loss, &Progress::silent());
            let worst = found.worst.unwrap();
            assert_eq!(worst.cycles, Rational::from(most), "{tree} {loss}");
            assert!(!found.stopped && worst.load_factor <= Rational::from(12));
        }
    }

    #[test]
    fn limits_are_kept() {
        let spec = "climb(lambda=3,trials=500,messages=9,runs=2,to=5)";
        for loss in ["left", "random"] {
            let found = climbed("universal(8)", spec, loss, &Progress::silent());
            let worst = found.worst.unwrap();
            assert!(worst.messages.total() <= 9 && worst.load_factor <= Rational::from(3));
            assert!(worst.messages.iter().all(|(_, d, _)| d == 5));
            assert_eq!(found.evaluations, 500);
        }
        let stop = Stop::default();
        stop.request();
        let stopped = Progress::silent().stopped_by(stop);
        let found = climbed("universal(8)", spec, "left", &stopped);
        assert!(found.stopped && found.worst.is_none());
    }

    /// Where there is a set of Theorem 9, the search is not worse than it.
    #[test]
    fn the_set_of_theorem_9_is_a_start() {
        let of = |spec: &str| {
            let found = climbed("universal(64,root=open)", spec, "left", &Progress::silent());
            found.worst.unwrap().cycles
        };
        let [theorem, climb] = [of("theorem-9(lambda=12)"), of("climb(lambda=12,trials=300)")];
        assert!(theorem == Rational::from(24) && climb >= theorem);
    }

    #[test]
    fn searches_do_not_depend_on_threads() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                climbed("universal(8)", "climb(trials=3000)", "left", &Progress::silent())
            })
        };
        assert_eq!(on(1), on(3));
    }
}
