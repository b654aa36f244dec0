//! \[GL\] Lemma 5 by experiment: p-subsets are drawn and congested channels counted, independently
//! of binomial tails.

use rand::Rng;

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new(
    "gl-lemma-5-sampled",
    "[GL] 4, Lemma 5, by experiment",
)
.about(
    "Drawn p-subsets of M congest a channel of a given message with a frequency that agrees \
            with (e p lambda(M))^cap(c) and with the exact probability",
)
.hypothesis("fat-trees based on complete binary trees, random sets of messages")
.ours()
.quote("Then the probability is at most $(ep\\lambda(M))^{cap(c)}$ that channel c is congested")
.cases(|scope| check(scope, MAX_HOSTS, &e_bounds()[0]))
// 1/8 in place of e.
.planted(Planted::Check(|scope| check(scope, 8, &fraction(1, 8))));

/// Maximum number of hosts of a tree: every trial draws each message.
const MAX_HOSTS: usize = 32;

/// Inverse of the chance that a true probability lies beyond one end of its interval: one in a
/// million, so that a run of many intervals is right.
const ALPHA: u64 = 1_000_000;

/// p is a multiple of 1/PARTS, and 1/(pλ) at least SPREAD.
const PARTS: u64 = 1 << 16;
const SPREAD: u64 = 3;

fn check(scope: &Scope, most: usize, e: &Rational) -> Findings {
    let trees = trees::all(scope.hosts.min(most))?;
    let findings = trees.par_iter().enumerate().map(|(index, (topology, tree))| {
        let index = index as u64;
        scope.progress.check()?;
        let set = messages::random(topology.hosts(), 3, scope.seed, index);
        let found = Experiment::of(tree, &set).map(|x| x.run(topology, scope, index, e));
        scope.progress.inc(1);
        Ok(found)
    });
    let findings: Vec<Option<Finding>> = findings.collect::<Result<_>>()?;
    Ok(findings.into_iter().flatten().collect())
}

/// A channel and the messages that pass through it.
struct Experiment<'m> {
    channel: Channel,
    /// The messages one by one, the given one first.
    through: Vec<&'m Demand>,
    cap: u64,
    lambda: Rational,
    /// Denominator of p.
    parts: u64,
}

impl<'m> Experiment<'m> {
    /// For the channel that attains the load factor; `None` without messages.
    fn of(tree: &ChannelTree, set: &'m [Demand]) -> Option<Self> {
        let factor = tree.load_factor(set);
        let channel = factor.channel?;
        let passing = set.iter().filter(|m| tree.path(m.s, m.d).contains(&channel));
        let count = |m: &Demand| m.amount.scaled(1).expect("messages are whole");
        let single = |m: &'m Demand| (0..count(m)).map(move |_| m);
        let limit =
            Rational::from(PARTS).checked_div(&(&factor.value * &Rational::from(SPREAD)))?;
        let parts = u64::try_from(limit.floor()).ok()?.clamp(1, PARTS);
        let cap = tree.capacity(channel).scaled(1)?;
        let through = passing.flat_map(single).collect();
        Some(Self { channel, through, cap, lambda: factor.value, parts })
    }

    /// Whether p-subset number `trial` congests the channel. The given message is in it.
    fn congests(&self, streams: &Streams, tree: u64, trial: u64) -> bool {
        let mut generator = streams.at((tree << 40) | trial);
        let mut chosen = || u64::from(generator.next_u32() >> 16) < self.parts;
        let others = (1..self.through.len()).filter(|_| chosen()).count() as u64;
        1 + others > self.cap
    }

    fn run(&self, topology: &Topology, scope: &Scope, tree: u64, e: &Rational) -> Finding {
        let case = format!(
            "set {tree}, channel {} of node {} of {}",
            self.channel.direction,
            self.channel.below,
            topology.spec()
        );
        if self.through.len() as u64 <= self.cap {
            return Finding::vacuous(case, "the channel has a wire for every message");
        }
        let (trials, seed) = (scope.trials, scope.seed);
        let (streams, drawn) = (Streams::new(seed), (0..trials).into_par_iter());
        let hits = drawn.filter(|trial| self.congests(&streams, tree, *trial)).count() as u64;
        let p = fraction(self.parts, PARTS);
        let bound = power(&(&(e * &p) * &self.lambda), self.cap);
        let exact = tail(self.cap, self.through.len() as u64 - 1, &p);
        let [low, high] = interval(hits, trials, &fraction(1, ALPHA));
        let found = format!(
            "{hits} of {trials}, so between {:.4} and {:.4}; exactly {:.4}",
            low.to_f64(),
            high.to_f64(),
            exact.to_f64()
        );
        let holds = low <= bound && low <= exact && exact <= high;
        let claimed = format!("<= {:.4}, cap {}, p = {p}", bound.to_f64(), self.cap);
        Finding::holds(case, claimed, found, holds, Basis::sampled(trials, seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_with_another_probability_is_noticed() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let (topology, tree) = trees::tree(16, "double2", 1).unwrap();
        let [e, _] = e_bounds();
        let set = messages::random(16, 3, 1, 0);
        let right = Experiment::of(&tree, &set).unwrap();
        assert_eq!(right.run(&topology, &scope, 0, &e).outcome, Outcome::Holds);
        // A smaller load factor than the channel's.
        let mut wrong = Experiment::of(&tree, &set).unwrap();
        wrong.lambda = Rational::new(1, 4).unwrap();
        assert!(wrong.run(&topology, &scope, 0, &e).fails());
        // One message alone cannot congest.
        let mut alone = Experiment::of(&tree, &set).unwrap();
        alone.through.truncate(1);
        assert!(matches!(alone.run(&topology, &scope, 0, &e).outcome, Outcome::Vacuous(_)));
    }
}
