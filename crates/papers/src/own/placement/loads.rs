//! The worst load of jobs, alone and beside the others.

use std::collections::{BTreeMap, BTreeSet};

use crate::bounds::Bounds;
use crate::jobs::{Exchange, Job, worst_loads};
use crate::study::prelude::*;
use crate::topology::{Host, Xgft};

/// The worst case of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Loads {
    /// Number of jobs whose traffic leaves no subtree that traffic of another job leaves.
    pub(super) apart: usize,
    /// The most that a job puts on a link.
    pub(super) alone: Rational,
    /// The most that all of them put on a link.
    pub(super) together: Rational,
    /// Number of jobs for which the most on the links that they use is more beside the others.
    pub(super) gain: usize,
    /// The most by which that is multiplied.
    pub(super) factor: Rational,
    pub(super) evidence: String,
}

impl Loads {
    /// From the load of every job alone and beside the others.
    fn of(jobs: &[[Rational; 2]], apart: usize, evidence: String) -> Self {
        let most = |side: usize| jobs.iter().map(|of| of[side].clone()).max();
        let factor = |[alone, beside]: &[Rational; 2]| beside.checked_div(alone);
        Self {
            apart,
            alone: most(0).unwrap_or(Rational::ZERO),
            together: most(1).unwrap_or(Rational::ZERO),
            gain: jobs.iter().filter(|[alone, beside]| beside > alone).count(),
            factor: jobs.iter().filter_map(factor).max().unwrap_or(Rational::ONE),
            evidence,
        }
    }

    /// Whether no number contradicts another.
    pub(super) fn is_possible(&self) -> bool {
        self.alone <= self.together
            && self.factor >= Rational::ONE
            && (self.gain > 0) == (self.factor > Rational::ONE)
    }
}

/// Exact loads by a routing, with proof.
pub(super) fn of_traffic(
    instance: &Instance,
    jobs: &[Job],
    apart: usize,
    progress: &Progress,
) -> Result<Loads> {
    let mut evidence = BTreeSet::new();
    let mut loads = Vec::with_capacity(jobs.len());
    for worst in worst_loads(instance, jobs, Exchange::Adapters, progress)? {
        let sides = [worst.alone, worst.beside].map(|load| load.map(|load| load.bounds));
        for Bounds { evidence: of, .. } in sides.iter().flatten() {
            evidence.insert(of.to_string());
        }
        // Bounds of jobs are exact; a job without others has no load beside them.
        let [alone, beside] = sides.map(|load| load.map(|load| load.upper));
        let alone = alone.unwrap_or(Rational::ZERO);
        loads.push([alone.clone(), beside.unwrap_or(alone)]);
    }
    let evidence: Vec<String> = evidence.into_iter().collect();
    Ok(Loads::of(&loads, apart, evidence.join("; ")))
}

/// The loads by an even split over all shortest paths. The links above a subtree carry the same of all that leaves it,
/// and of k of the n hosts of a job min(k, n − k) can send out of it, and as many into it: no routing has less, as each
/// of these links carries its part.
pub(super) fn by_cuts(tree: &Xgft, jobs: &[Vec<Host>], apart: usize) -> Loads {
    let cuts: Vec<_> = jobs.iter().map(|job| cuts(tree, job)).collect();
    let mut sums: BTreeMap<_, Rational> = BTreeMap::new();
    for (cut, load) in cuts.iter().flatten() {
        *sums.entry(cut).or_insert(Rational::ZERO) += load;
    }
    let most = |of: &BTreeMap<_, Rational>| {
        let alone = of.values().max().cloned().unwrap_or(Rational::ZERO);
        let beside = of.keys().map(|cut| &sums[cut]).max().cloned().unwrap_or(Rational::ZERO);
        [alone, beside]
    };
    let loads: Vec<_> = cuts.iter().map(most).collect();
    Loads::of(&loads, apart, "cuts".into())
}

/// By height and number of a subtree, what a job puts on each link above it.
fn cuts(tree: &Xgft, job: &[Host]) -> BTreeMap<(usize, u32), Rational> {
    let mut found = BTreeMap::new();
    for level in 0..tree.height() {
        let links = Rational::from(u64::from(tree.shortest_paths(level + 1)));
        for (subtree, inside) in inside(tree, job, level) {
            let most = Rational::from(inside.min(job.len() as u64 - inside));
            if let Some(load) = most.checked_div(&links).filter(|load| *load > Rational::ZERO) {
                found.insert((level, subtree), load);
            }
        }
    }
    found
}

/// By subtree of a height, the hosts of a job in it.
fn inside(tree: &Xgft, job: &[Host], level: usize) -> BTreeMap<u32, u64> {
    let mut inside = BTreeMap::new();
    for host in job {
        *inside.entry(tree.subtree(*host, level)).or_default() += 1;
    }
    inside
}

/// Number of jobs whose traffic leaves no subtree that traffic of another job leaves: no shortest path of the others
/// takes a link of theirs.
pub(super) fn apart(tree: &Xgft, jobs: &[Vec<Host>]) -> usize {
    let cuts: Vec<_> = jobs.iter().map(|job| cuts(tree, job)).collect();
    let mut counts = BTreeMap::new();
    for cut in cuts.iter().flat_map(BTreeMap::keys) {
        *counts.entry(cut).or_insert(0) += 1;
    }
    cuts.iter().filter(|of| of.keys().all(|cut| counts[cut] == 1)).count()
}
