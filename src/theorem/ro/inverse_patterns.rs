//! \[RO\] VII.C: general patterns and their inverses.

use super::inverse::both;
use crate::load::{ContentionError, contention};
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError};
use crate::topology::Topology;
use crate::traffic::{self, Demand, TrafficMatrix};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "ro-inverse-patterns",
    usage: "ro-inverse-patterns",
    about: "A general pattern has under S-mod-k the contention that its inverse has under D-mod-k",
    reference: "[RO] VII.C",
    examples: &["ro-inverse-patterns"],
    build: Statement {
        hypothesis: "every XGFT, random patterns",
        subject: Subject::Networks { applies: |tree| tree.tree().is_some(), check },
        remark: None,
        ..Statement::UNREAD
    },
};

/// The greatest network contention of a link.
pub(super) fn most(
    instance: &Instance,
    demands: &[Demand],
    scope: &Scope,
) -> Result<Ratio, TheoremError> {
    match contention(instance, demands, scope.progress) {
        Ok(values) => Ok(values.into_iter().max().unwrap_or_default()),
        Err(ContentionError::Stopped(stopped)) => Err(stopped.into()),
        Err(ContentionError::TooLarge(large)) => Err(large.into()),
        Err(error) => Err(TheoremError::Hypothesis(error.to_string())),
    }
}

fn check(topology: &Topology, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let [source, destination] = both(topology, scope)?;
    let (trials, seed) = (scope.trials.div_ceil(100), scope.seed);
    let (mut bad, mut values) = (None, Vec::new());
    for index in 0..trials {
        let pattern = pattern(topology.hosts(), seed, index)?;
        let of_source = most(&source, pattern.demands(), scope)?;
        let inverse = pattern.transpose();
        let of_destination = most(&destination, inverse.demands(), scope)?;
        if of_source != of_destination {
            bad = Some(format!("pattern {index}: {of_source} and {of_destination}"));
            break;
        }
        values.push(of_source);
    }
    values.sort();
    values.dedup();
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    let holds = bad.is_none();
    let found = bad.unwrap_or_else(|| format!("so; contention {}", values.join(", ")));
    let basis = Basis::Sampled { trials, seed };
    Ok(vec![Finding::holds(topology.spec(), "the same contention", found, holds, basis)])
}

/// Pattern number `index`: every pair with a probability that goes from a few to most.
fn pattern(hosts: usize, seed: u64, index: u64) -> Result<TrafficMatrix, TheoremError> {
    let tenths = 1 + index % 9;
    let seed = seed.wrapping_mul(1_000_003).wrapping_add(index);
    Ok(traffic::generate(&format!("random(p=0.{tenths},seed={seed})"), hosts)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::theorem::Outcome;
    use crate::topology::generate;

    #[test]
    fn without_exchanging_the_routings_it_does_not_hold() {
        let progress = Progress::silent();
        let same = |instance: Instance| Instance::named(instance.topology.spec(), "smodk").unwrap();
        let topology = generate("xgft(2;4,4;1,2)").unwrap();
        let scope = Scope::new(16, &progress).with_instances(&same);
        let finding = &check(&topology, &scope).unwrap()[0];
        assert!(matches!(finding.outcome, Outcome::Fails(_)), "{finding:?}");
    }
}
