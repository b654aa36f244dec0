//! \[OR\] Lemma 2.

use rayon::prelude::*;

use super::sets::{SdSet, random};
use crate::integer::as_size;
use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, Whose};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-lemma-2",
    usage: "or-lemma-2",
    options: &[],
    about: "Two sets A and B of SD pairs have L(A) + L(B) >= L(A u B)",
    reference: "[OR] Lemma 2",
    examples: &["or-lemma-2"],
    build: Statement {
        hypothesis: "any two sets of SD pairs",
        whose: Whose::Paper,
        quote: r"Let A and B be two sets of SD pairs, $L(A) + L(B) \ge L(A \bigcup B)$.",
        subject: Subject::Cases { check: |scope| unions(scope, 0) },
        remark: None,
        planted: |scope| unions(scope, 1),
    },
};

/// Number of sources, and of destinations, of the sets that are examined pair by pair.
const SIDE: usize = 3;

/// The claim that L(A) + L(B) ≥ L(A ∪ B) + `more`.
fn unions(scope: &Scope, more: usize) -> Result<Vec<Finding>, TheoremError> {
    let sets = 1_u64 << (SIDE * SIDE);
    let set = |bits| SdSet::of_bits(bits, SIDE);
    let largest: Vec<usize> = (0..sets).map(|bits| set(bits).disjoint()).collect();
    let of = |bits: u64| largest[as_size(bits)];
    let pairs = (0..sets).into_par_iter().flat_map_iter(|a| (0..sets).map(move |b| (a, b)));
    let bad = pairs.filter(|(a, b)| of(*a) + of(*b) < of(a | b) + more).min();
    let case = format!("all {sets} x {sets} sets of {SIDE} sources x {SIDE} destinations");
    let bad = bad.map(|(a, b)| (set(a), set(b)));
    let exhaustive = finding(case, bad.as_ref(), Basis::Exhaustive);
    scope.progress.check()?;
    let (trials, seed) = (scope.trials, scope.seed);
    let drawn = |index| (random(seed, 2 * index), random(seed, 2 * index + 1));
    let bad = (0..trials).into_par_iter().map(drawn).find_first(|(a, b)| {
        let mut union = SdSet { pairs: [a.pairs.as_slice(), &b.pairs].concat() };
        union.pairs.sort_unstable();
        union.pairs.dedup();
        a.disjoint() + b.disjoint() < union.disjoint() + more
    });
    let case = format!("{trials} pairs of random sets of up to 12 sources x 12 destinations");
    Ok(vec![exhaustive, finding(case, bad.as_ref(), Basis::sampled(trials, seed))])
}

fn finding(case: String, bad: Option<&(SdSet, SdSet)>, basis: Basis) -> Finding {
    let found = bad.map_or_else(
        || "so on every pair of sets".to_string(),
        |(a, b)| format!("A = {:?}, B = {:?}", a.pairs, b.pairs),
    );
    Finding::holds(case, "L(A) + L(B) >= L(A u B)", found, bad.is_none(), basis)
}
