//! Bounds by cuts, where a worst case was found by class of hosts.
//!
//! Traffic with optu ≤ 1 sends no more out of a set of nodes, and into it, than the links there carry. Where pods
//! are tapered this is less than what their hosts send, which alone limits the traffic of an analysis by class.
//! Links whose bound is above what some traffic attains are solved again with prices on such cuts
//! ([`class_cuts`](super::class_cuts)), the largest bound first, until no bound that is left exceeds the
//! largest of those that cuts leave. The traffic behind that one is a witness of its own: its load is the bound,
//! and where only hosts and cuts matter its optu is 1.
//!
//! It is about the ratio alone: the claim on permutations stays with the certificate before it.

use std::collections::{BTreeSet, HashMap};

use super::by_class::{Analysis, Search};
use super::candidate_cuts::Cuts;
use super::class_problem::ClassSolver;
use super::one_ended::one_ended;
use super::rerouted::near_optimal;
use super::{Method, Proof, WorstCase, prove_by, witness};
use crate::bounds::{RoutedTraffic, Witness};
use crate::certificate::{CutId, Quantity};
use crate::integer::index32;
use crate::load::{HostClasses, PairCounts};
use crate::optimum::classes::host_paths::host_paths;
use crate::optimum::classes::{Balancing, Classes};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{LinkId, Topology};
use crate::traffic::Demand;

/// Relative amount by which the routing of a witness may exceed its optu.
const GAP: f64 = 0.001;

/// The proof with bounds by cuts, and with traffic that cuts limit as its witness where that proves more; `None`
/// where it proves no more than before. Then `worst` is as it was, otherwise it has the bounds by cuts, and a link
/// counts as attained that was worked on to the end. Only worst cases of the oblivious ratio that were found by
/// class are looked at.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, routing::{Instance, build}, worst_case};
/// use routebound::topology::{Topology, generate};
/// // Two leaves of four hosts under one root, written out: either leaf has one link up.
/// let tree = generate("xgft(2;4,2;1,1)")?;
/// let network = Topology::new("own".into(), tree.graph().clone())?;
/// let instance = Instance::new(network.clone(), build("ecmp", &network)?)?;
/// let silent = Progress::silent();
/// let mut worst = worst_case::analyse(&instance)?;
/// let proof = worst_case::prove(&instance, &worst);
/// assert_eq!((proof.bounds.lower.clone(), proof.bounds.upper.clone()), (1.into(), 4.into()));
/// let proof = worst_case::under_cuts(&instance, &mut worst, &proof, &silent).ok_or("no cut helps")?;
/// assert_eq!(proof.bounds.exact(), Some(&1.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn under_cuts(
    instance: &Instance,
    worst: &mut WorstCase,
    proof: &Proof,
    progress: &Progress,
) -> Option<Proof> {
    let is_open = proof.bounds.exact().is_none() && worst.is_covered();
    let is_by_class = worst.method == Method::HostClasses && worst.symmetry.is_none();
    if !is_open || !is_by_class || worst.quantity != Quantity::ObliviousRatio {
        return None;
    }
    let classes = HostClasses::of(instance)?;
    let solver = ClassSolver::new(&instance.topology, &classes, worst.unit.as_ref()).ok()?;
    let cuts = Some(Cuts::new(&instance.topology, &solver)).filter(|cuts| !cuts.is_empty())?;
    let analysis = Analysis { instance, solver, cuts: Some(cuts), progress };
    let mut bounded = worst.clone();
    let search = analysis.bound(&mut bounded, &proof.bounds.lower)?;
    let (lower, witness) = better(instance, &classes, proof, search, progress);
    bounded.method = Method::Cuts;
    (bounded.worst, bounded.demands) = (witness.link, witness.demands.clone());
    let proof = Some(prove_by(&instance.topology, &bounded, witness, lower))
        .filter(|found| found.bounds != proof.bounds)?;
    *worst = bounded;
    Some(proof)
}

impl Analysis<'_> {
    /// Solves links under cuts whose bound is above `least`, as long as it is the largest; `None` when cancelled
    /// before the first.
    fn bound(&self, worst: &mut WorstCase, least: &Rational) -> Option<Search> {
        let classes = self.solver.classes;
        let is_alike = |node: u32| {
            let is_host = (node as usize) < self.instance.topology.hosts();
            is_host && classes.hosts()[classes.class(node)].len() > 1
        };
        // The links of alike hosts have the bound of their hosts.
        let is_open = |link: LinkId| {
            let ends = self.instance.topology.ends(link);
            let is_between = ends.is_some_and(|(tail, head)| !is_alike(tail) && !is_alike(head));
            is_between && worst.load(link).is_some_and(|load| load > least)
        };
        let open: Vec<bool> = self.instance.topology.link_numbers().map(is_open).collect();
        let mut order: Vec<LinkId> =
            (0..).zip(&open).filter(|(_, open)| **open).map(|(link, _)| link).collect();
        order.sort_by(|a, b| worst.load(*b).cmp(&worst.load(*a)).then(a.cmp(b)));
        let quiet = Progress::silent().stopped_by(self.progress.stop());
        let firsts = classes.firsts();
        let counts = PairCounts::between(self.instance, open, &firsts, firsts.clone(), &quiet)?;
        for bound in worst.links.iter_mut().flatten() {
            bound.attained = bound.load <= *least;
        }
        let mut search = Search { best: least.clone(), ..Search::default() };
        self.search_in_parts(worst, &mut search, &counts, &order);
        for bound in worst.links.iter_mut().flatten() {
            bound.attained |= bound.load <= search.best;
        }
        if let Some(cuts) = &self.cuts {
            number_cuts(worst, cuts);
        }
        Some(search)
    }
}

/// Gives the worst case the cuts that its covers name, numbered in their order.
fn number_cuts(worst: &mut WorstCase, cuts: &Cuts) {
    let covers = || worst.links.iter().flatten().map(|bound| &bound.cover);
    let named = covers().flat_map(|cover| cover.out_cuts.iter().chain(&cover.in_cuts));
    let named: BTreeSet<CutId> = named.map(|(cut, _)| *cut).collect();
    let number: HashMap<CutId, CutId> =
        named.iter().enumerate().map(|(number, cut)| (*cut, index32(number))).collect();
    for cover in worst.links.iter_mut().flatten().map(|bound| &mut bound.cover) {
        for (cut, _) in cover.out_cuts.iter_mut().chain(&mut cover.in_cuts) {
            *cut = number[cut];
        }
    }
    worst.cuts = named.into_iter().map(|cut| cuts.nodes(cut)).collect();
}

/// The witness of the search, and what it proves, if that is more than the proof's own does.
fn better(
    instance: &Instance,
    classes: &HostClasses,
    proof: &Proof,
    search: Search,
    progress: &Progress,
) -> (Rational, Witness) {
    let known = (proof.attained.clone(), proof.witness.clone());
    let Some((link, demands, traffic)) = search.traffic else { return known };
    let topology = &instance.topology;
    let load = topology.load_of(link, &traffic);
    let exact = one_ended(instance, classes, link, &demands, progress);
    if let Some(found) = exact.as_ref().filter(|(ratio, _)| *ratio >= load) {
        return found.clone();
    }
    let routed = [near_optimal, balanced].map(|route| route(topology, &demands, progress));
    let routed = routed.into_iter().flatten();
    let routed = routed.map(|(optu, flow)| Witness { link, demands: demands.clone(), optu, flow });
    let found = routed.chain([witness(instance, link, demands.clone())]);
    let found = found.filter_map(|witness| Some((load.checked_div(&witness.optu)?, witness)));
    found.chain(exact).fold(known, |best, found| if found.0 > best.0 { found } else { best })
}

/// A routing of traffic over shortest paths that balances their loads, and its max load.
fn balanced(
    topology: &Topology,
    demands: &[Demand],
    progress: &Progress,
) -> Option<(Rational, RoutedTraffic)> {
    let classes = Classes::new(topology, demands)?;
    let mut search = Balancing::new(&classes)?;
    search.search(GAP, progress, &mut |_, _| {});
    let (dags, factor) = (search.dags(), search.factor());
    let (optu, paths) = host_paths(&classes, dags, demands, factor, progress).ok()?;
    Some((optu, RoutedTraffic::Paths(paths)))
}

#[cfg(test)]
mod tests;
