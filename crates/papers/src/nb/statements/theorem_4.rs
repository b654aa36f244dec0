//! \[NB\] Theorem 4: NONBLOCKINGADAPTIVE never collides.
//!
//! Pairs of one switch within a partition have different coordinates, hence different top switches;
//! different partitions and configurations have different top switches; and pairs of different
//! switches with destinations in one switch have, within a partition, different coordinates (Lemma
//! 4). That is a proof for all n, c and permutations. Here the paths are laid over the links of trees.

use std::collections::HashSet;

use crate::adversary::pattern::for_each_partial;
use crate::simulation::adaptive::{Numbering, Scratch, most_configurations};
use crate::theorem::prelude::*;
use crate::traffic::Permutation;

pub(super) const KIND: Statement = Statement::new("nb-theorem-4", "[NB] V, Theorem 4")
    .about("NONBLOCKINGADAPTIVE routes every permutation of ftree(n,m,r) without contention")
    .hypothesis("every permutation of ftree(2,m,3), random ones of larger trees; every tree by Lemmas 3 to 5")
    .quote("Algorithm NONBLOCKINGADAPTIVE results in nonblocking communication.")
    .cases(|scope| check(scope, |_, top| top))
    // All partitions over the top switches of the first.
    .planted(Planted::Check(|scope| check(scope, |n, top| top % n)));

/// The top switch that is really taken, for n.
type Merged = fn(u32, u32) -> u32;

/// n and r of trees whose permutations are drawn.
const DRAWN: &[(u32, u32)] = &[(2, 7), (3, 9), (4, 4), (4, 16), (6, 12), (8, 64)];

fn check(scope: &Scope, merged: Merged) -> Findings {
    let mut findings = Vec::new();
    let mut all = Counts::of(2, 3, merged)?;
    for_each_partial(6, &mut |one| {
        all.route(one);
        Ok::<_, TheoremError>(true)
    })?;
    findings.push(all.finding("all permutations", Basis::Exhaustive));
    for (n, r) in DRAWN.iter().copied() {
        let mut some = Counts::of(n, r, merged)?;
        for index in 0..scope.trials {
            scope.progress.check()?;
            some.route(&Permutation::random(some.tree.hosts(), scope.seed, index));
        }
        findings.push(some.finding("random", Basis::sampled(scope.trials, scope.seed)));
    }
    Ok(findings)
}

/// Permutations of one tree, and how many of them have two paths on a link.
struct Counts {
    tree: Xgft,
    numbering: Numbering,
    merged: Merged,
    routed: u64,
    collide: u64,
    scratch: Scratch,
    tops: Vec<u32>,
}

impl Counts {
    fn of(n: u32, r: u32, merged: Merged) -> Result<Self> {
        let missing = || defect(format!("n = {n}, r = {r}"));
        let numbering = Numbering::of(n, r).ok_or_else(missing)?;
        let m = most_configurations(numbering, n) * numbering.per_configuration();
        let tree = Xgft::from_parameters(&[n.into(), r.into()], &[1, m])?;
        let (scratch, tops) = (Scratch::default(), Vec::new());
        Ok(Self { tree, numbering, merged, routed: 0, collide: 0, scratch, tops })
    }

    fn route(&mut self, permutation: &Permutation) {
        let (n, mut links) = (self.numbering.n(), Vec::new());
        for sources in self.tree.hosts_in_order().chunks(n as usize) {
            let pairs = sources.iter().filter_map(|s| Some((*s, permutation.image(*s)?)));
            let own: Vec<(Host, Host)> =
                pairs.filter(|(s, d)| self.tree.nca_level(*s, *d) == 2).collect();
            let host = |d: Host| (self.tree.subtree(d, 1), self.tree.digit(d, 1));
            let destinations: Vec<(u32, u32)> = own.iter().map(|(_, d)| host(*d)).collect();
            self.numbering.allot(&destinations, &mut self.scratch, &mut self.tops);
            for ((s, d), top) in own.iter().zip(&self.tops) {
                self.tree.push_path(*s, *d, &[0, (self.merged)(n, *top)], &mut links);
            }
        }
        let (count, different) = (links.len(), links.into_iter().collect::<HashSet<LinkId>>());
        self.routed += 1;
        self.collide += u64::from(different.len() < count);
    }

    fn finding(&self, which: &str, basis: Basis) -> Finding {
        let case = format!("{which}, {}", self.tree.shape());
        let found = format!("{} of {} collide", self.collide, self.routed);
        Finding::holds(case, "none collides", found, self.collide == 0, basis)
    }
}
