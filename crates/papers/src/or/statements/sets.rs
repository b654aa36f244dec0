//! Sets of SD pairs, with the quantities that \[OR\] IV defines on them for Lemmas 1 to 5.

use std::fmt;

use rand::Rng;

use crate::matching::{Graph, Matching};
use crate::theorem::prelude::*;

/// A set A of distinct SD pairs. Sources and destinations are numbered separately: node 1 as a
/// source and node 1 as a destination are unrelated in Definitions 1 to 3.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SdSet {
    pub(super) pairs: Vec<(usize, usize)>,
}

impl fmt::Display for SdSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.pairs.iter().map(|(s, d)| format!("{s}->{d}"));
        write!(f, "{{{}}}", pairs.collect::<Vec<_>>().join(", "))
    }
}

impl SdSet {
    /// The cells (s,d) of a grid of sources × destinations whose bit s·columns + d is set.
    pub(super) fn of_bits(bits: u64, columns: usize) -> Self {
        let cells = (0..64).filter(|cell| bits >> cell & 1 == 1);
        Self { pairs: cells.map(|cell: usize| (cell / columns, cell % columns)).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// L(A), the size of a largest node disjoint subset (Definition 3): a maximum matching.
    pub(super) fn disjoint(&self) -> usize {
        let (left, right) = (self.bound(|pair| pair.0), self.bound(|pair| pair.1));
        let mut graph = Graph { offsets: vec![0], targets: Vec::new(), right };
        for s in 0..left {
            let own = self.pairs.iter().filter(|pair| pair.0 == s);
            graph.targets.extend(own.map(|pair| index32(pair.1)));
            graph.offsets.push(index32(graph.targets.len()));
        }
        let mut matching = Matching::default();
        matching.maximise(&graph);
        matching.size
    }

    fn bound(&self, end: fn(&(usize, usize)) -> usize) -> usize {
        self.pairs.iter().map(|pair| end(pair) + 1).max().unwrap_or(0)
    }

    /// |S_s| of every source s.
    pub(super) fn by_source(&self) -> Vec<usize> {
        self.counts(|pair| pair.0)
    }

    /// |D_d| of every destination d.
    pub(super) fn by_destination(&self) -> Vec<usize> {
        self.counts(|pair| pair.1)
    }

    fn counts(&self, end: fn(&(usize, usize)) -> usize) -> Vec<usize> {
        let mut counts = vec![0; self.bound(end)];
        for pair in &self.pairs {
            counts[end(pair)] += 1;
        }
        counts
    }

    /// The sources and the destinations of at least `least` pairs, and of at least one.
    pub(super) fn busy(&self, least: usize) -> [Vec<usize>; 2] {
        let nodes = |counts: Vec<usize>| {
            let busy = (0..).zip(counts).filter(|(_, count)| *count >= least.max(1));
            busy.map(|(node, _)| node).collect()
        };
        [nodes(self.by_source()), nodes(self.by_destination())]
    }

    /// LS(A), the most pairs of one source or one destination.
    pub(super) fn most_of_a_node(&self) -> usize {
        self.by_source().into_iter().chain(self.by_destination()).max().unwrap_or(0)
    }

    /// Without the pairs of these sources and destinations.
    pub(super) fn without(&self, sources: &[usize], destinations: &[usize]) -> Self {
        let kept = |(s, d): &&(usize, usize)| !sources.contains(s) && !destinations.contains(d);
        Self { pairs: self.pairs.iter().filter(kept).copied().collect() }
    }
}

/// Grids of sources × destinations of which all subsets are examined.
fn grids(scope: &Scope) -> &'static [(usize, usize)] {
    match scope.hosts {
        0..=16 => &[(2, 2), (3, 3)],
        _ if scope.full => &[(2, 2), (3, 3), (3, 4), (4, 4), (4, 5)],
        _ => &[(2, 2), (3, 3), (3, 4), (4, 4)],
    }
}

/// Runs `holds` on every subset of small grids, and on random sets of up to 12 × 12. `holds`
/// returns `None` for a set that does not satisfy the hypothesis.
pub(super) fn examine(
    scope: &Scope,
    claimed: &str,
    holds: impl Fn(&SdSet) -> Option<bool> + Sync,
) -> Findings {
    let mut findings = scope.each(grids(scope), |(rows, columns)| {
        let sets = 1_u64 << (rows * columns);
        let seen = Seen::of(sets, |bits| SdSet::of_bits(bits, *columns), &holds);
        let case = format!("all {sets} sets of {rows} sources x {columns} destinations");
        Ok(seen.finding(case, claimed, Basis::Exhaustive))
    })?;
    let (trials, seed) = (scope.trials, scope.seed);
    let drawn = Seen::of(trials, |index| random(seed, index), &holds);
    let case = format!("{trials} random sets of up to 12 sources x 12 destinations");
    let basis = Basis::sampled(drawn.count, seed);
    findings.push(drawn.finding(case, claimed, basis));
    scope.progress.check()?;
    Ok(findings)
}

/// The verdict of a lemma on many sets.
struct Seen {
    /// Number of sets it applies to.
    count: u64,
    /// The first set on which it is wrong.
    bad: Option<SdSet>,
}

impl Seen {
    fn of(
        sets: u64,
        set: impl Fn(u64) -> SdSet + Sync,
        holds: &(impl Fn(&SdSet) -> Option<bool> + Sync),
    ) -> Self {
        let one = |index: u64| match holds(&set(index)) {
            None => (0, u64::MAX),
            Some(true) => (1, u64::MAX),
            Some(false) => (1, index),
        };
        let both = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1.min(b.1));
        let (count, bad) = (0..sets).into_par_iter().map(one).reduce(|| (0, u64::MAX), both);
        Self { count, bad: (bad < sets).then(|| set(bad)) }
    }

    fn finding(&self, case: String, claimed: &str, basis: Basis) -> Finding {
        if self.count == 0 {
            return Finding::vacuous(case, "no set satisfies the hypothesis");
        }
        let bad = self.bad.as_ref().map(|set| format!("A = {set}"));
        let found = format!("so on all {} that it applies to", self.count);
        Finding::unless(case, claimed, found, bad, basis)
    }
}

/// Set number `index` of a seed: a random grid of up to 12 × 12, with the same random probability
/// for every cell.
pub(super) fn random(seed: u64, index: u64) -> SdSet {
    let mut generator = Streams::new(seed).at(index);
    let mut below = |bound: u32| generator.next_u32() % bound;
    let (rows, columns, dense) = (1 + below(12) as usize, 1 + below(12) as usize, 1 + below(15));
    let cells = (0..rows).flat_map(|s| (0..columns).map(move |d| (s, d)));
    SdSet { pairs: cells.filter(|_| below(16) < dense).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example below Definition 3.
    #[test]
    fn the_example_of_the_paper() {
        let set = SdSet { pairs: vec![(1, 2), (1, 3), (2, 1), (2, 4), (3, 1)] };
        assert_eq!((set.disjoint(), set.most_of_a_node()), (3, 2));
        assert_eq!(
            (set.by_source(), set.by_destination()),
            (vec![0, 2, 2, 1], vec![0, 2, 1, 1, 1])
        );
        assert_eq!(set.without(&[1], &[4]).pairs, [(2, 1), (3, 1)]);
    }
}
