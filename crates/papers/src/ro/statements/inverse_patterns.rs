//! \[RO\] VII.C: general patterns and their inverses.

use super::inverse::both;
use crate::load::{ContentionError, contention};
use crate::theorem::prelude::*;
use crate::traffic::{self, TrafficMatrix};

pub(super) const KIND: Statement = Statement::new("ro-inverse-patterns", "[RO] VII.C")
    .about("Under S-mod-k a general pattern has the contention that its inverse has under D-mod-k")
    .hypothesis("every XGFT, random patterns")
    .quote("an inverse can be found, that will show the exact same behaviour under the converse routing policy")
    .networks(
        |tree| tree.plain_tree().is_some(),
        |topology, scope| check(topology, scope, |it| Ok((it.clone(), it.clone().transpose()))),
    )
    // The paths of S-mod-k for both.
    .planted(Planted::RoutedAs("xgft(2;4,4;1,2)", &["dmodk"], "smodk"));

pub(super) const SYMMETRIC: Statement = Statement::new("ro-symmetric-patterns", "[RO] VII.C")
    .about("A symmetric pattern has the same contention under S-mod-k and D-mod-k")
    .hypothesis("every XGFT, random symmetric patterns")
    .quote("if the pattern is symmetric, the inverse is itself, so the number of expected conflicts is the same under both routing schemes")
    .networks(
        |tree| tree.plain_tree().is_some(),
        |topology, scope| check(topology, scope, |it| Ok((symmetric(it)?, symmetric(it)?))),
    )
    .planted(Planted::Network(
        "xgft(2;4,4;1,2)",
        |topology, scope| check(topology, scope, |it| Ok((it.clone(), it.clone()))),
    ));

/// The demands whose reverse pair has a demand too.
fn symmetric(pattern: &TrafficMatrix) -> Result<TrafficMatrix> {
    let both = |demand: &&Demand| !pattern.amount(demand.d, demand.s).is_zero();
    let demands: Vec<Demand> = pattern.demands().iter().filter(both).cloned().collect();
    Ok(TrafficMatrix::new(pattern.hosts(), demands)?)
}

/// The maximum network contention of a link.
pub(super) fn most(instance: &Instance, demands: &[Demand], scope: &Scope) -> Result<Rational> {
    match contention(instance, demands, scope.progress) {
        Ok(values) => Ok(values.first_max().unwrap_or_default().1),
        Err(ContentionError::Stopped(stopped)) => Err(stopped.into()),
        Err(ContentionError::TooLarge(large)) => Err(large.into()),
        Err(error) => Err(defect(error)),
    }
}

/// The contention of each pattern under S-mod-k and of its partner under D-mod-k.
fn check(
    topology: &Topology,
    scope: &Scope,
    partners: impl Fn(&TrafficMatrix) -> Result<(TrafficMatrix, TrafficMatrix)>,
) -> Findings {
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
    let basis = Basis::sampled(trials, seed);
    let found = format!("so; contention {}", values.join(", "));
    Ok(vec![Finding::unless(topology.spec(), "the same contention", found, bad, basis)])
}

/// Pattern number `index`: every pair with the same probability, from 0.1 to 0.9 in turn.
fn pattern(hosts: usize, seed: u64, index: u64) -> Result<TrafficMatrix> {
    let tenths = 1 + index % 9;
    let seed = seed.wrapping_mul(1_000_003).wrapping_add(index);
    Ok(traffic::generate(&format!("random(p=0.{tenths},seed={seed})"), hosts)?)
}
