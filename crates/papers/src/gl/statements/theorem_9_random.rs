//! \[GL\] 5, after Theorem 9: the bad sets with often-unfavoured subtrees under the random rule, by
//! experiment.
//!
//! The subtrees are chosen in trials ([`Construction`]), and the sets sent with other seeds.

use super::prelude::*;
use super::theorem_9::{LAMBDAS, shapes};
use crate::adversary::delivery::{BadSet, Construction};
use crate::registry::Kind;

pub(super) const KIND: Statement = Statement::new("gl-theorem-9-random", "[GL] 5, after the proof of Theorem 9")
    .about("Under the random rule here at least one of the four subtrees is unfavoured with probability at least \
            1/4; in M_n with such subtrees a fourth of them are unfavoured on average, and the mean of the \
            cycles of GREEDY is at least lambda (1 + lg n / 24)")
    .hypothesis("universal(n,root=open) for powers n of 4; the registered admissible loss rule that draws random numbers; lambda = 12, 24, 48; seeded trials")
    .quote("the proof of Theorem 9 can be extended to show that the expected number of delivery cycles is $\\Omega(\\lambda \\lg n)$. The idea is that at least one of the subtrees in Figure 6 must be unfavored with probability at least 1/4.")
    .cases(|scope| check(scope, 24))
    // λ(1 + lg n/6), which deterministic rules reach.
    .planted(Planted::Check(|scope| check(scope, 6)));

/// The rules that draw random numbers.
fn rules() -> impl Iterator<Item = &'static Kind<Loss>> {
    LOSSES.iter().filter(|kind| kind.build.is_admissible && !kind.build.is_deterministic)
}

fn check(scope: &Scope, divisor: u64) -> Findings {
    let mut cases = Vec::new();
    for shape in shapes(scope.hosts.max(4))? {
        for rule in rules() {
            cases.extend(LAMBDAS.map(|lambda| (shape.clone(), rule, lambda)));
        }
    }
    let found = cases.into_par_iter().map(|(shape, rule, lambda)| {
        let trials = scope.trials.div_ceil(10);
        let construction = Construction { trials, seed: scope.seed, ..Construction::of(lambda) };
        let quiet = scope.progress.part(1.0);
        let bad = construction.make(&shape, rule, &quiet)?;
        let seen = Seen::of(&bad, &shape, rule, scope.seed.wrapping_add(trials), trials, scope)?;
        scope.progress.inc(1);
        Ok(seen.finding(&bad, &shape, rule.name, divisor, scope))
    });
    found.collect()
}

/// The results of the runs.
struct Seen {
    /// Cycles of each.
    cycles: Vec<u64>,
    /// Subtrees with a copy that were unfavoured, in all runs.
    unfavoured: u64,
}

impl Seen {
    fn of(
        bad: &BadSet,
        shape: &UniversalShape,
        rule: &'static Kind<Loss>,
        seed: u64,
        trials: u64,
        scope: &Scope,
    ) -> Result<Self> {
        let quiet = scope.progress.part(1.0);
        let mut all = Self { cycles: Vec::new(), unfavoured: 0 };
        for trial in 0..trials {
            let settings = Settings { loss: rule, seed: seed.wrapping_add(trial) };
            let proved = bad.prove(shape, settings, &quiet)?;
            all.cycles.push(proved.cycles);
            let steps = proved.trees.iter().filter_map(|tree| tree.step);
            all.unfavoured += steps.filter(|step| step.provided <= step.most).count() as u64;
        }
        Ok(all)
    }

    fn finding(
        &self,
        bad: &BadSet,
        shape: &UniversalShape,
        rule: &str,
        divisor: u64,
        scope: &Scope,
    ) -> Finding {
        let (runs, levels) = (self.cycles.len() as u64, bad.levels.len() as u64);
        let sample = Summary::of(self.cycles.iter().map(|cycles| (Rational::from(*cycles), 1)));
        let text = |of: fn(&Summary) -> Rational| {
            sample.as_ref().map_or(0.0, |sample| of(sample).to_f64()) / bad.lambda as f64
        };
        let mean = sample.as_ref().map(Summary::mean).unwrap_or_default();
        let height = u64::from(shape.height());
        let part = fraction(divisor + height, divisor);
        let least = &Rational::from(bad.lambda) * &part;
        let often = bad.levels.iter().all(|level| 4 * level.unfavoured[level.chosen] >= level.runs);
        let on_average = 4 * self.unfavoured >= runs * levels;
        let shares = bad.levels.iter().map(|level| level.unfavoured[level.chosen]);
        let found = format!(
            "{:.3} lambda, between {:.3} and {:.3}; chosen subtrees unfavoured in at least {} of {runs} trials, then in {:.3} of all",
            text(Summary::mean),
            text(|sample| sample.least().clone()),
            text(|sample| sample.most().clone()),
            shares.min().unwrap_or(0),
            self.unfavoured as f64 / (runs * levels) as f64,
        );
        let claimed = format!("mean >= {:.3} lambda; at least 1/4", part.to_f64());
        let case = format!("{rule} on {}, lambda = {}", shape.spec(), bad.lambda);
        let holds = often && on_average && mean >= least;
        Finding::holds(case, claimed, found, holds, Basis::sampled(runs, scope.seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversary::delivery::expected_cycles;

    /// On four hosts the mean of runs agrees with the exact expectation.
    #[test]
    fn means_are_near_expectations() {
        let progress = Progress::silent();
        let scope = Scope::new(4, &progress);
        let shape = &shapes(4).unwrap()[0];
        for rule in rules() {
            let bad = Construction::of(12).make(shape, rule, &progress).unwrap();
            let seen = Seen::of(&bad, shape, rule, 99, 2000, &scope).unwrap();
            let exact = expected_cycles(&WireTree::universal(shape), &bad.messages, &progress);
            let exact = exact.unwrap().to_f64();
            let values = seen.cycles.iter().map(|cycles| (Rational::from(*cycles), 1));
            let sample = Summary::of(values).unwrap();
            // Half widths are 1.96 standard errors.
            let off = (sample.mean().to_f64() - exact).abs();
            assert!(off < 2.5 * sample.half_width(), "{off} beside {exact}");
        }
    }
}
