//! What a search already knows about a routing in floats, made exact.
//!
//! The search for a best routing solves the linear program of every link many times. When it is stopped
//! there is no time to solve them once more for the final routing: the prices and the traffic that
//! it already has for that routing serve directly as covers and a witness.

use super::WorstDemandSearch;
use super::exact;
use crate::bounds::{DualDemand, RoutedTraffic, Witness};
use crate::load::{LinkPairs, PairCounts, SharedPair};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::link_number;
use crate::worst_case::{LinkBound, Proof, WorstCase, prove_by};

/// For every link, prices of all links, and traffic with optu ≤ 1 against one link.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k> {
    /// By link; any prices are valid, good ones give light covers.
    pub prices: &'k [Vec<f64>],
    /// Traffic that loads a link heavily.
    pub worst: Option<&'k DualDemand>,
}

/// Takes covers from the `known` prices where they are lighter than those of `worst`, and the known
/// traffic where it proves more than `proof`. Links for which `progress` leaves no time stay as
/// they are.
#[must_use]
pub fn tighten(
    instance: &Instance,
    worst: &mut WorstCase,
    proof: Proof,
    known: Known<'_>,
    progress: &Progress,
) -> Proof {
    worst.by_hosts();
    let search = WorstDemandSearch::new(instance, progress);
    let topology = &instance.topology;
    let lower = &proof.bounds.lower;
    let is_open = |(link, prices): (usize, &Vec<f64>)| {
        let is_own = worst.is_representative(link_number(link));
        let bound = worst.links.get(link).and_then(Option::as_ref).filter(|_| is_own);
        !prices.is_empty() && bound.is_some_and(|bound| bound.load > *lower)
    };
    let mut open: Vec<bool> = known.prices.iter().enumerate().map(is_open).collect();
    open.resize(topology.links(), false);
    if let Some(against) = known.worst {
        open[against.link as usize] = true;
    }
    let Some(counts) = PairCounts::collect(instance, open.clone(), progress) else { return proof };
    let mut found: Option<(Rational, Witness)> = None;
    for range in counts.batches() {
        let pairs = LinkPairs::collect(instance, &counts, range.clone(), progress);
        let Some(pairs) = pairs else { break };
        for link in range.filter(|link| open[*link as usize]) {
            if progress.cancelled() {
                break;
            }
            let of_link: Vec<SharedPair<'_>> = pairs.of(link).collect();
            let prices = known.prices.get(link as usize).filter(|prices| !prices.is_empty());
            if let (Some(prices), Some(bound)) = (prices, &mut worst.links[link as usize]) {
                search.take_prices(&of_link, prices, bound, &proof.bounds.lower);
            }
            let against = known.worst.filter(|against| against.link == link);
            found = found.or_else(|| loaded(instance, &of_link, against?));
        }
    }
    let (lower, witness) = (proof.attained, proof.witness);
    let (lower, witness) = found.filter(|found| found.0 > lower).unwrap_or((lower, witness));
    worst.method = crate::worst_case::Method::Program;
    prove_by(topology, worst, witness, lower)
}

impl WorstDemandSearch<'_> {
    /// Takes the cover that prices of all links give the link of a bound, where it is lighter.
    fn take_prices(
        &self,
        pairs: &[SharedPair<'_>],
        prices: &[f64],
        bound: &mut LinkBound,
        lower: &Rational,
    ) {
        let topology = &self.instance.topology;
        let capacity = &topology.link(bound.cover.link).capacity;
        let cover = exact::cover(topology, &self.network, pairs, prices, &(lower * capacity));
        super::take_cover(bound, cover, topology);
        bound.attained = bound.load <= *lower;
    }
}

/// The load that traffic with optu ≤ 1 puts on its link, and the traffic as a witness.
fn loaded(
    instance: &Instance,
    pairs: &[SharedPair<'_>],
    against: &DualDemand,
) -> Option<(Rational, Witness)> {
    let Some(RoutedTraffic::Paths(paths)) = &against.flow else { return None };
    let mut traffic = Rational::ZERO;
    for demand in &against.demands {
        let at = pairs.binary_search_by_key(&(demand.s, demand.d), |pair| (pair.s, pair.d));
        if let Ok(at) = at {
            traffic += &(pairs[at].share * &demand.amount);
        }
    }
    let load = traffic.checked_div(&instance.topology.link(against.link).capacity)?;
    let (demands, flow) = (against.demands.clone(), RoutedTraffic::Paths(paths.clone()));
    Some((load, Witness { link: against.link, demands, optu: Rational::ONE, flow }))
}
