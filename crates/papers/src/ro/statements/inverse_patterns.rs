//! \[RO\] VII.C: general patterns and their inverses.

use super::inverse::both;
use crate::load::{ContentionError, contention};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, planted};
use crate::topology::Topology;
use crate::traffic::{self, Demand, TrafficMatrix};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "ro-inverse-patterns",
    usage: "ro-inverse-patterns",
    options: &[],
    about: "Under S-mod-k a general pattern has the contention that its inverse has under D-mod-k",
    reference: "[RO] VII.C",
    examples: &["ro-inverse-patterns"],
    build: Statement {
        hypothesis: "every XGFT, random patterns",
        whose: Whose::Paper,
        quote: "an inverse can be found, that will show the exact same behaviour under the converse routing policy",
        subject: GENERAL,
        remark: None,
        // The paths of S-mod-k for both.
        planted: |scope| planted::routed_as(GENERAL, "xgft(2;4,4;1,2)", scope, &["dmodk"], "smodk"),
    },
};

pub(super) const SYMMETRIC: Kind<Statement> = Kind {
    name: "ro-symmetric-patterns",
    usage: "ro-symmetric-patterns",
    options: &[],
    about: "A symmetric pattern has the same contention under S-mod-k and D-mod-k",
    reference: "[RO] VII.C",
    examples: &["ro-symmetric-patterns"],
    build: Statement {
        hypothesis: "every XGFT, random symmetric patterns",
        whose: Whose::Paper,
        quote: "if the pattern is symmetric, the inverse is itself, so the number of expected conflicts is the same under both routing schemes",
        subject: symmetrical(true),
        remark: None,
        planted: |scope| planted::on(symmetrical(false), "xgft(2;4,4;1,2)", scope),
    },
};

const GENERAL: Subject = Subject::Networks {
    applies: |tree| tree.plain_tree().is_some(),
    check: |topology, scope| {
        check(topology, scope, |pattern| Ok((pattern.clone(), pattern.clone().transpose())))
    },
};

/// The same pattern under both routings, made symmetric or left unchanged.
const fn symmetrical(made_so: bool) -> Subject {
    let check: Check = if made_so {
        |topology, scope| {
            check(topology, scope, |pattern| Ok((symmetric(pattern)?, symmetric(pattern)?)))
        }
    } else {
        |topology, scope| check(topology, scope, |pattern| Ok((pattern.clone(), pattern.clone())))
    };
    Subject::Networks { applies: |tree| tree.plain_tree().is_some(), check }
}

type Check = fn(&Topology, &Scope) -> Result<Vec<Finding>, TheoremError>;

/// The demands whose reverse pair has a demand too.
fn symmetric(pattern: &TrafficMatrix) -> Result<TrafficMatrix, TheoremError> {
    let both = |demand: &&Demand| !pattern.amount(demand.d, demand.s).is_zero();
    let demands: Vec<Demand> = pattern.demands().iter().filter(both).cloned().collect();
    Ok(TrafficMatrix::new(pattern.hosts(), demands)?)
}

/// The greatest network contention of a link.
pub(super) fn most(
    instance: &Instance,
    demands: &[Demand],
    scope: &Scope,
) -> Result<Rational, TheoremError> {
    match contention(instance, demands, scope.progress) {
        Ok(values) => Ok(values.into_iter().max().unwrap_or_default()),
        Err(ContentionError::Stopped(stopped)) => Err(stopped.into()),
        Err(ContentionError::TooLarge(large)) => Err(large.into()),
        Err(error) => Err(TheoremError::Hypothesis(error.to_string())),
    }
}

/// The contention of each pattern under S-mod-k and of its partner under D-mod-k.
fn check(
    topology: &Topology,
    scope: &Scope,
    partners: impl Fn(&TrafficMatrix) -> Result<(TrafficMatrix, TrafficMatrix), TheoremError>,
) -> Result<Vec<Finding>, TheoremError> {
    let [source, destination] = both(topology, scope)?;
    let (trials, seed) = (scope.trials.div_ceil(100), scope.seed);
    let (mut bad, mut values) = (None, Vec::new());
    for index in 0..trials {
        let pattern = pattern(topology.hosts(), seed, index)?;
        let (pattern, partner) = partners(&pattern)?;
        let of_source = most(&source, pattern.demands(), scope)?;
        let of_destination = most(&destination, partner.demands(), scope)?;
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
    let basis = Basis::sampled(trials, seed);
    Ok(vec![Finding::holds(topology.spec(), "the same contention", found, holds, basis)])
}

/// Pattern number `index`: every pair with the same probability, from 0.1 to 0.9 in turn.
fn pattern(hosts: usize, seed: u64, index: u64) -> Result<TrafficMatrix, TheoremError> {
    let tenths = 1 + index % 9;
    let seed = seed.wrapping_mul(1_000_003).wrapping_add(index);
    Ok(traffic::generate(&format!("random(p=0.{tenths},seed={seed})"), hosts)?)
}
