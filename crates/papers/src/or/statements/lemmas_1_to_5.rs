//! \[OR\] Lemmas 1 to 5, on sets of SD pairs.

use super::sets::{SdSet, examine, random};
use crate::theorem::prelude::*;

pub(super) const LEMMA_1: Statement = Statement::new("or-lemma-1", "[OR] Lemma 1")
    .about("A set A of SD pairs has |SRC(A)| >= L(A) and |DST(A)| >= L(A)")
    .hypothesis("any set of SD pairs")
    .quote(r"Let A be a set of SD pairs, $|SRC(A)| \ge L(A)$ and $|DST(A)| \ge L(A)$.")
    .cases(|scope| ends(scope, 0))
    .planted(Planted::Check(|scope| ends(scope, 1)));

/// The claim that SRC(A) and DST(A) have at least L(A) + `more` nodes.
fn ends(scope: &Scope, more: usize) -> Findings {
    examine(scope, "|SRC(A)| >= L(A) and |DST(A)| >= L(A)", |set| {
        let nodes = |counts: Vec<usize>| counts.into_iter().filter(|count| *count > 0).count();
        let fewer = nodes(set.by_source()).min(nodes(set.by_destination()));
        Some(fewer >= set.disjoint() + more)
    })
}

pub(super) const LEMMA_2: Statement = Statement::new("or-lemma-2", "[OR] Lemma 2")
    .about("Two sets A and B of SD pairs have L(A) + L(B) >= L(A u B)")
    .hypothesis("any two sets of SD pairs")
    .quote(r"Let A and B be two sets of SD pairs, $L(A) + L(B) \ge L(A \bigcup B)$.")
    .cases(|scope| unions(scope, 0))
    .planted(Planted::Check(|scope| unions(scope, 1)));

/// Number of sources, and of destinations, of the sets that are examined pair by pair.
const SIDE: usize = 3;

/// The claim that L(A) + L(B) ≥ L(A ∪ B) + `more`.
fn unions(scope: &Scope, more: usize) -> Findings {
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
    let bad = bad.map(|(a, b)| format!("A = {a}, B = {b}"));
    Finding::unless(case, "L(A) + L(B) >= L(A u B)", "so on every pair of sets", bad, basis)
}

pub(super) const LEMMA_3: Statement = Statement::new("or-lemma-3", "[OR] Lemmas 3, 3a")
    .about("If |S_s| > L(A) then L(A - S_s) = L(A) - 1, and likewise for destinations (Lemma 3a)")
    .hypothesis(
        "a set A of SD pairs, a source s with |S_s| > L(A) or a destination d with |D_d| > L(A)",
    )
    .quote(
        r"If there is a source node s such that $|S_s^A| > L(A)$, then $L(A - S_s^A) = L(A) - 1$.",
    )
    .cases(|scope| without_one(scope, 1))
    // As if |S_s| = L(A) were enough.
    .planted(Planted::Check(|scope| without_one(scope, 0)));

/// The lemma for nodes with at least L(A) + `more` pairs.
fn without_one(scope: &Scope, more: usize) -> Findings {
    examine(scope, "L(A - S_s) = L(A) - 1 = L(A - D_d)", |set| {
        let largest = set.disjoint();
        let [sources, destinations] = set.busy(largest + more);
        if sources.is_empty() && destinations.is_empty() {
            return None;
        }
        let less = |sources: &[usize], destinations: &[usize]| {
            set.without(sources, destinations).disjoint() + 1 == largest
        };
        let holds = sources.iter().all(|s| less(&[*s], &[]));
        Some(holds && destinations.iter().all(|d| less(&[], &[*d])))
    })
}

pub(super) const LEMMA_4: Statement = Statement::new("or-lemma-4", "[OR] Lemma 4")
    .about("Removing the pairs of k sources with |S_s| > L(A) and l destinations with |D_d| > L(A) leaves L(A) - k - l")
    .hypothesis("a set A of SD pairs, any choice among its nodes with more than L(A) pairs")
    .quote(r"then $L(A - \bigcup_{i=1}^k S_{s_i}^A - \bigcup_{i=1}^l D_{d_i}^A) = L(A) - k - l$.")
    .cases(|scope| without_some(scope, 1))
    // As if |S_s| = L(A) were enough.
    .planted(Planted::Check(|scope| without_some(scope, 0)));

/// The lemma for nodes with at least L(A) + `more` pairs.
fn without_some(scope: &Scope, more: usize) -> Findings {
    examine(scope, "L(A - S_s1 - .. - D_dl) = L(A) - k - l", |set| {
        let largest = set.disjoint();
        // With more than L(A) pairs each: at most L(A) nodes, as all are in every König cover.
        let [sources, destinations] = set.busy(largest + more);
        if sources.is_empty() && destinations.is_empty() {
            return None;
        }
        let choices = sources
            .into_iter()
            .powerset()
            .cartesian_product(destinations.into_iter().powerset().collect_vec());
        Some(choices.into_iter().all(|(sources, destinations)| {
            let left = set.without(&sources, &destinations).disjoint();
            left + sources.len() + destinations.len() == largest
        }))
    })
}

pub(super) const LEMMA_5: Statement = Statement::new("or-lemma-5", "[OR] Lemma 5")
    .about("A set A of SD pairs has |A| <= L(A) x LS(A)")
    .hypothesis("any set of SD pairs")
    .quote(r"Let A be a set of SD pairs. $|A| \leq L(A) \times LS(A)$.")
    .cases(|scope| sizes(scope, 0))
    .planted(Planted::Check(|scope| sizes(scope, 1)));

/// The claim that a nonempty set has |A| <= L(A)·(LS(A) − `fewer`).
fn sizes(scope: &Scope, fewer: usize) -> Findings {
    examine(scope, "|A| <= L(A) x LS(A)", |set| {
        let most = set.most_of_a_node();
        (most > 0).then(|| set.len() <= set.disjoint() * (most - fewer))
    })
}
