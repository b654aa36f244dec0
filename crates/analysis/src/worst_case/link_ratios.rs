//! How badly traffic can hurt each link: bounds of its load ÷ optu over all traffic.

use std::cmp::Ordering;
use std::collections::HashMap;

use rayon::prelude::*;

use super::problem::LinkSolver;
use super::{
    Analyse, Method, WorstCase, WorstCaseError, analyse_with, choose, laminar, prove, unit,
};
use crate::certificate::Quantity;
use crate::load::{LinkGraph, LinkLoads, LinkPairs, PairCounts};
use crate::optimum::even_load;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::shards::Units;
use crate::topology::{Host, LinkId, Topology, link_number};

/// Bounds of the maximum of load ÷ optu of one link over all traffic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRatio {
    /// The link.
    pub link: LinkId,
    /// Some traffic attains this.
    pub lower: Rational,
    /// No traffic exceeds this; `None` where the work was stopped before it was known.
    pub upper: Option<Rational>,
}

impl LinkRatio {
    /// Adopts an upper bound that is known from elsewhere, if it is lower.
    pub fn cap(&mut self, upper: &Rational) {
        if self.upper.as_ref().is_none_or(|known| known > upper) {
            self.upper = Some(upper.clone());
        }
    }

    /// Adopts what some traffic attains, if it is more.
    pub fn raise(&mut self, lower: &Rational) {
        if self.lower < *lower {
            self.lower.clone_from(lower);
        }
    }

    /// The order of links by what may happen to them, then by what is known to, then by number.
    #[must_use]
    pub fn most_endangered_first(&self, other: &Self) -> Ordering {
        let unknown = |ratio: &Self| ratio.upper.is_none();
        let order = unknown(other).cmp(&unknown(self));
        let order = order.then(other.upper.cmp(&self.upper)).then(other.lower.cmp(&self.lower));
        order.then(self.link.cmp(&other.link))
    }
}

/// Bounds of the ratio of every link, in the order of their ids; no checker sees them. On trees they are exact. On
/// other networks the upper side is the most that traffic of baseload 1 puts on the link, and the lower side what such
/// traffic attains, divided by what its even split over all shortest paths needs. What a stop leaves open has wide
/// bounds.
///
/// # Errors
/// [`WorstCaseError`] when the case is not covered.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, routing::Instance, worst_case::link_ratios};
/// let ratios = link_ratios(&Instance::named("ft(4,2)", "dmodk")?, &Progress::silent())?;
/// assert!(ratios.iter().all(|ratio| Some(&ratio.lower) == ratio.upper.as_ref()));
/// assert_eq!(ratios.iter().filter(|ratio| ratio.lower == 2.into()).count(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn link_ratios(
    instance: &Instance,
    progress: &Progress,
) -> Result<Vec<LinkRatio>, WorstCaseError> {
    let (worst, is_exact) = analysed(instance, progress)?;
    let bounds = worst.links.iter().enumerate().map(|(link, bound)| {
        let attained = bound.as_ref().filter(|bound| is_exact && bound.attained);
        LinkRatio {
            link: link_number(link),
            lower: attained.map_or(Rational::ZERO, |bound| bound.load.clone()),
            upper: bound.as_ref().map(|bound| bound.load.clone()),
        }
    });
    let mut ratios: Vec<LinkRatio> = bounds.collect();
    raise_by_witness(instance, &worst, &mut ratios, progress);
    let open = |ratio: &LinkRatio| ratio.upper.as_ref() != Some(&ratio.lower);
    let open: Vec<bool> = ratios.iter().map(open).collect();
    raise_by_own_traffic(instance, &open, &mut ratios, progress)?;
    Ok(ratios)
}

/// The worst case of all links, and whether the traffic that attains their loads has optu 1.
fn analysed(instance: &Instance, progress: &Progress) -> Result<(WorstCase, bool), WorstCaseError> {
    let (topology, quantity) = (&instance.topology, Quantity::ObliviousRatio);
    let tree = topology.tree();
    let Some(tree) = tree.filter(|tree| !tree.full_bisection()) else {
        return Ok((Analyse::of(quantity).progress(progress).run(instance)?, tree.is_some()));
    };
    let solver = laminar::Solver::new(topology, tree)?;
    let (method, units) = (Method::Laminar, Units::default());
    let worst = analyse_with(instance, quantity, None, method, &solver, &units, progress)?;
    // Where paths are not shortest ones, only hosts limit the traffic of their links.
    Ok((worst, !solver.fell_back()))
}

/// What the traffic of the worst link does to all of them.
fn raise_by_witness(
    instance: &Instance,
    worst: &WorstCase,
    ratios: &mut [LinkRatio],
    progress: &Progress,
) {
    let Instance { topology, routing, .. } = instance;
    let witness = prove(instance, worst).witness;
    let Ok(loads) = LinkLoads::of(topology, &**routing, &witness.demands, progress) else { return };
    for ratio in ratios {
        if let Some(attained) = loads.load(ratio.link).checked_div(&witness.optu) {
            ratio.raise(&attained);
        }
    }
}

/// What traffic that loads a link most does to it, for all links that are `open`.
fn raise_by_own_traffic(
    instance: &Instance,
    open: &[bool],
    ratios: &mut [LinkRatio],
    progress: &Progress,
) -> Result<(), WorstCaseError> {
    let (topology, quantity) = (&instance.topology, Quantity::ObliviousRatio);
    let (_, solver) = choose(instance, quantity, unit(topology, quantity))?;
    let quiet = Progress::silent().stopped_by(progress.stop());
    let Some(counts) = PairCounts::collect(instance, open.to_vec(), &quiet) else { return Ok(()) };
    for range in counts.batches() {
        let Some(pairs) = LinkPairs::collect(instance, &counts, range.clone(), &quiet) else {
            break;
        };
        let links: Vec<LinkId> = range.filter(|link| open[*link as usize]).collect();
        let fresh = || LinkGraph::for_hosts(topology.hosts());
        let found = links.par_iter().map_init(fresh, |problem, link| {
            problem.load(*link, pairs.of(*link));
            attained(topology, &*solver, problem, &quiet)
        });
        let found: Vec<Option<Rational>> = found.collect();
        for (link, attained) in links.iter().zip(found) {
            if let Some(attained) = attained {
                ratios[*link as usize].raise(&attained);
            }
        }
    }
    Ok(())
}

/// The load of a link under traffic that loads it most, divided by the max load of its even split.
fn attained(
    topology: &Topology,
    solver: &dyn LinkSolver,
    problem: &LinkGraph<'_>,
    progress: &Progress,
) -> Option<Rational> {
    let demands = solver.traffic(problem, progress).ok()?;
    let optu = even_load(topology, &demands, progress).ok()??;
    let amounts: HashMap<(Host, Host), &Rational> =
        demands.iter().map(|demand| ((demand.s, demand.d), &demand.amount)).collect();
    let crossing = problem.edges().filter_map(|(u, v, share)| {
        let amount = amounts.get(&(problem.sources[u], problem.destinations[v]))?;
        Some(*amount * share)
    });
    let traffic = crossing.fold(Rational::ZERO, |sum, part| &sum + &part);
    topology.load_of(problem.link, &traffic).checked_div(&optu)
}
