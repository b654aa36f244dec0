//! How long GREEDY may take on the smallest trees: every set of messages, or its exact expectation.
//!
//! \[GL\] has no upper bound: these are data for one. Among the processors the order in which one of
//! them has its messages matters too; here it is by ascending destination.

use super::prelude::*;
use crate::adversary::delivery::{Target, build};
use crate::registry::Kind;

pub(super) const KIND: Statement = Statement::new("gl-greedy-worst", "[GL] 7, on GREEDY")
    .about("GREEDY takes at most lambda delivery cycles among 2 processors, 3 lambda - 2 among 4, and \
            3 lambda / 2 from 4 out of the root: the most over all message sets of small load factors")
    .hypothesis("universal(2), universal(4) and universal(4,root=open), every registered admissible loss rule, lambda = 1, 2, 3 (full: 4), messages of a processor by ascending destination; exact expectations under random rules")
    .ours()
    .quote("we have been unable to provide a good upper bound on its performance. ... a comprehensive analysis of GREEDY remains an important open problem.")
    .cases(|scope| check(scope, SITES))
    // 2λ − 1, what holds where every lost message meets one that is delivered.
    .planted(Planted::Check(|scope| { check(scope, &[("universal(4)", "any", |lambda| Rational::from(2 * lambda - 1))]) }));

/// A tree, the destinations, and a bound for load factors up to λ.
type Site = (&'static str, &'static str, fn(u64) -> Rational);

const SITES: &[Site] = &[
    ("universal(2)", "any", Rational::from),
    ("universal(4)", "any", |lambda| Rational::from(3 * lambda - 2)),
    ("universal(4,root=open)", "4", |lambda| fraction(3 * lambda, 2)),
];

fn check(scope: &Scope, sites: &[Site]) -> Findings {
    let mut cases = Vec::new();
    for site in sites {
        for rule in LOSSES.iter().filter(|kind| kind.build.is_admissible) {
            cases.extend((1..=if scope.full { 4 } else { 3 }).map(|lambda| (*site, rule, lambda)));
        }
    }
    let found = cases.into_par_iter().map(|(site, rule, lambda)| {
        let found = finding(site, rule, lambda, scope);
        scope.progress.inc(1);
        found
    });
    found.collect()
}

fn finding(
    (spec, to, bound): Site,
    rule: &'static Kind<Loss>,
    lambda: u64,
    scope: &Scope,
) -> Result<Finding> {
    let shape = trees::shape(spec)?;
    let tree = WireTree::universal(&shape);
    let target = Target { tree: &tree, shape: Some(&shape), loss: rule };
    let adversary = build(&format!("exhaustive(lambda={lambda},to={to})"))?;
    let found = adversary.attack(&target, &scope.progress.part(1.0))?;
    scope.progress.check()?;
    let worst = found.worst.ok_or_else(|| defect(spec))?;
    let case = format!("{} on {spec}, {} sets, lambda <= {lambda}", rule.name, found.evaluations);
    Ok(Finding::at_most(case, bound(lambda), worst.cycles, Basis::Exhaustive))
}
